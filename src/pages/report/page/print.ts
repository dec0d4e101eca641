/** On paper every row stands, to a limit that it tells. */
import { byId } from '../../parts/element.ts';
import { count } from '../../parts/format.ts';
import type { Row, VirtualRows } from '../../parts/virtual-rows.ts';
import type { ReportModel } from './model.ts';

const MOST_ON_PAPER = 300;

export function preparePrint(
  { report: { instances } }: ReportModel,
  lists: readonly Pick<VirtualRows<Row>, 'show'>[],
): void {
  const fits = instances.length <= MOST_ON_PAPER;
  if (!fits)
    byId('on-paper').textContent =
      `On paper, only the rows that were on screen are shown: ${count(instances.length)} instances are more than ${MOST_ON_PAPER}.`;
  const show = (which: 'all' | 'near') => {
    if (fits) for (const list of lists) list.show(which);
    // Paper has no later: what is not loaded by now is not printed.
    if (which === 'all') for (const image of document.images) image.loading = 'eager';
  };
  addEventListener('beforeprint', () => show('all'));
  addEventListener('afterprint', () => show('near'));
}
