/**
 * `npm run simulate -- --seeds 10000`: tries the core out in so many worlds, on all cores. `--seed 42 --trace` tells one of them from
 * its beginning to its end; `--from 5000` begins elsewhere; `--plant NAME` puts a bug in,
 * `--plants` tells which seed sees each of them, and `--rates --seeds 300` how many do. `--choose` finds seeds for `npm test` where some were lost. `--cluster`: how far a team grows (`cluster/`).
 */
import { parseArgs } from 'node:util';
import { tellGrowth } from './cluster/report.ts';
import { PLANTED_BUGS, SHORT_FORM } from './planted-bugs.ts';
import { catchPlants, plantRates, type Summary, seedsFrom, seenAtDoor, Threads, trySeeds } from './pool.ts';
import { runTrial } from './trial.ts';
import { TROUBLE } from './vices.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    plant: { type: 'string' },
    plants: { type: 'boolean', default: false },
    rates: { type: 'boolean', default: false },
    choose: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
  },
});

await using threads = new Threads();
if (values.cluster) await tellGrowth(line => console.log(line));
else if (values.plants) await planted();
else if (values.choose) await choose(seedsFrom(1, Number(values.seeds)));
else if (values.rates) await rates(Number(values.from), Number(values.seeds));
else if (values.seed !== undefined) await one(Number(values.seed));
else await many(Number(values.from), Number(values.seeds));

async function one(seed: number): Promise<void> {
  const plant = PLANTED_BUGS.find(({ name }) => name === values.plant);
  const told = await runTrial(seed, { trace: values.trace, ...(plant && { plant }) });
  for (const line of told.trace) console.log(line);
  console.log(told.broken ? `seed ${seed}: ${told.broken.message}` : `seed ${seed}: all invariants hold`);
  if (told.broken) process.exitCode = 1;
}

async function planted(): Promise<void> {
  for (const { plant, by } of await catchPlants(threads, PLANTED_BUGS, seedsFrom(1, 1_000))) {
    console.log(by ? `${plant}: seed ${by.seed}, ${by.message}` : `${plant}: not caught within 1,000 seeds`);
    if (!by) process.exitCode = 1;
  }
}

/** Tells seeds to add to the short form, for what its own do not see any more. */
async function choose(seeds: readonly number[]): Promise<void> {
  const form = new Set(SHORT_FORM);
  const { tally } = await trySeeds(threads, SHORT_FORM);
  const unmet = new Set(TROUBLE.filter(name => !tally.has(name)));
  for (const seed of seeds) {
    if (unmet.size === 0) break;
    const met = (await trySeeds(threads, [seed])).tally;
    const more = [...unmet].filter(name => met.has(name));
    if (more.length === 0) continue;
    form.add(seed);
    for (const name of more) unmet.delete(name);
    console.log(`${seed}: ${more.join(', ')}`);
  }
  for (const { plant, by } of await catchPlants(threads, PLANTED_BUGS, [...form, ...seeds])) {
    const { hint } = PLANTED_BUGS.find(({ name }) => name === plant) ?? {};
    if (by?.seed !== hint) console.log(`hint ${by?.seed ?? 'none'}: ${plant}`);
    if (by) form.add(by.seed);
  }
  const shown = PLANTED_BUGS.filter(({ atDoor }) => atDoor !== undefined);
  for (const { plant, by } of await seenAtDoor(threads, shown, [...form, ...seeds])) {
    const { atDoor } = PLANTED_BUGS.find(({ name }) => name === plant) ?? {};
    if (by?.seed !== atDoor) console.log(`atDoor ${by?.seed ?? 'none'}: ${plant}`);
  }
  console.log(`SHORT_FORM ${[...form].sort((a, b) => a - b).join(', ')}`);
  console.log(`never met: ${[...unmet].join(', ') || 'nothing'}`);
}

/** The rarest first. */
async function rates(from: number, seeds: number): Promise<void> {
  for (const { plant, seen, first } of (await plantRates(threads, PLANTED_BUGS, seedsFrom(from, seeds))).toSorted(
    (a, b) => a.seen - b.seen,
  ))
    console.log(
      seen === 0
        ? `none of ${seeds}: ${plant}`
        : `1 in ${Math.round(seeds / seen)}: ${plant} (${seen} of ${seeds}, first ${first})`,
    );
}

async function many(from: number, seeds: number): Promise<void> {
  const summary = await trySeeds(threads, seedsFrom(from, seeds), values.plant);
  for (const { seed, message } of summary.broken.slice(0, 10)) {
    console.log(`seed ${seed}: ${message}`);
    console.log(`  npm run simulate -- --seed ${seed} --trace`);
  }
  console.log(told(summary));
  if (summary.broken.length > 0) process.exitCode = 1;
}

function told({ seeds, seconds, invariants, broken, tally }: Summary): string {
  const fired = [...tally].sort(([, a], [, b]) => b - a).map(([what, times]) => `${what} ${times}`);
  const verdict =
    broken.length === 0
      ? 'all hold'
      : `broken in ${broken.length} (${broken
          .map(({ seed }) => seed)
          .slice(0, 40)
          .join(', ')})`;
  return `${seeds} seeds in ${seconds.toFixed(1)} s, ${invariants} invariants: ${verdict}; ${fired.join(', ')}`;
}
