/**
 * What a finished film is encoded with: for eyes rather than for further work, so its groups of pictures are long and use pictures in both
 * directions. Everything that would change the bytes from one machine to the next is fixed: threads, no dates, no adapting to the
 * processor's number. `mbtree=0` as everywhere: with it the bundled x264 gives other bytes from run to run.
 */
import type { Cut, FrameRate, Size } from '../../model/media/cut.ts';
import { type AudioSettings, aac, THREADS, type VideoSettings } from '../encode/encoder-settings.ts';
import { even } from './cut-context.ts';

interface FilmFormat {
  readonly container: 'mp4' | 'mov';
  readonly video: VideoSettings & { readonly threads: number };
  readonly audio: AudioSettings;
  /** The sample format of its sound. */
  readonly samples: 'fltp' | 's32';
}

export function filmFormat({ codec, rate, isDraft }: Pick<Cut, 'codec' | 'rate' | 'isDraft'>): FilmFormat {
  const speed = isDraft ? 'draft' : 'full';
  switch (codec) {
    case 'h264':
      return { container: 'mp4', video: H264(rate, speed), audio: aac({ bitRate: 256_000 }), samples: 'fltp' };
    case 'h265':
      return { container: 'mp4', video: H265(rate, speed), audio: aac({ bitRate: 256_000 }), samples: 'fltp' };
    case 'prores':
      return { container: 'mov', video: PRORES(rate), audio: PCM, samples: 's32' };
  }
}

/** A draft has a quarter of the pixels on each side, as the studio's own have, but is never too small to read a title. */
const DRAFT = 4;
const DRAFT_LINES = 180;

export function renderedSize({ size, isDraft }: Pick<Cut, 'size' | 'isDraft'>): Size {
  const short = Math.min(size.width, size.height);
  const scale = isDraft ? Math.min(1, Math.max(1 / DRAFT, DRAFT_LINES / short)) : 1;
  return scale === 1 ? size : { width: even(size.width * scale), height: even(size.height * scale) };
}

type Settings = FilmFormat['video'];
type Speed = 'draft' | 'full';

/** Two seconds: a player finds any place in the film quickly. */
const group = ({ frames, seconds }: FrameRate): number => Math.max(1, Math.round((2 * frames) / seconds));

const rateOf = ({ frames, seconds }: FrameRate) => ({ num: frames, den: seconds });

function H264(rate: FrameRate, speed: Speed): Settings {
  const { preset, crf } = { draft: { preset: 'superfast', crf: 24 }, full: { preset: 'fast', crf: 17 } }[speed];
  return {
    codec: 'libx264',
    pixelFormat: 'yuv420p',
    rate: rateOf(rate),
    threads: THREADS,
    // Twenty pictures ahead are enough to place the next ones, and hold a third of the memory of the usual forty.
    options: { preset, crf, g: group(rate), a53cc: 0, 'x264-params': 'mbtree=0:rc-lookahead=20:sync-lookahead=0' },
  };
}

/** Eight bits: ten do not play in many browsers. */
function H265(rate: FrameRate, speed: Speed): Settings {
  const { preset, crf } = { draft: { preset: 'ultrafast', crf: 28 }, full: { preset: 'fast', crf: 20 } }[speed];
  const threads = `pools=${THREADS}:frame-threads=1`;
  return {
    codec: 'libx265',
    pixelFormat: 'yuv420p',
    rate: rateOf(rate),
    threads: THREADS,
    tag: 'hvc1',
    options: { preset, crf, g: group(rate), a53cc: 0, 'x265-params': `log-level=none:${threads}:info=0:cutree=0` },
  };
}

/** 422 HQ: for an editor's hands. A draft is as large: it is never made to be looked at. */
function PRORES(rate: FrameRate): Settings {
  return {
    codec: 'prores_ks',
    pixelFormat: 'yuv422p10le',
    rate: rateOf(rate),
    threads: THREADS,
    options: { profile: 3, vendor: 'apl0' },
  };
}

const PCM: AudioSettings = { codec: 'pcm_s24le', sampleRate: 48_000, bitRate: 0, options: {} };
