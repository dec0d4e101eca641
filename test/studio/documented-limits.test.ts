/** The document's limits of media, as someone who sends them sees it: the generation fails with a sentence. `test/models/limits.test.ts` has those of fields. */
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

const clip: MediaFacts = { kind: 'video', format: 'mp4', width: 640, height: 360, duration: 6 };
const song: MediaFacts = { kind: 'audio', format: 'mp3', duration: 6 };
const driven = { model: 'V-T2V-A', prompt: 'a fox' };
const framed = { model: 'V-RF', prompt: 'snow', aspect_ratio: '9:16' };
test.each<[field: string, is: MediaFacts, request: JsonObject, says: string, megabytes?: number]>([
  ['audio_url', { ...song, duration: 1.8 }, driven, 'audio_url is 1.8 s long; V-T2V-A takes at least 2 s'],
  ['audio_url', { ...song, duration: 31 }, driven, 'audio_url is 31.0 s long; V-T2V-A takes at most 30 s'],
  ['audio_url', { ...song, format: 'ogg' }, driven, 'audio_url is in the format ogg; V-T2V-A takes wav or mp3'],
  ['audio_url', song, driven, 'audio_url is 16 MB large; V-T2V-A takes at most 15 MB', 16],
  [
    'input_video',
    { kind: 'image', format: 'png' },
    { model: 'V-RT' },
    'input_video is an image; V-RT takes a video there',
  ],
  ['input_image', clip, { model: 'V-I2V-A', prompt: 'run' }, 'input_image is a video; V-I2V-A takes an image there'],
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
