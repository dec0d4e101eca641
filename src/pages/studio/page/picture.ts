/** The picture of what was made: a still, a film, or why there is none. Addresses are the studio's own; what strangers wrote is text. */
import type { StudioPageRow } from '../../../api/studio-page.ts';
import { html } from '../../parts/element.ts';
import { codecName, plays } from '../../parts/playable.ts';
import { markOf } from '../../parts/states.ts';
import { promptOf } from './words.ts';

export function picture(one: StudioPageRow): HTMLElement {
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
      {},
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
