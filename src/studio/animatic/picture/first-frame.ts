/**
 * A film's first picture, beside the film that is still being drawn: for the waiting author. Every film passes the encoder, and it
 * is there that the picture is taken, slate and all, whatever drew it. The film does not depend on it.
 */
import { join } from 'node:path';
import type { EncodeJob } from '../../../media/encode/encoding.ts';
import type { RenderJob } from '../job.ts';

/** In the job's folder; what is saved of a finished job leaves it behind. */
export const FIRST_FRAME = 'first-frame.jpg';

/** @param picture the first that is new, from 0, of those that are encoded. */
export const showFirstFrame = ({ folder }: Pick<RenderJob, 'folder'>, picture = 0): Pick<EncodeJob, 'early'> => ({
  early: { picture, out: join(folder, FIRST_FRAME) },
});
