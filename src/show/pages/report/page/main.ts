/** The report of a run: one block of data in, everything else drawn from it. Nothing is asked of a network. */
import { number } from '../../../../model/text/format.ts';
import { copy } from '../../parts/copying.ts';
import { byId, html } from '../../parts/element.ts';
import { type Key, listenToKeys, showKeys } from '../../parts/keyboard.ts';
import { readPageData } from '../../parts/read-page-data.ts';
import type { Row, VirtualRows } from '../../parts/virtual-rows.ts';
import type { ReportData } from '../report-data.ts';
import { drawDrawer, followAddress } from './details.ts';
import { drawFilm } from './film/film.ts';
import { drawGallery, type Gallery } from './film/gallery.ts';
import { drawTimeline } from './film/timeline.ts';
import { drawGraph } from './graph.ts';
import { ReportModel } from './model.ts';
import { drawSummary } from './summary.ts';
import { drawTrouble } from './trouble.ts';
import { listenToFilter, showAll, View } from './view.ts';

/** On paper every row is printed, up to a limit that the page names: as many as a browser lays out while a person waits. */

/** Instances, and attempts. */
const MAX_ON_PAPER = 2000;

function preparePrint(view: View, gallery: Gallery['list'], timeline: VirtualRows<Row>): void {
  addEventListener('beforeprint', () => {
    byId('on-paper').textContent = onPaperText(view.shown.length, timeline.rows.length);
    gallery.putOnPaper(rowsWithin(gallery.rows, MAX_ON_PAPER));
    timeline.putOnPaper(MAX_ON_PAPER);
    // Paper has no later: pictures are fetched now, and the browser waits for them.
    for (const image of document.images) image.loading = 'eager';
  });
  addEventListener('afterprint', () => {
    for (const list of [gallery, timeline]) list.putOnPaper(null);
  });
}

function onPaperText(instances: number, attempts: number): string {
  const cut = [
    instances > MAX_ON_PAPER ? `the first ${number(MAX_ON_PAPER)} of these ${number(instances)} instances` : null,
    attempts > MAX_ON_PAPER ? `the first ${number(MAX_ON_PAPER)} of their ${number(attempts)} attempts` : null,
  ].filter(Boolean);
  return cut.length === 0 ? '' : `On paper: ${cut.join(' and ')}. Filter the list to print others.`;
}

/** How many rows hold so many tiles. */
function rowsWithin(rows: Gallery['list']['rows'], most: number): number {
  let tiles = 0;
  const past = rows.findIndex(row => {
    tiles += row.tiles.length;
    return tiles > most;
  });
  return past < 0 ? rows.length : past;
}

async function begin(): Promise<void> {
  const model = new ReportModel(await readPageData<ReportData>('data'));
  const view = new View(model);
  const playFilm = drawFilm(model);
  drawSummary(view);
  const gallery = drawGallery(view);
  listenToFilter(view);
  drawGraph(view);
  const timeline = drawTimeline(view);
  drawTrouble(view);
  drawFoot(model);
  drawDrawer(view, gallery);
  followAddress(view);
  markSection();
  preparePrint(view, gallery.list, timeline);
  listenToKeys(keysOf(view, playFilm), { onEscape: event => leave(view, event) });
  document.documentElement.dataset.drawn = '';
}

/** In the head, the section that is being read. */
function markSection(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.top nav a')];
  const seen = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting)
          for (const link of links)
            if (link.hash === `#${target.id}`) link.setAttribute('aria-current', 'true');
            else link.removeAttribute('aria-current');
    },
    { rootMargin: '-20% 0px -70%' },
  );
  for (const { hash } of links) {
    const section = document.getElementById(hash.slice(1));
    if (section) seen.observe(section);
  }
}

function keysOf(view: View, playFilm: () => void): readonly Key[] {
  const whileOpen = (act: () => void) => () => {
    if (!view.opened) return false;
    act();
    return true;
  };
  const copyId = () => {
    const id = view.opened?.generation;
    if (id) void copy(id, 'The generation id');
  };
  return [
    { keys: ['/'], does: 'filter', press: () => byId('find').focus() },
    {
      keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'],
      shown: ['←', '→', '↑', '↓'],
      does: 'from picture to picture',
    },
    { keys: [' '], shown: ['Space'], does: 'play the takes in step, or stop them' },
    { keys: ['Enter'], does: 'open the details' },
    { keys: ['j'], does: 'next instance, while the details are open', press: whileOpen(() => view.turn(1)) },
    { keys: ['k'], does: 'previous instance', press: whileOpen(() => view.turn(-1)) },
    { keys: ['c'], does: 'copy the generation id', press: whileOpen(copyId) },
    { keys: ['Escape'], shown: ['Esc'], does: 'close, then clear the filter' },
    { keys: ['g'], does: 'to the graph', press: () => byId('sheet').focus() },
    { keys: ['t'], does: 'to the time; + − 0 zoom it, ← → move it', press: () => byId('ruler').focus() },
    { keys: ['f'], does: 'play or stop the film', press: playFilm },
    { keys: ['?'], does: 'these keys', press: showKeys },
  ];
}

function leave(view: View, event: KeyboardEvent): void {
  const field = byId<HTMLInputElement>('find');
  const isTyping = event.target === field;
  if (isTyping && field.value !== '') {
    field.value = '';
    view.filter({ words: '' });
  } else if (view.opened) view.open(null);
  else if (isTyping) field.blur();
  else if (view.isFiltered) showAll(view);
}

function drawFoot({ report: { run } }: ReportModel): void {
  byId('foot').append(
    html('span', `Shotlist ${run.shotlist}, run ${run.id}, ${run.outcome.replaceAll('_', ' ')}`),
    html('span', 'Drawn from the journal; nothing here asks the network'),
    html('button', { onclick: showKeys }, 'Keys'),
  );
}

void begin();
