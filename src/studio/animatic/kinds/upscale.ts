/** V-UP: the same film with more pixels, and if asked more pictures a second; sound as it is. */

import { fpsOf, rateOf } from '../../../media/encoder-settings.ts';
import type { Footage } from '../../../media/footage.ts';
import { type RenderHooks, type RenderJob, RenderRefusal, type RenderResult } from '../job.ts';
import { encodeFilm } from '../picture/plates.ts';
import { sameRatio } from '../request/frame-size.ts';
import { footageOf, jobInput } from '../request/job-input.ts';
import { number, text, yes } from '../request/request-fields.ts';
import { noteOf, shotsOf } from '../slate/shot-notes.ts';
import { overlayGraph, slateOverlay } from '../slate/slate-overlay.ts';
import { type Controls, restored } from './upscale-controls.ts';

/** Not shown in the document beyond its example: what the example says. */
const RESOLUTION = '1080p';
const MOST_FPS = 120;

export async function renderUpscale(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const footage = await footageOf(jobInput(job, 'input_video'));
  const size = sameRatio(footage, text(job.request, 'resolution') ?? RESOLUTION, job.speed);
  const beat = paced(footage, yes(job.request, 'interpolate_frames'), number(job.request, 'target_fps'));
  const controls = controlsOf(job);
  const words = `${footage.width}×${footage.height} → ${size.width}×${size.height}`;
  const shots = await shotsOf(footage.path, footage.seconds, words);
  const overlay = slateOverlay({
    ...size,
    ...beat,
    shots,
    facts: [job.label, words, `${fpsOf(beat.rate)} fps`, ...controlFacts(controls)],
  });
  const picture = [footage.picture, 'format=yuv420p', ...beat.filters, restored(size, controls)].join(',');
  return await encodeFilm(job, hooks, {
    rate: beat.rate,
    length: beat.length,
    overlay,
    comment: noteOf(shots),
    graph: `${picture},split[clean][bare];${overlayGraph('bare', 'v')}${footage.sound?.graph ?? ''}`,
    ...footage.sound?.track,
  });
}

/**
 * New pictures between the old ones only where they were asked for and the rate rises; a `target_fps` alone repeats or
 * drops pictures. `minterpolate` loses the last pictures of a film: it is given more at the end, and cut at the exact length.
 */
function paced(footage: Footage, interpolate: boolean, target: number | undefined) {
  if (target !== undefined && !(target >= 1 && target <= MOST_FPS))
    throw new RenderRefusal(`target_fps ${target} is no rate that is drawn: ask for 1 to ${MOST_FPS}`);
  const rate = target === undefined ? footage.rate : rateOf(target);
  if (fpsOf(rate) === fpsOf(footage.rate)) return { rate, length: footage.frames, filters: [] };
  const length = Math.max(1, Math.round(footage.seconds * fpsOf(rate)));
  const beat = `${rate.num}/${rate.den}`;
  const between =
    interpolate && fpsOf(rate) > fpsOf(footage.rate)
      ? `minterpolate=fps=${beat}:mi_mode=mci:mc_mode=obmc:me_mode=bilat:me=hexbs:mb_size=16:search_param=16:scd=fdiff:scd_threshold=9`
      : `fps=${beat}`;
  const filters = [
    'tpad=stop_mode=clone:stop_duration=1',
    between,
    `trim=end_frame=${length}`,
    // In whole beats: a quotient may fall just below its number, and two pictures share a moment.
    `settb=${rate.den}/${rate.num}`,
    'setpts=N',
  ];
  return { rate, length, filters };
}

function controlsOf(job: RenderJob): Controls {
  const of = (name: keyof Controls) => number(job.request, name) ?? 0;
  return {
    compression: of('compression'),
    noise: of('noise'),
    details: of('details'),
    blur: of('blur'),
    halo: of('halo'),
    grain: of('grain'),
  };
}

const controlFacts = (controls: Controls): string[] =>
  Object.entries(controls).flatMap(([name, value]) => (value > 0 ? [`${name} ${value}`] : []));
