/** A question as lines of the screen: what is asked, the candidates with a number each, what is highlighted at length, the keys. Pure. */

import type { Option } from '../../../model/run/event.ts';
import { cellWidth, clipEnd, clipMiddle, padEnd, padStart } from '../../../model/text/cells.ts';
import { cleanText } from '../../../model/text/clean.ts';
import { formatUsd } from '../../../model/text/format.ts';
import { type Line, text, wrapped } from '../line.ts';
import { highlighted, type Prompt } from './question-prompt.ts';

/** What is known of a candidate beside its name. */
export interface CandidateFacts {
  /** `1280×720, 5.0s, 1.2 MB` */
  readonly facts: string;
  /** US dollars that it cost; null where that is not known. */
  readonly usd: number | null;
  /** Path of the output that it is; a result that is only in the store has none, and its path there is of no use to a person. */
  readonly output: string | undefined;
}

export interface PromptShown {
  readonly prompt: Prompt;
  /** Questions that come after it. */
  readonly more: number;
  readonly factsOf: (option: Option) => CandidateFacts;
  /** It may be put aside, and brought up again. */
  readonly canFold?: boolean;
  /** There is a review page. */
  readonly canReview?: boolean;
}

interface Room {
  /** Of the terminal. */
  readonly columns: number;
  /** Lines, at most. */
  readonly lines: number;
}

/** Indent of the lines under a candidate. */
const UNDER = 7;
/** Lines of a text that is to be chosen, at most. */
const OF_A_TEXT = 3;

export function promptLines(shown: PromptShown, { columns, lines: most }: Room): readonly Line[] {
  const { prompt, factsOf } = shown;
  const { asked } = prompt;
  const keys = keyLines(shown, columns);
  const head = wrapped(headOf(prompt), columns, 2, 'strong').slice(0, 3);
  const option = highlighted(prompt);
  const under = option ? underLines(option, factsOf(option), columns) : [];
  const writing = writingLines(prompt, columns);
  const notice = prompt.notice === '' ? [] : wrapped(cleanText(prompt.notice), columns, 4, 'accent').slice(0, 2);
  const room = Math.max(1, most - head.length - keys.length - writing.length - notice.length);
  // The path of the highlighted one goes before the last of the candidates do.
  const kept = under.slice(0, Math.max(0, room - Math.min(asked.options.length, 3)));
  const rows = candidateRows(shown, columns, Math.max(1, room - kept.length), kept);
  return [...head, ...rows, ...writing, ...notice, ...keys].slice(0, Math.max(1, most));
}

function headOf({ asked }: Prompt): string {
  const words = cleanText(asked.ask);
  const key = cleanText(asked.key);
  const named = words.includes(key) ? words : `${key}: ${words}`;
  return asked.awaited.length === 0 ? named : `${named} (${asked.awaited.length} still to come)`;
}

/** As many as there is room for, the highlighted one among them. */
function candidateRows(
  { prompt, factsOf }: PromptShown,
  columns: number,
  room: number,
  under: readonly Line[],
): readonly Line[] {
  const { options } = prompt.asked;
  const place = Math.max(
    0,
    options.findIndex(({ id }) => id === prompt.at),
  );
  const isAll = options.length <= room;
  const many = isAll ? options.length : Math.max(1, room - 1);
  const from = Math.min(Math.max(0, place - Math.floor(many / 2)), options.length - many);
  const widths = widthsFor(options, columns);
  const rows = options.slice(from, from + many).flatMap((option, index) => {
    const row = candidateRow(prompt, option, from + index, factsOf(option), widths);
    return option.id === prompt.at ? [row, ...under] : [row];
  });
  const hidden = options.length - many;
  return isAll || room < 2 ? rows : [...rows, [text(`    … ${hidden} more, ↑ ↓`, 'quiet')]];
}

interface Widths {
  readonly number: number;
  readonly label: number;
  /** 0 where there is no room for it; likewise `usd`. */
  readonly facts: number;
  readonly usd: number;
}

function widthsFor(options: readonly Option[], columns: number): Widths {
  const number = String(options.length).length;
  const room = Math.max(16, Math.min(columns, 120) - 1) - 4 - number - 2;
  const widest = options.reduce((most, { key }) => Math.max(most, cellWidth(cleanText(key))), 0);
  const usd = room >= 56 ? 8 : 0;
  const label = Math.min(widest, room >= 40 ? Math.floor(room * 0.5) : room);
  const facts = room - label - 2 - (usd > 0 ? usd + 2 : 0);
  return { number, label, facts: facts >= 8 ? Math.min(facts, 40) : 0, usd };
}

function candidateRow(prompt: Prompt, option: Option, place: number, known: CandidateFacts, widths: Widths): Line {
  const isAt = option.id === prompt.at;
  const rank = prompt.marked.indexOf(option.id);
  const mark = rank < 0 ? (isAt ? '›' : ' ') : prompt.marked.length > 1 ? String(rank + 1) : '✓';
  const isPick = prompt.asked.is === 'pick';
  const number = isPick ? padStart(String(place + 1), widths.number) : ' '.repeat(widths.number);
  const price = known.usd === null || known.usd === 0 ? '' : formatUsd(known.usd);
  return [
    ...[text('  '), text(clipEnd(mark, 1), 'accent'), text(` ${number}  `, isAt ? 'accent' : 'strong')],
    text(padEnd(clipMiddle(cleanText(option.key), widths.label), widths.label), isAt ? 'strong' : 'plain'),
    ...(widths.facts > 0 ? [text(`  ${padEnd(clipEnd(known.facts, widths.facts), widths.facts)}`, 'quiet')] : []),
    ...(widths.usd > 0 ? [text(`  ${padStart(price, widths.usd)}`, 'quiet')] : []),
  ];
}

function underLines({ text: words }: Option, { output }: CandidateFacts, columns: number): readonly Line[] {
  if (output !== undefined) return wrapped(cleanText(output), columns, UNDER, 'quiet').slice(0, 4);
  return words === undefined
    ? []
    : wrapped(cleanText(words.slice(0, 600)), columns, UNDER, 'quiet').slice(0, OF_A_TEXT);
}

function writingLines({ writing, note }: Prompt, columns: number): readonly Line[] {
  if (writing === 'nothing')
    return note === '' ? [] : wrapped(`note: ${cleanText(note)}`, columns, 4, 'plain').slice(-2);
  const asks = writing === 'why' ? 'why not? ' : 'note: ';
  return wrapped(`${asks}${cleanText(note)}▏`, columns, 4, 'plain').slice(-3);
}

function keyLines({ prompt, more, canFold, canReview }: PromptShown, columns: number): readonly Line[] {
  const isWriting = prompt.writing !== 'nothing';
  const review = canReview && !isWriting ? ' · r review page' : '';
  const fold = canFold && !isWriting ? ' · Esc aside' : '';
  const next = more === 0 ? '' : ` · ${more} more question${more === 1 ? '' : 's'}`;
  return wrapped(`${keysOf(prompt)}${review}${fold}${next}`, columns, 2, 'quiet').slice(0, 3);
}

function keysOf({ asked, writing, digits, marked }: Prompt): string {
  if (writing === 'why') return 'Enter says no · Esc goes back';
  if (writing === 'note') return 'Enter keeps the note · Esc drops it';
  const later = 'o opens · l later';
  if (asked.is === 'approve') return `y yes · n no, and why · w words first · ${later}`;
  const count = asked.options.length;
  const many = asked.count > 1 ? ` (${marked.length} of ${asked.count})` : '';
  const numbers = count > 9 ? `${digits === '' ? 'a number' : digits} and Enter` : count === 1 ? '1' : `1–${count}`;
  return `${numbers} ${asked.count > 1 ? 'marks' : 'chooses'}${many} · n note · ${later}`;
}
