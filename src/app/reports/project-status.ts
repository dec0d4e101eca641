/** How things stand with a film, or with all films of a project, asked from any other terminal. Only looks: no lease is taken, nothing is sent. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { findProject, type Project } from '../../machine/files/project.ts';
import { profilesOf, realFilm } from '../../model/profile.ts';
import type { LocalJournal } from '../../records/journal/local-journal.ts';
import type { PastRun } from '../../records/views/journal-views.ts';
import { openRequest, type Submission } from '../../records/views/ledger.ts';
import { type FilmStatus, filmStatus, type OpenAtService, runCommand } from '../../show/text/status/film-status.ts';
import { filmOf } from '../state-folders.ts';
import { reportOf, withJournal } from './make-run-report.ts';

/** The newest run of a film in each of its profiles, the newest of them first. @throws Refusal where the journal cannot be read. */
export async function statusOfFilm(file: string, profile: string | undefined): Promise<readonly FilmStatus[]> {
  const project = await findProject(file, resolve());
  const film = filmOf(project, profile);
  const { from, to } = profilesOf(film);
  return statusOfAll({ project, profile, file }, name =>
    profile === undefined ? name === realFilm(film) || (name >= from && name <= to) : name === film,
  );
}

/** All films of the current project: running and open ones first. @throws Refusal */
export async function statusOfProject(): Promise<readonly FilmStatus[]> {
  const project = await findProject('shotlist.yaml', resolve());
  return statusOfAll({ project, profile: undefined, file: undefined }, () => true);
}

interface Asked {
  readonly project: Project;
  readonly profile: string | undefined;
  /** As a person typed it; undefined: any. */
  readonly file: string | undefined;
}

const statusOfAll = (asked: Asked, isMeant: (film: string) => boolean): readonly FilmStatus[] =>
  byTime(
    withJournal(asked, journal =>
      journal.views.runs
        .films()
        .filter(isMeant)
        .flatMap(name => statusOf(name, journal, asked)),
    ) ?? [],
  );

/** Those with something to do first, then the newest. */
function byTime(films: readonly FilmStatus[]): readonly FilmStatus[] {
  const rank = ({ outcome, questions, open }: FilmStatus) =>
    outcome === 'running' ? 0 : questions.length > 0 || open.length > 0 ? 1 : outcome === 'done' ? 3 : 2;
  return films.toSorted((a, b) => rank(a) - rank(b) || b.began - a.began);
}

function statusOf(film: string, journal: LocalJournal, { project, file: typed }: Asked): readonly FilmStatus[] {
  const [newest] = journal.views.runs.of(film, 'this');
  if (!newest) return [];
  const file = typed ?? fileOf(newest, project);
  const pipelineFile = resolve(file);
  const report = reportOf(newest, journal, {
    file,
    project: typed === undefined ? { ...project, pipelineFile } : project,
  });
  return [filmStatus(report, journal.views.runs.openOf(film).map(openAtService), runCommand(file, report.run))];
}

/** Relative to the working directory, where it still exists; otherwise as its author named it. */
function fileOf({ film, started }: PastRun, { root }: Project): string {
  const path = join(root, ...realFilm(film).split('~'));
  const found = ['.yaml', '.yml'].map(ending => `${path}${ending}`).find(one => existsSync(one));
  return found === undefined ? started.pipeline : relative('', found);
}

/** In the form that is shown. */
export const openAtService = (submission: Submission): OpenAtService => {
  const { key, id, model, at } = submission;
  return { key, model, since: at, generation: id ?? null, ...openRequest(submission) };
};
