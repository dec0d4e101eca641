/**
 * How we encode. Two things matter beyond a good picture: the same request gives the same bytes (fixed threads, no dates,
 * `bitexact`), and every H.264 file can be cut and spliced at whole seconds (closed groups of pictures of one second
 * without scene cuts, parameter sets that never change), which is what a retake lives on.
 */

/** Frames per second, exactly: `{ num: 24000, den: 1001 }`. */
export interface Rate {
  readonly num: number;
  readonly den: number;
}

/** What encoders are given. Ten bits for HEVC and ProRes. */
export type PixelFormat = 'yuv420p' | 'yuv420p10le' | 'yuv422p10le';

export interface VideoSettings {
  readonly codec: 'libx264' | 'libx265' | 'prores_ks';
  readonly pixelFormat: PixelFormat;
  /** The picture's beat; when absent, the graph's. */
  readonly rate: Rate;
  /** Sample entry of the file: `hvc1` is the one Apple's players take. */
  readonly tag?: string;
  readonly options: Readonly<Record<string, string | number>>;
}

export interface AudioSettings {
  readonly codec: 'aac' | 'pcm_s24le';
  /** Samples per second. */
  readonly sampleRate: number;
  /** Bits per second; of no meaning where samples are kept as they are. */
  readonly bitRate: number;
  readonly options: Readonly<Record<string, string | number>>;
}

/**
 * A different number changes the bytes (not the quality): it is a constant, not the number of cores. Each more costs 15 MB at 1080p,
 * and two keep up with the drawing.
 */
export const THREADS = 2;

/** Constant rate factor of drawn pictures and their clean plates: they look as drawn, in a quarter of the bytes of 18. */
const DRAWN_CRF = 26;

/**
 * 8-bit H.264. `mbtree=0` because the x264 inside node-av 6.1.1 reads memory it never wrote there (in the first group of
 * pictures), so the same pictures gave other bytes from run to run; `MALLOC_PERTURB_` shows it. No pictures in both directions
 * (`bframes`): they would make files a sixth smaller, for a quarter more time and, with all that waits for them, 80 MB more at 1080p.
 */
export function h264(rate: Rate, { crf = DRAWN_CRF, preset = 'veryfast', extra = '' } = {}): VideoSettings {
  const beat = Math.max(1, Math.round(rate.num / rate.den));
  const groups = `keyint=${beat}:min-keyint=${beat}:scenecut=0:open-gop=0:bframes=0:sync-lookahead=0`;
  return {
    codec: 'libx264',
    pixelFormat: 'yuv420p',
    rate,
    options: { preset, crf, g: beat, 'x264-params': `stitchable=1:mbtree=0:${groups}${extra}` },
  };
}

/**
 * 10-bit H.265, as the document promises for V-I2V-C at 1080p. Pictures in both directions would cost it 300 MB. One thread, no tree of
 * macroblocks: a draft once came out with other bytes, and a film that is drawn has the other core for the drawing anyway.
 */
export function hevcMain10(rate: Rate, { crf = 22, preset = 'superfast' } = {}): VideoSettings {
  const beat = Math.max(1, Math.round(rate.num / rate.den));
  const groups = `keyint=${beat}:min-keyint=${beat}:scenecut=0:open-gop=0:bframes=0:b-adapt=0:rc-lookahead=1:cutree=0`;
  return {
    codec: 'libx265',
    pixelFormat: 'yuv420p10le',
    rate,
    tag: 'hvc1',
    options: { preset, crf, 'x265-params': `log-level=none:pools=none:wpp=0:frame-threads=1:${groups}` },
  };
}

/**
 * Stereo AAC. Without noise substitution (`aac_pns`): a decoder's noise state would carry past a splice. The other coder of libavcodec
 * (`twoloop`) takes three times as long, for half a decibel at this rate.
 */
export function aac({ sampleRate = 48_000, bitRate = 192_000 } = {}): AudioSettings {
  return { codec: 'aac', sampleRate, bitRate, options: { aac_pns: 0, aac_coder: 'fast' } };
}

const NTSC = [24, 30, 48, 60, 120];

/** `25` → 25/1, `29.97` → 30000/1001, `12.5` → 25/2. */
export function rateOf(fps: number): Rate {
  if (Number.isInteger(fps)) return { num: fps, den: 1 };
  const broadcast = NTSC.find(beat => Math.abs((beat * 1000) / 1001 - fps) < 0.005);
  if (broadcast !== undefined) return { num: broadcast * 1000, den: 1001 };
  const num = Math.round(fps * 1000);
  const common = greatestCommonDivisor(num, 1000);
  return { num: num / common, den: 1000 / common };
}

export const fpsOf = (rate: Rate): number => rate.num / rate.den;

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** RGBA pictures, top-down, unpadded. A yielded buffer may be drawn over as soon as the next picture is asked for. */
export interface DrawnPictures {
  readonly width: number;
  readonly height: number;
  readonly fps: number | Rate;
  /** The format in which they enter the graph, in colours of HD video; default: RGBA. Converted here they are copied once less. */
  readonly format?: VideoSettings['pixelFormat'];
  readonly pixels: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** 48 kHz. */
export interface StereoSound {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

export const SAMPLE_RATE = 48_000;

export const exactRate = (fps: number | Rate): Rate => (typeof fps === 'number' ? rateOf(fps) : fps);
