/** One row for one instance: a mark, its key, its model, what it does, for how long, for how much. */
import { cellWidth, clipEnd, padEnd, padStart } from '../../model/text/cells.ts';
import { formatSeconds, formatTicking, formatUsd } from '../../model/text/format.ts';
import { type EndState, type InstanceState, phase } from '../../records/views/instance-state.ts';
import {
  couldStart,
  type EndedInstance,
  type InstanceView,
  type RunView,
  type Settled,
} from '../../records/views/run-view.ts';
import { failedTexts } from '../text/failure-text.ts';
import { openingLine } from '../text/opening-and-outcome.ts';
import type { PlainWords } from '../text/plain-lines.ts';
import { type SummaryLine, summaryLines } from '../text/run-summary.ts';
import { endText, groupText, stateText } from '../text/state-text.ts';
import { type Columns, columnsFor, GAP } from './columns.ts';
import { filled, type Line, nameWithin, type Piece, type Tone, text, wrapped } from './line.ts';

/** An instance that is under way or ahead. */
export function liveRow(run: RunView, instance: InstanceView, now: number, columns: Columns): Line {
  const { state, since } = instance;
  const isUnderWay = phase(state) === 'under-way';
  const isAlarming = state.is === 'unknown' || state.is === 'refused';
  const isNext = !isUnderWay && couldStart(run, instance);
  const tone: Tone = isUnderWay || isNext ? 'plain' : 'quiet';
  return row(columns, {
    mark: isUnderWay
      ? text(spinner(now), isAlarming ? 'alarm' : 'accent')
      : text(isNext ? '›' : '·', isAlarming ? 'alarm' : 'quiet'),
    label: text(instance.label, tone),
    model: instance.model,
    detail: details(state, stateText(run, instance, now), columns, isAlarming ? 'alarm' : tone),
    time: isUnderWay && since !== null ? formatTicking((now - since) / 1000) : '',
    money: money(instance),
  });
}

/** An instance that is over, for the scroll-back. */
function endedRow(instance: EndedInstance, columns: Columns): Line {
  const { ended: state, took } = instance;
  const [mark, tone] = MARKS[state.is];
  return row(columns, {
    mark: text(mark, tone),
    label: text(instance.label, state.is === 'failed' ? 'strong' : state.is === 'succeeded' ? 'plain' : 'quiet'),
    model: instance.model,
    detail: [text(endWithin(state, columns.detail), state.is === 'failed' ? 'alarm' : 'quiet')],
    time: took === null ? '' : formatSeconds(took / 1000),
    money: state.is === 'succeeded' && (instance.price ?? instance.paidUsd) > 0 ? formatUsd(instance.paidUsd) : '',
  });
}

/** Of a failure as much as there is room for. */
function endWithin(state: EndState, width: number): string {
  if (state.is !== 'failed') return endText(state);
  const texts = failedTexts(state.failure);
  return texts.find(words => cellWidth(words) <= width) ?? texts.at(-1) ?? '';
}

/** Several instances of one step that ended alike. */
function groupRow(group: Extract<Settled, { readonly is: 'group' }>, columns: Columns): Line {
  const { label, how } = groupText(group);
  const first = group.instances[0];
  const [mark, tone] = MARKS[first?.ended.is ?? 'reused'];
  return row(columns, {
    ...{ mark: text(mark, tone), label: text(label, 'quiet'), model: first?.model ?? '', detail: [text(how, 'quiet')] },
    ...{ time: '', money: '' },
  });
}

const MARKS: Readonly<Record<EndState['is'], readonly [string, Tone]>> = {
  succeeded: ['✓', 'accent'],
  reused: ['✓', 'quiet'],
  skipped: ['–', 'quiet'],
  left_out: ['–', 'quiet'],
  blocked: ['–', 'quiet'],
  failed: ['✗', 'alarm'],
};

interface Cells {
  readonly mark: Piece;
  readonly label: Piece;
  readonly model: string;
  readonly detail: readonly Piece[];
  readonly time: string;
  readonly money: string;
}

function row(columns: Columns, { mark, label, model, detail, time, money: price }: Cells): Line {
  const gap = text(' '.repeat(GAP));
  const modelCell = columns.model > 0 ? [text(padEnd(clipEnd(model, columns.model), columns.model), 'quiet'), gap] : [];
  const moneyCell = columns.money > 0 ? [gap, text(padStart(price, columns.money), 'quiet')] : [];
  const right = GAP + columns.time + (columns.money > 0 ? GAP + columns.money : 0);
  // Words may take the place of time and money.
  const rest =
    time === '' && price === ''
      ? filled(detail, columns.detail + right)
      : [...filled(detail, columns.detail), gap, text(padStart(time, columns.time), 'quiet'), ...moneyCell];
  return [
    ...[
      text('  '),
      mark,
      text(' '),
      text(padEnd(nameWithin(label.text, columns.label), columns.label), label.tone),
      gap,
    ],
    ...modelCell,
    ...rest,
  ];
}

/** The words of a detail, and before them a bar where the service reports progress. */
function details(standing: InstanceState, words: string, columns: Columns, tone: Tone): readonly Piece[] {
  if (standing.is !== 'working' || standing.fraction === null) return [text(words, tone)];
  const fraction = Math.min(1, Math.max(0, standing.fraction));
  const percent = padStart(`${Math.floor(fraction * 100)}%`, 4);
  const full = Math.floor(fraction * columns.bar);
  const bar = [text('━'.repeat(full), 'accent'), text('─'.repeat(columns.bar - full), 'quiet')];
  return [...bar, text(columns.bar < WORDS_BESIDE_BAR ? percent : `${percent}  ${words}`, tone)];
}

/** Beside a shorter bar there is room for the percentage alone. */
const WORDS_BESIDE_BAR = 10;

/** The cost, once it is known; before that the expected cost. Empty for what is free. */
function money(instance: InstanceView): string {
  if (instance.paidUsd > 0) return formatUsd(instance.paidUsd);
  return instance.price === null || instance.price === 0 ? '' : `~${formatUsd(instance.price)}`;
}

/** One step a second: enough to see that it lives, quiet enough to read beside. */
export const spinner = (now: number): string => SPINNER[Math.floor(now / 1000) % SPINNER.length] ?? '⠋';
const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** @param from index of the first entry of `run.settled` that the scroll-back does not hold yet. */
export const pastLines = (run: RunView, from: number, columns: number, words: PlainWords): readonly Line[] =>
  run.settled.slice(from).flatMap((entry, index) => {
    const isFirstRow = ROWS.has(entry.is) && run.settled[from + index - 1]?.is === 'started';
    return [...(isFirstRow ? [[]] : []), ...entryLines(run, entry, columns, words)];
  });

const ROWS: ReadonlySet<Settled['is']> = new Set(['instance', 'group']);

function entryLines(run: RunView, entry: Settled, columns: number, words: PlainWords): readonly Line[] {
  switch (entry.is) {
    case 'started':
      return [[], ...wrapped(openingLine(run), columns, 2, 'strong')];
    case 'instance':
      return [endedRow(entry.instance, columnsFor(run, columns))];
    case 'group':
      return [groupRow(entry, columnsFor(run, columns))];
    case 'finished':
      return summary(run, columns, words);
  }
}

function summary(run: RunView, columns: number, { command, film, reviewCommand }: PlainWords): readonly Line[] {
  const lines: Line[] = [[]];
  let before: SummaryLine['role'] = 'outcome';
  for (const { role, text: words } of summaryLines(run, command, 'at length', film, reviewCommand)) {
    if (role !== before && PARAGRAPH.has(role)) lines.push([]);
    if (role === 'outcome')
      lines.push(...wrapped(words, columns, 2, run.finished?.outcome === 'done' ? 'accent' : 'strong'));
    else if (role === 'failed') lines.push([text('  '), text('✗ ', 'alarm'), text(words, 'strong')]);
    else if (role === 'output') lines.push(outputLine(words));
    else if (role === 'command') lines.push([text('  '), text(words, 'accent')]);
    else if (role === 'log') lines.push(...outputLines(words, columns));
    else lines.push(...wrapped(words, columns, role === 'detail' ? 4 : 2, 'plain'));
    before = role;
  }
  return lines;
}

/** Roles that begin a new paragraph. */
const PARAGRAPH: ReadonlySet<SummaryLine['role']> = new Set(['output', 'failed', 'next']);

/** A line of a command's output is kept as written where it fits. */
const outputLines = (words: string, columns: number): readonly Line[] =>
  cellWidth(words) + LOG_INDENT < columns
    ? [[text(' '.repeat(LOG_INDENT) + words, 'quiet')]]
    : wrapped(words, columns, LOG_INDENT, 'quiet');
const LOG_INDENT = 6;

/** A path is never clipped or wrapped, so that it can be clicked and copied. */
function outputLine(words: string): Line {
  const [path = '', facts = ''] = words.split('  ');
  return [text('  '), text(path, 'strong'), ...(cellWidth(facts) > 0 ? [text(`  ${facts}`, 'quiet')] : [])];
}
