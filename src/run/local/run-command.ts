/** Carries out a `run` step: a local command in a fresh folder of its own, whose files become artifacts. */
import { mkdir } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import type { Store } from '../../artifacts/store.ts';
import type { Failure } from '../../domain/failure.ts';
import { jsonObjectIn } from '../../domain/json.ts';
import type { MediaFacts } from '../../domain/media.ts';
import type { CommandFile, CommandResult } from '../../domain/result.ts';
import type { Command, CommandOutcome, CommandRunner } from '../../host/command-runner.ts';
import { DiskError } from '../../host/disk-error.ts';
import { badEnding, misplaced, nulInside, timedOut } from './command-failures.ts';
import { findCreated } from './created-files.ts';

export interface CommandWork {
  readonly command: Command;
  readonly env: Readonly<Record<string, string>>;
  /** Media on this machine: the absolute path reaches the command as `$name`. */
  readonly files: Readonly<Record<string, string>>;
  /** Name → path relative to the command's folder. */
  readonly creates: Readonly<Record<string, string>>;
}

export interface CommandContext {
  /** Absolute, empty, this instance's alone: the command runs in it, so that twins never write over each other. */
  readonly folder: string;
  /** The project's root, which the command sees as `$SHOTLIST_PROJECT`. */
  readonly root: string;
  readonly runner: CommandRunner;
  readonly store: Pick<Store, 'adopt'>;
  /** Null for what is no media. */
  readonly probe: (path: string) => Promise<MediaFacts | null>;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

type Carried =
  | { readonly is: 'ok'; readonly result: CommandResult }
  | { readonly is: 'failed'; readonly failure: Failure };

/** Settles when the command has really stopped. Nothing is adopted unless everything it promised is there. */
export async function runCommand(work: CommandWork, context: CommandContext): Promise<Carried> {
  const { folder, root, runner, signal, timeoutMs } = context;
  const command = atRoot(work.command, root);
  const env = { ...work.env, ...work.files, SHOTLIST_PROJECT: root };
  const unfit = nulInside(command, env) ?? misplaced(work.creates);
  if (unfit !== undefined) return commandFailed(null, unfit);

  // As with any build tool: the folders of what it creates are there before it starts.
  for (const path of Object.values(work.creates)) await mkdir(dirname(join(folder, path)), { recursive: true });
  const outcome = await runner.run(command, {
    cwd: folder,
    env,
    signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  if (outcome.ended === 'timed out') {
    return { is: 'failed', failure: { code: 'timed_out', message: timedOut(timeoutMs ?? 0, outcome) } };
  }
  if (outcome.ended === 'stopped' || outcome.exit !== 0)
    return commandFailed(outcome.exit, badEnding(command, outcome));

  const created = await findCreated(folder, work.creates);
  if (created.is === 'missing') return commandFailed(0, created.message);
  try {
    return { is: 'ok', result: { is: 'command', ...answer(outcome), files: await adoptAll(created.files, context) } };
  } catch (error) {
    if (error instanceof DiskError) return commandFailed(0, `what it made could not be kept: ${error.message}`);
    throw error;
  }
}

/** A program named by a relative path (`tools/sheet.py`) lies in the project: the folder a command runs in is always empty. */
function atRoot(command: Command, root: string): Command {
  if (!('argv' in command)) return command;
  const [program = '', ...args] = command.argv;
  const isPath = program.includes('/') && !program.startsWith('/');
  return { argv: [isPath ? join(root, program) : program, ...args] };
}

async function adoptAll(
  files: readonly (readonly [name: string, path: string])[],
  { store, probe }: CommandContext,
): Promise<{ readonly [name: string]: CommandFile }> {
  const adopted: [string, CommandFile][] = [];
  for (const [name, path] of files) {
    const extension = extname(path);
    const { file, sha256, bytes } = await store.adopt(path, extension);
    adopted.push([name, { sha256, extension, bytes, media: await probe(file) }]);
  }
  return Object.fromEntries(adopted);
}

/** Newlines at the end go, as with a shell's `$( )`. What was too long to keep says so, and is no JSON. */
function answer({ stdout, truncated }: CommandOutcome): Pick<CommandResult, 'stdout' | 'json'> {
  if (truncated)
    return { stdout: `${stdout}\n… the rest is not kept: write long output into a file under \`creates\``, json: null };
  return { stdout: stdout.replace(/[\r\n]+$/, ''), json: jsonObjectIn(stdout) };
}

function commandFailed(exit: number | null, message: string): Carried {
  return { is: 'failed', failure: { code: 'command_failed', exit, message } };
}
