/** Cases in children: one that dies of its case, or hangs in it, costs that case alone. */
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface FuzzOptions {
  /** The first case's; each has the next. */
  readonly seed: number;
  readonly seeds: number;
  /** This kind for every seed; otherwise each seed has its own. */
  readonly only?: string | undefined;
  readonly children?: number;
  /** Milliseconds that a case may take. */
  readonly longest?: number;
  readonly tell?: (line: string) => void;
  /** It was killed in this case before. */
  readonly isAgain?: boolean;
}

interface FuzzFault {
  readonly seed: number;
  readonly kind: string;
  readonly what: string;
}

interface Fuzzed {
  cases: number;
  readonly kinds: Map<string, number>;
  readonly faults: FuzzFault[];
  /** Milliseconds of the longest case. */
  slowest: number;
}

/** On a machine with nothing else to do. */
const LONGEST = 2_000;
/** Milliseconds in which a child must be ready for its first. */
const START = 60_000;
const CHILD = join(import.meta.dirname, 'fuzz-child.ts');

export async function fuzz(options: FuzzOptions): Promise<Fuzzed> {
  const fuzzed: Fuzzed = { cases: 0, kinds: new Map(), faults: [], slowest: 0 };
  const children = Math.min(options.children ?? availableParallelism(), options.seeds);
  await Promise.all(
    Array.from({ length: children }, async (_, child) => {
      const end = options.seed + options.seeds;
      let next = options.seed + child;
      while (next < end) next = (await life(next, end - next, children, options, fuzzed)) + children;
    }),
  );
  return fuzzed;
}

type Line =
  | { readonly begun: number; readonly kind: string }
  | { readonly ended: number; readonly fault?: string; readonly kept?: string };

/** One child, from this seed on. Gives the last seed that is done with. */
function life(seed: number, count: number, step: number, options: FuzzOptions, fuzzed: Fuzzed): Promise<number> {
  const { only = '', longest = LONGEST, tell = () => {} } = options;
  const child = start(seed, count, step, only);
  let now: { readonly seed: number; readonly kind: string; readonly at: number } | undefined;
  let last = seed - step;
  let isKilled = false;
  let words = '';
  let watch = setTimeout(() => child.kill('SIGKILL'), START);
  const fault = (what: string, kept?: string) => {
    if (!now) return;
    fuzzed.faults.push({ seed: now.seed, kind: now.kind, what });
    const again = `npm run fuzz -- --seed ${now.seed} --only ${now.kind}`;
    tell(
      [`${now.kind}, seed ${now.seed}: ${what}`, `  again: ${again}`, ...(kept ? [`  kept: ${kept}`] : [])].join('\n'),
    );
  };
  child.stderr?.setEncoding('utf8').on('data', text => {
    words = (words + text).slice(-2_000);
  });
  createInterface({ input: child.stdout! }).on('line', text => {
    const line = JSON.parse(text) as Line;
    clearTimeout(watch);
    if ('begun' in line) {
      now = { seed: line.begun, kind: line.kind, at: performance.now() };
      watch = setTimeout(() => {
        isKilled = true;
        child.kill('SIGKILL');
      }, longest);
      return;
    }
    if (!now) return;
    fuzzed.cases += 1;
    fuzzed.kinds.set(now.kind, (fuzzed.kinds.get(now.kind) ?? 0) + 1);
    fuzzed.slowest = Math.max(fuzzed.slowest, performance.now() - now.at);
    if (line.fault !== undefined) fault(line.fault, line.kept);
    last = now.seed;
    now = undefined;
  });
  return new Promise((resolve, reject) => {
    child.on('close', async (exit, signal) => {
      clearTimeout(watch);
      if (now === undefined) {
        if (exit === 0 || last >= seed) return resolve(exit === 0 ? seed + count : last);
        return reject(new Error(`a child ended with ${exit ?? signal} before its first case:\n${words}`));
      }
      // A machine with much else to do may need two seconds for nothing: what hangs, hangs again.
      const again = { ...options, only: now.kind, isAgain: true, tell: () => {} };
      const hung = { cases: 0, kinds: new Map(), faults: [], slowest: 0 };
      if (isKilled && !options.isAgain) await life(now.seed, 1, 1, again, hung);
      const what = isKilled ? `no end after ${longest / 1000} s` : `the process ended with ${exit ?? signal}: ${words}`;
      if (!isKilled || options.isAgain || hung.faults.length > 0) fault(what);
      fuzzed.cases += 1;
      resolve(now.seed);
    });
  });
}

const start = (seed: number, count: number, step: number, only: string): ChildProcess =>
  spawn(process.execPath, [CHILD, String(seed), String(count), String(step), only], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
