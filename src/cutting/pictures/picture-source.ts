/** A picture of the cut, frame by frame, in the size that it has in the film and in the encoder's colours. */
import type { CutPicture, Size } from '../../domain/cut.ts';
import type { Frame } from '../../media/libav.ts';
import type { Kit } from '../kit.ts';

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

export type OpenPicture = (kit: Kit, picture: CutPicture, opening: Opening) => Promise<PictureSource>;
