/** A film is made twice in one pass: the result with its slate, and a clean plate that later steps draw from. */
import { join } from 'node:path';
import { type EncodeJob, encode, h264, type Rate, type VideoSettings } from '../../../media/encoder.ts';
import { probe } from '../../../media/probe.ts';
import type { RenderHooks, RenderJob, RenderResult } from '../job.ts';

export const RESULT = 'result.mp4';
export const PLATE = 'plate.mp4';

/** For clean plates: quicker and kept closer to the original, because they are drawn from again. */
export const plateSettings = (rate: Rate): VideoSettings => h264(rate, { crf: 15, preset: 'ultrafast' });

/** A job for the encoder without what is the same for every film. Its graph ends in `[v]` and, unless `slateless`, in `[clean]`. */
export interface Film extends Omit<EncodeJob, 'out' | 'cleanPlate' | 'onFrame'> {
  readonly rate: Rate;
  /** How many pictures there will be. */
  readonly length: number;
  /** The picture carries no slate: it is its own clean plate. */
  readonly slateless?: boolean;
}

export async function encodeFilm(job: RenderJob, hooks: RenderHooks, film: Film): Promise<RenderResult> {
  const { rate, length, slateless = false, video = h264(rate), ...rest } = film;
  const out = join(job.folder, RESULT);
  const onFrame = (n: number) => hooks.progress(n / length);
  const cleanPlate = { out: join(job.folder, PLATE), video: plateSettings(rate) };
  await encode({ ...rest, video, out, onFrame, ...(slateless ? {} : { cleanPlate }) });
  return { file: RESULT, ...(slateless ? {} : { cleanPlate: PLATE }), facts: await probe(out) };
}
