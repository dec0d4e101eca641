/** One row for all instances of a step: how many there are, a bar, their states; under it what holds the others back. */

import { fanText } from '../../model/run/key.ts';
import { cellWidth, clipEnd, padEnd, padStart } from '../../model/text/cells.ts';
import { phase } from '../../records/views/instance-state.ts';
import { type InstanceView, measuresOf, type RunView } from '../../records/views/run-view.ts';
import { stateText, waitReason } from '../text/state-text.ts';
import {
  type Counted,
  type LimitsShown,
  limitText,
  msLeft,
  type StepTally,
  type Taken,
  tallyTexts,
  timeLeftText,
  waitsForText,
} from '../text/step-tally.ts';
import { type Columns, GAP, isNarrow, MARGIN } from './columns.ts';
import { filled, type Line, type Piece, partWithin, type Tone, text } from './line.ts';
import { spinner } from './rows.ts';

interface FoldColumns {
  readonly name: number;
  readonly count: number;
  /** `25/36`, on a narrow terminal. */
  readonly over: number;
  /** There is room for how a step is fanned out. */
  readonly showsFan: boolean;
}

export interface FoldContext {
  readonly folds: FoldColumns;
  readonly run: RunView;
  /** Unix milliseconds. */
  readonly now: number;
  readonly layout: Columns;
  /** Of the terminal. */
  readonly columns: number;
  readonly limits: LimitsShown | undefined;
  readonly taken: Taken;
  /** How a person decides what waits for one; undefined: no person is at the keyboard. */
  readonly hasKeys: boolean;
  /** The command for it, as it is typed. */
  readonly deciding: string | undefined;
}

/** `⠼ shot  36 made by 12 × 3   ━━━━━━╸────   25 done · 8 at work · 2 queued · 1 failed` */
export function foldRow(tally: StepTally, context: FoldContext): Line {
  return isNarrow(context.columns) ? narrowRow(tally, context) : wideRow(tally, context);
}

/** The note under its row: at most one line. */
export function foldNote(
  tally: StepTally,
  { run, now, layout, columns, limits, taken, ...by }: FoldContext,
): readonly Line[] {
  if (isNarrow(columns)) return [];
  const how =
    tally.asking > 0 ? decidingText(tally, by) : (limitText(tally, taken, limits) ?? waitText(tally, run, now));
  const ms = msLeft(tally, now);
  const left = ms === null || ms === 0 || run.detached !== null ? '' : timeLeftText(ms);
  if (how === '' && left === '') return [];
  const room = layout.width - NOTE - (left === '' ? 0 : cellWidth(left) + GAP);
  const words = clipEnd(how, room);
  return [
    [
      text(' '.repeat(NOTE)),
      text(padEnd(words, room), tally.asking > 0 ? 'accent' : 'quiet'),
      ...(left === '' ? [] : [text('  '), text(left, 'quiet')]),
    ],
  ];
}

const NOTE = MARGIN + 2;

/** The first instance with a wait that goes on, and its reason; empty where there is none. */
function waitText({ instances }: StepTally, run: RunView, now: number): string {
  const waiting = instances.find(one => phase(one.state) !== 'over' && waitReason(one, now) !== undefined);
  return waiting ? `${waiting.label} ${stateText(run, waiting, now)}` : '';
}

function decidingText(
  { instances }: StepTally,
  { hasKeys, deciding }: Pick<FoldContext, 'hasKeys' | 'deciding'>,
): string {
  const isApproval = instances.some(({ state }) => state.is === 'asking' && state.what === 'approve');
  const key = isApproval ? 'press a to approve' : 'press p to choose';
  if (!hasKeys) return deciding ?? '';
  return deciding === undefined ? key : `${key}, or  ${deciding}`;
}

function wideRow(tally: StepTally, { run, now, layout, folds }: FoldContext): Line {
  const room = layout.width - MARGIN - folds.name - GAP - folds.count - GAP;
  const bars = room >= 60 ? 26 : room >= 44 ? 14 : 8;
  const words = wordsOf(tally, run, now, room - bars - GAP);
  const hasBegun = tally.later < tally.instances.length;
  return [
    ...[
      text('  '),
      markOf(tally, now),
      text(' '),
      text(padEnd(clipEnd(tally.step, folds.name), folds.name)),
      text('  '),
    ],
    ...[
      text(padEnd(folds.showsFan ? countText(run, tally) : `${tally.instances.length}`, folds.count), 'quiet'),
      text('  '),
    ],
    ...filled(hasBegun ? [...bar(tally, bars), text('  '), ...words] : words, room),
  ];
}

/** `36 made by 12 × 3` */
function countText(run: RunView, { step, instances }: StepTally): string {
  const fan = fanText(measuresOf(run).axes.get(step), instances.length);
  return fan === null ? `${instances.length}` : `${instances.length} made by ${fan}`;
}

/** Widths of the columns for names and counts. */
export function foldColumns(run: RunView, tallies: readonly StepTally[], { width }: Columns): FoldColumns {
  const widest = (texts: readonly string[]) => Math.max(4, ...texts.map(cellWidth));
  const name = Math.min(widest(tallies.map(({ step }) => step)), Math.floor(width * 0.25));
  const count = widest(tallies.map(tally => countText(run, tally)));
  const isWide = name + count + 2 * GAP + MARGIN <= width * 0.4;
  const over = widest(tallies.map(({ done, instances }) => `${done}/${instances.length}`));
  const plain = widest(tallies.map(({ instances }) => `${instances.length}`));
  return { name, count: isWide ? count : plain, over, showsFan: isWide };
}

/** `shot  25/36  ━━━━━━━━╸────  1 failed` */
function narrowRow(tally: StepTally, { run, columns, hasKeys, folds }: FoldContext): Line {
  const room = Math.max(1, columns - 1);
  const over = padStart(`${tally.done}/${tally.instances.length}`, folds.over);
  const waits = waitsForText(run, tally);
  const most = mostTelling(tally, waits);
  const words =
    most.is === 'person' && hasKeys ? { ...most, text: `${most.text} (${isApproval(tally) ? 'a' : 'p'})` } : most;
  const nameWidth = Math.max(
    4,
    Math.min(folds.name, 12, room - 2 - GAP - cellWidth(over) - GAP - cellWidth(words.text)),
  );
  const used = 2 + nameWidth + GAP + cellWidth(over) + GAP + cellWidth(words.text) + GAP;
  const barWidth = Math.min(16, room - used);
  return [
    ...[
      text('  '),
      text(padEnd(clipEnd(tally.step, nameWidth), nameWidth)),
      text('  '),
      text(over, 'quiet'),
      text('  '),
    ],
    ...(barWidth >= 4 && waits === null ? [...bar(tally, barWidth), text('  ')] : []),
    text(words.text, TONES[words.is]),
  ];
}

/** On a narrow terminal, under the row of its step: `…[beat=3]    62 %`. */
export function narrowInstance(run: RunView, instance: InstanceView, now: number, columns: number): Line {
  const width = Math.min(14, Math.max(6, Math.floor((columns - 1) * 0.35)));
  const words = shortState(run, instance, now);
  return [text('  '), text(padEnd(partWithin(instance.label, width), width)), text('  '), text(words, 'quiet')];
}

function isApproval({ instances }: StepTally): boolean {
  return instances.some(({ state }) => state.is === 'asking' && state.what === 'approve');
}

function mostTelling(tally: StepTally, waits: string | null): Counted {
  if (waits !== null) return { text: waits, is: 'quiet' };
  const texts = tallyTexts(tally);
  const found =
    texts.find(({ is }) => is === 'person') ??
    texts.find(({ is }) => is === 'alarm') ??
    texts.find(({ text: words }) => !/ (done|decided)$/.test(words));
  return found ?? { text: '', is: 'quiet' };
}

function markOf({ atWork, queued, asking, failed, next }: StepTally, now: number): Piece {
  if (atWork + queued > 0) return text(spinner(now), failed > 0 ? 'alarm' : 'accent');
  if (asking > 0) return text('?', 'accent');
  return text(next > 0 ? '›' : '·', 'quiet');
}

/** `final[beat=3] 62 %   final[beat=5] queued, place 4` where that is all that goes on; else the counts. */
function wordsOf(tally: StepTally, run: RunView, now: number, room: number): readonly Piece[] {
  const waits = waitsForText(run, tally);
  if (waits !== null) return [text(waits, 'quiet')];
  const each =
    tally.atWork + tally.queued <= 2 &&
    tally.asking + tally.failed + tally.blocked + tally.retrying + tally.overBudget === 0
      ? eachText(tally, run, now)
      : null;
  if (each !== null && cellWidth(each) <= room) return [text(each)];
  return fitting(tallyTexts(tally), room).flatMap(({ text: words, is }, at) => [
    ...(at > 0 ? [text(' · ', 'quiet')] : []),
    text(words, TONES[is]),
  ]);
}

/** The last ones go first: they are still to come. */
function fitting(counts: readonly Counted[], room: number): readonly Counted[] {
  const width = counts.reduce((sum, { text: words }) => sum + cellWidth(words) + 3, -3);
  return width <= room || counts.length <= 1 ? counts : fitting(counts.slice(0, -1), room);
}

function eachText({ instances }: StepTally, run: RunView, now: number): string | null {
  const going = instances.filter(({ state }) => phase(state) === 'under-way');
  return going.length === 0 ? null : going.map(one => `${one.label} ${shortState(run, one, now)}`).join('   ');
}

function shortState(run: RunView, instance: InstanceView, now: number): string {
  const { state } = instance;
  if (state.is === 'working' && state.fraction !== null)
    return `${Math.floor(Math.min(1, Math.max(0, state.fraction)) * 100)} %`;
  return stateText(run, instance, now);
}

const TONES: Readonly<Record<Counted['is'], Tone>> = {
  plain: 'plain',
  quiet: 'quiet',
  alarm: 'alarm',
  person: 'accent',
};

/** What is done in full, and the half sign for what is at work. */
function bar({ done, failed, fractions, instances, atWork, queued }: StepTally, width: number): readonly Piece[] {
  const share = instances.length === 0 ? 0 : (done + failed + fractions) / instances.length;
  const full = Math.min(width, Math.floor(share * width));
  const isGoing = atWork + queued > 0 && full < width;
  return [
    ...[text('━'.repeat(full), 'accent'), text(isGoing ? '╸' : '', 'accent')],
    text('─'.repeat(width - full - (isGoing ? 1 : 0)), 'quiet'),
  ];
}
