/** Carries out a `run` step: a local command in a new empty folder, whose files become artifacts. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import type { Command, CommandRunner, CommandOutcome as Ended } from '../../machine/process/command-runner.ts';
import type { CommandOutput } from '../../model/run/failure.ts';
import type { CommandResult } from '../../model/run/result.ts';
import { jsonDataIn } from '../../model/text/json.ts';
import type { Store } from '../../records/store/store.ts';
import type { CommandOutcome, CommandWork } from '../ports/executor.ts';
import type { CommandLog } from './command-logs.ts';
import { adoptCreated, type Probe } from './created-files.ts';

/** Its inputs are named by paths on this machine; those of `files` reach it as `$name`. */
export type CommandToRun = Omit<CommandWork, 'key' | 'fingerprint'>;

export interface CommandContext {
  /** Absolute, empty, this instance's alone: the command runs in it, so that twins never write over each other. */
  readonly folder: string;
  /** The project's root, which the command sees as `$SHOTLIST_PROJECT`. */
  readonly root: string;
  readonly runner: CommandRunner;
  readonly store: Pick<Store, 'adopt'>;
  readonly probe: Probe;
  /** Takes what the command writes, and is closed with its end. */
  readonly log: Pick<CommandLog, 'line' | 'close'>;
  readonly signal: AbortSignal;
}

/** Lines of its output that are shown with a failure, and characters of each. */
const LAST_LINES = 20;
const LINE = 500;

/** Settles when the command has really stopped. Nothing is adopted unless everything it promised is there. */
export async function runCommand(
  work: CommandToRun,
  context: CommandContext,
): Promise<Exclude<CommandOutcome, { readonly is: 'stopped' }>> {
  const { folder, root, runner, signal, log } = context;
  const { timeoutMs } = work;
  const command = atRoot(work.command, root);
  const env = { ...work.env, ...work.files, SHOTLIST_PROJECT: root };
  const unfit = nulInside(command, env) ?? misplaced(work.creates);
  if (unfit !== undefined) return commandFailed(null, unfit);

  // As with any build tool: the folders of what it creates are there before it starts.
  for (const path of Object.values(work.creates)) await mkdir(dirname(join(folder, path)), { recursive: true });
  const last: string[] = [];
  const outcome = await runner.run(command, {
    cwd: folder,
    env,
    signal: work.effect ? NEVER : signal,
    line: line => {
      log.line(line);
      if (last.push(clipped(line)) > LAST_LINES) last.shift();
    },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  const path = log.close();
  const output: CommandOutput = { ...(last.length > 0 && { lines: last }), ...(path !== undefined && { log: path }) };
  const mayHaveActed = work.effect ? ({ mayHaveActed: true } as const) : {};
  if (outcome.ended === 'timed out') {
    const failure = { code: 'timed_out', message: timedOut(timeoutMs ?? 0), ...output } as const;
    return { is: 'failed', failure, ...mayHaveActed };
  }
  if (outcome.ended === 'stopped' || outcome.exit !== 0) {
    const ending = `${badEnding(command, outcome, last.length === 0)}${notInFolder(work.command, last, { folder, root })}`;
    const failed = commandFailed(outcome.exit, ending, output);
    return outcome.exit === null ? { ...failed, ...mayHaveActed } : failed;
  }
  const created = await adoptCreated(folder, work, context);
  if (created.is === 'missing') return { ...commandFailed(0, created.message, output), ...mayHaveActed };
  const effect = work.effect ? ({ effect: true } as const) : {};
  return { is: 'ok', result: { is: 'command', ...answer(outcome), files: created.files, ...effect } };
}

/** A command that acts outside is not stopped by an interrupt: half an upload helps no one, and its outcome would be unknown. */
const NEVER = new AbortController().signal;

const clipped = (line: string): string => (line.length <= LINE ? line : `${line.slice(0, LINE - 1).toWellFormed()}…`);

/** A program named by a relative path (`tools/sheet.py`) lies in the project: the folder a command runs in is always empty. */
function atRoot(command: Command, root: string): Command {
  if (!('argv' in command)) return command;
  const [program = '', ...args] = command.argv;
  const isPath = program.includes('/') && !program.startsWith('/');
  return { argv: [isPath ? join(root, program) : program, ...args] };
}

/** Newlines at the end are removed, as with a shell's `$( )`. Output too long to keep is marked, and is no JSON. */
function answer({ stdout, truncated }: Ended): Pick<CommandResult, 'stdout' | 'json'> {
  if (truncated)
    return { stdout: `${stdout}\n… the rest is not kept: write long output into a file under \`creates\``, json: null };
  return { stdout: stdout.replace(/[\r\n]+$/, ''), json: jsonDataIn(stdout) };
}

const commandFailed = (exit: number | null, message: string, output: CommandOutput = {}) =>
  ({ is: 'failed', failure: { code: 'command_failed', exit, message, ...output } }) as const;

/** The message; the command's own output is shown beside it. */
function badEnding(command: Command, outcome: Ended, isSilent: boolean): string {
  if (outcome.ended === 'stopped') return 'the command was stopped';
  const silent = isSilent ? '; run it by hand to see why' : '';
  if (outcome.signal !== null) return `the command was killed by ${outcome.signal}${silent}`;
  const program = 'argv' in command ? command.argv[0] : command.shell;
  if (outcome.exit === 127 && 'argv' in command)
    return `there is no program \`${program}\` here: install it, or correct the name`;
  if (outcome.exit === 126 && 'argv' in command)
    return `the program \`${program}\` cannot be started: see that it is a program and may be executed (chmod +x)`;
  return `the command ended with exit code ${outcome.exit}${isSilent ? ' and said nothing; run it by hand to see why' : ''}`;
}

/** Explains how a file of the project comes into the empty folder, where the command names a missing one in its complaint. */
function notInFolder(
  command: Command,
  lines: readonly string[],
  { folder, root }: Pick<CommandContext, 'folder' | 'root'>,
): string {
  const texts = 'argv' in command ? command.argv.slice(1) : [command.script];
  const words = texts.flatMap(text =>
    [...text.matchAll(/(?<![\w.@+~/$}"'-])[\w.@+-][\w.@+/-]*\.\w+/g)].map(([word]) => word),
  );
  const outside = words.find(
    word => lines.some(line => line.includes(word)) && !existsSync(join(folder, word)) && existsSync(join(root, word)),
  );
  return outside === undefined
    ? ''
    : `; it runs in an empty folder, which does not hold \`${outside}\`: name that under \`files:\`, and read it as \`$name\``;
}

const timedOut = (timeoutMs: number): string =>
  `the command was stopped after ${timeoutMs / 1000} s, its step's timeout; make it faster or the timeout longer`;

/** A path that would lie outside the command's own folder; undefined when all is well. */
function misplaced(creates: Readonly<Record<string, string>>): string | undefined {
  for (const [name, path] of Object.entries(creates)) {
    const normal = normalize(path).replaceAll('\\', '/');
    if (isAbsolute(path) || normal === '.' || normal === '..' || normal.startsWith('../') || normal.endsWith('/')) {
      return `\`creates\` puts \`${name}\` at \`${path}\`, which is no file inside the command's own folder; write a relative path without \`..\``;
    }
  }
  return undefined;
}

/** A character that no program can receive, and its position; undefined when all is well. */
function nulInside(command: Command, env: Readonly<Record<string, string>>): string | undefined {
  const texts = 'argv' in command ? command.argv : [command.script];
  const where = texts.some(text => text.includes('\0'))
    ? 'the command'
    : Object.keys(env)
        .filter(name => `${name}${env[name]}`.includes('\0'))
        .map(name => `\`${name.replaceAll('\0', '')}\``)[0];
  return where === undefined ? undefined : `${where} holds a NUL character, which no program can receive; take it out`;
}
