/** What a retake's request asks for: from which picture to which, and whether pictures, sound or both. */

import { fpsOf } from '../../../media/encoder-settings.ts';
import type { Footage } from '../../../media/footage.ts';
import { type RenderJob, RenderRefusal } from '../job.ts';
import type { Section } from '../picture/splice.ts';
import { number, text } from '../request/request-fields.ts';

/** The document shows one value; the other two are named after what it says the model can do. */
const MODES = {
  replace_audio_and_video: { pictures: true, sound: true },
  replace_video: { pictures: true, sound: false },
  replace_audio: { pictures: false, sound: true },
} as const;

/**
 * The section in pictures, rounded here once. The document does not show what it is when the times are left out: then it is
 * a third of the film, in the middle, or from the given start.
 */
export function sectionOf({ request }: RenderJob, { rate, frames, seconds }: Footage): Section {
  const fps = fpsOf(rate);
  const length = number(request, 'retake_duration') ?? seconds / 3;
  const start = number(request, 'retake_start_time') ?? Math.max(0, (seconds - length) / 2);
  const section = `the section from ${tidy(start)} to ${tidy(start + length)} s`;
  const end = `the source ends at ${tidy(seconds)} s`;
  if (start < 0 || start >= seconds) {
    throw new RenderRefusal(
      `retake_start_time ${tidy(start)} s is outside the source: ${end}; start the section before that`,
    );
  }
  const given = number(request, 'retake_duration') !== undefined;
  // A tenth of a second is the tolerance with which lengths are compared everywhere.
  if (given && start + length > seconds + 0.1) {
    throw new RenderRefusal(`${section} reaches past the source: ${end}; shorten retake_duration`);
  }
  const from = Math.min(frames - 1, Math.round(start * fps));
  const to = Math.min(frames, Math.round((start + length) * fps));
  if (to <= from) throw new RenderRefusal(`${section} is shorter than one picture: lengthen retake_duration`);
  return { from, to };
}

const tidy = (seconds: number) => String(Math.round(seconds * 100) / 100);

export function modeOf({ request }: RenderJob): (typeof MODES)[keyof typeof MODES] {
  const asked = text(request, 'retake_mode') ?? 'replace_audio_and_video';
  const mode = Object.entries(MODES).find(([name]) => name === asked)?.[1];
  if (!mode) throw new RenderRefusal(`retake_mode "${asked}" is not known: write ${Object.keys(MODES).join(', ')}`);
  return mode;
}
