/** One story for each row of the document's Limits that concerns a label of this build. */
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/models.ts';
import { validateRequest, withDefaults } from '../../src/api/validate.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { Model } from '../../src/domain/model.ts';
import { pending } from '../../src/domain/plan.ts';

const model = (label: string) => modelLibrary.get(label) as Model;
const reasons = (label: string, request: JsonObject) =>
  validateRequest(model(label), request).map(reason => `${reason.path}: ${reason.message}`);

test('V-T2V-A: prompt and negative_prompt, 500 characters each, counted as people do', () => {
  expect(reasons('V-T2V-A', { prompt: '狐'.repeat(500), negative_prompt: '🦊'.repeat(500) })).toStrictEqual([]);
  expect(reasons('V-T2V-A', { prompt: 'x'.repeat(501), negative_prompt: '🦊'.repeat(612) })).toStrictEqual([
    'prompt: prompt must have at most 500 characters, it has 501',
    'negative_prompt: negative_prompt must have at most 500 characters, it has 612',
  ]);
});

test('V-T2V-A: driving audio is WAV or MP3, 2 to 30 s, at most 15 MB', () => {
  expect(model('V-T2V-A').request.properties.audio_url?.media).toStrictEqual({
    kind: 'audio',
    formats: ['wav', 'mp3'],
    minSeconds: 2,
    maxSeconds: 30,
    maxBytes: 15 * 1024 * 1024,
  });
});

test('V-T2V-A: duration 2 to 15 s, seed 0 to 2147483647', () => {
  expect(reasons('V-T2V-A', { prompt: 'a fox', duration: 2, seed: 0 })).toStrictEqual([]);
  expect(reasons('V-T2V-A', { prompt: 'a fox', duration: 15, seed: 2147483647 })).toStrictEqual([]);
  expect(reasons('V-T2V-A', { prompt: 'a fox', duration: 16, seed: 2147483648 })).toStrictEqual([
    'duration: duration must be at most 15, not 16',
    'seed: seed must be at most 2147483647, not 2147483648',
  ]);
  expect(reasons('V-T2V-A', { prompt: 'a fox', duration: 1, seed: -1 })).toStrictEqual([
    'duration: duration must be at least 2, not 1',
    'seed: seed must be at least 0, not -1',
  ]);
});

test('V-I2V-A: duration is 5s or 10s', () => {
  expect(
    reasons('V-I2V-A', { prompt: 'push in', input_image: 'https://a.example/x.png', duration: '7s' }),
  ).toStrictEqual(['duration: duration must be one of 5s, 10s, not "7s"']);
});

test('V-I2V-A: loop only for 5s, also when 5s is the default', () => {
  const request = { prompt: 'push in', input_image: 'https://a.example/x.png', loop: true };
  expect(reasons('V-I2V-A', request)).toStrictEqual([]);
  expect(reasons('V-I2V-A', { ...request, duration: '5s' })).toStrictEqual([]);
  expect(reasons('V-I2V-A', { ...request, loop: false, duration: '10s' })).toStrictEqual([]);
  expect(reasons('V-I2V-A', { ...request, duration: '10s' })).toStrictEqual([
    'loop: loop is supported for 5s clips only: set duration to 5s or leave loop out',
  ]);
});

test('V-RF: source video 30 seconds or less', () => {
  expect(model('V-RF').request.properties.input_video?.media).toStrictEqual({ kind: 'video', maxSeconds: 30 });
});

test('V-RT: input video at least 3 seconds, output 1080p', () => {
  expect(model('V-RT').request.properties.input_video?.media).toStrictEqual({ kind: 'video', minSeconds: 3 });
  expect(model('V-RT').returns.resolution).toStrictEqual({ default: '1080p' });
});

test('I-GEN-A: num_inference_steps 1 to 50', () => {
  expect(reasons('I-GEN-A', { prompt: 'a fox', num_inference_steps: 50 })).toStrictEqual([]);
  expect(reasons('I-GEN-A', { prompt: 'a fox', num_inference_steps: 0 })).toStrictEqual([
    'num_inference_steps: num_inference_steps must be at least 1, not 0',
  ]);
  expect(reasons('I-GEN-A', { prompt: 'a fox', num_inference_steps: 51 })).toStrictEqual([
    'num_inference_steps: num_inference_steps must be at most 50, not 51',
  ]);
});

test('every reason is told at once', () => {
  expect(
    reasons('V-T2V-A', { audio_url: 'music.wav', duration: 2.5, resolution: '4K', watermark: 'no', fps: 24 }),
  ).toStrictEqual([
    'prompt: prompt is required by V-T2V-A',
    'fps: V-T2V-A has no field fps; it takes prompt, audio_url, aspect_ratio, resolution, duration, negative_prompt, prompt_extend, watermark, seed',
    'audio_url: audio_url must be a URL, not "music.wav"',
    'resolution: resolution must be one of 720P, 1080P, not "4K"',
    'duration: duration must be a whole number, not 2.5',
    'watermark: watermark must be true or false, not "no"',
  ]);
});

test('an item of a list is named by its place', () => {
  expect(reasons('I-EDIT-A', { prompt: 'relight', input_image: ['https://a.example/x.png', 7] })).toStrictEqual([
    'input_image[1]: input_image[1] must be text, not 7',
  ]);
  expect(reasons('I-EDIT-A', { prompt: 'relight', input_image: 'https://a.example/x.png' })).toStrictEqual([
    'input_image: input_image must be a list, not "https://a.example/x.png"',
  ]);
});

test('a field the document says exists but does not name passes', () => {
  const request = { input_video: 'https://a.example/x.mp4', prompt: 'forest', aspect_ratio: '9:16' };
  expect(reasons('V-RF', { ...request, position: 'center' })).toStrictEqual([]);
});

test('what is not known yet breaks no rule', () => {
  const unknown = pending('steps.shot.result_url');
  expect(reasons('V-RF', { input_video: unknown, prompt: 'forest', aspect_ratio: unknown })).toStrictEqual([]);
  expect(reasons('I-EDIT-A', { prompt: 'relight', input_image: [unknown] })).toStrictEqual([]);
  expect(reasons('V-RF', { input_video: unknown })).toStrictEqual([
    'prompt: prompt is required by V-RF',
    'aspect_ratio: aspect_ratio is required by V-RF',
  ]);
});

test('the document’s defaults fill what a request leaves out', () => {
  expect(withDefaults(model('V-T2V-A'), { prompt: 'a fox', resolution: '720P' })).toStrictEqual({
    aspect_ratio: '16:9',
    resolution: '720P',
    duration: 5,
    prompt_extend: true,
    watermark: false,
    prompt: 'a fox',
  });
});

test('V-T2V-B: duration 5 to 15 s', () => {
  expect(reasons('V-T2V-B', { prompt: 'a fox', duration: 5 })).toStrictEqual([]);
  expect(reasons('V-T2V-B', { prompt: 'a fox', duration: 4, resolution: '720P' })).toStrictEqual([
    'resolution: resolution must be one of 480P, 768P, not "720P"',
    'duration: duration must be at least 5, not 4',
  ]);
});

test.each([
  ['V-T2V-C', {}],
  ['V-I2V-B', { input_image: 'https://a.example/x.png' }],
])('%s: duration 4 to 15 s, and the -1 that the document uses', (label, media) => {
  for (const duration of [-1, 4, 15]) expect(reasons(label, { prompt: 'a fox', ...media, duration })).toStrictEqual([]);
  expect(reasons(label, { prompt: 'a fox', ...media, duration: 3 })).toStrictEqual([
    'duration: duration must be one of -1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, not 3',
  ]);
});

test('V-I2V-C: how its 4 to 30 s are written is not shown, so no text is refused', () => {
  const request = { prompt: 'push in', input_image: 'https://a.example/x.png' };
  for (const duration of ['auto', '4', '30s']) expect(reasons('V-I2V-C', { ...request, duration })).toStrictEqual([]);
  expect(reasons('V-I2V-C', { ...request, duration: 8 })).toStrictEqual(['duration: duration must be text, not 8']);
});

test.each([
  ['I-EDIT-B', 14],
  ['I-EDIT-C', 16],
])('%s: up to %i input images', (label, limit) => {
  const images = (count: number) => Array.from({ length: count }, (_, i) => `https://a.example/${i}.png`);
  expect(reasons(label, { prompt: 'relight', input_image: images(limit) })).toStrictEqual([]);
  expect(reasons(label, { prompt: 'relight', input_image: images(limit + 1) })).toStrictEqual([
    `input_image: input_image must have at most ${limit} items, it has ${limit + 1}`,
  ]);
});

test('where the document names fields without showing them, an unknown field passes', () => {
  const open = modelLibrary.labels.filter(label => model(label).undocumentedFields);
  expect(open).toStrictEqual(['V-I2V-D', 'V-V2V', 'V-RF', 'I-EDIT-B', 'I-EDIT-C']);
});
