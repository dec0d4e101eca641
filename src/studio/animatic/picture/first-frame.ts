/**
 * A film's first picture, beside the film that is still being drawn: for whoever wrote it and waits. It is the very canvas that the encoder
 * is given, slate and all. The film does not depend on it.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Canvas } from '@napi-rs/canvas';
import type { RenderJob } from '../job.ts';

/** In the job's folder; what is saved of a finished job leaves it behind. */
export const FIRST_FRAME = 'first-frame.jpg';

/** Of 100: a slate's small type stays sharp. */
const QUALITY = 90;

/** It appears at once and whole. A disk that has no room for it will say so about the film. */
export function showFirstFrame({ folder }: Pick<RenderJob, 'folder'>, canvas: Canvas): void {
  const path = join(folder, FIRST_FRAME);
  try {
    writeFileSync(`${path}.tmp`, canvas.toBuffer('image/jpeg', QUALITY));
    renameSync(`${path}.tmp`, path);
  } catch {
    // See above.
  }
}
