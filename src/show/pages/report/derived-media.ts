/** Stills and H.264 copies of a run's media: made once for each content, and kept on this machine beside the store. */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../../machine/time/clock.ts';
import { renderCut } from '../../../media/cut/index.ts';
import { Posters } from '../../../media/cut/poster-workers.ts';
import type { Cut, CutSource } from '../../../model/media/cut.ts';
import { frameRate, perSecond } from '../../../model/media/cut.ts';
import { contentPath } from '../../../model/run/result.ts';
import type { ReportedMedia } from '../../../model/run/run-report.ts';
import { intactPath, type Store } from '../../../records/store/store.ts';

interface Making {
  readonly store: Pick<Store, 'has' | 'pathOf' | 'partials'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const placeOf = ({ store }: Making, kind: 'posters' | 'proxies', { sha256 }: ReportedMedia, ending: string): string =>
  join(dirname(store.partials), kind, sha256.slice(0, 2), `${sha256}${ending}`);

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );

/** Each decodes a video, and a run may be going on beside it. */
const AT_ONCE = 2;

/**
 * Where the still of each lies, by digest; of a sound, and of what is not here or cannot be drawn, there is none.
 * @param within pixels
 * @param onDrawn called after each that had to be drawn
 * @throws the signal's reason when it aborts.
 */
export async function drawStills(
  media: readonly ReportedMedia[],
  within: number,
  { onDrawn, ...making }: Making & { readonly onDrawn?: (drawn: number, of: number) => void },
): Promise<ReadonlyMap<string, string>> {
  const { store, clock, signal } = making;
  const stills = new Map<string, string>();
  const missing: { readonly one: ReportedMedia; readonly to: string }[] = [];
  for (const one of media) {
    if (one.facts.kind === 'audio') continue;
    const to = placeOf(making, 'posters', one, `-${within}.jpg`);
    if (await isThere(to)) stills.set(one.sha256, to);
    else if (store.has(one.sha256)) missing.push({ one, to });
  }
  if (missing.length === 0) return stills;
  await using posters = new Posters({ clock });
  let [drawn, next] = [0, 0];
  const drawOn = async () => {
    for (let job = missing[next++]; job; job = missing[next++]) {
      const { one, to } = job;
      const file = await intactPath(store, one.sha256);
      const outcome = file && (await posters.draw({ file, facts: one.facts, within, to }, signal));
      if (outcome && outcome.is === 'ok') stills.set(one.sha256, to);
      drawn += 1;
      onDrawn?.(drawn, missing.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, drawOn));
  return stills;
}

/**
 * Where an H.264 copy of a video lies that many browsers cannot show: cut as a film of one shot. Undefined where it cannot be made.
 * @throws the signal's reason.
 */
export async function proxyOf(media: ReportedMedia, making: Making): Promise<string | undefined> {
  const { store, clock, signal } = making;
  const cut = proxyCut(media);
  const to = placeOf(making, 'proxies', media, '.mp4');
  if (await isThere(to)) return to;
  const file = cut && (await intactPath(store, media.sha256));
  if (!cut || file === undefined) return undefined;
  const made = await renderCut({ cut, to, fileOf: () => file, clock, signal });
  return made.is === 'ok' ? to : undefined;
}

/** Pixels. */
const MAX_WIDTH = 1280;

function proxyCut({ sha256, facts }: ReportedMedia): Cut | undefined {
  const { width, height, duration } = facts;
  const rate = frameRate(Math.min(60, facts.fps ?? 24));
  if (facts.kind !== 'video' || !width || !height || !duration || !rate) return undefined;
  const scale = Math.min(1, MAX_WIDTH / width);
  const even = (pixels: number) => Math.max(2, Math.round((pixels * scale) / 2) * 2);
  const frames = Math.max(1, Math.round(duration * perSecond(rate)));
  const source: CutSource = { sha256, path: contentPath({ sha256, extension: '' }), facts };
  const whole = { at: 0, frames, fadeIn: 0, fadeOut: 0 };
  return {
    ...{
      size: { width: even(width), height: even(height) },
      rate,
      frames,
      overlays: [],
      loudness: null,
      codec: 'h264',
    },
    shots: [{ ...whole, dissolve: 0, name: 'proxy', picture: { is: 'video', source, in: 0, speed: 1, fit: 'crop' } }],
    sounds: facts.audio_codec ? [{ ...whole, source, role: 'clip', in: 0, speed: 1, level: 0 }] : [],
  };
}
