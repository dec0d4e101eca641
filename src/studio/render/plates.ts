/** Every film is made twice in one pass: the result with its slate, and a clean plate that later steps draw from. */
import { join } from 'node:path';
import { type EncodeJob, encode, h264, plate, type Rate } from '../../media/encoder.ts';
import { probe } from '../../media/probe.ts';
import type { RenderHooks, RenderJob, RenderResult } from './job.ts';

export const RESULT = 'result.mp4';
export const PLATE = 'plate.mp4';

export interface Film extends Omit<EncodeJob, 'out' | 'cleanPlate' | 'onFrame' | 'video'> {
  readonly rate: Rate;
  /** How many pictures there will be, for the progress. */
  readonly frames_: number;
}

export async function film(job: RenderJob, hooks: RenderHooks, what: Film): Promise<RenderResult> {
  const { rate, frames_: frames, ...rest } = what;
  const out = join(job.folder, RESULT);
  await encode({
    ...rest,
    out,
    video: h264(rate),
    cleanPlate: { out: join(job.folder, PLATE), video: plate(rate) },
    onFrame: n => hooks.progress(n / frames),
  });
  return { file: RESULT, cleanPlate: PLATE, facts: await probe(out) };
}
