/** The pictures of a retake: the section painted anew and set between the old ones, for the result and its clean plate at once. */

import { createCanvas } from '@napi-rs/canvas';
import type { Footage } from '../../../../media/decode/footage.ts';
import { readPackets, type TrackToWrite } from '../../../../media/decode/packets.ts';
import { pixelsOf, release } from '../../../../media/encode/canvas-pixels.ts';
import { encode } from '../../../../media/encode/encoder.ts';
import { type DrawnPictures, fpsOf, h264 } from '../../../../media/encode/encoder-settings.ts';
import { resize } from '../../../../media/filtergraph.ts';
import type { RenderHooks, RenderJob } from '../../job.ts';
import { showFirstFrame } from '../../picture/first-frame.ts';
import { type Pair, splitPairs } from '../../picture/paired-frames.ts';
import { planSplice, type Section } from '../../picture/splice.ts';
import type { Shot } from '../../prompt/prompt.ts';
import type { FrameSize } from '../../request/frame-size.ts';
import { seedOf, text } from '../../request/request-fields.ts';
import { Scene } from '../../scene/scene.ts';
import type { SlateShot } from '../../slate/slate.ts';
import { overlayGraph, type SlateOverlay, slateOf, slateOverlay } from '../../slate/slate-overlay.ts';

export interface Take {
  readonly job: RenderJob;
  readonly section: Section;
  readonly size: FrameSize;
  /** The new ones. */
  readonly shots: readonly Shot[];
  /** All of the film's, with the new ones in their place. */
  readonly retakenShots: readonly SlateShot[];
  readonly hooks: RenderHooks;
  readonly scratch: (name: string) => string;
}

interface Copy {
  readonly name: string;
  readonly footage: Footage;
}

/** The result and its clean plate in one pass: the section is painted once. */
export async function retakenPictures(take: Take, films: readonly Copy[]): Promise<TrackToWrite[]> {
  const { job, section, size, hooks, scratch } = take;
  const [visible, clean] = films as [Copy, Copy];
  // One after the other: they try encoder settings in the same scratch files.
  const over = await planSplice(visible.footage, section, size, scratch);
  const under = await planSplice(clean.footage, section, size, scratch);
  const prompted = (text(job.request, 'prompt') ?? '') !== '';
  const fresh = prompted
    ? '[raw]setsar=1[fresh];[overlay]setsar=1[slated]'
    : `${clean.footage.picture},${kept(clean.footage, size, section)},${regraded(size)},split[fresh][bare];${overlayGraph('bare', 'slated')}`;
  const out = scratch('new-result.mp4');
  const plate = scratch('new-plate.mp4');
  const encodedPictures = over.again.to - over.again.from;
  await encode({
    ...(prompted ? painted(take, visible.footage) : { overlay: slateOverlay(slateWords(take, visible.footage)) }),
    graph: [
      fresh,
      around(visible.footage, over.again, section, size, { middle: 'slated', out: 'v' }),
      around(clean.footage, under.again, section, size, { middle: 'fresh', out: 'clean' }),
    ].join(';'),
    video: over.video,
    out,
    cleanPlate: { out: plate, video: under.video },
    ...showFirstFrame(job, section.from - over.again.from),
    onFrame: n => hooks.progress(n / encodedPictures),
  });
  return await Promise.all([over.finish(out), under.finish(plate)]);
}

/** The old pictures before the section, the new ones, and the old ones after it, as far as they are encoded again. */
function around(
  footage: Footage,
  again: Section,
  section: Section,
  size: FrameSize,
  { middle, out }: { middle: string; out: string },
): string {
  const before = { from: again.from, to: section.from };
  const after = { from: section.to, to: again.to };
  const old = [before, after].filter(({ from, to }) => from < to);
  // One reader for both, which decodes once: neither holds pictures back, for what one wants the other lets go.
  const parts =
    old.length === 0
      ? []
      : [`${footage.picture},split=${old.length}${old.map(it => `[${out}from${it.from}]`).join('')}`];
  for (const it of old) parts.push(`[${out}from${it.from}]${kept(footage, size, it)}[${out}at${it.from}]`);
  const ends = [before, null, after].flatMap(it =>
    it === null ? [`[${middle}]`] : old.includes(it) ? [`[${out}at${it.from}]`] : [],
  );
  const joined = ends.length > 1 ? `${ends.join('')}concat=n=${ends.length}:v=1:a=0` : `${ends[0]}null`;
  return [...parts, `${joined},settb=${footage.rate.den}/${footage.rate.num},setpts=N[${out}]`].join(';');
}

/** Pictures of the source, at the result's size. */
function kept(source: Footage, { width, height }: FrameSize, { from, to }: Section): string {
  const isSize = source.width === width && source.height === height && source.even;
  // A scaler keeps pictures of its own, also where it has nothing to do.
  return `trim=start_frame=${from}:end_frame=${to},setpts=PTS-STARTPTS,${isSize ? '' : `${resize(width, height)},`}setsar=1,format=yuv420p`;
}

/** Another take of the same: cooler, and a little closer. */
const regraded = ({ width, height }: FrameSize): string =>
  `crop=trunc(iw*0.46)*2:trunc(ih*0.46)*2,${resize(width, height)},eq=saturation=0.8:contrast=1.06,hue=h=-12,setsar=1,format=yuv420p`;

/** Painted once, and the slate drawn over it right here: it need not be mixed in afterwards. */
function painted(take: Take, footage: Footage): { readonly frames: DrawnPictures; readonly overlay: DrawnPictures } {
  const { job, section, size, shots } = take;
  const { width, height } = size;
  const fps = fpsOf(footage.rate);
  function* pictures(): Generator<Pair> {
    const canvas = createCanvas(width, height);
    const context = canvas.getContext('2d');
    const slate = slateOf(slateWords(take, footage));
    let frame = section.from;
    for (const shot of shots) {
      const scene = new Scene(shot, { width, height, seed: seedOf(job.request) });
      for (; frame < Math.round(shot.end * fps); frame++) {
        const seconds = frame / fps - shot.start;
        scene.draw(context, { seconds, progress: seconds / (shot.end - shot.start) });
        const clean = pixelsOf(canvas);
        slate.draw(context, frame);
        const slated = pixelsOf(canvas);
        yield { clean, slated };
        release(clean);
        release(slated);
      }
      scene.strike();
    }
  }
  const { clean, slated } = splitPairs(pictures());
  const picture = { ...size, fps: footage.rate, format: 'yuv420p' } as const;
  return { frames: { ...picture, pixels: clean }, overlay: { ...picture, pixels: slated } };
}

function slateWords({ job, section, size, retakenShots }: Take, { rate, frames }: Footage): SlateOverlay {
  const fps = fpsOf(rate);
  const [from, to] = [section.from / fps, section.to / fps].map(seconds => seconds.toFixed(2));
  const mode = text(job.request, 'retake_mode') ?? 'replace_audio_and_video';
  const facts = [job.label, `retake ${from} to ${to} s`, mode];
  return { ...size, rate, length: frames, ...section, shots: retakenShots, facts };
}

/** For `replace_audio`: the pictures stay; only another size or codec means encoding them. */
export async function copiedPictures(
  footage: Footage,
  { width, height }: FrameSize,
  scratch: string,
): Promise<TrackToWrite> {
  const { path, rate, codec, even, picture } = footage;
  if (footage.width === width && footage.height === height && even && codec === 'h264') {
    return { kind: 'video', like: path, packets: (await readPackets(path, 'video'))!.packets };
  }
  const graph = `${picture},${resize(width, height)},setsar=1[v]`;
  await encode({ graph, video: h264(rate), out: scratch });
  return { kind: 'video', like: scratch, packets: (await readPackets(scratch, 'video'))!.packets };
}
