/** Each row of the document's Limits, as someone who sends the request sees it: refused at the door, or failed with a sentence. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MediaFacts } from '../../src/model/media/media.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { type TestStudio, testStudio } from './fake-studio.ts';

let folder: string;
let studio: TestStudio;
/** What the studio believes every file to be. */
let facts: MediaFacts = { kind: 'image' };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limits-'));
  studio = await testStudio({ localFiles: [folder], probe: async () => facts });
});
afterAll(async () => {
  await studio[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const URL_OF = 'https://a.example/x.png';
const images = (count: number) => Array.from({ length: count }, () => URL_OF);
const still = { prompt: 'push in', input_image: URL_OF };

test.each<[row: string, model: string, request: JsonObject, says: string]>([
  ['V-T2V-A prompt', 'V-T2V-A', { prompt: '狐'.repeat(501) }, 'prompt must have at most 500 characters, it has 501'],
  [
    'V-T2V-A negative_prompt',
    'V-T2V-A',
    { prompt: 'a fox', negative_prompt: 'x'.repeat(501) },
    'negative_prompt must have at most 500 characters, it has 501',
  ],
  ['V-T2V-A duration', 'V-T2V-A', { prompt: 'a fox', duration: 16 }, 'duration must be at most 15, not 16'],
  ['V-T2V-A duration', 'V-T2V-A', { prompt: 'a fox', duration: 1 }, 'duration must be at least 2, not 1'],
  ['V-T2V-A seed', 'V-T2V-A', { prompt: 'a fox', seed: 2 ** 31 }, 'seed must be at most 2147483647, not 2147483648'],
  ['V-T2V-B duration', 'V-T2V-B', { prompt: 'a fox', duration: 4 }, 'duration must be at least 5, not 4'],
  ['V-T2V-B duration', 'V-T2V-B', { prompt: 'a fox', duration: 16 }, 'duration must be at most 15, not 16'],
  [
    'V-T2V-C duration',
    'V-T2V-C',
    { prompt: 'a fox', duration: 16 },
    'duration must be one of -1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, not 16',
  ],
  [
    'V-I2V-B duration',
    'V-I2V-B',
    { ...still, duration: 3 },
    'duration must be one of -1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, not 3',
  ],
  ['V-I2V-C duration', 'V-I2V-C', { ...still, duration: '31s' }, 'duration must be at most 30s, not "31s"'],
  ['V-I2V-C duration', 'V-I2V-C', { ...still, duration: '3' }, 'duration must be at least 4s, not "3"'],
  ['V-I2V-A duration', 'V-I2V-A', { ...still, duration: '7s' }, 'duration must be one of 5s, 10s, not "7s"'],
  [
    'V-I2V-A loop',
    'V-I2V-A',
    { ...still, duration: '10s', loop: true },
    'loop is supported for 5s clips only: set duration to 5s or leave loop out',
  ],
  [
    'I-GEN-A steps',
    'I-GEN-A',
    { prompt: 'a fox', num_inference_steps: 51 },
    'num_inference_steps must be at most 50, not 51',
  ],
  [
    'I-EDIT-B images',
    'I-EDIT-B',
    { prompt: 'relight', input_image: images(15) },
    'input_image must have at most 14 items, it has 15',
  ],
  [
    'I-EDIT-C images',
    'I-EDIT-C',
    { prompt: 'relight', input_image: images(17) },
    'input_image must have at most 16 items, it has 17',
  ],
  [
    'I-EDIT-C dimensions',
    'I-EDIT-C',
    { prompt: 'relight', resolution: '3841x2160' },
    'resolution must be at most 4K or 3840x2160, not "3841x2160"',
  ],
])('%s of %s is refused at the door', async (_row, model, request, says) => {
  const { status, body } = await studio.post('/api/ai/queue', { model, ...request });
  expect([status, (body as { error: { message: string } }).error.message]).toEqual([400, says]);
});

const clip: MediaFacts = { kind: 'video', format: 'mp4', width: 640, height: 360, duration: 6 };
const song: MediaFacts = { kind: 'audio', format: 'mp3', duration: 6 };
const driven = { model: 'V-T2V-A', prompt: 'a fox' };
const framed = { model: 'V-RF', prompt: 'snow', aspect_ratio: '9:16' };
test.each<[field: string, is: MediaFacts, request: JsonObject, says: string, megabytes?: number]>([
  ['audio_url', { ...song, duration: 1.8 }, driven, 'audio_url is 1.8 s long; V-T2V-A takes at least 2 s'],
  ['audio_url', { ...song, duration: 31 }, driven, 'audio_url is 31.0 s long; V-T2V-A takes at most 30 s'],
  ['audio_url', { ...song, format: 'ogg' }, driven, 'audio_url is in the format ogg; V-T2V-A takes wav or mp3'],
  ['audio_url', song, driven, 'audio_url is 16 MB large; V-T2V-A takes at most 15 MB', 16],
  ['input_video', { ...clip, duration: 31 }, framed, 'input_video is 31.0 s long; V-RF takes at most 30 s'],
  ['input_video', { ...clip, duration: 2.5 }, { model: 'V-RT' }, 'input_video is 2.5 s long; V-RT takes at least 3 s'],
  [
    'input_video',
    { ...clip, width: 7680, height: 4320 },
    { model: 'V-RT' },
    'input_video is 7680 pixels on its longer side; V-RT takes at most 4096',
  ],
])('%s of %j is refused when it is looked at', async (field, is, request, says, megabytes = 0) => {
  facts = is;
  await writeFile(join(folder, 'file'), Buffer.alloc(1 + megabytes * 1024 * 1024));
  const id = await studio.enqueue({ ...request, [field]: pathToFileURL(join(folder, 'file')).href });
  expect((await studio.until(id, 'failed')).error_message).toBe(says);
});
