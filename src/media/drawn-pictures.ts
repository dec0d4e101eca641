/** What a program makes for a film: drawn pictures and computed sound. */
import { type Rate, rateOf, type VideoSettings } from './encoder-settings.ts';

/** RGBA pictures, top-down, unpadded. A yielded buffer may be drawn over as soon as the next picture is asked for. */
export interface DrawnPictures {
  readonly width: number;
  readonly height: number;
  readonly fps: number | Rate;
  /** The format in which they enter the graph, in colours of HD video; RGBA unless told. Converted here they are copied once less. */
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
