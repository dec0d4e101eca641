/**
 * `npm run bench [-- --quick] [-- --only WORD]`: what our promises about speed come to on this machine, side by side with the floor
 * they are measured from. `--only figures` is what users ask for first, in one table: how soon it starts, how large a report is, what the
 * screen costs, how soon an author hears of a mistake and sees a picture. Only ratios within one run mean anything: floor and ours take turns, and the machine's mood hits both.
 *
 * It measures `dist/` as `npm run build` left it, from outside, as a user meets it.
 *
 * `--guard` fails where a figure has become worse by a tenth since the commit before (`guard.ts`).
 */
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cutCases } from './cut-cases.ts';
import { feedCases } from './feed-cases.ts';
import { guard } from './guard.ts';
import { idleCases } from './idle-cases.ts';
import { localCases } from './local-cases.ts';
import { lspCases } from './lsp-cases.ts';
import { type Bench, least, type Measured, median } from './measure.ts';
import { payingCases } from './paying-cases.ts';
import { queueCases } from './queue-cases.ts';
import { renderCases } from './render-cases.ts';
import { reportCases } from './report-cases.ts';
import { screenCases } from './screen-cases.ts';
import { startCases } from './start-cases.ts';
import { taskCases } from './task-cases.ts';
import { teamCases } from './team-cases.ts';
import { viewCases } from './view-cases.ts';
import { watchCases } from './watch-cases.ts';

type Figure = Exclude<Measured, { readonly skipped: string }>;

const WIDTHS = [58, 22, 22, 9, 9, 5];

const line = (cells: readonly string[]): string =>
  cells
    .map((cell, n) => (n === 0 ? cell.padEnd(WIDTHS[n] ?? 0) : cell.padStart(WIDTHS[n] ?? 0)))
    .join(' ')
    .trimEnd();

const TABLE_HEAD = `${line(['(least / median)', 'floor', 'ours', 'ratio', 'aim', ''])}\n${'─'.repeat(130)}`;

/** What the least of each comes to: that is what the machine does when nothing disturbs it. */
const judged = ({ floor, ours }: Figure): number => (floor === undefined ? least(ours) : least(ours) / least(floor));

/** Undefined: nothing was measured or promised. */
const isHit = (measured: Measured): boolean | undefined =>
  'skipped' in measured || measured.aim === undefined ? undefined : judged(measured) <= measured.aim;

function row(measured: Measured): string {
  if ('skipped' in measured) return `${line([measured.name, '—', '—', '—', '—', '—'])}\n   ${measured.skipped}`;
  const { name, floor, ours, unit, aim, note } = measured;
  const cells = [
    name,
    floor === undefined ? '' : shown(floor, unit),
    shown(ours, unit),
    floor === undefined ? '' : `${judged(measured).toFixed(3)} ×`,
    aim === undefined ? '' : floor === undefined ? `${aim} ${short(unit)}` : `${aim} ×`,
    aim === undefined ? '' : isHit(measured) ? 'hit' : 'MISS',
  ];
  return note === undefined ? line(cells) : `${line(cells)}\n   ${note}`;
}

function shown(numbers: readonly number[], unit: string): string {
  const digits = (n: number) => n.toFixed(n >= 100 ? 0 : n >= 10 ? 1 : 3);
  const text =
    numbers.length === 1 ? digits(numbers[0] ?? 0) : `${digits(least(numbers))} / ${digits(median(numbers))}`;
  return `${text} ${short(unit)}`;
}

const short = (unit: string): string => (unit === 'requests' ? 'req' : unit);

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    guard: { type: 'boolean', default: false },
    against: { type: 'string' },
  },
});

/** Said instead of a word of a case's name. */
const FIGURES = 'figures';
const scratch = await mkdtemp(join(tmpdir(), 'shotlist-bench-'));
const bench: Bench = {
  shotlist: fileURLToPath(new URL('../../dist/shotlist.cjs', import.meta.url)),
  scratch,
  quick: values.quick,
};

try {
  await access(bench.shotlist).catch(() => {
    throw new Error('there is no dist/ to measure: npm run build first');
  });
  console.log(TABLE_HEAD);
  const cases = [
    ...startCases,
    ...reportCases,
    ...viewCases,
    ...lspCases,
    ...localCases,
    ...queueCases,
    ...feedCases,
    ...renderCases,
    ...cutCases,
    ...screenCases,
    ...watchCases,
    ...taskCases,
    ...idleCases,
    ...teamCases,
    ...payingCases,
  ];
  if (values.guard) {
    for await (const measured of guard(bench, values)) {
      console.log(row(measured));
      if (isHit(measured) === false) process.exitCode = 1;
    }
  }
  for (const { name, isFigure, measure } of values.guard ? [] : cases) {
    if (values.only === FIGURES ? !isFigure : !name.includes(values.only)) continue;
    for (const measured of await told(name, measure)) console.log(row(measured));
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** A case that cannot be measured says why, and the others go on. */
async function told(
  name: string,
  measure: (bench: Bench) => Promise<readonly Measured[]>,
): Promise<readonly Measured[]> {
  try {
    return await measure(bench);
  } catch (error) {
    process.exitCode = 1;
    return [{ name, skipped: error instanceof Error ? error.message : String(error) }];
  }
}
