/**
 * V-RF: another frame around the same film. The source stays untouched in the middle; what the new frame shows beyond it
 * is the place that the film's words and the prompt describe, in the source's colours (`reframe-fill.ts`). Sound, rate and length stay as they
 * are, and the slate keeps to the new ground.
 */
import { escapePath, resize } from '../../../media/encoder.ts';
import { fpsOf } from '../../../media/encoder-settings.ts';
import type { Footage } from '../../../media/footage.ts';
import type { RenderHooks, RenderJob, RenderResult } from '../job.ts';
import { encodeFilm } from '../picture/plates.ts';
import { fitInside, frameSize } from '../request/frame-size.ts';
import { footageOf, jobInput } from '../request/job-input.ts';
import { seedOf, text } from '../request/request-fields.ts';
import { openScratch } from '../scratch.ts';
import { noteOf, shotsOf } from '../slate/shot-notes.ts';
import { paintCaption } from './reframe-caption.ts';
import { type Ground, paintFill } from './reframe-fill.ts';

/** Not shown in the document beyond its example: what the example says. */
const RESOLUTION = '540p';

export async function renderReframe(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const footage = await footageOf(jobInput(job, 'input_video'));
  const ratio = text(job.request, 'aspect_ratio') ?? '16:9';
  const frame = frameSize(ratio, text(job.request, 'resolution') ?? RESOLUTION, job.speed);
  await using scratch = await openScratch(job);
  const ground: Ground = { frame, inner: fitInside(footage, frame) };
  const prompt = text(job.request, 'prompt') ?? '';
  const shots = await shotsOf(footage.path, footage.seconds, prompt);
  const words = { prompt, shots, seed: seedOf(job.request), fps: fpsOf(footage.rate) };
  const fill = await paintFill(scratch.path('fill'), ground, words);
  const caption = await paintCaption(scratch.path('caption.png'), ground, {
    prompt,
    from: `${footage.width}×${footage.height}`,
    to: ratio,
  });
  return await encodeFilm(job, hooks, {
    rate: footage.rate,
    length: footage.frames,
    slateless: caption === null,
    comment: noteOf(shots),
    graph: pictures(footage, ground, fill, caption) + (footage.sound?.graph ?? ''),
    ...footage.sound?.track,
  });
}

function pictures(
  footage: Footage,
  { inner }: Ground,
  fill: Awaited<ReturnType<typeof paintFill>>,
  caption: string | null,
): string {
  const parts = [`${footage.picture},${resize(inner.width, inner.height)},format=yuv420p`];
  const placed = `[ground][inner]overlay=${inner.x}:${inner.y}:format=yuv420`;
  if (fill === null) return `${parts[0]}[v]`;
  parts[0] += ',split[inner][edge]';
  parts.push(fill.graph('edge', 'ground'));
  if (caption === null) parts.push(`${placed}[v]`);
  else {
    parts.push(
      `${placed},split[clean][bare]`,
      `movie=${escapePath(caption)},format=yuva420p[caption]`,
      `[bare][caption]overlay=format=yuv420[v]`,
    );
  }
  return parts.join(';');
}
