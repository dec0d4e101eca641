/**
 * A film is made twice in one pass: with its slate, and as a clean plate that later steps draw from. The result is one file that carries
 * both (`media/encode/clean-plate.ts`), so that the plate is there wherever the film is brought.
 */
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appendPlate, extractPlate } from '../../../media/encode/clean-plate.ts';
import { encode } from '../../../media/encode/encoder.ts';
import { h264, type Rate } from '../../../media/encode/encoder-settings.ts';
import type { EncodeJob } from '../../../media/encode/encoding.ts';
import { probe } from '../../../media/probe.ts';
import type { LocalInput, RenderHooks, RenderJob, RenderResult } from '../job.ts';
import { showFirstFrame } from './first-frame.ts';

export const RESULT = 'result.mp4';

/** Where the two lie before they are one file. */
export const partsIn = ({ folder }: RenderJob) => ({
  slated: join(folder, 'slated.mp4'),
  plate: join(folder, 'plate.mp4'),
});

/** Makes the result of its two parts, which are gone then. */
export async function joinParts(job: RenderJob): Promise<void> {
  const { slated, plate } = partsIn(job);
  await appendPlate(slated, plate);
  await rename(slated, join(job.folder, RESULT));
  await rm(plate);
}

/** The job with the plates that its films and stills carry taken out of them, until the end of the scope. */
export async function withPlates(job: RenderJob): Promise<{ readonly job: RenderJob } & AsyncDisposable> {
  const taken: string[] = [];
  const beside = async (input: LocalInput): Promise<LocalInput> => {
    if (input.cleanPlate !== undefined) return input;
    const cleanPlate = join(job.folder, `plate-${taken.length}`);
    taken.push(cleanPlate);
    // A later reader of the picture reports what is wrong with it.
    const isTaken = await takenOut(input, cleanPlate).catch(() => false);
    return isTaken ? { ...input, cleanPlate } : input;
  };
  const inputs: { [field: string]: LocalInput[] } = {};
  for (const [field, given] of Object.entries(job.inputs)) {
    inputs[field] = [];
    for (const input of given) inputs[field].push(await beside(input));
  }
  return {
    job: { ...job, inputs },
    [Symbol.asyncDispose]: async () => {
      for (const path of taken) await rm(path, { force: true });
    },
  };
}

/** Whether there was one. */
async function takenOut({ path, facts }: LocalInput, to: string): Promise<boolean> {
  switch (facts.kind) {
    case 'video':
      return await extractPlate(path, to);
    case 'image': {
      const picture = await (await import('../../../media/encode/open-still.ts')).workPicture(path);
      if (typeof picture === 'string') return false;
      await writeFile(to, picture);
      return true;
    }
    case 'audio':
      return false;
  }
}

/** A job for the encoder without what is the same for every film. Its graph ends in `[v]` and, unless `slateless`, in `[clean]`. */
interface Film extends Omit<EncodeJob, 'out' | 'cleanPlate' | 'onFrame'> {
  readonly rate: Rate;
  /** How many pictures there will be. */
  readonly length: number;
  /** The picture carries no slate: it is its own clean plate. */
  readonly slateless?: boolean;
}

export async function encodeFilm(job: RenderJob, hooks: RenderHooks, film: Film): Promise<RenderResult> {
  const { rate, length, slateless = false, video = h264(rate), ...rest } = film;
  const result = join(job.folder, RESULT);
  const { slated, plate } = partsIn(job);
  const onFrame = (n: number) => hooks.progress(n / length);
  const cleanPlate = { out: plate, video: h264(rate) };
  const shown = showFirstFrame(job);
  await encode({ ...rest, ...shown, video, onFrame, ...(slateless ? { out: result } : { out: slated, cleanPlate }) });
  if (!slateless) await joinParts(job);
  return { file: RESULT, facts: await probe(result) };
}
