/** A command of the bundle, run in the process of the test. */
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

/** What a command listens to until its process ends. */
const HEARD = ['uncaughtException', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let isRunning = false;

/** Runs `shotlist NAME …args` in the project of `stage`, with `input` on standard input. @throws if one is running: it changes the working directory. */
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
  if (isRunning) throw new Error(`shotlist ${args.join(' ')}: another command is running in this process`);
  isRunning = true;
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
    isRunning = false;
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
  const listeners = new Map(HEARD.map(event => [event, process.rawListeners(event)]));
  // The command ends the process because of it: what it says goes into the collected output, and is lost with it.
  process.on('uncaughtException', error => void writeSync(2, `uncaught: ${error?.stack ?? error}\n`));
  process.chdir(stage.project);
  setEnvironment(stage.environment);
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
  return () => {
    for (const event of HEARD)
      for (const listener of process.rawListeners(event))
        if (!listeners.get(event)?.includes(listener)) process.off(event, listener as () => void);
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
