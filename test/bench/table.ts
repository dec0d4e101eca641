/** One line for each promise. */
import { least, type Measured, median } from './measure.ts';

type Figure = Exclude<Measured, { readonly skipped: string }>;

const WIDTHS = [58, 22, 22, 9, 9, 5];

const line = (cells: readonly string[]): string =>
  cells
    .map((cell, n) => (n === 0 ? cell.padEnd(WIDTHS[n] ?? 0) : cell.padStart(WIDTHS[n] ?? 0)))
    .join(' ')
    .trimEnd();

export const TABLE_HEAD = `${line(['(least / median)', 'floor', 'ours', 'ratio', 'aim', ''])}\n${'─'.repeat(130)}`;

/** What the least of each comes to: that is what the machine does when nothing disturbs it. */
const judged = ({ floor, ours }: Figure): number => (floor === undefined ? least(ours) : least(ours) / least(floor));

/** Undefined: nothing was measured or promised. */
export const isHit = (measured: Measured): boolean | undefined =>
  'skipped' in measured || measured.aim === undefined ? undefined : judged(measured) <= measured.aim;

export function row(measured: Measured): string {
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
