/**
 * `npm run bench -- --guard [--against COMMIT] [--only WORD]`: what is measured here of the commit before and of `dist/`, in turns within one run. A figure that
 * has become worse by more than a tenth fails. Processor time and memory are compared, which other work on the machine changes less than time.
 */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fannedOut, longFile, noOps } from './films.ts';
import { AGAIN, LOCK } from './local-cases.ts';
import { type Bench, type Cost, costOf, least, type Measured } from './measure.ts';

/** Times what it was before. */
const MOST = 1.1;
/** A case that seems worse is measured so often before it counts: the least of all its turns is compared. */
const ROUNDS = 3;

interface Side {
  /** The program that is measured. */
  readonly shotlist: string;
  /** A folder of its own. */
  readonly folder: string;
}

interface Guarded {
  readonly name: string;
  /** Makes what is measured turn after turn, once for each side. */
  readonly prepare?: (side: Side) => Promise<void>;
  readonly measure: (side: Side) => Promise<Cost>;
}

const cost = ({ shotlist }: Side, cwd: string, ...args: string[]): Promise<Cost> =>
  costOf({ argv: [process.execPath, shotlist, ...args], cwd });

const RUN = ['run', 'film.yaml', '--ui', 'quiet'] as const;

const ofFilm = (name: string, text: string, ...args: string[]): Guarded => ({
  name,
  prepare: ({ folder }) => project(folder, text),
  measure: side => cost(side, side.folder, ...args),
});

/** A rerun of a film that was made before by the same side, in a copy: once it is read, a lock is known. */
const rerun = (name: string, count: number, prepare: (folder: string, lock: string) => Promise<void>): Guarded => ({
  name: `rerun of ${count}, ${name}`,
  prepare: async side => {
    await project(side.folder, noOps(count));
    await cost(side, side.folder, ...RUN);
  },
  measure: async side => {
    const copy = `${side.folder}-copy`;
    await rm(copy, { recursive: true, force: true });
    await cp(side.folder, copy, { recursive: true });
    await prepare(copy, await readFile(join(copy, LOCK), 'utf8'));
    return cost(side, copy, ...RUN);
  },
});

const CASES: readonly Guarded[] = [
  ofFilm('--help', '', '--help'),
  ofFilm('check of 1,000 steps', longFile(1_000), 'check', 'film.yaml'),
  ofFilm('plan of 10,000', fannedOut(50), 'plan', 'film.yaml'),
  {
    name: 'run of 2,000',
    measure: async side => {
      await rm(side.folder, { recursive: true, force: true });
      await project(side.folder, noOps(2_000));
      return cost(side, side.folder, ...RUN);
    },
  },
  rerun('all known', 1_000, AGAIN['all known to the journal']),
  ...Object.entries(AGAIN).map(([name, prepare]) => rerun(name, 10_000, prepare)),
];

/** @param against absent: what is committed, or the commit before where nothing else is there. */
export async function* guard(
  { shotlist, scratch, quick }: Bench,
  { only, against }: { readonly only: string; readonly against?: string | undefined },
): AsyncGenerator<Measured> {
  const before = await builtAt(
    against ?? (git('status', '--porcelain', '-uno') ? 'HEAD' : 'HEAD~1'),
    join(scratch, 'before'),
  );
  for (const [at, { name, prepare, measure }] of CASES.entries()) {
    if (!name.includes(only)) continue;
    const sides = [before, shotlist].map((program, n) => ({
      shotlist: program,
      folder: join(scratch, `guarded-${at}-${n}`),
    }));
    const costs: [Cost[], Cost[]] = [[], []];
    const compared = (
      unit: 'ms' | 'MB',
      of: (cost: Cost) => number,
    ): Measured & { floor: number[]; ours: number[] } => ({
      ...{ name: `${name}: ${unit === 'ms' ? 'processor' : 'peak memory'}`, unit, aim: MOST },
      ...{ floor: costs[0].map(of), ours: costs[1].map(of) },
    });
    const all = () => [compared('ms', ({ cpu }) => cpu), compared('MB', ({ peak }) => peak)];
    const isWorse = () => all().some(({ floor, ours }) => least(ours) > MOST * least(floor));
    for (const side of sides) {
      await prepare?.(side);
      // Once unmeasured: Node keeps what it has compiled.
      await measure(side);
    }
    for (let round = 0; round < ROUNDS && (round === 0 || isWorse()); round++)
      for (let turn = 0; turn < (quick ? 2 : 5); turn++)
        for (const n of turn % 2 ? ([1, 0] as const) : ([0, 1] as const)) costs[n].push(await measure(sides[n]!));
    yield* all();
  }
}

async function project(folder: string, text: string): Promise<void> {
  await mkdir(join(folder, '.shotlist'), { recursive: true });
  await writeFile(join(folder, 'film.yaml'), text);
}

/** The program as that commit builds it, with the packages that are installed here. */
async function builtAt(commit: string, folder: string): Promise<string> {
  await mkdir(folder);
  const tar = join(dirname(folder), 'before.tar');
  git('archive', '-o', tar, commit);
  execFileSync('tar', ['-xf', tar, '-C', folder]);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['build.config.ts'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'dist/shotlist.cjs');
}

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
