/** The colours that pictures are meant to have whose file says nothing of them: players take them for those of their size. */
import type { Frame, Libav } from './libav.ts';

/** Lines and columns that standard video has at most; a wide film of 1280x544 is HD with its black bars cut off. */
const STANDARD = { lines: 576, columns: 1024 } as const;

export const unsaidColourSpace = ({ c }: Libav, { width, height }: Pick<Frame, 'width' | 'height'>) =>
  height <= STANDARD.lines && width <= STANDARD.columns ? c.AVCOL_SPC_SMPTE170M : c.AVCOL_SPC_BT709;
