/**
 * V-RF: another frame around the same film. The source stays untouched in the middle; what the new frame shows beyond it
 * is the place that the film's words and the prompt describe, in the source's colours (`reframe-fill.ts`). Sound, rate and length stay as they
 * are, and the slate keeps to the new ground.
 */

import { writeFile } from 'node:fs/promises';
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { Footage } from '../../../media/decode/footage.ts';
import { fpsOf } from '../../../media/encode/encoder-settings.ts';
import { font, wrap } from '../../../media/encode/typography.ts';
import { escapePath, resize } from '../../../media/filtergraph.ts';
import type { RenderHooks, RenderJob, RenderResult } from '../job.ts';
import { encodeFilm } from '../picture/plates.ts';
import { fitInside, frameSize } from '../request/frame-size.ts';
import { footageOf, jobInput } from '../request/job-input.ts';
import { seedOf, text } from '../request/request-fields.ts';
import { openScratch } from '../scratch.ts';
import { noteOf, shotsOf } from '../slate/shot-notes.ts';
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

interface CaptionWords {
  readonly prompt: string;
  /** `1280×720`. */
  readonly from: string;
  /** `9:16`. */
  readonly to: string;
}

/** Less room than this (in 540ths of the short side) and there is no slate. */
const LEAST = 46;

/**
 * The reframe's slate: it is only on the new ground, so that the source stays what it was.
 * Null where the ground has no room for type.
 */
async function paintCaption(path: string, ground: Ground, words: CaptionWords): Promise<string | null> {
  const { frame, inner } = ground;
  const unit = Math.min(frame.width, frame.height) / 540;
  const upright = inner.height < frame.height;
  const room = upright ? inner.y : inner.x;
  if (room < LEAST * unit) return null;
  const canvas = createCanvas(frame.width, frame.height);
  const context = canvas.getContext('2d');
  context.shadowColor = 'rgba(0,0,0,0.5)';
  context.shadowBlur = 8 * unit;
  const pad = Math.min(22 * unit, room * 0.16);
  const width = upright ? frame.width - pad * 2 : room - pad * 2;
  heading(context, { pad, unit, width }, ground, words);
  prompt(
    context,
    { pad, unit, width, bottom: frame.height - pad, room: upright ? room : frame.height * 0.6 },
    words.prompt,
  );
  context.shadowBlur = 0;
  corners(context, ground, unit);
  await writeFile(path, canvas.toBuffer('image/png'));
  return path;
}

/** The old frame inside the new one, drawn small, and both sizes in words. */
function heading(
  context: SKRSContext2D,
  { pad, unit, width }: { pad: number; unit: number; width: number },
  { frame, inner }: Ground,
  { from, to }: CaptionWords,
): void {
  const tall = 26 * unit;
  const scale = Math.min(tall / frame.height, (tall * 1.9) / frame.width);
  const small = { width: frame.width * scale, height: frame.height * scale };
  const top = pad + (tall - small.height) / 2;
  context.lineWidth = 1.5 * unit;
  context.strokeStyle = 'rgba(255,255,255,0.95)';
  context.strokeRect(pad, top, small.width, small.height);
  context.fillStyle = 'rgba(255,255,255,0.9)';
  context.fillRect(pad + inner.x * scale, top + inner.y * scale, inner.width * scale, inner.height * scale);
  const left = pad + small.width + 11 * unit;
  const beside = width - small.width - 11 * unit > 92 * unit;
  const [x, y] = beside ? [left, pad + 10 * unit] : [pad, pad + tall + 18 * unit];
  context.fillStyle = '#fff';
  context.font = font('display', 700, 17 * unit);
  context.fillText(to, x, y + 2 * unit);
  context.font = font('mono', 500, 10.5 * unit, from);
  context.fillStyle = 'rgba(255,255,255,0.78)';
  context.fillText(`from ${from}`, x, y + 16 * unit);
}

function prompt(
  context: SKRSContext2D,
  { pad, unit, width, bottom, room }: { pad: number; unit: number; width: number; bottom: number; room: number },
  words: string,
): void {
  let size = 17 * unit;
  const most = Math.max(1, Math.floor((room - pad * 2) / (size * 1.28)));
  let lines: string[] = [];
  for (; ; size *= 0.92) {
    context.font = font('sans', 600, size, words);
    lines = wrap(context, words, width, Math.min(9, most));
    if (!lines.at(-1)?.endsWith('…') || size < 12 * unit) break;
  }
  context.fillStyle = '#fff';
  for (const [i, line] of lines.entries()) context.fillText(line, pad, bottom - (lines.length - 1 - i) * size * 1.28);
}

/** Hair-thin corner marks on the new ground, where the source begins. */
function corners(context: SKRSContext2D, { frame, inner }: Ground, unit: number): void {
  const arm = 9 * unit;
  const upright = inner.height < frame.height;
  context.strokeStyle = 'rgba(255,255,255,0.55)';
  context.lineWidth = Math.max(1, unit);
  context.beginPath();
  if (upright) {
    for (const y of [inner.y - 2, inner.y + inner.height + 2]) {
      context.moveTo(0, y);
      context.lineTo(arm, y);
      context.moveTo(frame.width, y);
      context.lineTo(frame.width - arm, y);
    }
  } else {
    for (const x of [inner.x - 2, inner.x + inner.width + 2]) {
      context.moveTo(x, 0);
      context.lineTo(x, arm);
      context.moveTo(x, frame.height);
      context.lineTo(x, frame.height - arm);
    }
  }
  context.stroke();
}
