/** The team that a command is about: of `--on`, or the only one that is set. */
import { homedir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { storeChoice } from '../../app/results/team-store.ts';
import { codeOf } from '../../machine/error-code.ts';
import { readIfThere } from '../../machine/files/files.ts';
import { findProject, type Project } from '../../machine/files/project.ts';
import { nearest } from '../../model/text/nearest.ts';
import { resolveSettings } from '../../settings/settings.ts';
import { openTeam, type Team } from '../../team/client/open-team.ts';
import { TeamRefused } from '../../team/database/database-identity.ts';
import { isConnectionLost } from '../../team/database/team-database.ts';
import { type RunRow, runRow, runRows } from '../../team/runs/run-rows.ts';
import { nothingBehind, settingsMistakes, UsageError } from '../arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { sayLine } from '../outlets.ts';
import { settingSources } from '../service/settings-of.ts';
import { commandMessages as messages } from './command-messages.ts';

interface Asked {
  readonly on: string | undefined;
  readonly works?: true;
  readonly most?: number;
  /** The tables need not be there yet. */
  readonly unchecked?: true;
  readonly trouble?: (message: string) => void;
}

/** @throws UsageError for what is set, TeamRefused for what is there, CommandError (6) where the database does not answer. */
export async function onTeam(project: Project, asked: Asked): Promise<Team> {
  const { works, most, unchecked, trouble = () => {} } = asked;
  const settings = await settingsIn(project, asked.on);
  const { root } = project;
  const wanted = settings.team.store ?? settings.store;
  const store = wanted && (await storeChoice(wanted, root, { env: process.env, home: homedir(), read: readIfThere }));
  try {
    return await openTeam({
      ...{ settings: settings.team, root, store, trouble },
      ...(works && { works }),
      ...(most !== undefined && { most }),
      ...(unchecked && { unchecked }),
    });
  } catch (error) {
    throw asCommandError(error, settings.team.name);
  }
}

async function settingsIn(project: Project, on: string | undefined) {
  const sources = await settingSources(project.settingsFile);
  const name = on ?? onlyOne(resolveSettings({ ...sources, flags: { keyless: true } }).settings.teams ?? []);
  const { settings, problems } = resolveSettings({ ...sources, flags: { on: name, keyless: true } });
  if (problems.length > 0 || !settings.team) throw settingsMistakes(problems);
  return { ...settings, team: settings.team };
}

function onlyOne(names: readonly string[]): string {
  const [name] = names;
  if (name !== undefined && names.length === 1) return name;
  throw new UsageError(messages.whichTeam(names));
}

/** The database's error as a sentence. Any other error stays as it is. */
export function asCommandError(error: unknown, team: string): unknown {
  if (!(error instanceof Error) || error instanceof TeamRefused) return error;
  if (isConnectionLost(error))
    return new CommandError(6, messages.unreachable(team, error.message || String(codeOf(error))));
  if (codeOf(error) === '42501') return new CommandError(2, messages.notAllowed(team, error.message));
  // Of PostgreSQL: who is not let in, which database is not there.
  if (/^(28|3D)/.test(codeOf(error) ?? '') || /password|SSL|pg_hba/i.test(error.message))
    return new CommandError(2, messages.refused(team, error.message));
  return error;
}

/** Carries out a command's work on a team, and closes the team. @param at the project; absent: that of the current folder. */
export async function withTeam<const Result>(
  asked: Asked,
  work: (team: Team, project: Project) => Promise<Result>,
  at?: Project,
): Promise<Result> {
  const project = at ?? (await projectHere());
  const trouble = (message: string) => sayLine(messages.trouble(message));
  await using team = await onTeam(project, { trouble, ...asked });
  try {
    return await work(team, project);
  } catch (error) {
    throw asCommandError(error, team.name);
  }
}

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

/** Newest runs that are searched, and those that a message names. */
const KNOWN = 500;
const NAMED = 3;

/** The project of the current folder. */
export const projectHere = (): Promise<Project> => findProject(join(resolve(), 'film.yaml'), resolve());
