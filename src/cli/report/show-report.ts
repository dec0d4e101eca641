/** The page of a run, written where it is wanted, and shown: the same of a run of this machine and of a team's. */

import { relative, resolve } from 'node:path';
import { findReport, type RunInList } from '../../app/reports/make-run-report.ts';
import type { ReportToWrite } from '../../app/reports/write-run-report.ts';
import { openFile } from '../../machine/process/small-program.ts';
import { isFree, unsettledText } from '../../model/run/run-money.ts';
import type { RunReport } from '../../model/run/run-report.ts';
import { padEnd } from '../../model/text/cells.ts';
import { cleanText } from '../../model/text/clean.ts';
import { formatSeconds, formatUsd } from '../../model/text/format.ts';
import { nearest } from '../../model/text/nearest.ts';
import type { Written } from '../../show/pages/report/write-report.ts';
import { UsageError } from '../arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { print, say } from '../outlets.ts';
import { readText } from '../session/pipeline-text.ts';
import { INTERRUPTED, untilInterrupted } from '../terminal/signals.ts';

interface ReportToShow extends Pick<ReportToWrite, 'project' | 'report'> {
  readonly values: {
    readonly proxies: boolean;
    readonly open: boolean;
    readonly out?: string | undefined;
  };
  /** The line about results that could not be shown. */
  readonly missing: (count: number) => string;
}

/** The report of a run, the newest where none is named. @throws UsageError */
export function reportFound(asked: Parameters<typeof findReport>[0], run: string | undefined): RunReport {
  const found = findReport(asked, run);
  if (found.is === 'found') return found.report;
  if (found.is === 'none') throw neverRun(asked.file);
  throw new UsageError(messages[found.is === 'unknown' ? 'unknownRun' : 'severalRuns'](run ?? '', found.runs));
}

/** Ends a command about a film that has no runs here. @throws CommandError where there is no such file. */
export function neverRun(file: string): UsageError {
  readText(file);
  return new UsageError(messages.neverRun(file));
}

/** A page of stills in one file, instead of a folder with its media. */
export const isOneFile = (out: string | undefined): boolean => out !== undefined && /\.html?$/i.test(out);

/** Its place is printed. */
export async function showReport({ project, report, values, missing: words }: ReportToShow): Promise<void> {
  const isSingle = isOneFile(values.out);
  const as = isSingle ? 'single' : values.proxies ? 'with_proxies' : 'folder';
  const { page, missing } = await drawn({ project, report, as, to: values.out });
  if (missing > 0) say(isSingle ? messages.notInFile(missing) : words(missing));
  print(`${relative(resolve(), page) || page}\n`);
  const problem = values.open ? await openFile(page, process.env) : undefined;
  if (problem !== undefined) say(problem);
}

/** Ctrl-C stops it, and leaves what was there as it was. A minute of drawing is not silent. */
async function drawn(asked: Omit<ReportToWrite, 'signal' | 'onStill'>): Promise<Written> {
  const { writeRunReport } = await import('../../app/reports/write-run-report.ts');
  using stopping = untilInterrupted(() => new CommandError(INTERRUPTED, messages.stopped()));
  const onStill = (done: number, of: number) => {
    if (done % STILLS_BETWEEN === 0 || (done === of && of > STILLS_BETWEEN)) say(messages.stills(done, of));
  };
  return await writeRunReport({ ...asked, signal: stopping.signal, onStill });
}

/** Stills that are drawn between two lines about it. */
const STILLS_BETWEEN = 50;

/** Runs that are named. */
const NAMED = 5;

export const messages = {
  whichFile: (): string => 'which file? shotlist report FILE, or shotlist report FILE RUN',
  neverRun: (file: string): string =>
    `${cleanText(file)} was never run here, or its runs changed nothing; shotlist run ${cleanText(file)}`,
  unknownRun: (run: string, runs: readonly string[]): string => {
    const near = nearest(run, runs);
    return `no run is called ${cleanText(run)}${near ? `; did you mean ${near}?` : ''}; see --all`;
  },
  severalRuns: (run: string, runs: readonly string[]): string =>
    `${cleanText(run)} may be ${runs.slice(0, NAMED).join(', ')}; write more of its name`,
  singleHasNoProxies: (): string =>
    'a page in one file shows stills alone, and --proxies is for what plays: leave it out, or name a folder',
  stills: (drawn: number, of: number): string => `${drawn} of ${of} stills are drawn`,
  stopped: (): string => 'stopped: nothing was written',
  notInFile: (missing: number): string =>
    `${missing === 1 ? 'one still is' : `${missing} stills are`} not in the file: it is at most 10 MB; a folder (--out without .html) has them all`,
  notHere: (missing: number, file: string): string =>
    `${missing === 1 ? 'one result is' : `${missing} results are`} not on this machine any more, and not in the report; shotlist run ${cleanText(file)} fetches what is at the service`,
};

/** Characters of an id that are shown. */
const ID = 8;

export function runLines(runs: readonly RunInList[], file: string): string {
  if (runs.length === 0) return `${messages.neverRun(file)}\n`;
  return tableText(runs.map(cellsOf));
}

/** Rows of cells in columns, a line each. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  const lines = rows.map(row => row.map((cell, column) => padEnd(cell, widths[column] ?? 0)).join('  '));
  return lines.map(line => `${line.trimEnd()}\n`).join('');
}

function cellsOf(listed: RunInList): readonly string[] {
  const { run, began, ended, outcome, usd, service, profile } = listed;
  return [
    run.slice(0, ID),
    timeText(began),
    ended === null ? '' : formatSeconds(Math.max(0, ended - began) / 1000),
    outcome.replace('_', ' '),
    isFree({ service }) ? 'free' : `${formatUsd(usd)}${unsettledText(listed)}`,
    [cleanText(service), ...(profile === null ? [] : [`in ${cleanText(profile)}`])].join(', '),
  ];
}

/** In the time of this place, as a person reads a clock. */
export function timeText(at: number): string {
  const time = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
