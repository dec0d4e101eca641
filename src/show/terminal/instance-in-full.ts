/** One instance with all that is known of it: its state, cost, reason, request and log. */

import type { InstanceKey } from '../../model/run/key.ts';
import { pieceOf } from '../../model/run/result.ts';
import { isFree } from '../../model/run/run-money.ts';
import { clipEnd, padStart } from '../../model/text/cells.ts';
import { cleanText } from '../../model/text/clean.ts';
import { formatSeconds, formatUsd } from '../../model/text/format.ts';
import type { Json, JsonObject } from '../../model/text/json.ts';
import { isOver } from '../../records/views/instance-state.ts';
import type { InstanceView, RunView } from '../../records/views/run-view.ts';
import { outputOf } from '../text/failure-text.ts';
import { stateText } from '../text/state-text.ts';
import { markOf, type ViewRoom } from './instance-list.ts';
import { type Line, text, wrapped } from './line.ts';
import type { PictureRoom } from './pictures/side-picture.ts';

/** What is known of an instance beside the events of its run. */
export interface AboutInstance {
  readonly planned: (key: InstanceKey) => PlannedWords | undefined;
  /** Where content lies on this machine, as it is shown. */
  readonly fileOf: (sha256: string) => string | undefined;
  /** Its events so far, oldest first. */
  readonly happened: (key: InstanceKey) => readonly Happened[];
  /** Takes secrets out of a text that is to be shown. */
  readonly hide: (text: string) => string;
}

export interface PlannedWords {
  /** Why it is made, or is not. */
  readonly why: string;
  /** What is asked for, as far as the plan knows it. */
  readonly request: JsonObject | null;
  /** `5 s × $0.10`; empty for what has no price. */
  readonly priceBasis: string;
}

export interface Happened {
  /** Unix milliseconds. */
  readonly at: number;
  /** Safe to show. */
  readonly words: string;
}

export interface Place {
  readonly at: InstanceKey;
  /** Lines that are scrolled out above. */
  readonly from: number;
}

interface Surroundings {
  readonly about?: AboutInstance | undefined;
  /** At the right of its lines, from `PICTURE_ROW` on: cells that it takes. */
  readonly picture?: PictureRoom | undefined;
}

/** The line that the top of a picture is in. */
export const PICTURE_ROW = 2;
/** Cells between the lines and a picture. */
const GAP = 2;

/** Cells for a picture, at most; undefined where the lines need them. */
export function pictureRoom({ columns, lines }: ViewRoom): PictureRoom | undefined {
  if (columns < 72 || lines < 16) return undefined;
  return { columns: Math.min(48, Math.floor(columns * 0.35)), rows: Math.min(12, lines - 6) };
}

export function instanceLines(
  run: RunView,
  { at, from }: Place,
  now: number,
  { columns: whole, lines: most, about, picture }: ViewRoom & Surroundings,
): readonly Line[] {
  const columns = picture ? whole - picture.columns - GAP : whole;
  const instance = run.instances.get(at);
  if (instance === undefined) return [[text('  it is no part of the run any more', 'quiet')]];
  const all = partsOf(run, instance, now, about).flatMap(part =>
    partLines(part, { columns, isStacked: whole < 60 || columns < 44 }),
  );
  const [mark, tone] = markOf(instance);
  const head: Line = [
    text('  '),
    text(mark, tone),
    text(' '),
    text(clipEnd(instance.label, Math.max(6, whole - 6)), 'strong'),
    ...(instance.model === '' ? [] : [text(`  ${instance.model}`, 'quiet')]),
  ];
  const room = Math.max(1, most - (most >= 8 ? 4 : 2));
  const start = Math.min(from, Math.max(0, all.length - room));
  const body = [...all.slice(start, start + room)];
  const more = all.length > room ? ` · ${Math.min(all.length, start + room)} of ${all.length} lines, ↑↓` : '';
  const end: Line = [text(clipEnd(`  Esc back · ← → the next one${more}`, whole - 1), 'quiet')];
  while (picture && body.length < picture.rows) body.push([]);
  return (most >= 8 ? [[], head, ...body, [], end] : [head, ...body, end]).slice(0, Math.max(1, most));
}

/** A name in the margin, and lines beside it: each a paragraph. */
interface Part {
  readonly name: string;
  readonly lines: readonly string[];
}

function partsOf(run: RunView, instance: InstanceView, now: number, about: AboutInstance | undefined): readonly Part[] {
  const { state, key, generation, needs } = instance;
  const planned = about?.planned(key);
  const hide: Hide = about?.hide ?? (words => words);
  const result = state.is === 'succeeded' || state.is === 'reused' ? pieceOf(state.result) : undefined;
  const files = result?.is === 'media' ? [about?.fileOf(result.sha256)].filter(file => file !== undefined) : [];
  const parts: readonly Part[] = [
    { name: 'state', lines: [`${stateText(run, instance, now)}${timeText(instance, now)}`] },
    { name: 'why', lines: planned === undefined || planned.why === '' ? [] : [cleanText(hide(planned.why))] },
    { name: 'cost', lines: costTexts(run, instance, planned?.priceBasis ?? '') },
    { name: 'file', lines: files },
    {
      name: 'text',
      lines:
        result?.is === 'text'
          ? [cleanText(hide(result.text).slice(0, MOST_TEXT))]
          : state.is === 'writing'
            ? [state.tail]
            : [],
    },
    { name: 'id', lines: generation === null ? [] : [cleanText(generation)] },
    {
      name: 'needs',
      lines:
        needs.length === 0
          ? []
          : [
              needs.slice(0, 12).map(cleanText).join(', ') +
                (needs.length > 12 ? ` and ${needs.length - 12} more` : ''),
            ],
    },
    { name: 'request', lines: requestTexts(instance.request ?? planned?.request ?? null, hide) },
    {
      name: 'log',
      lines: [...(about?.happened(key) ?? []).map(one => happenedText(run, one)), ...outputTexts(instance)],
    },
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}

/** Characters of a text. */
const MOST_TEXT = 4_000;

function timeText({ since, until, state }: InstanceView, now: number): string {
  if (since === null) return '';
  return `  ${formatSeconds(((isOver(state) && until !== null ? until : now) - since) / 1000)}`;
}

function costTexts(run: RunView, { paidUsd, price }: InstanceView, basis: string): readonly string[] {
  const listed =
    price === null || price === 0 ? '' : `${formatUsd(price)}${basis === '' ? '' : ` = ${cleanText(basis)}`}`;
  if (isFree(run)) return listed === '' ? [] : [`free; ${listed} at list price`];
  const paid = paidUsd > 0 ? [`${formatUsd(paidUsd)} paid`] : [];
  return listed === '' ? paid : [[...paid, `${listed} at list price`].join(', ')];
}

/** One field a line. */
const requestTexts = (request: JsonObject | null, hide: Hide): readonly string[] =>
  Object.entries(request ?? {}).map(([name, value]) => `${cleanText(name)}: ${valueText(value, hide)}`);
type Hide = (text: string) => string;

function valueText(value: Json, hide: Hide): string {
  if (typeof value === 'object' && value !== null && '$pending' in value)
    return `not known yet (${cleanText(String(value.$pending))})`;
  const words = typeof value === 'string' ? value : hide(JSON.stringify(value));
  return cleanText(hide(words).slice(0, MOST_TEXT));
}

const happenedText = ({ startedAt }: RunView, { at, words }: Happened): string =>
  `${padStart(`+${formatSeconds((at - startedAt) / 1000)}`, 7)}  ${words}`;

function outputTexts({ state }: InstanceView): readonly string[] {
  if (state.is !== 'failed') return [];
  const { lines, log } = outputOf(state.failure);
  return [...lines, ...(log === undefined ? [] : [`its output: ${log}`])];
}

const NAME = 9;
const INDENT = 2 + NAME + 2;

interface PartsRoom {
  readonly columns: number;
  /** Names are above their lines. */
  readonly isStacked: boolean;
}

function partLines({ name, lines }: Part, { columns, isStacked }: PartsRoom): readonly Line[] {
  const indent = isStacked ? 4 : INDENT;
  const words = lines.flatMap(line => wrapped(line, Math.min(columns, 140), indent, 'plain'));
  if (isStacked) return [[text(`  ${name}`, 'quiet')], ...words];
  return words.map(
    (line, at): Line =>
      at === 0 ? [text(`  ${name.padEnd(NAME)}  `, 'quiet'), text((line[0]?.text ?? '').slice(indent))] : line,
  );
}
