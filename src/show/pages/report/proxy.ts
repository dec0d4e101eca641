/** An H.264 copy of a video that many browsers cannot show: cut as a film of one shot, at most 1280 pixels wide. */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../../machine/time/clock.ts';
import { renderCut } from '../../../media/cut/index.ts';
import type { Cut, CutSource } from '../../../model/media/cut.ts';
import { frameRate, perSecond } from '../../../model/media/cut.ts';
import { contentPath } from '../../../model/run/result.ts';
import type { ReportedMedia } from '../../../model/run/run-report.ts';
import { intactPath, type Store } from '../../../records/store/store.ts';

interface ProxyTerms {
  readonly store: Pick<Store, 'has' | 'pathOf' | 'partials'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Pixels. */
const MAX_WIDTH = 1280;

/** Where it lies on this machine, made once for each content; undefined where it cannot be made. @throws the signal's reason. */
export async function proxyOf(media: ReportedMedia, { store, clock, signal }: ProxyTerms): Promise<string | undefined> {
  const cut = proxyCut(media);
  const to = join(dirname(store.partials), 'proxies', media.sha256.slice(0, 2), `${media.sha256}.mp4`);
  if (await stat(to).catch(() => undefined)) return to;
  const file = cut && (await intactPath(store, media.sha256));
  if (!cut || file === undefined) return undefined;
  const made = await renderCut({ cut, to, fileOf: () => file, clock, signal });
  return made.is === 'ok' ? to : undefined;
}

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
