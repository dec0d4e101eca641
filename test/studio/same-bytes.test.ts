/**
 * The same request gives the same bytes. Every kind is drawn by two renderers that have little in common: another day, zone,
 * language, folder and number of cores, the keys of the request the other way round, and the jobs in the opposite order, so
 * that nothing an earlier job left behind can matter either.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { FromWorker } from '../../src/machine/process/worker-program.ts';
import { probe } from '../../src/media/probe.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import type { LocalInput, RenderJob } from '../../src/studio/animatic/job.ts';
import type { RenderAnswer } from '../../src/studio/animatic/renderer.ts';
import { difference } from '../media/difference.ts';
import { film } from '../media/footage.ts';
import { folder, still } from './render-footage/rig.ts';

const WORKER = fileURLToPath(new URL('../../src/studio/animatic/process/render-program.ts', import.meta.url));
const WORDS = '[0-0.25s] wide shot: a red fox crosses a frozen river at dawn, snow [0.25-0.5s] close-up: 一只狐狸回头';

const place = await folder();
const given = async (path: string): Promise<LocalInput> => ({ path, facts: await probe(path) });
const image = await given(await still(join(place, 'still.png'), 320, 200));
const other = await given(await still(join(place, 'other.png'), 120, 160));
const clip = await given(await film(join(place, 'clip.mp4'), { width: 192, height: 108, frames: 12 }));
/** 270 lines: what 1080p is in a draft, so that a retake splices. */
const long = await given(await film(join(place, 'long.mp4'), { width: 480, height: 270, frames: 60 }));

type Request = readonly [request: JsonObject, inputs?: RenderJob['inputs']];
const video = { duration: 0.5, resolution: '480p', prompt: WORDS };
const picture = { prompt: 'relight at night, "Storm" as title', resolution: '320x180' };
const REQUESTS: Readonly<Record<string, Request>> = {
  'V-T2V-A': [{ ...video, negative_prompt: 'blurry', prompt_extend: true, watermark: true }, { audio_url: [clip] }],
  'V-T2V-B': [{ ...video, prompt: 'a fox', prompt_expansion_mode: 'quality' }],
  'V-T2V-C': [{ ...video, generate_audio: true, aspect_ratio: '21:9' }],
  'V-I2V-A': [
    { ...video, loop: true },
    { input_image: [image], reference_image_urls: [other] },
  ],
  'V-I2V-B': [
    { ...video, input_image_has_face: true },
    { input_image: [image], tail_image_url: [other] },
  ],
  'V-I2V-C': [{ ...video, resolution: '1080p', duration: '0.5' }, { input_image: [image] }],
  'V-I2V-D': [video, { input_image: [image] }],
  'V-I2V-E': [{ ...video, prompt: 'a whale under water' }],
  'V-V2V': [{ prompt: 'watercolour, night', resolution: '540p' }, { input_video: [clip] }],
  'V-RF': [{ prompt: 'a snowy forest', aspect_ratio: '9:16', resolution: '540p' }, { input_video: [clip] }],
  'V-RT': [{ prompt: 'a fox', retake_start_time: 1.25, retake_duration: 0.25 }, { input_video: [long] }],
  'V-UP': [
    { resolution: '720p', interpolate_frames: true, target_fps: 48, grain: 0.3, noise: 0.2, details: 0.5 },
    { input_video: [clip] },
  ],
  'V-REF': [video, { input_images: [image], input_videos: [clip], input_audios: [clip] }],
  'I-EDIT-A': [
    { ...picture, output_format: 'webp', output_quality: 70, resolution: '0.1 MP' },
    { input_image: [image] },
  ],
  'I-EDIT-B': [picture, { input_image: [image, other] }],
  'I-EDIT-C': [{ ...picture, background: 'transparent', quality: 'high' }, { input_image: [image] }],
  'I-GEN-A': [{ prompt: WORDS, output_format: 'webp', seed: 4 }],
  // Large pictures are where encoders share work among cores.
  'V-T2V-A in full': [{ prompt: 'a red fox', duration: 0.125, resolution: '1080P' }],
  'V-I2V-C in full': [{ prompt: 'pan left', duration: '0.125', resolution: '1080p' }, { input_image: [image] }],
};

const crew: ChildProcess[] = [];
afterAll(async () => {
  for (const worker of crew) if (worker.kill('SIGKILL')) await once(worker, 'exit');
});

/** The files of each request. `I-GEN-A` gives two: the result and its clean plate. */
type Drawings = Record<string, readonly string[]>;

async function draw(
  name: string,
  labels: readonly string[],
  hired: ChildProcess,
  turn = (request: JsonObject) => request,
): Promise<Drawings> {
  crew.push(hired);
  hired.setMaxListeners(0);
  await once(hired, 'message');
  const drawings: Drawings = {};
  for (const label of labels) {
    const [request = {}, inputs = {}] = REQUESTS[label] ?? [];
    const folder = join(place, name, label);
    await mkdir(folder, { recursive: true });
    const [model = '', full] = label.split(' in ');
    const speed = full === undefined ? 'draft' : 'full';
    const { kind } = modelLibrary.get(model)!;
    const job = { id: label, label: model, kind, request: turn(request), inputs, folder, speed } as const;
    drawings[label] = await drawn(hired, job);
  }
  return drawings;
}

/** The files that come of the job. Listening begins before the job is sent: answers come in bursts. */
function drawn(hired: ChildProcess, job: RenderJob): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const hear = (message: FromWorker<RenderAnswer>) => {
      if (message.type !== 'failed' && message.type !== 'done') return;
      hired.off('message', hear);
      if (message.type === 'failed') return reject(new Error(`${job.id}: ${message.bug ?? message.message}`));
      if (!('rendered' in message.result)) return reject(new Error('nothing was rendered'));
      const { file, cleanPlate } = message.result.rendered;
      const files = [file, ...(cleanPlate === undefined ? [] : [cleanPlate])];
      resolve(files.map(kept => join(job.folder, kept)));
    };
    hired.on('message', hear).once('exit', code => reject(new Error(`the renderer ended with ${code}`)));
    hired.send({ id: job.id, job: { type: 'render', job } });
  });
}

const digestOf = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

/** A program that is twelve years ahead. */
const ANOTHER_DAY = `data:text/javascript,${encodeURIComponent(`
  const Now = Date;
  globalThis.Date = class extends Now {
    constructor(...said) { super(...(said.length > 0 ? said : [Date.now()])); }
    static now() { return Now.now() + 12 * 365 * 86_400_000; }
  };
`)}`;

const backwards = (request: JsonObject): JsonObject => Object.fromEntries(Object.entries(request).reverse());

test('every kind, drawn twice by renderers that have little in common, is the same to the byte', async () => {
  const labels = Object.keys(REQUESTS);
  expect(labels.filter(label => !label.includes(' '))).toEqual(
    modelLibrary.labels.filter(label => modelLibrary.get(label)?.produces !== 'text'),
  );
  const here = fork(WORKER, { env: { TZ: 'UTC', LANG: 'C' }, execArgv: [] });
  const oneCore = spawnSync('taskset', ['-c', '0', 'true']).status === 0;
  const there = fork(WORKER, {
    env: { TZ: 'Asia/Shanghai', LANG: 'zh_CN.UTF-8', LC_ALL: 'zh_CN.UTF-8', HOME: place, PATH: process.env.PATH },
    cwd: place,
    ...(oneCore
      ? { execPath: 'taskset', execArgv: ['-c', '0', process.execPath, '--import', ANOTHER_DAY] }
      : { execArgv: ['--import', ANOTHER_DAY] }),
  });
  const [first, second] = await Promise.all([
    draw('here', labels, here),
    draw('there', labels.toReversed(), there, backwards),
  ]);
  const drawings = labels.map(label => ({ label, here: first[label] ?? [], there: second[label] ?? [] }));
  const apart: Record<string, unknown> = {};
  for (const { label, here, there } of drawings) {
    const parted = await Promise.all(here.map((file, at) => difference(file, there[at] ?? '')));
    if (parted.some(Boolean)) apart[label] = parted;
  }
  expect(apart).toEqual({});
  const digests = await Promise.all(drawings.flatMap(({ here }) => here).map(digestOf));
  expect(new Set(digests).size).toBe(digests.length);
});
