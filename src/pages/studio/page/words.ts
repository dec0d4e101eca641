/** What stands over a generation, in the queue and under its picture. */
import type { StudioPageRow } from '../../../api/studio-page.ts';
import { now } from '../../parts/browser-clock.ts';
import { html } from '../../parts/element.ts';

/** `V-T2V-A`, `text to video`. */
export const modelOf = ({ model, kind }: StudioPageRow): readonly HTMLElement[] => [
  html('span', { class: 'label', text: model }),
  html('span', { class: 'kind', text: (kind ?? '').replaceAll('_', ' ') }),
];

export const promptOf = ({ request }: StudioPageRow): string =>
  (typeof request.prompt === 'string' && request.prompt.trim()) || 'no prompt';

/** @param unix seconds */
export const since = (unix: number): number => Math.max(0, now() / 1000 - unix);
