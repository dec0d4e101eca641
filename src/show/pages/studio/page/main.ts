/**
 * The page of a studio: asks for the key once, then shows the queue and what was made, live. The event stream only wakes it; what it
 * shows is always read afresh.
 */
import type { StudioPageData, StudioPageRow } from '../../../../api/studio-page.ts';
import { counted, number } from '../../../../model/text/format.ts';
import type { Json } from '../../../../model/text/json.ts';
import { now } from '../../parts/browser-clock.ts';
import { commandToFill } from '../../parts/copying.ts';
import { byId, type Child, html } from '../../parts/element.ts';
import { ago, ticking } from '../../parts/format.ts';
import { codecName, factsText, plays } from '../../parts/media.ts';
import { mark, markOf } from '../../parts/states.ts';
import { forgetKey, keepKey, keptKey, Reading, takeKeyFromAddress } from './reading.ts';

const reading = new Reading({ show, setLink, refused: () => lock(REFUSED) });
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
  setLink('off', 'locked');
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
  drawKeyed(byId('queue-list'), queue, { make: row, update: updateRow });
  drawKeyed(byId('reel'), made, { make: card, update: updateCard });
  document.title = queue.length > 0 ? `(${queue.length}) Shotlist studio` : 'Shotlist studio';
}

function setLink(is: 'live' | 'polling' | 'off', words: string): void {
  byId('link').dataset.is = is;
  write(byId('link'), words);
}

/** Chinese is set in the type that the studio brings. The list of its slices is as large as the rest of the page: fetched when there is some. */
function dressForChinese(shown: unknown): void {
  if (isDressed || !CHINESE.test(JSON.stringify(shown))) return;
  isDressed = true;
  document.head.append(html('link', { rel: 'stylesheet', href: '/page/chinese.css' }));
}

// What is drawn, and what waits for it.

const row = (one: StudioPageRow): HTMLElement =>
  html(
    'li.job',
    html('span.place.soft'),
    html('div.asked', html('p.line.note', modelOf(one)), html('p.prompt.cut', promptOf(one))),
    html('progress.drawn', { max: 100 }),
    html('span.share.note.num'),
    cancelButton(one),
  );

/** Asked once: the row goes when the studio has let go of it. */
function cancelButton(one: StudioPageRow): HTMLButtonElement {
  const press = async () => {
    button.disabled = true;
    write(button, 'Cancelling');
    const trouble = await reading.cancel(one.id);
    if (trouble === null) return;
    button.disabled = false;
    button.title = trouble;
    write(button, 'Not cancelled');
  };
  const attributes = { 'aria-label': `Cancel: ${promptOf(one)}`, onclick: () => void press() };
  const button = html('button.act.cancel', attributes, 'Cancel');
  return button;
}

function updateRow(item: HTMLElement, { status, place, progress, started_at, enqueued_at }: StudioPageRow): void {
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
const modelOf = ({ model, kind }: StudioPageRow): readonly HTMLElement[] => [
  html('span.label.mono', model),
  html('span.kind.cut', (kind ?? '').replaceAll('_', ' ')),
];

const promptOf = ({ request }: StudioPageRow): string =>
  (typeof request.prompt === 'string' && request.prompt.trim()) || 'no prompt';

/** @param unix seconds */
const since = (unix: number): number => Math.max(0, now() / 1000 - unix);

// What is made, and what is not.

const ELSEWHERE = { target: '_blank', rel: 'noopener noreferrer' };

/** The picture of what was made: a still, a film, or why there is none. Addresses are the studio's own; what strangers wrote is text. */
function picture(one: StudioPageRow): HTMLElement {
  const { status, result, media_type, facts } = one;
  if (status !== 'succeeded' || result === null) return notMade(one);
  if (media_type === 'image') return still(one, result);
  return !facts || plays(facts, { needsProxy: false }) ? film(one, result) : unplayable(one, result);
}

const notMade = ({ status, error_message }: StudioPageRow): HTMLElement =>
  trouble(
    [markOf(status === 'failed' ? 'failed' : 'pending'), html('span', status === 'failed' ? 'Not drawn' : 'Cancelled')],
    error_message ?? 'no reason was kept',
  );

const trouble = (title: readonly Child[], why: string, more?: Element): HTMLElement =>
  html('div.trouble', html('strong.mid', title), html('p', why), more);

function still(one: StudioPageRow, result: string): HTMLElement {
  const loaded = async () => {
    await image.decode().catch(() => {});
    image.classList.add('there');
  };
  const image = html('img', {
    ...{ loading: 'lazy', decoding: 'async', alt: promptOf(one), onload: loaded, src: result },
  });
  return html('a.still', { href: result, ...ELSEWHERE }, image);
}

/** A film shows its first picture whole; controls, which would lie over the slate, come when it is played. */
function film(one: StudioPageRow, result: string): HTMLElement {
  const fail = () => frame.replaceWith(unplayable(one, result));
  const video = html('video.whole', {
    ...{ playsinline: true, preload: 'none', loop: one.request.loop === true, 'data-result': result },
    ...{ 'aria-label': promptOf(one), onerror: fail },
    // A browser that lacks the codec of the picture may still play the sound, over nothing.
    onloadedmetadata: () => video.videoWidth === 0 && fail(),
  });
  const begin = () => {
    play.remove();
    video.controls = true;
    video.play().catch(() => {});
    video.focus();
  };
  const play = html('button.play', { 'aria-label': `Play: ${promptOf(one)}`, onclick: begin });
  const frame = html('div.film', video, play);
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
  const why = `The film is in ${codecOf(facts)}, which this browser does not play. The file is whole: open it in a player.`;
  const save = { href: result, ...ELSEWHERE, download: `${id}.${facts?.format ?? 'mp4'}` };
  return trouble(['Made, but not for this browser'], why, html('a.save', save, 'Save the film'));
}

/** What a player knows is only a file that it does not. */
function codecOf(facts: StudioPageRow['facts']): string {
  if (facts?.video_codec === 'hevc') return 'HEVC (H.265)';
  return !facts || plays(facts, { needsProxy: false }) ? 'a format' : codecName({ facts });
}

/** Its picture, what was asked for, and the whole request. */
function card(one: StudioPageRow): HTMLElement {
  const request = Object.entries(one.request);
  const fields = request.flatMap(([field, value]) => [html('dt', field), html('dd', shown(value))]);
  return html(
    'article.card',
    html('div.frame', picture(one)),
    html(
      'div.told',
      html('p.line.note', modelOf(one), html('time.when.num')),
      html('p.prompt.clamp', promptOf(one)),
      html('p.facts.note.num', factsOf(one)),
      html(
        'details.request',
        html('summary.note', `Request, ${counted(request.length, 'field')}`),
        html('dl.mono', fields),
      ),
    ),
  );
}

function updateCard(item: HTMLElement, one: StudioPageRow): void {
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

// Lists that change.

interface Keyed {
  readonly make: (item: StudioPageRow) => HTMLElement;
  readonly update: (element: HTMLElement, item: StudioPageRow) => void;
}

/** Children in the order of their items, kept where they are the same: a card is drawn once, and a film that plays goes on playing. */
function drawKeyed(parent: HTMLElement, items: readonly StudioPageRow[], { make, update }: Keyed): void {
  const there = new Map([...parent.children].map(child => [(child as HTMLElement).dataset.id, child as HTMLElement]));
  let before = parent.firstElementChild;
  for (const item of items) {
    const child = there.get(item.id) ?? make(item);
    child.dataset.id = item.id;
    there.delete(item.id);
    update(child, item);
    if (child === before) before = before.nextElementSibling;
    // Moved, a film would stop.
    else parent.insertBefore(child, before);
  }
  for (const gone of there.values()) gone.remove();
}

/** The part of an element that has the class. @throws where it was drawn without: a bug. */
function partOf<One extends Element = HTMLElement>(element: HTMLElement, name: string): One {
  const part = element.querySelector<One>(`.${name}`);
  if (!part) throw new Error(`nothing in ${element.className} is ${name}`);
  return part;
}

/** Leaves an unchanged text alone: a screen reader repeats nothing. */
function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
