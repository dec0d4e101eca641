/** V-UP: the same film with more pixels, and if asked more pictures a second; sound as it is. */

import type { Footage } from '../../../media/decode/footage.ts';
import { fpsOf, rateOf } from '../../../media/encode/encoder-settings.ts';
import { resize } from '../../../media/filtergraph.ts';
import { clamp } from '../../shared/random.ts';
import { type RenderHooks, type RenderJob, RenderRefusal, type RenderResult } from '../job.ts';
import { encodeFilm } from '../picture/plates.ts';
import { type FrameSize, sameRatio } from '../request/frame-size.ts';
import { footageOf, jobInput } from '../request/job-input.ts';
import { number, text, yes } from '../request/request-fields.ts';
import { noteOf, shotsOf } from '../slate/shot-notes.ts';
import { overlayGraph, slateOverlay } from '../slate/slate-overlay.ts';

/** As in the document's example; it gives no default. */
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

const CONTROLS = ['compression', 'noise', 'details', 'blur', 'halo', 'grain'] as const;

const controlsOf = ({ request }: RenderJob): Controls =>
  Object.fromEntries(CONTROLS.map(name => [name, number(request, name) ?? 0])) as unknown as Controls;

const controlFacts = (controls: Controls): string[] =>
  Object.entries(controls).flatMap(([name, value]) => (value > 0 ? [`${name} ${value}`] : []));

interface Controls {
  /** Takes block edges and mosquito noise away. */
  readonly compression: number;
  /** Takes noise away, in the picture and between pictures. */
  readonly noise: number;
  /** Brings fine texture forward. */
  readonly details: number;
  /** Undoes softness: wider strokes than `details`. */
  readonly blur: number;
  /** Takes away the bright and dark rims that sharpening draws. */
  readonly halo: number;
  /** Lays film grain over it. */
  readonly grain: number;
}

/** Grain from the same seed is the same grain. */
const GRAIN_SEED = 7;

/**
 * V-UP's controls as filters. The document shows their names and one example each, not their bounds or units: here each is
 * 0 (off) to 1 (all the way), and what lies outside is taken as the nearer end.
 * They are applied in the order a restorer would: take away what compression and noise left, enlarge, bring details back,
 * undo the halos that sharpening draws, lay film grain over it.
 * Filters from a picture in yuv420p to one of the asked size, joined to a chain; `[in]` and `[out]` stand outside.
 */
export function restored(size: FrameSize, controls: Controls): string {
  const { compression, noise, halo, grain } = bounded(controls);
  const before = [...(compression > 0 ? deblocked(compression) : []), ...(noise > 0 ? denoised(noise) : [])];
  const enlarged = [...before, resize(size.width, size.height)].join(',');
  const sharp = sharpened(bounded(controls));
  const grained = grain > 0 ? `,noise=c0s=${Math.max(1, Math.round(60 * grain))}:c0f=t+u:c0_seed=${GRAIN_SEED}` : '';
  if (sharp.length === 0) return enlarged + grained;
  if (halo === 0) return [enlarged, ...sharp].join(',') + grained;
  return `${enlarged},${withoutHalos(sharp, halo)}${grained}`;
}

const bounded = (controls: Controls): Controls =>
  Object.fromEntries(Object.entries(controls).map(([name, value]) => [name, clamp(value)])) as unknown as Controls;

function deblocked(amount: number): string[] {
  const edge = (from: number, by: number) => (from + by * amount).toFixed(3);
  const tight = edge(0.03, 0.12);
  return [
    `deblock=filter=strong:block=8:alpha=${edge(0.05, 0.2)}:beta=${tight}:gamma=${tight}:delta=${tight}`,
    `hqdn3d=${(1.5 * amount).toFixed(2)}:${(2.5 * amount).toFixed(2)}:${(1.5 * amount).toFixed(2)}:2`,
  ];
}

function denoised(amount: number): string[] {
  const still = `${(1 + 7 * amount).toFixed(2)}:${(1 + 6 * amount).toFixed(2)}`;
  const between = (2 + 9 * amount).toFixed(2);
  return [`hqdn3d=${still}:${between}:${between}`];
}

function sharpened({ blur, details }: Controls): string[] {
  return [
    ...(blur > 0 ? [`unsharp=9:9:${(1.6 * blur).toFixed(3)}:5:5:${(0.4 * blur).toFixed(3)}`] : []),
    ...(details > 0
      ? [`cas=strength=${details.toFixed(3)}:planes=1`, `unsharp=5:5:${(1.5 * details).toFixed(3)}:5:5:0`]
      : []),
  ];
}

/** A sharpened pixel may not leave the range its neighbours had before: what it would overshoot by is the halo. */
function withoutHalos(sharp: readonly string[], halo: number): string {
  const allowed = Math.round(10 * (1 - halo));
  return [
    `split=3[unsharp][low][high];[unsharp]${sharp.join(',')}[sharp]`,
    '[low]erosion,erosion[darkest]',
    '[high]dilation,dilation[brightest]',
    `[sharp][darkest][brightest]maskedclamp=undershoot=${allowed}:overshoot=${allowed}:planes=1`,
  ].join(';');
}
