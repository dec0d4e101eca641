/**
 * Rows and cards. What the studio tells was written by strangers: it is set as text, never as markup, and addresses are made here.
 * A card is drawn once and left alone, so that a film that plays goes on playing.
 */

/** `cancel` is given a row's id and answers with what went wrong, or nothing. */
export function drawQueue(list, queue, cancel) {
  keyed(
    list,
    queue,
    row => row.id,
    row => queueRow(row, cancel),
    updateRow,
  );
}

export function drawReel(reel, made) {
  keyed(reel, made, one => one.id, card, updateCard);
}

/** Children in the order of `items`, kept where they are the same: moving a playing film would stop it. */
function keyed(parent, items, keyOf, make, update) {
  const there = new Map([...parent.children].map(child => [child.dataset.id, child]));
  let before = parent.firstElementChild;
  for (const item of items) {
    const child = there.get(keyOf(item)) ?? make(item);
    child.dataset.id = keyOf(item);
    there.delete(keyOf(item));
    update(child, item);
    if (child === before) before = before.nextElementSibling;
    else parent.insertBefore(child, before);
  }
  for (const gone of there.values()) gone.remove();
}

function queueRow(row, cancel) {
  return element('li', 'job', [
    element('span', 'place'),
    element('div', 'asked', [
      element('p', 'line', [label(row), element('span', 'kind', kindOf(row))]),
      element('p', 'prompt', wordsOf(row)),
    ]),
    element('progress', 'drawn'),
    element('span', 'share'),
    stop(row, cancel),
  ]);
}

/** Asked once: the row goes when the studio has let go of it. */
function stop(row, cancel) {
  const button = element('button', 'cancel', 'Cancel');
  button.type = 'button';
  button.setAttribute('aria-label', `Cancel: ${wordsOf(row)}`);
  button.addEventListener('click', async () => {
    button.disabled = true;
    write(button, 'Cancelling');
    const trouble = await cancel(row.id);
    if (!trouble) return;
    button.disabled = false;
    button.title = trouble;
    write(button, 'Not cancelled');
  });
  return button;
}

function updateRow(item, { status, place, progress, started_at, enqueued_at }) {
  const isDrawn = status === 'processing';
  const share = Math.round((progress ?? 0) * 100);
  const bar = item.querySelector('progress');
  item.dataset.is = status;
  bar.max = 100;
  bar.value = isDrawn ? share : 0;
  bar.setAttribute('aria-label', isDrawn ? `drawn: ${share} percent` : 'waiting');
  write(item.querySelector('.place'), isDrawn ? '▸' : String(place ?? ''));
  write(
    item.querySelector('.share'),
    isDrawn ? `${share} % · ${length(since(started_at ?? enqueued_at))}` : `waiting ${length(since(enqueued_at))}`,
  );
}

function card(one) {
  const request = Object.entries(one.request);
  return element('article', 'card', [
    element('div', 'frame', [picture(one)]),
    element('div', 'told', [
      element('p', 'line', [label(one), element('span', 'kind', kindOf(one)), element('time', 'when')]),
      element('p', 'prompt', wordsOf(one)),
      element('p', 'facts', factsOf(one)),
      element('details', 'request', [
        element('summary', '', `Request, ${request.length} ${request.length === 1 ? 'field' : 'fields'}`),
        element(
          'dl',
          '',
          request.flatMap(([field, value]) => [element('dt', '', field), element('dd', '', shown(value))]),
        ),
      ]),
    ]),
  ]);
}

function updateCard(item, one) {
  item.dataset.media = one.media_type;
  item.dataset.is = one.status;
  const when = item.querySelector('time');
  const at = new Date((one.completed_at ?? one.enqueued_at) * 1000);
  when.dateTime = at.toISOString();
  when.title = at.toLocaleString();
  write(when, ago(since(at / 1000)));
}

function picture(one) {
  if (one.status !== 'succeeded' || !one.result) {
    const word = one.status === 'failed' ? 'Not drawn' : 'Cancelled';
    return element('div', 'trouble', [
      element('strong', '', word),
      element('p', '', one.error_message ?? 'no reason was kept'),
    ]);
  }
  if (one.media_type === 'image') return still(one);
  return isPlayable(one) ? film(one) : unplayable(one);
}

function still(one) {
  const image = element('img');
  image.loading = 'lazy';
  image.decoding = 'async';
  image.alt = wordsOf(one);
  image.addEventListener('load', async () => {
    await image.decode().catch(() => {});
    image.classList.add('there');
  });
  image.src = one.result;
  return link(element('a', 'still', [image]), one.result);
}

/** A film shows its first picture whole; controls, which would lie over the slate, come when it is played. */
function film(one) {
  const video = element('video');
  const play = element('button', 'play');
  const frame = element('div', 'film', [video, play]);
  const fail = () => frame.replaceWith(unplayable(one));
  play.type = 'button';
  play.setAttribute('aria-label', `Play: ${wordsOf(one)}`);
  play.addEventListener('click', () => {
    play.remove();
    video.controls = true;
    video.play().catch(() => {});
    video.focus();
  });
  video.playsInline = true;
  video.loop = one.request.loop === true;
  video.preload = 'none';
  video.dataset.result = one.result;
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
      if (!isIntersecting) continue;
      nearby.unobserve(target);
      target.preload = 'metadata';
      target.src = target.dataset.result;
    }
  },
  { rootMargin: '400px' },
);

/** Main 10, as V-I2V-C makes it at 1080p. */
const HEVC = 'video/mp4; codecs="hvc1.2.4.L120.B0"';

function isPlayable({ facts }) {
  return facts?.video_codec !== 'hevc' || document.createElement('video').canPlayType(HEVC) !== '';
}

function unplayable(one) {
  const codec = one.facts?.video_codec === 'hevc' ? 'HEVC (H.265)' : 'a format';
  const save = link(element('a', 'save', 'Save the film'), one.result);
  save.download = `${one.id}.${one.facts?.format ?? 'mp4'}`;
  return element('div', 'trouble', [
    element('strong', '', 'Made, but not for this browser'),
    element(
      'p',
      '',
      `The film is in ${codec}, which this browser does not play. The file is whole: open it in a player.`,
    ),
    save,
  ]);
}

function link(anchor, path) {
  anchor.href = path;
  anchor.target = '_blank';
  anchor.rel = 'noopener noreferrer';
  return anchor;
}

const label = ({ model }) => element('span', 'label', model);
const kindOf = ({ kind }) => (kind ?? '').replaceAll('_', ' ');
const wordsOf = ({ request }) => (typeof request.prompt === 'string' && request.prompt.trim()) || 'no prompt';

function factsOf({ facts }) {
  if (!facts) return '';
  const { width, height, duration, fps, format, video_codec: codec, audio_codec: audio, kind } = facts;
  return [
    width && height ? `${width}×${height}` : null,
    duration === undefined ? null : `${duration.toFixed(1)} s`,
    fps === undefined ? null : `${Number(fps.toFixed(2))} fps`,
    codec ?? format,
    kind === 'video' ? (audio ? 'sound' : 'silent') : null,
  ]
    .filter(Boolean)
    .join(' · ');
}

const shown = value => (typeof value === 'string' ? value : JSON.stringify(value, null, 1));
const since = seconds => Math.max(0, Date.now() / 1000 - seconds);

function length(seconds) {
  const whole = Math.floor(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

function ago(seconds) {
  if (seconds < 45) return 'just now';
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
  ]) {
    if (seconds >= size * 0.95) return `${Math.max(1, Math.round(seconds / size))} ${unit} ago`;
  }
  return '1 min ago';
}

function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Text is text: there is no way to markup from here. */
function element(tag, name, content) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (Array.isArray(content)) node.append(...content);
  else if (content !== undefined) node.textContent = content;
  return node;
}
