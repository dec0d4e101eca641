/**
 * What the terminal shows: a pure function of what is known of the run, the time and the terminal's size.
 *
 * Above, in the scroll-back, what is over: one line each, written once. Below it the live part, drawn again and again: a rule with the
 * film's name, what is under way, what comes next as far as there is room, and a line of counts. The live part is never taller than
 * the terminal less one row: a taller one makes the terminal scroll, flicker, and costs ten times the bytes.
 */
import { cellWidth, clipEnd } from '../domain/cells.ts';
import { heldText } from '../telling/held-back.ts';
import { phase } from '../telling/instance-state.ts';
import { openingLine } from '../telling/opening-and-outcome.ts';
import type { InstanceView, RunView, Settled } from '../telling/run-view.ts';
import { type SummaryLine, summaryLines } from '../telling/summary.ts';
import { columnsFor, MARGIN } from './columns.ts';
import { footer, header } from './frame-edges.ts';
import { clipped, type Line, text, wrapped } from './line.ts';
import { type PromptShown, promptLines } from './prompt-lines.ts';
import { endedRow, groupRow, liveRow } from './rows.ts';

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

export interface Beside {
  /** How many entries of `run.settled` the scroll-back holds already. */
  readonly from?: number;
  /** Runs this film again. */
  readonly command?: string | undefined;
  /** Options that say which film is meant, as they are typed. */
  readonly film?: string | undefined;
  /** What a person is asked at this moment. */
  readonly prompt?: PromptShown | undefined;
}

export function frameOf(
  run: RunView,
  now: number,
  size: Size,
  { from = 0, command, film, prompt }: Beside = {},
): Frame {
  const past = run.settled.slice(from).flatMap((entry, index) => {
    const isFirstRow = ROWS.has(entry.is) && run.settled[from + index - 1]?.is === 'started';
    return [...(isFirstRow ? [[]] : []), ...pastLines(run, entry, size.columns, { command, film })];
  });
  return {
    past,
    live:
      run.startedAt === 0 || run.finished !== null
        ? []
        : liveLines(run, now, size, prompt).map(line => clipped(line, size.columns)),
  };
}

const ROWS: ReadonlySet<Settled['is']> = new Set(['instance', 'group']);

function pastLines(
  run: RunView,
  entry: Settled,
  columns: number,
  words: Pick<Beside, 'command' | 'film'>,
): readonly Line[] {
  switch (entry.is) {
    case 'started':
      return [[], ...wrapped(openingLine(run), columns, 2, 'strong')];
    case 'instance':
      return [endedRow(entry.instance, columnsFor(run.widest, columns))];
    case 'group':
      return [groupRow(entry, columnsFor(run.widest, columns))];
    case 'finished':
      return summary(run, columns, words);
  }
}

function liveLines(run: RunView, now: number, { columns, rows }: Size, question?: PromptShown): readonly Line[] {
  const whole = Math.max(1, rows - 1);
  const layout = columnsFor(run.widest, columns);
  // Two thirds are for the question, and all but a line where that leaves nothing to see.
  const forPrompt = whole < 10 ? whole - 1 : Math.max(8, Math.floor((whole * 2) / 3));
  const asked = question ? promptLines(question, { columns, lines: forPrompt - 1 }) : [];
  const prompt = asked.length > 0 ? [...asked, []] : [];
  const room = Math.max(1, whole - prompt.length);
  const bottom = footer(run, layout);
  if (room < 4) return [...prompt, bottom].slice(-whole);
  // Air around the rows is the first thing to go when the terminal is low.
  const air = room >= 10;
  const held = heldText(run, now);
  const notice = held === null ? [] : [[text('  '), text(clipEnd(held, layout.width - 2), 'accent')]];
  const forRows = room - (air ? 5 : 2) - notice.length;
  const { underWay, ahead } = inOrder(run);
  const all = [...underWay, ...ahead];
  const shown = all.length <= forRows ? all : all.slice(0, forRows - 1);
  // The room that is left shows texts while they are written.
  let spare = forRows - shown.length - (shown.length < all.length ? 1 : 0);
  const lines = shown.flatMap(instance => {
    const written = writtenLines(instance, layout.width, Math.min(spare, WRITTEN_LINES));
    spare -= written.length;
    return [liveRow(run, instance, now, layout), ...written];
  });
  if (shown.length < all.length) lines.push(rest(underWay.length - shown.length, all.length - shown.length));
  const top = header(run, now, layout);
  return air
    ? [[], top, [], ...lines, ...(lines.length > 0 ? [[]] : []), ...prompt, ...notice, bottom]
    : [top, ...lines, ...prompt, ...notice, bottom];
}

/** Lines of a text that is being written, at most. */
const WRITTEN_LINES = 3;

/** The last lines of a growing text. */
function writtenLines({ state }: InstanceView, columns: number, most: number): readonly Line[] {
  if (state.is !== 'writing' || most <= 0) return [];
  return wrapped(state.tail, columns, INDENT, 'quiet').slice(-most);
}

/** Behind the mark: a text belongs to the row above it. */
const INDENT = MARGIN + 2;

/** Under way first, then what could start now, then what waits; each in the order of the plan, so that rows stay where they are. */
function inOrder(run: RunView): {
  readonly underWay: readonly InstanceView[];
  readonly ahead: readonly InstanceView[];
} {
  const underWay: InstanceView[] = [];
  const next: InstanceView[] = [];
  const later: InstanceView[] = [];
  for (const instance of run.instances.values()) {
    const where = phase(instance.state);
    if (where === 'under-way') underWay.push(instance);
    else if (where === 'ahead') (couldStart(run, instance) ? next : later).push(instance);
  }
  return { underWay, ahead: [...next, ...later] };
}

const couldStart = (run: RunView, instance: InstanceView): boolean =>
  instance.needs.every(key => {
    const need = run.instances.get(key);
    return need === undefined || phase(need.state) === 'over';
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

function summary(run: RunView, columns: number, { command, film }: Pick<Beside, 'command' | 'film'>): readonly Line[] {
  const lines: Line[] = [[]];
  let before: SummaryLine['role'] = 'outcome';
  for (const { role, text: words } of summaryLines(run, command, 'at length', film)) {
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

/** A line of a command's output stands as it was written, as long as there is room for it. */
const outputLines = (words: string, columns: number): readonly Line[] =>
  cellWidth(words) + LOG_INDENT < columns
    ? [[text(' '.repeat(LOG_INDENT) + words, 'quiet')]]
    : wrapped(words, columns, LOG_INDENT, 'quiet');
const LOG_INDENT = 6;

/** Like a command, a path is never clipped or broken by us: it is there to be clicked and copied. */
function outputLine(words: string): Line {
  const [path = '', facts = ''] = words.split('  ');
  return [text('  '), text(path, 'strong'), ...(cellWidth(facts) > 0 ? [text(`  ${facts}`, 'quiet')] : [])];
}
