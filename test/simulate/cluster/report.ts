/** `npm run simulate -- --cluster`: costs on a real PostgreSQL, what a large team comes to with them, and which limit is met first. */

import { type Growth, grow } from './growth.ts';
import { measureCosts } from './measure-costs.ts';
import { type Cost, type Costs, LARGE, limitsOnPaper, type Shape } from './shape.ts';

/** Requests that a steady state is taken from. */
const PART = 2_000;

export async function tellGrowth(print: (line: string) => void): Promise<void> {
  const { costs, together } = await measureCosts(200);
  for (const line of costLines(costs)) print(line);
  print(`${together.leads} leads at once in one process: ${together.perSecond.toFixed(0)} paid steps a second`);
  print('');
  print(HEAD);
  for (const [name, shape] of SHAPES) print(row(name, shape, costs, await grown(shape, costs)));
  print('');
  const large = await grow(LARGE, costs, { part: PART });
  for (const line of largeLines(LARGE, costs, large)) print(line);
}

/** Undefined: it comes to no end in a sensible time. */
const grown = (shape: Shape, costs: Costs) => grow(shape, costs, { part: PART }).catch(() => undefined);

/** 116 paid steps a second, of a key that allows as many. */
const TEN_MILLION: Shape = { ...LARGE, workers: 1_000, leads: 2, runs: 100_000, inFlight: 10_000, perSecond: 200 };
const FAST = { inFlight: 4_000, perSecond: 400 };
const SHAPES: readonly (readonly [string, Shape])[] = [
  ['50 workers, 1,000 runs of 100', LARGE],
  ['10 workers', { ...LARGE, workers: 10 }],
  ['200 workers, 4,000 runs', { ...LARGE, workers: 200, runs: 4_000 }],
  ['10,000 runs of 10', { ...LARGE, runs: 10_000, instances: 10 }],
  ['100 runs of 1,000', { ...LARGE, runs: 100, instances: 1_000 }],
  ['at 4 models at once', { ...LARGE, models: 4 }],
  ['steps of 5 s', { ...LARGE, generation: 5 }],
  ['steps of 300 s', { ...LARGE, generation: 300 }],
  ['a key that allows 2,000 at once', { ...LARGE, inFlight: 2_000 }],
  ['a key that allows 4,000, 400 a second', { ...LARGE, ...FAST }],
  ['the same, on 2 processors', { ...LARGE, ...FAST, processors: 2 }],
  ['1,000 workers, ten million a day', TEN_MILLION],
];

const cells = (texts: readonly string[]) =>
  texts.map((text, n) => (n === 0 ? text.padEnd(40) : text.padStart(n === 1 ? 24 : 11))).join('');
const HEAD = cells(
  '|first limit|on paper/s|made/s|hours|places|lock|wait p95|refused|together|disk|database|conn.'.split('|'),
);

function row(name: string, shape: Shape, costs: Costs, growth: Growth | undefined): string {
  const [first] = limitsOnPaper(shape, costs, growth?.refusals ?? 1, growth?.together);
  const paper = [first?.[0] ?? '', (first?.[1] ?? 0).toFixed(1)];
  if (!growth) return cells([name, ...paper, 'too slow to simulate']);
  const { hours, placesUsed, used, lockWait, refusals, together, connections } = growth;
  const rate = (shape.runs * shape.instances) / hours / 3_600;
  const shares = [percent(used.lock), `${lockWait.p95.toFixed(0)} ms`, refusals.toFixed(1), together.toFixed(1)];
  return cells([
    ...[name, ...paper, rate.toFixed(1), hours.toFixed(2), percent(placesUsed)],
    ...[...shares, percent(used.disk), percent(used.processors), String(connections)],
  ]);
}

function costLines(costs: Costs): readonly string[] {
  const { admission, eachTogether, refusal, eachUnderWay, eachWaiting, batch, commit, bytes } = costs;
  const line = (name: string, { wall, processor, thread }: Cost) =>
    cells([name, `${wall.toFixed(3)} ms`, `${processor.toFixed(3)} db`, `${thread.toFixed(3)} own`]);
  return [
    line('admitted, under the lock', admission),
    line('more for each admitted with it', eachTogether),
    line('told to wait, under the lock', refusal),
    line('more for each that is under way', eachUnderWay),
    line('more for each that waits', eachWaiting),
    line('a batch of events kept', batch),
    cells(['a commit among sixteen at once', `${commit.toFixed(3)} ms`]),
    cells(['bytes of a row', `event ${bytes.event}`, `told ${bytes.told}`, `sent ${bytes.submission}`]),
  ];
}

function largeLines(shape: Shape, costs: Costs, growth: Growth): readonly string[] {
  const { rows, commitsPerSecond, lockWait, connections, used, refusals, together } = growth;
  const { bytes } = costs;
  const gigabytes = (perHour: number, each: number) => `${((perHour * 24 * each) / 1e9).toFixed(2)} GB`;
  const rate = (shape.runs * shape.instances) / growth.hours / 3_600;
  const bound = (shape.runs * shape.instances) / (limitsOnPaper(shape, costs)[0]?.[1] ?? 1) / 3_600;
  return [
    `50 workers, 1,000 runs, 100,000 paid steps of ${shape.generation} s: ${growth.hours.toFixed(2)} h, ${bound.toFixed(2)} h on paper`,
    `lock of the key: ${percent(used.lock)} of the time; waited for ${lockWait.p50.toFixed(0)} ms, one in twenty ${lockWait.p95.toFixed(0)} ms`,
    `database: ${commitsPerSecond.toFixed(0)} commits a second, ${percent(used.processors)} of ${shape.processors} processors, ${connections} connections`,
    `a day: ${(rows.event * 24).toFixed(0)} rows of events (${gigabytes(rows.event, bytes.event)}), ${(rows.told * 24).toFixed(0)} told (${gigabytes(rows.told, bytes.told)}), ${(rows.submission * 24).toFixed(0)} requests (${gigabytes(rows.submission, bytes.submission)})`,
    `store: ${((rate * shape.megabytes * 3 * 8) / 1_000).toFixed(2)} Gbit/s (each result of ${shape.megabytes} MB put there once, and read by two machines)`,
    'each limit by itself, in paid steps a second:',
    ...limitsOnPaper(shape, costs, refusals, together).map(
      ([name, perSecond]) => `  ${name}: ${perSecond.toFixed(1)}: ${THEN[name]}`,
    ),
  ];
}

const THEN: { readonly [limit in ReturnType<typeof limitsOnPaper>[number][0]]: string } = {
  'places at the service': 'a larger quota, or a second key; nothing of the team is in the way',
  'submits a second': 'a larger quota, or a second key',
  'lock of the key':
    'fewer runs at once (`worker --leads`), a faster disk, or projects with a key each: each key has a lock of its own',
  "the database's disk": 'a disk that syncs faster; then a database for each group of projects',
  "database's processors": 'more of them; then a database for each group of projects',
  "workers' threads": 'more workers',
  hands: 'more workers, or more cores on each (`worker --hands`)',
};

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
