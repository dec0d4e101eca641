/** Every instance: steps as headings, beats as rows, takes side by side. One tab stop for all of it; arrows go from picture to picture. */
import type { ReportedInstance, ReportedStep } from '../../../../../model/run/run-report.ts';
import { countStates, STATE_WORDS, STATES } from '../../../../text/report/state-words.ts';
import { byId, type Child, html } from '../../../parts/element.ts';
import { capital } from '../../../parts/format.ts';
import { InStep } from '../../../parts/in-step.ts';
import { type Row, VirtualRows } from '../../../parts/virtual-rows.ts';
import { isAsked, summaryOfKind } from '../kind-words.ts';
import { isPicked, paidForAll, type ReportModel } from '../model.ts';
import type { View } from '../view.ts';
import { drawTile, type TileTerms } from './tile.ts';

/** A row of tiles, or a heading. */
interface GalleryRow extends Row {
  readonly tiles: readonly ReportedInstance[];
}

/** Pixels. */
const WORDS = 264;
const BETWEEN = 24;
const GAP = 16;
const CAPTION = 64;

const narrow = matchMedia('(max-width: 900px)');

export interface Gallery {
  readonly list: VirtualRows<GalleryRow>;
  focus(one: ReportedInstance): void;
}

export function drawGallery(view: View): Gallery {
  const host = byId('gallery');
  const list = new VirtualRows<GalleryRow>(host);
  const inStep = new InStep();
  let stop: ReportedInstance | undefined;
  const terms: TileTerms = { view, inStep, isTabStop: one => one === (stop ?? view.shown[0]) };
  const draw = () => {
    inStep.stop();
    if (stop && !view.shown.includes(stop)) stop = undefined;
    list.set(rowsOf(view, terms, host.clientWidth));
  };
  const tileOf = (one: ReportedInstance) => host.querySelector<HTMLElement>(`[data-key="${CSS.escape(one.key)}"]`);
  const focus = (one: ReportedInstance) => {
    const row = list.rows.findIndex(({ tiles }) => tiles.includes(one));
    if (row < 0) return;
    list.reach(row);
    tileOf(one)?.focus({ preventScroll: true });
  };
  host.addEventListener('focusin', event => {
    const tile = (event.target as Element).closest<HTMLElement>('.tile');
    const one = tile && view.model.find(tile.dataset.key ?? '');
    if (!tile || !one) return;
    stop = one;
    for (const other of host.querySelectorAll<HTMLElement>('.tile[tabindex="0"]')) other.tabIndex = -1;
    tile.tabIndex = 0;
  });
  host.addEventListener('keydown', event => {
    const tile = (event.target as Element).closest<HTMLElement>('.tile');
    const one = tile && view.model.find(tile.dataset.key ?? '');
    if (!one) return;
    const next = nextByKey(event.key, one, list.rows);
    if (!next) return;
    focus(next);
    if (view.opened) view.open(next);
    event.preventDefault();
  });
  view.onFilter(draw);
  view.onOpen(() => {
    for (const open of host.querySelectorAll('[data-open]')) open.removeAttribute('data-open');
    if (view.opened) tileOf(view.opened)?.parentElement?.setAttribute('data-open', '');
  });
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth !== width) draw();
    width = innerWidth;
  });
  draw();
  return { list, focus };
}

function nextByKey(key: string, one: ReportedInstance, rows: readonly GalleryRow[]): ReportedInstance | undefined {
  const filled = rows.filter(({ tiles }) => tiles.length > 0);
  const row = filled.findIndex(({ tiles }) => tiles.includes(one));
  const at = filled[row]?.tiles.indexOf(one) ?? 0;
  const inRow = (other: number) => filled[other]?.tiles[Math.min(at, filled[other].tiles.length - 1)];
  switch (key) {
    case 'ArrowRight':
      return filled[row]?.tiles[at + 1] ?? filled[row + 1]?.tiles[0];
    case 'ArrowLeft':
      return at > 0 ? filled[row]?.tiles[at - 1] : filled[row - 1]?.tiles.at(-1);
    case 'ArrowDown':
      return inRow(row + 1);
    case 'ArrowUp':
      return row > 0 ? inRow(row - 1) : undefined;
    default:
      return undefined;
  }
}

/** Steps of one instance together, and of each other step its heading and its beats with their takes. */
function rowsOf(view: View, terms: TileTerms, width: number): readonly GalleryRow[] {
  const { model, shown } = view;
  const byStep = Map.groupBy(shown, ({ step }) => step);
  const rows: GalleryRow[] = [];
  let singles: ReportedInstance[] = [];
  const flush = () => {
    rows.push(...rowsWith(together(singles), terms, width));
    singles = [];
  };
  for (const step of model.report.steps) {
    const all = byStep.get(step.name) ?? [];
    if (all.length === 0) continue;
    if (model.of(step.name).length === 1) {
      singles.push(...all);
      continue;
    }
    flush();
    const beats = beatsOf(model, step, all);
    rows.push(headingRow(view, step, all), ...beats.flatMap(beat => rowsWith(beat, terms, width)));
  }
  flush();
  return rows;
}

function headingRow({ model }: View, step: ReportedStep, all: readonly ReportedInstance[]): GalleryRow {
  const draw = () => {
    const states = countStates(all);
    const cost = paidForAll(all);
    const became = STATES.filter(state => states[state]).map(state => `${states[state]} ${STATE_WORDS[state]}`);
    const facts = [summaryOfKind(step), became.join(', '), cost > 0 ? model.costWords(cost) : ''];
    return html(
      'div.step',
      html('h3', step.name),
      html(
        'p.note.flow',
        facts.map(text => html('span', text)),
      ),
    );
  };
  return { height: narrow.matches ? 96 : 72, tiles: [], draw };
}

/** What is side by side, in as many rows as it needs. */
interface Group {
  readonly tiles: readonly ReportedInstance[];
  readonly isTall: boolean;
  readonly hasPick: boolean;
  /** For a screen reader. */
  readonly name: string;
  /** Tiles in a row. */
  readonly across: number;
  /** They are takes of one beat, to be played in step. */
  readonly areTakes: boolean;
  /** Draws what is left of them; null: nothing can be, they are of several steps. */
  readonly words: (() => readonly Child[]) | null;
}

/** Five beside one another at most; a few of them are shown as large as takes. */
const together = (tiles: readonly ReportedInstance[]): Group => ({
  ...{ tiles, isTall: false, hasPick: false, name: 'Steps of one instance', areTakes: false, words: null },
  across: Math.min(5, Math.max(3, tiles.length)),
});

function beatsOf(model: ReportModel, step: ReportedStep, all: readonly ReportedInstance[]): readonly Group[] {
  const isTall = all.some(({ media }) => (media?.facts.height ?? 0) > (media?.facts.width ?? 0));
  const areTakes = model.takeAxes(step.name).length > 0;
  if (!areTakes) {
    const across = isTall || isAsked(step) ? 6 : 3;
    return [{ tiles: all, isTall, hasPick: false, name: step.name, across, areTakes, words: () => [] }];
  }
  return [...Map.groupBy(all, one => model.beatOf(one))].map(([beat, tiles]) => ({
    ...{ tiles, isTall, areTakes, across: isTall ? 6 : 3, hasPick: tiles.some(isPicked) },
    name: `Takes of ${step.name}${beat && `, ${beat}`}`,
    words: () => beatWords(model, beat, tiles),
  }));
}

/** The beat, what was asked for, and who chose what. */
function beatWords(model: ReportModel, beat: string, takes: readonly ReportedInstance[]): readonly Child[] {
  const picked = takes.find(isPicked);
  const decision = picked && model.chosenIn(picked);
  const prompt = picked?.prompt ?? takes.find(one => one.prompt !== null)?.prompt;
  const note = decision?.note == null ? null : html('span', `“${decision.note}”`);
  return [
    html('h4', beat || takes[0]?.step),
    prompt == null ? null : html('p.asked.clamp', prompt),
    decision ? html('p.who', `${capital(model.takeName(picked))}, ${decision.who}. `, note) : null,
  ];
}

function rowsWith(group: Group, terms: TileTerms, width: number): readonly GalleryRow[] {
  const { tiles, isTall, words } = group;
  const isNarrow = narrow.matches;
  const across = isNarrow ? Math.max(1, tiles.length) : group.across;
  const thin = words === null ? 168 : isTall ? 120 : group.across === 6 ? 144 : 240;
  const room = words === null ? width : width - WORDS - BETWEEN;
  const wide = isNarrow ? thin : Math.floor((room - GAP * (across - 1)) / across);
  const rows: GalleryRow[] = [];
  for (let at = 0; at < tiles.length; at += across)
    rows.push(tileRow(group, tiles.slice(at, at + across), { terms, width: wide, isFirst: at === 0 }));
  return rows;
}

interface RowTerms {
  readonly terms: TileTerms;
  /** Of a tile. */
  readonly width: number;
  readonly isFirst: boolean;
}

function tileRow(group: Group, tiles: readonly ReportedInstance[], { terms, width, isFirst }: RowTerms): GalleryRow {
  const { isTall, hasPick, areTakes, words } = group;
  const height = Math.round((width * (isTall ? 16 : 9)) / (isTall ? 9 : 16));
  const above = words === null && isFirst ? 40 : 12;
  const over = narrow.matches && areTakes && isFirst ? 96 : 0;
  const name = words ? 'short' : 'whole';
  const draw = () =>
    html(
      `div.row${words ? '' : '.wide'}${hasPick ? '.has-pick' : ''}`,
      { style: { paddingTop: `${above}px` } },
      words ? html('div.words', isFirst ? words() : null) : null,
      html(
        'div.tiles',
        { role: 'group', 'aria-label': group.name },
        tiles.map(one => drawTile(one, terms, { width, height, name, group: areTakes ? tiles : [one] })),
      ),
    );
  return { height: height + CAPTION + above + over, tiles, draw };
}
