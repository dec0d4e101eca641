/** What a local step costs, beside the tool that has done nothing but this since 1976. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noOpMakefile, noOps } from './films.ts';
import { type Bench, type Case, inTurns, least, type Measured, run } from './measure.ts';

const NODE = process.execPath;
const STEPS = 1_000;

export const localCases: readonly Case[] = [
  { name: 'local no-op steps beside make -j8', measure: noOpSteps },
  { name: 'rerun of an unchanged 1,000-instance run', measure: rerun },
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
