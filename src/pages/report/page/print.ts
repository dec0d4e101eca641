/** On paper every row stands, to a limit that it tells: as many as a browser lays out while somebody waits. */
import { byId } from '../../parts/element.ts';
import { count } from '../../parts/format.ts';
import type { Row, VirtualRows } from '../../parts/virtual-rows.ts';
import type { Gallery } from './gallery.ts';
import type { View } from './view.ts';

/** Instances, and attempts. */
const MOST_ON_PAPER = 2000;

interface Lists {
  readonly gallery: Gallery['list'];
  readonly timeline: Pick<VirtualRows<Row>, 'rows' | 'putOnPaper'>;
}

export function preparePrint(view: View, { gallery, timeline }: Lists): void {
  addEventListener('beforeprint', () => {
    byId('on-paper').textContent = onPaperText(view.shown.length, timeline.rows.length);
    gallery.putOnPaper(rowsWithin(gallery.rows, MOST_ON_PAPER));
    timeline.putOnPaper(MOST_ON_PAPER);
    // Paper has no later: pictures are fetched now, and the browser waits for them.
    for (const image of document.images) image.loading = 'eager';
  });
  addEventListener('afterprint', () => {
    for (const list of [gallery, timeline]) list.putOnPaper(null);
  });
}

function onPaperText(instances: number, attempts: number): string {
  const cut = [
    instances > MOST_ON_PAPER ? `the first ${count(MOST_ON_PAPER)} of these ${count(instances)} instances` : null,
    attempts > MOST_ON_PAPER ? `the first ${count(MOST_ON_PAPER)} of their ${count(attempts)} attempts` : null,
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
