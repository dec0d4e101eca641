/**
 * The page of a studio: asks for the key once, then shows the queue and what was made, live. The event stream only wakes it; what it
 * shows is always read afresh.
 */
import type { StudioPageData } from '../../../api/studio-page.ts';
import { commandToFill } from '../../parts/copying.ts';
import { byId, html } from '../../parts/element.ts';
import { count } from '../../parts/format.ts';
import { forgetKey, keepKey, keptKey, takeKeyFromAddress } from './key.ts';
import { drawQueue } from './queue.ts';
import { Reading } from './reading.ts';
import { drawReel } from './reel.ts';

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

/** Nobody listens with a key that is not kept. */
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
  byId('queue-count').textContent = count(queue.length);
  byId('made-count').textContent = count(total - queue.length);
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
