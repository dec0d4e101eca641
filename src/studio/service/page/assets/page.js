/**
 * The page of a studio: asks for the key once, then shows the queue and what was made, live. The event stream only wakes it; what it
 * shows is always read afresh. While something is drawn it reads every second, so that the bars are true.
 */
import { drawQueue, drawReel } from './draw.js';
import { listen } from './stream.js';

const KEY = 'shotlist-studio-key';
const PAGE = 48;
/** Milliseconds between readings. The stream tells of what is finished, not of what is newly asked for. */
const BEAT = { busy: 1000, idle: 3000 };

const part = id => document.getElementById(id);
const room = {
  wanted: PAGE,
  live: false,
  busy: false,
  timer: 0,
  reading: null,
  again: false,
  dressed: false,
  hangUp: null,
};

takeKeyFromAddress();
part('address').textContent = location.origin;
part('door').addEventListener('submit', event => {
  event.preventDefault();
  keep(part('key').value.trim());
  part('key').value = '';
  enter();
});
part('show').addEventListener('change', event => {
  part('reel').dataset.show = event.target.value;
});
part('older').addEventListener('click', () => {
  room.wanted += PAGE;
  read();
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && key()) read();
});
addEventListener('hashchange', () => {
  if (takeKeyFromAddress()) enter();
});
if (key()) enter();
else lock();

/** `#key=…` never reaches a server; taken out of the address, it is not left in the history either. */
function takeKeyFromAddress() {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (!given) return false;
  keep(given);
  history.replaceState(null, '', location.pathname);
  return true;
}

function key() {
  return sessionStorage.getItem(KEY);
}

function keep(given) {
  sessionStorage.setItem(KEY, given);
}

/** Nobody listens with a key that is not kept. */
function lock(why) {
  sessionStorage.removeItem(KEY);
  room.hangUp?.();
  room.hangUp = null;
  clearTimeout(room.timer);
  part('room').hidden = true;
  part('reel').replaceChildren();
  part('queue-list').replaceChildren();
  part('door').hidden = false;
  if (why) part('why').textContent = why;
  say('off', 'locked');
  part('key').focus();
}

async function enter() {
  room.hangUp?.();
  part('door').hidden = true;
  if (!(await read())) return;
  room.hangUp = listen(key(), {
    event: read,
    up: () => {
      room.live = true;
      read();
    },
    down: () => {
      room.live = false;
      read();
    },
  });
}

/** One reading at a time; what is asked for meanwhile is read once more after it. */
function read() {
  if (room.reading) {
    room.again = true;
    return room.reading;
  }
  clearTimeout(room.timer);
  room.reading = readOnce().finally(() => {
    room.reading = null;
    if (!room.again) return;
    room.again = false;
    if (key()) read();
  });
  return room.reading;
}

/** False when the key was refused. */
async function readOnce() {
  try {
    const answer = await fetch(`/page/generations?limit=${room.wanted}`, {
      headers: { authorization: `Bearer ${key()}` },
      cache: 'no-store',
    });
    if (answer.status === 401) {
      lock('That is not the key of this studio. It was printed when the studio started.');
      return false;
    }
    if (!answer.ok) throw new Error(`the studio answered ${answer.status}`);
    show(await answer.json());
    say(room.live ? 'live' : 'polling', room.live ? 'live' : 'reading every few seconds');
  } catch {
    room.busy = false;
    say('off', 'the studio does not answer');
  }
  clearTimeout(room.timer);
  if (key()) room.timer = setTimeout(() => document.hidden || read(), room.busy ? BEAT.busy : BEAT.idle);
  return true;
}

function show({ queue, made, more, total }) {
  dressForChinese([queue, made]);
  room.busy = queue.length > 0;
  part('room').hidden = false;
  part('queue').hidden = queue.length === 0;
  part('queue-count').textContent = String(queue.length);
  part('made-count').textContent = String(total - queue.length);
  part('empty').hidden = made.length > 0;
  part('older').hidden = !more;
  drawQueue(part('queue-list'), queue, cancel);
  drawReel(part('reel'), made);
  document.title = queue.length > 0 ? `(${queue.length}) Shotlist studio` : 'Shotlist studio';
}

/** The studio's own way to end a generation. One that has ended meanwhile is no trouble: the next reading shows it. */
async function cancel(id) {
  try {
    const answer = await fetch(`/api/ai/queue/${encodeURIComponent(id)}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${key()}` },
    });
    if (!answer.ok && answer.status !== 409 && answer.status !== 404) return `the studio answered ${answer.status}`;
  } catch {
    return 'the studio does not answer';
  }
  read();
}

function say(is, words) {
  const link = part('link');
  if (link.dataset.is === is && link.textContent === words) return;
  link.dataset.is = is;
  link.textContent = words;
}

/** The list of its slices is as large as the rest of the page: fetched when there is something to set in it. */
function dressForChinese(told) {
  if (room.dressed || !/[\u2e80-\u9fff\uac00-\ud7ff\uff00-\uffef]/.test(JSON.stringify(told))) return;
  room.dressed = true;
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = '/page/chinese.css';
  document.head.append(sheet);
}
