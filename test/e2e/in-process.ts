/**
 * A command of the bundle, run in the process of the test. It costs a tenth of a process of its own. Use it where the texts, the exit
 * code and the files of a command are the subject. What needs a process stays one: signals, real pipes and terminals, failpoints.
 */
import { writeSync } from 'node:fs';
import { createRequire, enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { answerHelp } from '../../src/cli/command-line/answer-help.ts';
import { type CommandTyped, commandIn } from '../../src/cli/command-line/commands.ts';
import type { Ended, Stage } from './stage.ts';

type Main = (command: CommandTyped) => Promise<void>;

/** Node's own `require`: the bundle is not transformed for the test. */
const bundle = createRequire(import.meta.url);

/** Runs `shotlist NAME …args` in the project of `stage`, with `input` on standard input. One at a time: it changes the working directory. */
export async function runInProcess(stage: Stage, args: readonly string[], input = ''): Promise<Ended> {
  const command = commandIn(args);
  const help = answerHelp(args);
  if (help || !command) {
    const { text = '', to = 'stderr', exit = 2 } = help ?? {};
    return { exit, signal: null, stdout: '', stderr: '', [to]: text };
  }
  // As the bundle does it when it starts.
  enableCompileCache();
  const { main } = bundle(join(stage.bundle, 'main.js')) as { main: Main };
  const restore = exchange(stage, input);
  const [stdout, stderr] = [collector(), collector()];
  Object.defineProperty(process, 'stdout', { value: stdout.stream, configurable: true });
  Object.defineProperty(process, 'stderr', { value: stderr.stream, configurable: true });
  try {
    process.exitCode = undefined;
    await main(command);
    return { exit: Number(process.exitCode ?? 0), signal: null, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    restore();
  }
}

/** Puts the environment of the stage in the place of the test's; the returned function puts everything back. */
function exchange(stage: Stage, input: string): () => void {
  const cwd = process.cwd();
  const { exitCode } = process;
  const env = { ...process.env };
  const streams = (['stdin', 'stdout', 'stderr'] as const).map(
    name => [name, Object.getOwnPropertyDescriptor(process, name)] as const,
  );
  const listeners = process.listeners('uncaughtException');
  // The command ends the process because of it: what it says goes into the collected output, and is lost with it.
  process.on('uncaughtException', error => void writeSync(2, `uncaught: ${error?.stack ?? error}\n`));
  process.chdir(stage.project);
  setEnvironment(stage.environment);
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
  return () => {
    for (const listener of process.listeners('uncaughtException'))
      if (!listeners.includes(listener)) process.off('uncaughtException', listener);
    for (const [name, descriptor] of streams) if (descriptor) Object.defineProperty(process, name, descriptor);
    setEnvironment(env);
    process.chdir(cwd);
    process.exitCode = exitCode;
  };
}

function setEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
}

function collector() {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write: (piece: Buffer, _, done) => {
      pieces.push(piece);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(pieces).toString() };
}
