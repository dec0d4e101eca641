/** The runs of a film, one a line: `8c41f2aa  2026-11-22 14:03  4m 12s  done  $3.20  hosted, in draft`. */

import { cleanText } from '../../domain/clean.ts';
import { formatSeconds, formatUsd } from '../../domain/format.ts';
import { isFree, unsettledText } from '../../domain/run-money.ts';

import type { RunInList } from '../../session/run-report.ts';
import { messages } from './report-messages.ts';

/** Characters that tell one run from another. */
const ID = 8;

export function runLines(runs: readonly RunInList[], file: string): string {
  if (runs.length === 0) return `${messages.neverRun(file)}\n`;
  const rows = runs.map(cellsOf);
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows
    .map(
      row =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function cellsOf(listed: RunInList): readonly string[] {
  const { run, began, ended, outcome, usd, service, profile } = listed;
  return [
    run.slice(0, ID),
    timeText(began),
    ended === null ? '' : formatSeconds(Math.max(0, ended - began) / 1000),
    outcome.replace('_', ' '),
    usd === null ? '' : isFree({ service }) ? 'free' : `${formatUsd(usd)}${unsettledText(listed)}`,
    [cleanText(service), ...(profile === null ? [] : [`in ${cleanText(profile)}`])].join(', '),
  ];
}

/** In the time of this place, as a person reads a clock. */
function timeText(at: number): string {
  const time = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
