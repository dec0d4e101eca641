/** What a local step costs, beside the tool that has done nothing but this since 1976. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noOpMakefile, noOps } from './films.ts';
import { type Bench, type Case, inTurns, least, type Measured, peak, run } from './measure.ts';

const NODE = process.execPath;
export const LOCK = 'film.lock.yaml';
const STEPS = 1_000;
const MANY = 10_000;

export const localCases: readonly Case[] = [
  { name: 'local no-op steps beside make -j8', measure: noOpSteps },
  { name: 'rerun of an unchanged 1,000-instance run', measure: rerun },
  { name: 'run and rerun of 10,000 instances', measure: many },
];

async function noOpSteps(bench: Bench): Promise<readonly Measured[]> {
  const name = `${STEPS} local no-op steps, the whole run, beside make -j8`;
  if (!isThere('make')) return [{ name, skipped: 'make is not installed' }];
  const times = bench.quick ? 2 : 7;
  const all = await inTurns(
    times,
    () => make(bench, STEPS),
    () => ours(bench, STEPS),
  );
  const one = await inTurns(
    times,
    () => make(bench, 1),
    () => ours(bench, 1),
  );
  // What is left when the start of both is taken away.
  const each = (side: 'floor' | 'ours') => [(least(all[side]) - least(one[side])) / (STEPS - 1)];
  return [
    { name, ...all, unit: 'ms' },
    {
      name: 'one journalled local no-op step beside make -j8',
      floor: each('floor'),
      ours: each('ours'),
      unit: 'ms',
      aim: 2,
    },
  ];
}

async function rerun(bench: Bench): Promise<readonly Measured[]> {
  const folder = await project(bench, STEPS);
  const again = async () =>
    (await run({ argv: [NODE, bench.shotlist, 'run', 'film.yaml', '--ui', 'quiet'], cwd: folder })).ms;
  const bare = async () => (await run({ argv: [NODE, '-e', '0'], cwd: folder })).ms;
  await again();
  return [
    {
      name: 'rerun of an unchanged 1,000-instance run over a bare node',
      ...(await inTurns(bench.quick ? 2 : 7, bare, again)),
      unit: 'ms',
    },
  ];
}

/** A project that was run, as the next run may find it. */
export const AGAIN = {
  'all known to the journal': async () => {},
  'in a fresh clone': cwd => rm(join(cwd, '.shotlist', 'journal.db')),
  'after a formatter': (cwd, lock) =>
    writeFile(
      join(cwd, LOCK),
      lock.replaceAll(/^ +/gm, blanks => blanks + blanks),
    ),
} as const satisfies Record<string, (cwd: string, lock: string) => Promise<void>>;

/** The whole process, with a lock that is known word for word, one that nobody here wrote, and one that a formatter laid out anew. */
async function many(bench: Bench): Promise<readonly Measured[]> {
  const argv = [NODE, bench.shotlist, 'run', 'film.yaml', '--ui', 'quiet'];
  const made = await project(bench, MANY);
  const whole = await peak({ argv, cwd: made });
  const lock = await readFile(join(made, LOCK), 'utf8');
  const again = async (name: keyof typeof AGAIN): Promise<readonly Measured[]> => {
    const seconds: number[] = [];
    const megabytes: number[] = [];
    for (let turn = 0; turn < (bench.quick ? 2 : 5); turn++) {
      // Once it is read, a lock is known: each turn has a copy of its own.
      const cwd = join(bench.scratch, `again-${turn}`);
      await cp(made, cwd, { recursive: true });
      await AGAIN[name](cwd, lock);
      if (turn === 0) megabytes.push(await peak({ argv, cwd }));
      else seconds.push((await run({ argv, cwd })).ms / 1_000);
      await rm(cwd, { recursive: true });
    }
    return [
      { name: `rerun of 10,000 instances, ${name}`, ours: seconds, unit: 's', aim: 0.6 },
      { name: `rerun of 10,000 instances, ${name}: peak memory`, ours: megabytes, unit: 'MB', aim: 150 },
    ];
  };
  return [
    { name: 'run of 10,000 local no-op steps, peak memory', ours: [whole], unit: 'MB', aim: 150 },
    ...(await again('all known to the journal')),
    ...(await again('in a fresh clone')),
    ...(await again('after a formatter')),
  ];
}

/** A new project each time: nothing is there that could be used again. */
async function ours(bench: Bench, steps: number): Promise<number> {
  const cwd = await project(bench, steps);
  return (await run({ argv: [NODE, bench.shotlist, 'run', 'film.yaml', '--ui', 'quiet'], cwd })).ms;
}

async function make(bench: Bench, steps: number): Promise<number> {
  const cwd = await mkdtemp(join(bench.scratch, 'make-'));
  await writeFile(join(cwd, 'Makefile'), noOpMakefile(steps));
  return (await run({ argv: ['make', '-s', '-j8'], cwd })).ms;
}

async function project({ scratch }: Bench, steps: number): Promise<string> {
  const folder = await mkdtemp(join(scratch, 'no-ops-'));
  await mkdir(join(folder, '.shotlist'));
  await writeFile(join(folder, 'film.yaml'), noOps(steps));
  return folder;
}

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
