/** What was made, and what was not: its picture, what was asked for, and the whole request. */
import type { StudioPageRow } from '../../../api/studio-page.ts';
import type { Json } from '../../../domain/json.ts';
import { html } from '../../parts/element.ts';
import { ago, many } from '../../parts/format.ts';
import { factsText } from '../../parts/media-text.ts';
import { drawKeyed, partOf, write } from './keyed.ts';
import { picture } from './picture.ts';
import { modelOf, promptOf, since } from './words.ts';

export const drawReel = (reel: HTMLElement, made: readonly StudioPageRow[]): void =>
  drawKeyed(reel, made, { make: card, update });

function card(one: StudioPageRow): HTMLElement {
  const request = Object.entries(one.request);
  return html(
    'article',
    { class: 'card' },
    html('div', { class: 'frame' }, picture(one)),
    html(
      'div',
      { class: 'told' },
      html('p', { class: 'line' }, ...modelOf(one), html('time', { class: 'when' })),
      html('p', { class: 'prompt clamp', text: promptOf(one) }),
      html('p', { class: 'facts', text: factsOf(one) }),
      html(
        'details',
        { class: 'request' },
        html('summary', { text: `Request, ${many(request.length, 'field')}` }),
        html(
          'dl',
          {},
          ...request.flatMap(([field, value]) => [html('dt', { text: field }), html('dd', { text: shown(value) })]),
        ),
      ),
    ),
  );
}

function update(item: HTMLElement, one: StudioPageRow): void {
  item.dataset.media = one.media_type;
  item.dataset.is = one.status;
  const when = partOf<HTMLTimeElement>(item, 'when');
  const unix = one.completed_at ?? one.enqueued_at;
  const at = new Date(unix * 1000);
  when.dateTime = at.toISOString();
  when.title = at.toLocaleString();
  write(when, ago(since(unix)));
}

function factsOf({ facts }: StudioPageRow): string {
  if (!facts) return '';
  const sound = facts.kind === 'video' ? `, ${facts.audio_codec ? 'sound' : 'silent'}` : '';
  return factsText(facts) + sound;
}

const shown = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 1));
