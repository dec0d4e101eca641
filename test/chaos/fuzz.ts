/**
 * `npm run fuzz -- [--seeds 20000] [--seed 1] [--only kind]`: damaged files, expressions, locks, settings, tables, workflows, links, journals, events, streams,
 * answers and request bodies. No crash, nothing over two seconds, and every error a sentence with a place. A fault prints its seed.
 */
import { parseArgs } from 'node:util';
import { SLOTS } from './fuzz-kinds.ts';
import { fuzz } from './fuzz-session.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    children: { type: 'string', default: '2' },
  },
});
const kinds = [...new Set<string>(SLOTS)];
if (values.only !== undefined && !kinds.includes(values.only)) throw new Error(`--only is one of ${kinds.join(', ')}`);

const began = performance.now();
const seed = Number(values.seed ?? 1);
// A seed alone is one to look at again.
const seeds = Number(values.seeds ?? (values.seed === undefined ? 20_000 : 1));
const fuzzed = await fuzz({
  ...{ seed, seeds, only: values.only },
  children: Number(values.children),
  tell: line => console.log(line),
});
const each = [...fuzzed.kinds].map(([kind, count]) => `${kind} ${count.toLocaleString('en-US')}`).join(', ');
console.log(
  `${fuzzed.cases.toLocaleString('en-US')} cases (${each}): ${fuzzed.faults.length} faults; ` +
    `the longest ${Math.round(fuzzed.slowest)} ms; seed ${seed}, ${Math.round((performance.now() - began) / 1000)} s`,
);
process.exitCode = fuzzed.faults.length > 0 ? 1 : 0;
