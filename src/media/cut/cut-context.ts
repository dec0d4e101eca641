/** What everything in this room works with: the engine, the beat, the pixels that the encoder takes, and where content lies. */
import type { CutPicture, FrameRate, Size } from '../../model/media/cut.ts';
import type { PixelFormat } from '../encode/encoder-settings.ts';
import type { Frame, Libav } from '../libav.ts';

export interface CutContext {
  readonly av: Libav;
  readonly size: Size;
  readonly rate: FrameRate;
  readonly format: PixelFormat;
  readonly pathOf: (sha256: string) => string;
}

/** The format that carries alpha beside the same colours, and what the filter `overlay` calls it. */
export const WITH_ALPHA = {
  yuv420p: { format: 'yuva420p', overlay: 'yuv420' },
  yuv420p10le: { format: 'yuva420p10le', overlay: 'yuv420p10' },
  yuv422p10le: { format: 'yuva422p10le', overlay: 'yuv422p10' },
} as const satisfies { readonly [format in PixelFormat]: { readonly format: string; readonly overlay: string } };

export const secondsOf = (frame: number, { frames, seconds }: FrameRate): number => (frame * seconds) / frames;

/** Colours are kept once for two pixels in each direction: what is laid down begins and ends on even ones. */
export const even = (pixels: number): number => Math.round(pixels / 2) * 2;

/** A picture of the cut, frame by frame, in the size that it has in the film and in the encoder's colours. */
export interface PictureSource extends AsyncDisposable {
  /** The film's frame that is so many after its first; they never go back. It is whole until the next call, and must not be changed. */
  at(frame: number): Promise<Frame>;
}

export interface Opening {
  readonly box: Size;
  /** Frames for which it will be seen. */
  readonly frames: number;
  /** The first one that will be asked for. */
  readonly first: number;
}

export type OpenPicture = (kit: CutContext, picture: CutPicture, opening: Opening) => Promise<PictureSource>;
