/** A run as a page of GitHub-flavoured Markdown: what a job shows as its summary. */

import { addUsd } from '../../model/money.ts';
import { stepOf } from '../../model/run/key.ts';
import { isFree } from '../../model/run/run-money.ts';
import { formatSeconds, formatUsd } from '../../model/text/format.ts';
import { markdownCode as code, markdownText as text } from '../../model/text/markup.ts';
import type { InstanceView, RunView } from '../../records/views/run-view.ts';
import { openingLine, outcomeLine } from '../text/opening-and-outcome.ts';
import { failureGroups, groupLines, summaryLines } from '../text/run-summary.ts';

/** A step of a job drops a summary of more than 1 MiB without a word, and it may hold others beside ours. */
export const MAX_SUMMARY_BYTES = 900 * 1024;

/** Rows of one table. */
const MOST = 300;

/** Less than `room` bytes: rows that do not fit are counted. */
export function runSummary(run: RunView, command: string, room = MAX_SUMMARY_BYTES): string {
  const head = [
    `### ${SIGN[run.finished?.outcome ?? ''] ?? '⏸️'} ${text(outcomeLine(run))}`,
    '',
    text(openingLine(run)),
    '',
  ];
  const blocks = [stepTable(run), failures(run, command), outputs(run), next(run, command)].filter(it => it.length > 0);
  const lines = [...head, ...blocks.flatMap(block => [...block, ''])];
  return linesWithin(lines, room);
}

const SIGN: Readonly<Record<string, string>> = {
  ...{ done: '✅', failed: '❌', unreachable: '❌', unwritable: '❌', frozen: '❌', budget: '❌' },
};

/** Whole lines, so that no table or tag is cut in two. */
export function linesWithin(lines: readonly string[], room: number): string {
  const end = '\n\n… and more, in the log.\n';
  let used = Buffer.byteLength(end);
  const kept: string[] = [];
  for (const line of lines) {
    used += Buffer.byteLength(line) + 1;
    if (used > room) return `${kept.join('\n')}${end}`;
    kept.push(line);
  }
  return `${kept.join('\n')}\n`;
}

function stepTable(run: RunView): readonly string[] {
  const steps = [...Map.groupBy(run.instances.values(), ({ key }) => stepOf(key))];
  const many = (some: readonly InstanceView[], ...is: readonly string[]) =>
    some.filter(({ state }) => is.includes(state.is)).length || '';
  const rows = steps.slice(0, MOST).map(([step, some]) => {
    const paid = some.reduce((sum, { paidUsd }) => addUsd(sum, paidUsd), 0);
    const begun = some.flatMap(({ since }) => since ?? []);
    const ended = some.flatMap(({ until }) => until ?? []);
    const took = begun.length > 0 && ended.length > 0 ? Math.max(...ended) - Math.min(...begun) : 0;
    const made = many(some, 'succeeded');
    const rest = some.length - Number(made) - Number(many(some, 'reused')) - Number(many(some, 'failed'));
    return row([
      code(step),
      text([...new Set(some.map(({ model }) => model))].join(', ').slice(0, 60)),
      ...[some.length, made, many(some, 'reused'), many(some, 'failed'), rest || ''].map(String),
      took > 0 ? formatSeconds(took / 1000) : '',
      paid > 0 && !isFree(run) ? text(formatUsd(paid)) : '',
    ]);
  });
  return [
    row(['step', 'made with', 'instances', 'made', 'already here', 'failed', 'not made', 'took', 'spent']),
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    ...andMore(steps.length),
  ];
}

function failures(run: RunView, command: string): readonly string[] {
  const groups = failureGroups(run, command, 'at length');
  if (groups.length === 0) return [];
  return [
    '#### What failed',
    ...groups.slice(0, MOST).map(group => {
      const [first, ...more] = groupLines(group).map(({ text: line }) => line.slice(0, 2_000));
      return `- ${code(first ?? '')}: ${more.map(text).join('<br>')}`;
    }),
    ...andMore(groups.length),
  ];
}

function outputs(run: RunView): readonly string[] {
  const lines = summaryLines(run).filter(({ role }) => role === 'output');
  if (lines.length === 0) return [];
  return ['#### Films', ...lines.slice(0, MOST).map(line => `- ${code(line.text)}`), ...andMore(lines.length)];
}

/** What a person does now. */
function next(run: RunView, command: string): readonly string[] {
  if (run.finished?.outcome === 'done') return [];
  const lines = summaryLines(run, command, 'in a line').filter(({ role }) => role === 'next' || role === 'command');
  return lines
    .slice(0, MOST)
    .map(({ role, text: line }) => (role === 'command' ? `- ${code(line)}` : `- ${text(line)}`));
}

const andMore = (all: number): readonly string[] => (all > MOST ? ['', `and ${all - MOST} more`] : []);
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
