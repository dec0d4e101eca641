/** How something is measured: whole processes, in turns, from outside. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FRUGAL } from '../../src/machine/process/worker-process.ts';
import type { FromWorker } from '../../src/machine/process/worker-program.ts';

export interface Bench {
  /** The built program. */
  readonly shotlist: string;
  /** A folder that is gone afterwards. */
  readonly scratch: string;
  /** Fewer and shorter runs: shows that the cases work, and little more. */
  readonly quick: boolean;
}

export interface Case {
  readonly name: string;
  /** What users of such tools ask for first: `--only figures` measures these. */
  readonly isFigure?: true;
  readonly measure: (bench: Bench) => Promise<readonly Measured[]>;
}

export type Measured =
  | {
      readonly name: string;
      /** In `unit`, one for each run; absent where the aim is a number of its own. */
      readonly floor?: readonly number[];
      readonly ours: readonly number[];
      readonly unit: 'ms' | 's' | 'MB' | 'kB' | '%' | 'requests' | 'lines' | 'commits' | 'connections';
      /** At most so many times the floor, or, without one, at most so much. Absent: told, and not judged. */
      readonly aim?: number;
      readonly note?: string;
    }
  | { readonly name: string; readonly skipped: string };

export interface Program {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Finished {
  readonly ms: number;
  readonly stdout: string;
}

/** Runs a program to its end. Throws with what it said when it fails. */
export async function run({ argv, cwd, env }: Program): Promise<Finished> {
  const [program = '', ...args] = argv;
  const began = performance.now();
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', text => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', text => (said.stderr += text));
  const [code] = await once(child, 'close');
  const ms = performance.now() - began;
  if (code !== 0)
    throw new Error(
      `${argv.slice(0, 4).join(' ')} ended with ${code}: ${said.stderr.trim().slice(-600) || said.stdout.trim().slice(-600)}`,
    );
  return { ms, stdout: said.stdout };
}

/** Floor and ours in turns, after one of each that is not counted: caches are warm for both. */
export async function inTurns(
  times: number,
  floor: () => Promise<number>,
  ours: () => Promise<number>,
): Promise<{ readonly floor: readonly number[]; readonly ours: readonly number[] }> {
  const taken = { floor: [] as number[], ours: [] as number[] };
  await floor();
  await ours();
  for (let turn = 0; turn < times; turn++) {
    taken.floor.push(await floor());
    taken.ours.push(await ours());
  }
  return taken;
}

export interface Cost {
  /** Milliseconds of processor time, of all its threads. */
  readonly cpu: number;
  /** MB of memory that was resident at the worst moment. */
  readonly peak: number;
}

/** As the program itself tells it as it ends. */
export async function costOf(program: Program): Promise<Cost> {
  const teller = fileURLToPath(new URL('./tell-whole-cost.cjs', import.meta.url));
  const { stdout } = await run({ ...program, env: { ...program.env, NODE_OPTIONS: `--require=${teller}` } });
  const told = stdout.match(/whole-cost=(.+)\n?$/);
  if (told?.[1] === undefined) throw new Error('the program did not tell its cost');
  return JSON.parse(told[1]) as Cost;
}

export const peak = async (program: Program): Promise<number> => (await costOf(program)).peak;

/** One job of a worker program of `dist/`, in a fresh process: what it gave, and what it cost in seconds and MB, the start included. */
export async function inWorker<Given>(
  { shotlist }: Bench,
  program: string,
  job: unknown,
): Promise<{ readonly result: Given; readonly cost: Cost }> {
  const teller = fileURLToPath(new URL('./tell-cost.cjs', import.meta.url));
  const worker = fork(join(dirname(shotlist), program), [], {
    execArgv: [...FRUGAL.execArgv, '--require', teller],
    env: { ...process.env, ...FRUGAL.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly result: Given; readonly cost: Cost }>();
  worker.once('exit', code => reject(new Error(`${program} ended with ${code}`)));
  worker.on('message', (message: FromWorker<Given> & { readonly cost: Cost }) => {
    if (message.type === 'ready') worker.send({ id: 'bench', job });
    if (message.type === 'failed') reject(new Error(message.bug ?? message.message));
    if (message.type === 'done') resolve({ result: message.result, cost: message.cost });
  });
  return promise.finally(() => worker.kill('SIGKILL'));
}

/** What so large a part of the numbers is below. */
export const quantile = (numbers: readonly number[], part: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * part)] ?? Number.POSITIVE_INFINITY;

export const least = (numbers: readonly number[]): number => Math.min(...numbers);

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}
