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

function rowsOf(view: View, terms: TileTerms, width: number): readonly GalleryRow[] {
  const isNarrow = narrow.matches;
  const right = isNarrow ? width : width - WORDS - BETWEEN;
  const across = (most: number) => (isNarrow ? Number.POSITIVE_INFINITY : most);
  const drawn = (group: TileGroup): readonly GalleryRow[] => {
    switch (group.is) {
      case 'singles':
        return inRows(group, terms, isNarrow ? 168 : share(width, abreast(group.tiles.length)), across(5));
      case 'step':
        return [headingRow(view, group.step, group.all)];
      case 'beat': {
        const thin = group.isTall ? 120 : group.across === 6 ? 144 : 240;
        return inRows(group, terms, isNarrow ? thin : share(right, group.across), across(group.across));
      }
    }
  };
  return inGroups(view.model, view.shown).flatMap(drawn);
}

const share = (width: number, across: number): number => Math.floor((width - GAP * (across - 1)) / across);

/** Five at most; a few of them are shown as large as takes. */
const abreast = (singles: number): number => Math.min(5, Math.max(3, singles));

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

function inRows(
  group: Exclude<TileGroup, { is: 'step' }>,
  terms: TileTerms,
  width: number,
  across: number,
): readonly GalleryRow[] {
  const rows: GalleryRow[] = [];
  for (let at = 0; at < group.tiles.length; at += across)
    rows.push(tileRow(group, group.tiles.slice(at, at + across), { terms, width, isFirst: at === 0 }));
  return rows;
}

interface RowTerms {
  readonly terms: TileTerms;
  readonly width: number;
  readonly isFirst: boolean;
}

function tileRow(
  group: Exclude<TileGroup, { is: 'step' }>,
  tiles: readonly ReportedInstance[],
  { terms, width, isFirst }: RowTerms,
): GalleryRow {
  const height = Math.round((width * (group.isTall ? 16 : 9)) / (group.isTall ? 9 : 16));
  const hasWords = group.is === 'beat' && group.words !== null;
  const above = group.is === 'singles' && isFirst ? 40 : 12;
  const words = narrow.matches && hasWords && isFirst ? 96 : 0;
  const draw = () => {
    const isBeside = group.is === 'beat';
    const name = isBeside ? 'short' : 'whole';
    const inStepWith = (one: ReportedInstance) => (isBeside && group.areTakes ? tiles : [one]);
    return html(
      `div.row${isBeside ? '' : '.wide'}${group.hasPick ? '.has-pick' : ''}`,
      { style: { paddingTop: `${above}px` } },
      isBeside ? html('div.words', isFirst ? wordsOf(group) : null) : null,
      html(
        'div.tiles',
        { role: 'group', 'aria-label': group.name },
        tiles.map(one => drawTile(one, terms, { width, height, name, group: inStepWith(one) })),
      ),
    );
  };
  return { height: height + CAPTION + above + words, tiles, draw };
}

/** Left of the takes: the beat, what was asked for, and who chose what. */
function wordsOf({ words }: Extract<TileGroup, { is: 'beat' }>): readonly Child[] {
  if (!words) return [];
  const { beat, prompt, pick } = words;
  const note = pick?.note == null ? null : html('span', `“${pick.note}”`);
  return [
    html('h4', beat),
    prompt === null ? null : html('p.asked.clamp', prompt),
    pick === null ? null : html('p.who', `${pick.take}, ${pick.who}. `, note),
  ];
}

// What is side by side: steps of one instance together, and of the others each beat with its takes.

type TileGroup =
  | { readonly is: 'step'; readonly step: ReportedStep; readonly all: readonly ReportedInstance[] }
  | (Tiles & { readonly is: 'singles' })
  | (Tiles & {
      readonly is: 'beat';
      /** Tiles in a row. */
      readonly across: 3 | 6;
      /** They are takes of one beat, to be played in step. */
      readonly areTakes: boolean;
      readonly words: BeatWords | null;
    });

interface Tiles {
  readonly tiles: readonly ReportedInstance[];
  readonly isTall: boolean;
  readonly hasPick: boolean;
  /** For a screen reader. */
  readonly name: string;
}

interface BeatWords {
  readonly beat: string;
  readonly prompt: string | null;
  readonly pick: { readonly take: string; readonly who: string; readonly note: string | null } | null;
}

function inGroups(model: ReportModel, shown: readonly ReportedInstance[]): readonly TileGroup[] {
  const groups: TileGroup[] = [];
  const byStep = Map.groupBy(shown, ({ step }) => step);
  let singles: ReportedInstance[] = [];
  const flush = () => {
    if (singles.length > 0)
      groups.push({ is: 'singles', tiles: singles, isTall: false, hasPick: false, name: 'Steps of one instance' });
    singles = [];
  };
  for (const step of model.report.steps) {
    const all = byStep.get(step.name) ?? [];
    const [only] = all;
    if (!only) continue;
    if (model.of(step.name).length === 1) {
      singles.push(only);
      continue;
    }
    flush();
    groups.push({ is: 'step', step, all }, ...beatsOf(model, step, all));
  }
  flush();
  return groups;
}

function beatsOf(model: ReportModel, step: ReportedStep, all: readonly ReportedInstance[]): readonly TileGroup[] {
  const isTall = all.some(isHigh);
  const areTakes = model.takeAxes(step.name).length > 0;
  if (!areTakes) {
    const across = isTall || isAsked(step) ? 6 : 3;
    return [{ is: 'beat', tiles: all, isTall, hasPick: false, name: step.name, across, areTakes, words: null }];
  }
  return [...Map.groupBy(all, one => model.beatOf(one))].map(([beat, tiles]) => ({
    ...({ is: 'beat', tiles, isTall, areTakes, across: isTall ? 6 : 3 } as const),
    hasPick: tiles.some(isPicked),
    name: `Takes of ${step.name}${beat && `, ${beat}`}`,
    words: beatWords(model, beat, tiles),
  }));
}

const isHigh = ({ media }: ReportedInstance): boolean => (media?.facts.height ?? 0) > (media?.facts.width ?? 0);

function beatWords(model: ReportModel, beat: string, takes: readonly ReportedInstance[]): BeatWords {
  const picked = takes.find(isPicked);
  const decision = picked && model.chosenIn(picked);
  const take = picked ? model.takeName(picked) : '';
  return {
    beat: beat || (takes[0]?.step ?? ''),
    prompt: picked?.prompt ?? takes.find(({ prompt }) => prompt !== null)?.prompt ?? null,
    pick: decision ? { take: capital(take), who: decision.who, note: decision.note } : null,
  };
}
