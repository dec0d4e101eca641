/** The instances of a run, one a row, all or those that a filter leaves: as many as fit around the highlighted one. */

import type { InstanceKey } from '../../model/run/key.ts';
import { cellWidth, clipEnd, padEnd } from '../../model/text/cells.ts';
import { phase } from '../../records/views/instance-state.ts';
import { type InstanceView, measuresOf, type RunView } from '../../records/views/run-view.ts';
import { stateText } from '../text/state-text.ts';
import { type Filter, matches } from './browsing.ts';
import { isNarrow } from './columns.ts';
import { type Line, nameWithin, type Tone, text } from './line.ts';

export interface ViewRoom {
  /** Of the terminal. */
  readonly columns: number;
  /** Lines, at most. */
  readonly lines: number;
}

export function instanceList(
  run: RunView,
  { at, filter }: { readonly at: InstanceKey; readonly filter?: Filter | undefined },
  now: number,
  { columns, lines: most }: ViewRoom,
): readonly Line[] {
  const all = [...run.instances.values()].filter(({ key }) => matches(key, filter));
  const place = Math.max(
    0,
    all.findIndex(({ key }) => key === at),
  );
  const frame = most >= 8 ? 4 : most >= 4 ? 1 : 0;
  const room = Math.max(1, most - frame);
  const from = Math.max(0, Math.min(place - Math.floor(room / 2), all.length - room));
  const width = Math.max(10, Math.min(columns - 1, 140));
  const rows = all.slice(from, from + room).map(one => listRow(run, one, one.key === all[place]?.key, now, width));
  const where = all.length === 0 ? 'no name matches' : `${place + 1} of ${all.length}`;
  const end = filter
    ? text(clipEnd(`  /${filter.text}${filter.isTyping ? '▏' : ''}  ${where} · Esc all`, width), 'accent')
    : text(clipEnd(endWords(`  ${where}`, width), width), 'quiet');
  if (frame === 0) return rows;
  return frame === 1 ? [...rows, [end]] : [[], [text(clipEnd(`  ${run.name}`, width), 'strong')], ...rows, [], [end]];
}

/** The way out is the last that goes. */
const endWords = (where: string, width: number): string =>
  KEYS.map(keys => `${where} · ${keys}`).find(words => cellWidth(words) <= width) ?? where;
const KEYS = ['↑↓ Enter one in full · / filter · Esc back', '↑↓ Enter · / · Esc back', 'Esc back'];

function listRow(run: RunView, instance: InstanceView, isAt: boolean, now: number, width: number): Line {
  const { widest } = measuresOf(run);
  const label = Math.max(6, Math.min(isNarrow(width + 1) ? widest.short : widest.label, Math.floor(width * 0.45)));
  const name = nameWithin(instance.label, label);
  const [mark, tone] = markOf(instance);
  return [
    ...[text(isAt ? ' ›' : '  ', 'accent'), text(mark, tone), text(' ')],
    text(padEnd(name, label), isAt ? 'strong' : 'plain'),
    text('  '),
    text(clipEnd(stateText(run, instance, now), Math.max(1, width - label - 6)), tone === 'alarm' ? 'alarm' : 'quiet'),
  ];
}

export function markOf({ state }: InstanceView): readonly [string, Tone] {
  if (state.is === 'failed') return ['✗', 'alarm'];
  if (state.is === 'succeeded' || state.is === 'reused') return ['✓', 'accent'];
  if (state.is === 'asking') return ['?', 'accent'];
  return phase(state) === 'under-way' ? ['⠿', 'accent'] : phase(state) === 'over' ? ['–', 'quiet'] : ['·', 'quiet'];
}

const HELP_KEYS: readonly (readonly [key: string, what: string])[] = [
  ['↑ ↓', 'the instances of the run'],
  ['/', 'those whose names contain a text'],
  ['Enter', 'one of them in full: request, facts, why, log'],
  ['← →', 'the one before it, the one after it'],
  ['Esc', 'back'],
  ['p', 'choose what waits to be picked'],
  ['a', 'approve what waits to be approved'],
  ['r', 'the review page: takes side by side'],
  ['s', 'every event in a line, and back to the live view'],
  ['Ctrl-C', 'stops; what the service has begun goes on; once more ends at once'],
  ['Ctrl-Z', 'puts the run aside; fg brings it back'],
];

export function keyLines({ lines }: { readonly lines: number }): readonly Line[] {
  const rows = HELP_KEYS.map(([key, what]): Line => [text('  '), text(padEnd(key, 8), 'accent'), text(what)]);
  return [[], ...rows, [], [text('  Esc goes back', 'quiet')]]
    .slice(lines >= rows.length + 3 ? 0 : 1)
    .slice(0, Math.max(1, lines));
}
