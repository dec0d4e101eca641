/** What is drawn, and what waits for it. */
import type { StudioPageRow } from '../../../../api/studio-page.ts';
import { now } from '../../parts/browser-clock.ts';
import { html } from '../../parts/element.ts';
import { ticking } from '../../parts/format.ts';
import { mark } from '../../parts/states.ts';
import { drawKeyed, partOf, write } from './keyed.ts';

/** Answers with what went wrong, or null. */
type Cancel = (id: string) => Promise<string | null>;

export const drawQueue = (list: HTMLElement, queue: readonly StudioPageRow[], cancel: Cancel): void =>
  drawKeyed(list, queue, { make: one => row(one, cancel), update });

const row = (one: StudioPageRow, cancel: Cancel): HTMLElement =>
  html(
    'li',
    { class: 'job' },
    html('span', { class: 'place soft' }),
    html(
      'div',
      { class: 'asked' },
      html('p', { class: 'line note' }, ...modelOf(one)),
      html('p', { class: 'prompt cut', text: promptOf(one) }),
    ),
    html('progress', { class: 'drawn', max: 100 }),
    html('span', { class: 'share note num' }),
    cancelButton(one, cancel),
  );

/** Asked once: the row goes when the studio has let go of it. */
function cancelButton(one: StudioPageRow, cancel: Cancel): HTMLButtonElement {
  const press = async () => {
    button.disabled = true;
    write(button, 'Cancelling');
    const trouble = await cancel(one.id);
    if (trouble === null) return;
    button.disabled = false;
    button.title = trouble;
    write(button, 'Not cancelled');
  };
  const button = html('button', {
    ...{ class: 'act cancel', type: 'button', 'aria-label': `Cancel: ${promptOf(one)}`, text: 'Cancel' },
    on: { click: () => void press() },
  });
  return button;
}

function update(item: HTMLElement, { status, place, progress, started_at, enqueued_at }: StudioPageRow): void {
  const isDrawn = status === 'processing';
  const share = Math.round((progress ?? 0) * 100);
  const bar = partOf<HTMLProgressElement>(item, 'drawn');
  bar.value = isDrawn ? share : 0;
  bar.setAttribute('aria-label', isDrawn ? `drawn: ${share} percent` : 'waiting');
  if (isDrawn && item.dataset.is !== status) partOf(item, 'place').replaceChildren(mark('running'));
  if (!isDrawn) write(partOf(item, 'place'), String(place ?? ''));
  item.dataset.is = status;
  write(
    partOf(item, 'share'),
    isDrawn ? `${share} %, ${ticking(since(started_at ?? enqueued_at))}` : `waiting ${ticking(since(enqueued_at))}`,
  );
}

/** `V-T2V-A`, `text to video`. */
export const modelOf = ({ model, kind }: StudioPageRow): readonly HTMLElement[] => [
  html('span', { class: 'label mono', text: model }),
  html('span', { class: 'kind cut', text: (kind ?? '').replaceAll('_', ' ') }),
];

export const promptOf = ({ request }: StudioPageRow): string =>
  (typeof request.prompt === 'string' && request.prompt.trim()) || 'no prompt';

/** @param unix seconds */
export const since = (unix: number): number => Math.max(0, now() / 1000 - unix);
