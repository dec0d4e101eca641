/**
 * What the terminal shows: a pure function of the tale, the time and the terminal's size.
 *
 * Above, in the scroll-back, what is over: one line each, written once. Below it the live part, drawn again and again: a rule with the
 * film's name, what is under way, what comes next as far as there is room, and a line of counts. The live part is never taller than
 * the terminal less one row: a taller one makes the terminal scroll, flicker, and costs ten times the bytes.
 */
import { cellWidth } from '../domain/cells.ts';
import { type LastWord, lastWords, opening } from '../telling/run-text.ts';
import { type InstanceTale, phase, type Settled, type Tale } from '../telling/run-view.ts';
import { columnsFor, MARGIN } from './columns.ts';
import { footer, header } from './frame-edges.ts';
import { clipped, type Line, text, wrapped } from './line.ts';
import { endedRow, groupRow, liveRow } from './rows.ts';

export { type Tale, told, untold } from '../telling/run-view.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Frame {
  /** New lines for the scroll-back. */
  readonly past: readonly Line[];
  /** At most `rows − 1` lines; none once the run is over. */
  readonly live: readonly Line[];
}

/** `from`: how many entries of `tale.settled` the scroll-back holds already. `command`: runs this film again. */
export function view(tale: Tale, now: number, size: Size, from = 0, command?: string): Frame {
  const past = tale.settled.slice(from).flatMap((entry, index) => {
    const isFirstRow = ROWS.has(entry.is) && tale.settled[from + index - 1]?.is === 'started';
    return [...(isFirstRow ? [[]] : []), ...pastLines(tale, entry, size.columns, command)];
  });
  return {
    past,
    live:
      tale.startedAt === 0 || tale.finished !== null
        ? []
        : liveLines(tale, now, size).map(line => clipped(line, size.columns)),
  };
}

const ROWS: ReadonlySet<Settled['is']> = new Set(['instance', 'group']);

function pastLines(tale: Tale, entry: Settled, columns: number, command: string | undefined): readonly Line[] {
  switch (entry.is) {
    case 'started':
      return [[], ...wrapped(opening(tale), columns, 2, 'strong')];
    case 'instance':
      return [endedRow(entry.instance, columnsFor(tale.widest, columns))];
    case 'group':
      return [groupRow(entry, columnsFor(tale.widest, columns))];
    case 'finished':
      return ending(tale, columns, command);
  }
}

function liveLines(tale: Tale, now: number, { columns, rows }: Size): readonly Line[] {
  const room = Math.max(1, rows - 1);
  const layout = columnsFor(tale.widest, columns);
  const bottom = footer(tale, layout);
  if (room < 4) return [bottom];
  // Air around the rows is the first thing to go when the terminal is low.
  const air = room >= 10;
  const forRows = room - (air ? 5 : 2);
  const { underWay, ahead } = inOrder(tale);
  const all = [...underWay, ...ahead];
  const shown = all.length <= forRows ? all : all.slice(0, forRows - 1);
  // What room is left shows the texts that grow.
  let spare = forRows - shown.length - (shown.length < all.length ? 1 : 0);
  const lines = shown.flatMap(instance => {
    const written = writtenLines(instance, layout.width, Math.min(spare, MANUSCRIPT));
    spare -= written.length;
    return [liveRow(tale, instance, now, layout), ...written];
  });
  if (shown.length < all.length) lines.push(rest(underWay.length - shown.length, all.length - shown.length));
  const top = header(tale, now, layout);
  return air ? [[], top, [], ...lines, ...(lines.length > 0 ? [[]] : []), bottom] : [top, ...lines, bottom];
}

/** Lines of a text that is being written. */
const MANUSCRIPT = 3;

/** The end of it, where it grows. */
function writtenLines({ standing }: InstanceTale, columns: number, most: number): readonly Line[] {
  if (standing.is !== 'writing' || most <= 0) return [];
  return wrapped(standing.tail, columns, INDENT, 'quiet').slice(-most);
}

/** Behind the mark: a text belongs to the row above it. */
const INDENT = MARGIN + 2;

/** Under way first, then what could start now, then what waits; each in the order of the plan, so that rows stay where they are. */
function inOrder(tale: Tale): { readonly underWay: readonly InstanceTale[]; readonly ahead: readonly InstanceTale[] } {
  const underWay: InstanceTale[] = [];
  const next: InstanceTale[] = [];
  const later: InstanceTale[] = [];
  for (const instance of tale.instances.values()) {
    const where = phase(instance.standing);
    if (where === 'under-way') underWay.push(instance);
    else if (where === 'ahead') (couldStart(tale, instance) ? next : later).push(instance);
  }
  return { underWay, ahead: [...next, ...later] };
}

const couldStart = (tale: Tale, instance: InstanceTale): boolean =>
  instance.needs.every(key => {
    const need = tale.instances.get(key);
    return need === undefined || phase(need.standing) === 'over';
  });

function rest(underWay: number, total: number): Line {
  const running = Math.max(0, underWay);
  const waiting = total - running;
  const parts = [
    ...(running > 0 ? [`${running} more under way`] : []),
    ...(waiting > 0 ? [`${waiting} more waiting`] : []),
  ];
  return [text(`    … ${parts.join(', ')}`, 'quiet')];
}

function ending(tale: Tale, columns: number, command: string | undefined): readonly Line[] {
  const lines: Line[] = [[]];
  let before: LastWord['role'] = 'verdict';
  for (const { role, text: words } of lastWords(tale, command)) {
    if (role !== before && PARAGRAPH.has(role)) lines.push([]);
    if (role === 'verdict')
      lines.push(...wrapped(words, columns, 2, tale.finished?.outcome === 'done' ? 'accent' : 'strong'));
    else if (role === 'failed') lines.push([text('  '), text('✗ ', 'alarm'), text(words, 'strong')]);
    else if (role === 'film') lines.push(filmLine(words));
    else if (role === 'command') lines.push([text('  '), text(words, 'accent')]);
    else lines.push(...wrapped(words, columns, role === 'detail' ? 4 : 2, 'plain'));
    before = role;
  }
  return lines;
}

/** What stands apart from what is above it. */
const PARAGRAPH: ReadonlySet<LastWord['role']> = new Set(['film', 'failed', 'next']);

/** Like a command, a path is never clipped or broken by us: it is there to be clicked and copied. */
function filmLine(words: string): Line {
  const [path = '', facts = ''] = words.split('  ');
  return [text('  '), text(path, 'strong'), ...(cellWidth(facts) > 0 ? [text(`  ${facts}`, 'quiet')] : [])];
}
