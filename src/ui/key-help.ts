/** The keys while a run goes on. */
import { padEnd } from '../domain/cells.ts';
import { type Line, text } from './line.ts';

const KEYS: readonly (readonly [key: string, what: string])[] = [
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
  const rows = KEYS.map(([key, what]): Line => [text('  '), text(padEnd(key, 8), 'accent'), text(what)]);
  return [[], ...rows, [], [text('  Esc goes back', 'quiet')]]
    .slice(lines >= rows.length + 3 ? 0 : 1)
    .slice(0, Math.max(1, lines));
}
