/**
 * `npm run simulate -- --seeds 10000`: tries the core out in so many worlds, on all cores. `--seed 42 --trace` tells one of them from
 * its beginning to its end; `--from 5000` begins elsewhere; `--plant NAME` puts a bug in.
 */
import { parseArgs } from 'node:util';
import { PLANTS } from './plants.ts';
import { type Summary, trySeeds } from './pool.ts';
import { tryOut } from './trial.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    plant: { type: 'string' },
  },
});

if (values.seed !== undefined) await one(Number(values.seed));
else await many(Number(values.from), Number(values.seeds));

async function one(seed: number): Promise<void> {
  const plant = PLANTS.find(({ name }) => name === values.plant);
  const told = await tryOut(seed, { trace: values.trace, ...(plant && { plant }) });
  for (const line of told.trace) console.log(line);
  console.log(told.broken ? `seed ${seed}: ${told.broken.message}` : `seed ${seed}: all invariants hold`);
  if (told.broken) process.exitCode = 1;
}

async function many(from: number, seeds: number): Promise<void> {
  const summary = await trySeeds({ from, seeds, plant: values.plant });
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
