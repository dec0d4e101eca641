/**
 * A team's run as people see it from any machine: read from the rows of its film, and shown as one run however many workers led it, one
 * after the other. It only looks: nothing is planned, sent or written.
 */
import { relative, resolve } from 'node:path';
import { answersInLock, isEdited, keptChoices, readRun, resultIn } from '../../app/reports/make-run-report.ts';
import type { Project } from '../../machine/files/project.ts';
import type { KeptPlan } from '../../model/run/kept-plan.ts';
import type { InstanceKey, RunId } from '../../model/run/key.ts';
import type { RunReport } from '../../model/run/run-report.ts';
import { asTyped, cleanText } from '../../model/text/clean.ts';
import type { FilmJournal } from '../../records/journal/film-journal.ts';
import type { PastRun } from '../../records/views/journal-views.ts';
import { asOneRun } from '../../records/views/merged-turns.ts';
import { rejections } from '../../run/rejections.ts';
import { runReport } from '../../show/text/report/report.ts';
import { type RunRow, runRow, turnsOf } from '../runs/run-rows.ts';
import { taskLogs } from '../tasks/task-logs.ts';
import { journalOfRun, type Team } from './open-team.ts';
import { commandFor } from './team-messages.ts';

export interface RunInTeam extends AsyncDisposable {
  readonly run: RunRow;
  readonly journal: FilmJournal;
  /** That have left a trace, oldest first. */
  readonly turns: readonly PastRun[];
}

/** Undefined: there is no such run. */
export async function openRun(team: Team, id: string): Promise<RunInTeam | undefined> {
  // Read before its events: if it reports the end, they are complete.
  const run = await runRow(team.database, id);
  if (!run) return undefined;
  const journal = await journalOfRun(team, run);
  return { run, journal, turns: await turnsIn(journal, team, run), [Symbol.asyncDispose]: () => journal.close() };
}

/** @param journal of its film, as it is now. */
async function turnsIn(journal: FilmJournal, { database }: Team, run: RunRow): Promise<readonly PastRun[]> {
  const names = await turnsOf(database, run.id);
  const past = new Map(journal.views.runs.of(run.filmId, 'this').map(one => [one.run as string, one]));
  return names.flatMap(name => past.get(name) ?? []);
}

/** A worker leads it, or is about to. */
export const isGoing = ({ status }: Pick<RunRow, 'status'>): boolean => status === 'led' || status === 'queued';

export interface RunToReport {
  readonly team: Team;
  readonly project: Project;
}

/** Undefined: no turn of it has left a trace. */
export async function reportOfTeamRun(
  { run, journal, turns }: Pick<RunInTeam, 'run' | 'journal' | 'turns'>,
  { team, project }: RunToReport,
): Promise<RunReport | undefined> {
  const [first, newest] = [turns[0], turns.at(-1)];
  if (!first || !newest) return undefined;
  const choices = keptChoices(run.filmId, journal);
  const { events, plan } = asOneRun(
    turns.map(turn => readRun(turn.run, journal)),
    choices,
  );
  const here = projectOf(run, { team, project });
  const locked = here && answersInLock(newest, here);
  const logs = new Map((await taskLogs(team.database, run.id)).map(({ key }) => [key, logCommand(run, team, key)]));
  return runReport({
    run: run.id as RunId,
    file: fileHere(run, { team, project }),
    events,
    plan: plan && withCommands(plan, run, team),
    isRunning: isGoing(run),
    resultOf: resultIn(journal),
    askedBefore: journal.views.runs.askedBefore(first.run, run.filmId),
    choices: [...(locked?.choices ?? []), ...choices],
    rejections: new Map([...(locked?.rejections ?? []), ...rejections(journal, run.filmId)]),
    isEdited: here !== undefined && plan?.head !== undefined && isEdited(plan.head.files, here),
    logOf: key => {
      const log = logs.get(key);
      return log === undefined ? undefined : { log };
    },
  });
}

/** With the run's file; undefined: it is in another project. */
const projectOf = ({ project: of, path }: RunRow, { team, project }: RunToReport): Project | undefined =>
  of === team.project ? { ...project, pipelineFile: resolve(project.root, path) } : undefined;

/** The run's file relative to the working directory; in another project as it was submitted. */
export function fileHere(run: RunRow, asked: RunToReport): string {
  const here = projectOf(run, asked);
  return cleanText(here ? relative('', here.pipelineFile) : run.path);
}

const logCommand = ({ id }: RunRow, { name }: Team, key: InstanceKey): string =>
  `shotlist logs ${id} ${asTyped(key)} --on ${asTyped(name)}`;

/** As they are typed here: the worker that led it may call the team otherwise. */
const withCommands = (plan: KeptPlan, run: RunRow, team: Team): KeptPlan =>
  plan.head
    ? { ...plan, head: { ...plan.head, command: commandFor(run, team), options: optionsFor(run, team) } }
    : plan;

/** Hands in the film of this run as its file is now; without the steps that it was limited to. */
export function submitCommand(run: RunRow, team: Pick<Team, 'name'>): string {
  const profile = run.profile === null ? '' : ` --profile ${asTyped(run.profile)}`;
  return `shotlist team submit ${asTyped(cleanText(run.path))} ${optionsFor(run, team)}${profile}`;
}

/** Options that say which film is meant beside its file and its profile, as other commands about it are typed. */
function optionsFor({ params, options, service }: RunRow, { name }: Pick<Team, 'name'>): string {
  const words = [
    ...['--on', name],
    ...Object.entries(params).flatMap(([param, value]) => [
      '--param',
      `${param}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ]),
    ...Object.entries(options.data ?? {}).flatMap(([data, file]) => ['--data', `${data}=${file}`]),
    ...(service === 'studio-draft' ? ['--draft'] : service === 'studio' ? [] : ['--service', service]),
  ];
  return words.map(asTyped).join(' ');
}
