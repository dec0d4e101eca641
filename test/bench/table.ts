/** One line for each promise. */
import { least, type Measured, median } from './measure.ts';

const WIDTHS = [58, 22, 22, 9, 9, 5];

const line = (cells: readonly string[]): string =>
  cells
    .map((cell, n) => (n === 0 ? cell.padEnd(WIDTHS[n] ?? 0) : cell.padStart(WIDTHS[n] ?? 0)))
    .join(' ')
    .trimEnd();

export const TABLE_HEAD = `${line(['(least / median)', 'floor', 'ours', 'ratio', 'aim', ''])}\n${'─'.repeat(130)}`;

export function row(measured: Measured): string {
  if ('skipped' in measured) return `${line([measured.name, '—', '—', '—', '—', '—'])}\n   ${measured.skipped}`;
  const { name, floor, ours, unit, aim, note } = measured;
  // The least is what the machine does when nobody disturbs it: both sides are judged by it.
  const judged = floor === undefined ? least(ours) : least(ours) / least(floor);
  const cells = [
    name,
    floor === undefined ? '' : shown(floor, unit),
    shown(ours, unit),
    floor === undefined ? '' : `${judged.toFixed(3)} ×`,
    aim === undefined ? '' : floor === undefined ? `${aim} ${short(unit)}` : `${aim} ×`,
    aim === undefined ? '' : judged <= aim ? 'hit' : 'MISS',
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
