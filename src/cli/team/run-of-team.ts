/** What commands about one run of a team have in common: which run, of which team. */
import { join, relative, resolve, sep } from 'node:path';
import { type RunRow, runRow, runRows } from '../../cluster/runs/run-rows.ts';
import { nearest } from '../../domain/nearest.ts';
import { findProject, type Project } from '../../host/project.ts';
import type { Team } from '../../session/team/open-team.ts';
import { nothingBehind, UsageError } from '../arguments.ts';
import { commandMessages as messages } from './command-messages.ts';

/** @throws UsageError */
export function oneRun(positionals: readonly string[], command: string): string {
  const [run, ...more] = positionals;
  if (run === undefined) throw new UsageError(messages.whichRun(command));
  nothingBehind(more, command, 'one run');
  return run;
}

/** @throws UsageError where there is none, with the one that was meant. @param command for which it is looked for. */
export async function runNamed(team: Team, id: string, command: string): Promise<RunRow> {
  return (await runRow(team.database, id)) ?? (await mistakenRun(team, id, command));
}

export async function mistakenRun({ database, name }: Team, id: string, command: string): Promise<never> {
  const newest = await runRows(database, { most: KNOWN });
  if (/\.ya?ml$/i.test(id)) {
    const { root, pipelineFile } = await findProject(id, resolve());
    const path = relative(root, pipelineFile).split(sep).join('/');
    const runs = newest.filter(run => run.path === path).slice(0, NAMED);
    throw new UsageError(messages.runOfFile(id, command, { runs: runs.map(run => run.id), on: name }));
  }
  const known = newest.map(run => run.id);
  const near =
    known.find(one => one.startsWith(`${id}-`) || (id.length > 2 && one.startsWith(id))) ?? nearest(id, known);
  throw new UsageError(messages.unknownRun(id, name, near));
}

/** Runs that a name may have been meant for, and those that are told. */
const KNOWN = 500;
const NAMED = 3;

/** The project that one stands in, where no file of it was named. */
export const projectHere = (): Promise<Project> => findProject(join(resolve(), 'film.yaml'), resolve());
