/** What a person waits for before anything runs. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { fannedOut, longFile } from './films.ts';
import { type Bench, type Case, inTurns, type Measured, type Program, peak, run } from './measure.ts';

const NODE = process.execPath;

export const startCases: readonly Case[] = [
  { name: 'start of a command', isFigure: true, measure: start },
  { name: '--help over a bare node', isFigure: true, measure: help },
  { name: 'check of 1,000 steps over its parser alone', measure: check },
  { name: 'plan of 10,000 fanned-out instances', measure: plan },
];

/** As after an installation, when Node has compiled nothing yet, and as ever after. */
async function start({ shotlist, scratch, quick }: Bench): Promise<readonly Measured[]> {
  const folder = join(scratch, 'start');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'film.yaml'), longFile(60));
  const commands = [['--help'], ['--version'], ['plan', 'film.yaml']];
  const told: Measured[] = [];
  for (const [at, args] of commands.entries()) {
    const program: Program = { argv: [NODE, shotlist, ...args], cwd: folder };
    const [first, ever]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < (quick ? 3 : 11); turn++) {
      const cache = join(scratch, 'compiled', `${at}-${turn}`);
      first.push((await run({ ...program, env: { NODE_COMPILE_CACHE: cache } })).ms);
      ever.push((await run({ ...program, env: { NODE_COMPILE_CACHE: cache } })).ms);
    }
    const name = args[0] === 'plan' ? 'plan of 60 steps' : args.join(' ');
    told.push({ name: `start: ${name}, the first time`, ours: first, unit: 'ms' });
    told.push({ name: `start: ${name}`, ours: ever, unit: 'ms', aim: args[0] === 'plan' ? 300 : 100 });
  }
  return told;
}

async function help({ shotlist, scratch, quick }: Bench): Promise<readonly Measured[]> {
  const ours: Program = { argv: [NODE, shotlist, '--help'], cwd: scratch };
  const taken = await inTurns(quick ? 5 : 25, time({ argv: [NODE, '-e', '0'], cwd: scratch }), time(ours));
  const loaded = await packagesLoaded(ours, join(scratch, 'coverage'));
  const note = `packages loaded: ${loaded.length === 0 ? 'none' : loaded.join(', ')}`;
  return [{ name: '--help over a bare node', ...taken, unit: 'ms', aim: 1.15, note }];
}

async function check({ shotlist, scratch, quick }: Bench): Promise<readonly Measured[]> {
  const file = join(scratch, 'long.yaml');
  await writeFile(file, longFile(1_000));
  // The floor is given all that ours has: one bundle, and Node's compile cache.
  const parser = join(scratch, 'parse-alone.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('./parse-alone.ts', import.meta.url))],
    outfile: parser,
    bundle: true,
    platform: 'node',
    format: 'esm',
    minifySyntax: true,
    // The parser is a CommonJS package.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  const floor = time({ argv: [NODE, parser, file], cwd: scratch });
  const ours = time({ argv: [NODE, shotlist, 'check', file], cwd: scratch });
  return [
    {
      name: 'check of 1,000 steps over its parser alone',
      ...(await inTurns(quick ? 3 : 11, floor, ours)),
      unit: 'ms',
      aim: 1.3,
    },
  ];
}

async function plan({ shotlist, scratch, quick }: Bench): Promise<readonly Measured[]> {
  const folder = join(scratch, 'fan');
  await mkdir(join(folder, '.shotlist'), { recursive: true });
  await writeFile(join(folder, 'fan.yaml'), fannedOut(50));
  const ours: Program = { argv: [NODE, shotlist, 'plan', 'fan.yaml'], cwd: folder };
  const { stdout } = await run(ours);
  if (!/10,?000/.test(stdout)) throw new Error(`the plan does not speak of 10,000 instances: ${stdout.slice(-300)}`);
  const times: number[] = [];
  for (let turn = 0; turn < (quick ? 2 : 7); turn++) times.push((await run(ours)).ms / 1_000);
  return [
    { name: 'plan of 10,000 fanned-out instances', ours: times, unit: 's', aim: 1 },
    { name: 'plan of 10,000 fanned-out instances, peak memory', ours: [await peak(ours)], unit: 'MB', aim: 150 },
  ];
}

const time = (program: Program) => async () => (await run(program)).ms;

/** Names of the npm packages in the parts of the bundle that a program really loads, seen by V8's own list of scripts. */
async function packagesLoaded(program: Program, folder: string): Promise<readonly string[]> {
  await run({ ...program, env: { NODE_V8_COVERAGE: folder } });
  const names = new Set<string>();
  for (const report of await readdir(folder)) {
    const { result } = JSON.parse(await readFile(join(folder, report), 'utf8')) as {
      result: readonly { url: string }[];
    };
    for (const { url } of result.filter(({ url }) => url.startsWith('file:'))) {
      const text = await readFile(fileURLToPath(url), 'utf8');
      // The bundler leaves each module's path in a comment before it.
      for (const [, name] of text.matchAll(/^\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm)) names.add(name!);
    }
  }
  return [...names].sort();
}
