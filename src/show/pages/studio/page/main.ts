/**
 * The page of a studio: asks for the key once, then shows the queue and what was made, live. The event stream only wakes it; what it
 * shows is always read afresh.
 */

import type { StudioPageData, StudioPageRow } from '../../../../api/studio-page.ts';
import { counted, number } from '../../../../model/text/format.ts';
import type { Json } from '../../../../model/text/json.ts';
import { commandToFill } from '../../parts/copying.ts';
import { byId, html } from '../../parts/element.ts';
import { ago } from '../../parts/format.ts';
import { factsText } from '../../parts/media-text.ts';
import { codecName, plays } from '../../parts/playable.ts';
import { markOf } from '../../parts/states.ts';
import { forgetKey, keepKey, keptKey, takeKeyFromAddress } from './key.ts';
import { drawKeyed, partOf, write } from './keyed.ts';
import { drawQueue, modelOf, promptOf, since } from './queue.ts';
import { Reading } from './reading.ts';

/** The picture of what was made: a still, a film, or why there is none. Addresses are the studio's own; what strangers wrote is text. */
function picture(one: StudioPageRow): HTMLElement {
  const { status, result, media_type, facts } = one;
  if (status !== 'succeeded' || result === null) return notMade(one);
  if (media_type === 'image') return still(one, result);
  return !facts || plays(facts, { needsProxy: false }) ? film(one, result) : unplayable(one, result);
}

const notMade = ({ status, error_message }: StudioPageRow): HTMLElement =>
  html(
    'div',
    { class: 'trouble' },
    html(
      'strong',
      { class: 'mid' },
      markOf(status === 'failed' ? 'failed' : 'pending'),
      html('span', { text: status === 'failed' ? 'Not drawn' : 'Cancelled' }),
    ),
    html('p', { text: error_message ?? 'no reason was kept' }),
  );

function still(one: StudioPageRow, result: string): HTMLElement {
  const image = html('img', { loading: 'lazy', decoding: 'async', alt: promptOf(one) });
  image.addEventListener('load', async () => {
    await image.decode().catch(() => {});
    image.classList.add('there');
  });
  image.src = result;
  return html('a', { class: 'still', href: result, target: '_blank', rel: 'noopener noreferrer' }, image);
}

/** A film shows its first picture whole; controls, which would lie over the slate, come when it is played. */
function film(one: StudioPageRow, result: string): HTMLElement {
  const video = html('video', {
    ...{ playsinline: true, preload: 'none', loop: one.request.loop === true, 'data-result': result },
    'aria-label': promptOf(one),
  });
  const play = html('button', {
    ...{ class: 'play', type: 'button', 'aria-label': `Play: ${promptOf(one)}` },
    on: {
      click: () => {
        play.remove();
        video.controls = true;
        video.play().catch(() => {});
        video.focus();
      },
    },
  });
  const frame = html('div', { class: 'film' }, video, play);
  const fail = () => frame.replaceWith(unplayable(one, result));
  video.addEventListener('error', fail);
  // A browser that lacks the codec of the picture may still play the sound, over nothing.
  video.addEventListener('loadedmetadata', () => {
    if (video.videoWidth === 0) fail();
  });
  nearby.observe(video);
  return frame;
}

/** A film's first picture is loaded when it comes near the screen. */
const nearby = new IntersectionObserver(
  entries => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLVideoElement)) continue;
      nearby.unobserve(target);
      target.preload = 'metadata';
      target.src = target.dataset.result ?? '';
    }
  },
  { rootMargin: '400px' },
);

function unplayable({ id, facts }: StudioPageRow, result: string): HTMLElement {
  const told = `The film is in ${codecOf(facts)}, which this browser does not play. The file is whole: open it in a player.`;
  const save = {
    href: result,
    target: '_blank',
    rel: 'noopener noreferrer',
    download: `${id}.${facts?.format ?? 'mp4'}`,
  };
  return html(
    'div',
    { class: 'trouble' },
    html('strong', { text: 'Made, but not for this browser' }),
    html('p', { text: told }),
    html('a', { class: 'save', text: 'Save the film', ...save }),
  );
}

/** What a player knows is only a file that it does not. */
function codecOf(facts: StudioPageRow['facts']): string {
  if (facts?.video_codec === 'hevc') return 'HEVC (H.265)';
  return !facts || plays(facts, { needsProxy: false }) ? 'a format' : codecName({ facts });
}

/** What was made, and what was not: its picture, what was asked for, and the whole request. */
const drawReel = (reel: HTMLElement, made: readonly StudioPageRow[]): void =>
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
      html('p', { class: 'line note' }, ...modelOf(one), html('time', { class: 'when num' })),
      html('p', { class: 'prompt clamp', text: promptOf(one) }),
      html('p', { class: 'facts note num', text: factsOf(one) }),
      html(
        'details',
        { class: 'request' },
        html('summary', { class: 'note', text: `Request, ${counted(request.length, 'field')}` }),
        html(
          'dl',
          { class: 'mono' },
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

const reading = new Reading({ show, say, refused: () => lock(REFUSED) });
const REFUSED = 'That is not the key of this studio. It was printed when the studio started.';
const CHINESE = /[\u2e80-\u9fff\uac00-\ud7ff\uff00-\uffef]/;
let isDressed = false;

byId('try').append(commandToFill(`SHOTLIST_BASE_URL=${location.origin} SHOTLIST_API_KEY=… shotlist run FILE`));
byId('door').addEventListener('submit', event => {
  event.preventDefault();
  const field = byId<HTMLInputElement>('key');
  keepKey(field.value.trim());
  field.value = '';
  enter();
});
byId('show').addEventListener('change', event => {
  byId('reel').dataset.show = (event.target as HTMLInputElement).value;
});
byId('older').addEventListener('click', () => reading.older());
addEventListener('hashchange', () => {
  if (takeKeyFromAddress()) enter();
});
takeKeyFromAddress();
if (keptKey()) enter();
else lock();

function enter(): void {
  byId('door').hidden = true;
  void reading.begin();
}

/** The page does not listen with a key that is not kept. */
function lock(why?: string): void {
  forgetKey();
  reading.end();
  byId('room').hidden = true;
  byId('reel').replaceChildren();
  byId('queue-list').replaceChildren();
  byId('door').hidden = false;
  if (why) byId('why').textContent = why;
  say('off', 'locked');
  byId('key').focus();
}

function show({ queue, made, more, total }: StudioPageData): void {
  dressForChinese([queue, made]);
  byId('room').hidden = false;
  byId('queue').hidden = queue.length === 0;
  byId('queue-count').textContent = number(queue.length);
  byId('made-count').textContent = number(total - queue.length);
  byId('empty').hidden = made.length > 0;
  byId('show').hidden = made.length === 0;
  byId('older').hidden = !more;
  drawQueue(byId('queue-list'), queue, id => reading.cancel(id));
  drawReel(byId('reel'), made);
  document.title = queue.length > 0 ? `(${queue.length}) Shotlist studio` : 'Shotlist studio';
}

function say(is: 'live' | 'polling' | 'off', words: string): void {
  const link = byId('link');
  if (link.dataset.is === is && link.textContent === words) return;
  link.dataset.is = is;
  link.textContent = words;
}

/** Chinese is set in the type that the studio brings. The list of its slices is as large as the rest of the page: fetched when there is some. */
function dressForChinese(told: unknown): void {
  if (isDressed || !CHINESE.test(JSON.stringify(told))) return;
  isDressed = true;
  document.head.append(html('link', { rel: 'stylesheet', href: '/page/chinese.css' }));
}
