/**
 * Clips that cost next to nothing, in the place of animatics: one plain colour, of the length and the draft size that the request asks for,
 * with silence where the studio would give sound. The same request gives the same bytes, and another request gives others.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { encode } from '../../src/media/encode/encoder.ts';
import { aac, h264, rateOf } from '../../src/media/encode/encoder-settings.ts';
import { probe } from '../../src/media/probe.ts';
import { canonical } from '../../src/model/text/json.ts';
import type { RenderJob, RenderResult } from '../../src/studio/animatic/job.ts';
import { editSize } from '../../src/studio/animatic/kinds/edit/edit-size.ts';
import { coloursIn } from '../../src/studio/animatic/process/picture-colours.ts';
import type { Renderer } from '../../src/studio/animatic/renderer.ts';
import { askedSeconds, lengthOf } from '../../src/studio/animatic/request/film-length.ts';
import {
  type FrameSize,
  frameSize,
  ratioOf,
  sameRatio,
  usualResolution,
} from '../../src/studio/animatic/request/frame-size.ts';
import { text } from '../../src/studio/animatic/request/request-fields.ts';

/** Awaited before a clip is given: a test decides when, or throws a `RenderRefusal`. `signal` aborts when the job is cancelled. */
export type Before = (job: RenderJob, signal: AbortSignal) => void | Promise<void>;

/** It makes each clip once. */
export function readyRenderer(before: Before = () => {}): Renderer {
  const made = new Map<string, Promise<RenderResult & { readonly bytes: Buffer }>>();
  const make = async (job: RenderJob, digest: string) => {
    const result = job.label.startsWith('I-') ? await picture(job, digest) : await clip(job, digest);
    return { ...result, bytes: await readFile(join(job.folder, result.file)) };
  };
  return {
    render: async (job, { signal }) => {
      await before(job, signal);
      signal.throwIfAborted();
      const digest = await digestOf(job);
      const known = made.get(digest) ?? make(job, digest);
      made.set(digest, known);
      const { bytes, ...result } = await known;
      await writeFile(join(job.folder, result.file), bytes);
      return result;
    },
    probe: path => probe(path),
    colours: path => coloursIn(path),
    close: async () => {},
  };
}

/** What a clip depends on: the model, the request, and what is in the files that it names. */
async function digestOf({ label, request, inputs, speed }: RenderJob): Promise<string> {
  const files: { [field: string]: string[] } = {};
  for (const [field, given] of Object.entries(inputs))
    files[field] = await Promise.all(given.map(async ({ path }) => sha256(await readFile(path))));
  return sha256(canonical({ label, speed, request: { ...request, ...files } }));
}

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
const colourOf = (digest: string): string => digest.slice(0, 6);

async function picture(job: RenderJob, digest: string): Promise<RenderResult> {
  const [source] = Object.values(job.inputs).flat();
  const size = job.label.startsWith('I-EDIT')
    ? await editSize(job, source)
    : frameSize(text(job.request, 'aspect_ratio') ?? '1:1', '1024', job.speed);
  const asked = text(job.request, 'output_format')?.toLowerCase() ?? 'webp';
  const format = asked === 'jpg' || asked === 'jpeg' ? 'jpg' : asked === 'png' ? 'png' : 'webp';
  const file = `result.${format}`;
  await sharp({ create: { ...size, channels: 3, background: `#${colourOf(digest)}` } })
    .toFormat(format === 'jpg' ? 'jpeg' : format)
    .toFile(join(job.folder, file));
  return { file, facts: { kind: 'image', format, ...size } };
}

/** As the studio's own. */
const FPS = 24;
const PICTURES_ONLY = h264(rateOf(FPS), { crf: 30, preset: 'ultrafast' });

async function clip(job: RenderJob, digest: string): Promise<RenderResult> {
  const { width, height } = clipSize(job);
  const seconds = clipSeconds(job);
  const frames = Math.max(1, Math.round(seconds * FPS));
  const isSilent = job.request.generate_audio === false;
  const sound = `;anullsrc=r=48000:cl=stereo,atrim=end_sample=${frames * (48_000 / FPS)}[a]`;
  await encode({
    graph: `color=c=0x${colourOf(digest)}:s=${width}x${height}:r=${FPS},trim=end_frame=${frames},format=yuv420p[v]${isSilent ? '' : sound}`,
    video: PICTURES_ONLY,
    ...(isSilent ? {} : { audio: aac() }),
    comment: digest,
    out: join(job.folder, 'result.mp4'),
  });
  return {
    file: 'result.mp4',
    facts: {
      ...{ kind: 'video', format: 'mp4', width, height, duration: frames / FPS, fps: FPS },
      ...{ video_codec: 'h264', audio_codec: isSilent ? null : 'aac' },
    },
  };
}

function clipSize(job: RenderJob): FrameSize {
  const { width, height } = seen(job) ?? {};
  const resolution = text(job.request, 'resolution') ?? RESOLUTIONS[job.label] ?? usualResolution(job.label);
  const ratio = ratioOf(job.request);
  if (ratio === undefined && width !== undefined && height !== undefined)
    return sameRatio({ width, height }, resolution, job.speed);
  return frameSize(ratio ?? '16:9', resolution, job.speed);
}

/** Of what is made from a film, where the request names none. */
const RESOLUTIONS: Readonly<Record<string, string>> = {
  'V-RF': '540p',
  'V-V2V': '540p',
  'V-RT': '1080p',
  'V-UP': '1080p',
};

/** A film that is given sets the length of what is made from it. */
function clipSeconds(job: RenderJob): number {
  const { duration } = job.inputs.input_video?.[0]?.facts ?? {};
  return duration !== undefined && askedSeconds(job.request) === undefined ? duration : lengthOf(job).seconds;
}

/** Facts of the first picture or film that the request names. */
const seen = (job: RenderJob) =>
  Object.values(job.inputs)
    .flat()
    .map(({ facts }) => facts)
    .find(({ width }) => width !== undefined);
