/**
 * V-V2V: the same film by another hand. Motion, cuts, rate and sound stay; colours come from the light that the prompt
 * describes, lines and flatness from the manner it names (see `repaint.ts`). A duration cuts the film short, never longer.
 */

import type { Footage } from '../../../media/decode/footage.ts';
import { aac, fpsOf } from '../../../media/encode/encoder-settings.ts';
import { reader, resize, toYuv } from '../../../media/filtergraph.ts';
import type { RenderHooks, RenderJob, RenderResult } from '../job.ts';
import { encodeFilm } from '../picture/plates.ts';
import { paintStyleOf, paintTable, repainted } from '../picture/repaint.ts';
import { palette } from '../prompt/palette.ts';
import { readPrompt, type Shot } from '../prompt/read-prompt.ts';
import { askedSeconds } from '../request/film-length.ts';
import { sameRatio } from '../request/frame-size.ts';
import { footageOf, jobInput } from '../request/job-input.ts';
import { number, seedOf, text } from '../request/request-fields.ts';
import { openScratch } from '../scratch.ts';
import { noteOf, shotsOf } from '../slate/shot-notes.ts';
import type { SlateShot } from '../slate/slate.ts';
import { overlayGraph, slateOverlay } from '../slate/slate-overlay.ts';

/** As in the document's example; it gives no default. */
const RESOLUTION = '540p';

export async function renderVideoToVideo(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const footage = await footageOf(jobInput(job, 'input_video'));
  const { request } = job;
  const fps = fpsOf(footage.rate);
  const asked = askedSeconds(request);
  const length = typeof asked === 'number' ? Math.min(footage.frames, Math.round(asked * fps)) : footage.frames;
  const seconds = length / fps;
  const size = sameRatio(footage, text(request, 'resolution') ?? RESOLUTION, job.speed);
  const seed = seedOf(request);
  const prompt = text(request, 'prompt') ?? '';
  const [look] = readPrompt(prompt, { duration: seconds, seed, fps }) as [Shot];
  const light = palette(look.time, seed, { storm: look.storm ? 1 : 0 });
  const style = paintStyleOf(prompt);
  const shots = rewritten(await shotsOf(footage.path, footage.seconds, prompt), look.words, seconds);
  await using scratch = await openScratch(job);
  const table = scratch.path('table.png');
  await paintTable(table, light, style);
  const sound = soundOf(footage, length);
  const given = number(request, 'seed');
  const overlay = slateOverlay({
    ...size,
    rate: footage.rate,
    length,
    shots,
    accent: light.accent,
    facts: [
      job.label,
      `${size.width}×${size.height}`,
      `${fps} fps`,
      `${style.name}, ${look.time}`,
      ...(typeof asked === 'number' && asked > footage.seconds + 0.05 ? [`source ends at ${footage.seconds} s`] : []),
      ...(sound ? ['sound kept'] : ['silent source']),
      ...(given === undefined ? [] : [`seed ${given}`]),
    ],
  });
  const picture = [
    footage.picture,
    ...(length < footage.frames ? [`trim=end_frame=${length}`] : []),
    `${resize(size.width, size.height)}`,
    'format=yuv420p[source]',
  ].join(',');
  const finish = `[repainted]${toYuv()},split[clean][bare];${overlayGraph('bare', 'v')}`;
  const unit = Math.min(size.width, size.height) / 720;
  return await encodeFilm(job, hooks, {
    rate: footage.rate,
    length,
    overlay,
    comment: noteOf(shots),
    graph: `${picture};${repainted(table, style, unit)};${finish}${sound?.graph ?? ''}`,
    ...sound?.track,
  });
}

/** The film's own cuts, sizes and cameras, for they are kept; the words are the new ones. */
function rewritten(shots: readonly SlateShot[], words: string, seconds: number): SlateShot[] {
  return shots.filter(shot => shot.start < seconds).map(shot => ({ ...shot, words, end: Math.min(shot.end, seconds) }));
}

/** As it is; where the film is cut short, cut at the same moment and encoded again. */
function soundOf({ sound, path, frames, rate }: Footage, length: number): Footage['sound'] {
  if (sound === null || length >= frames) return sound;
  const cut = `atrim=end=${length / fpsOf(rate)}[a]`;
  const graph = sound.graph === '' ? `;${reader('amovie', path)},${cut}` : sound.graph.replace(/\[a\]$/, `,${cut}`);
  return { ...sound, graph, track: { audio: aac() } };
}
