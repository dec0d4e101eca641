/** Small films for tests, made with the encoder itself: what is in every frame is known. */

import { encode } from '../../src/media/encode/encoder.ts';
import { aac, h264, rateOf, type StereoSound } from '../../src/media/encode/encoder-settings.ts';
import { DRAWN, DRAWN_WITH_SOUND } from '../../src/media/filtergraph.ts';

export interface TestFilm {
  readonly width: number;
  readonly height: number;
  readonly fps?: number;
  readonly frames: number;
  readonly sound?: boolean;
  readonly extra?: string;
}

/** A gradient that drifts, with a bright bar that marks the frame number: frame n has the bar at n/frames of the width. */
export async function film(
  out: string,
  { width, height, fps = 24, frames, sound = true, extra = '' }: TestFilm,
): Promise<string> {
  const rate = rateOf(fps);
  const pixels = drift(width, height, frames);
  const video = h264(rate, { crf: 18, extra });
  const seconds = frames * (rate.den / rate.num);
  if (!sound) await encode({ frames: { width, height, fps: rate, pixels }, graph: DRAWN, video, out });
  else {
    const job = { frames: { width, height, fps: rate, pixels }, sound: tone(seconds), graph: DRAWN_WITH_SOUND };
    await encode({ ...job, video, audio: aac(), out });
  }
  return out;
}

export function* drift(width: number, height: number, frames: number): Generator<Uint8Array> {
  const picture = new Uint8Array(width * height * 4);
  for (let n = 0; n < frames; n++) {
    const bar = Math.floor((n / frames) * width);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = (y * width + x) * 4;
        const lit = Math.abs(x - bar) < width / 40;
        picture[at] = lit ? 250 : 40 + (120 * x) / width;
        picture[at + 1] = lit ? 240 : 60 + (120 * y) / height;
        picture[at + 2] = lit ? 200 : 90 + 40 * Math.sin((x + y) / 23 + n / 9);
        picture[at + 3] = 255;
      }
    }
    yield picture;
  }
}

/** A quiet 440 Hz tone. */
export function tone(seconds: number, hertz = 440): StereoSound {
  const left = Float32Array.from(
    { length: Math.round(seconds * 48_000) },
    (_, i) => 0.3 * Math.sin((i / 48_000) * 2 * Math.PI * hertz),
  );
  return { left, right: left };
}

/** Peak signal-to-noise ratio in dB over equally long pictures; 99 where they are the same. */
export function psnr(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) throw new Error(`pictures of ${a.length} and ${b.length} bytes cannot be compared`);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return sum === 0 ? 99 : 10 * Math.log10((255 * 255 * a.length) / sum);
}
