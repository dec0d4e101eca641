/**
 * Heavy work as it travels: plain data, the same on every machine. Content has its neutral paths already; a path into the project, which
 * each machine has put down somewhere else, has a mark in the place of the project's root.
 */

import { DatabaseRefused } from '../../machine/files/database-error.ts';
import type { NamedSecret } from '../../machine/redactor.ts';
import { type Cut, sourcesOf } from '../../model/media/cut.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { contentIn } from '../../model/run/result.ts';
import { isObject, recordIn } from '../../model/text/json.ts';
import type { CommandOutcome, CommandWork, CutOutcome, CutWork } from '../../run/ports/executor.ts';

export type RemoteTask =
  | {
      readonly is: 'command';
      readonly work: CommandWork;
      /** The placeholder of the project's root, in arguments, variables and files. */
      readonly root: string;
      /** What is neither shown nor kept of its output. */
      readonly hides: readonly NamedSecret[];
    }
  | { readonly is: 'cut'; readonly work: { readonly key: InstanceKey; readonly cut: Cut } };

export type TaskResult = CommandOutcome | CutOutcome;

/** @throws DatabaseRefused where the row is damaged. */
export const workIn = (text: string): RemoteTask => rowIn<RemoteTask>(text);
/** @throws DatabaseRefused where the row is damaged. */
export const resultIn = (text: string): TaskResult => rowIn<TaskResult>(text);

function rowIn<T extends { readonly is: string }>(text: string): T {
  const row = recordIn(text);
  if (isObject(row) && typeof row.is === 'string') return row as unknown as T;
  throw new DatabaseRefused(
    "a command or cut in the team's tables cannot be read (its row is damaged); cancel its run",
  );
}

/**
 * @param root of the project on this machine, absolute.
 * @param hides those of the film's secrets that stand in these texts.
 */
export function commandToSend(
  { fingerprint, command, env, files, creates, lists, mostFiles, effect, key, timeoutMs }: CommandWork,
  root: string,
  hides: (texts: readonly string[]) => readonly NamedSecret[],
): RemoteTask & { readonly is: 'command' } {
  const given = { fingerprint, command, env, files, creates, lists, mostFiles, effect, key };
  const texts = textsOf(given);
  const mark = markFor(texts);
  const work = changed(given, text => text.replaceAll(rootIn(root), mark));
  return {
    is: 'command',
    work: { ...work, ...(timeoutMs !== undefined && { timeoutMs }) },
    root: mark,
    hides: hides(texts),
  };
}

/** As it is on a machine that has the project there. */
export const commandHere = ({ work, root: mark }: RemoteTask & { readonly is: 'command' }, root: string): CommandWork =>
  changed(work, text => text.replaceAll(mark, () => root));

export const cutToSend = ({ key, cut }: CutWork): RemoteTask => ({ is: 'cut', work: { key, cut } });

/** The digests of all that it reads. */
export const inputsOf = (given: RemoteTask): ReadonlySet<string> =>
  new Set(
    given.is === 'cut' ? sourcesOf(given.work.cut).map(({ sha256 }) => sha256) : textsOf(given.work).flatMap(contentIn),
  );

/** The root where it is a path of its own or begins one: `/films` is in `/films/a.mp4`, and not in `/films-2`. */
const rootIn = (root: string): RegExp =>
  new RegExp(`${root.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![^/\\\\:;,'"\\s])`, 'g');

/** The same for the same work, and in none of its texts. */
function markFor(texts: readonly string[]): string {
  for (let n = 0; ; n++) {
    const mark = `/shotlist-project${n === 0 ? '' : `-${n}`}`;
    if (texts.every(text => !text.includes(mark))) return mark;
  }
}

/** A value is never part of a script. */
const textsOf = ({ command, env, files }: Pick<CommandWork, 'command' | 'env' | 'files'>): readonly string[] => [
  ...('argv' in command ? command.argv : []),
  ...Object.values(env),
  ...Object.values(files),
];

function changed(work: CommandWork, change: (text: string) => string): CommandWork {
  const all = (texts: { readonly [name: string]: string }) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]));
  const { command, env, files } = work;
  return {
    ...work,
    command: 'argv' in command ? { argv: command.argv.map(change) } : command,
    env: all(env),
    files: all(files),
  };
}
