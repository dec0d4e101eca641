/** One story for each row of the document's Limits, and for the bounds its tables add. */
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { validateRequest, withDefaults } from '../../src/api/validate-request.ts';
import { fieldOf, type Model } from '../../src/model/model.ts';
import { pending } from '../../src/model/plan.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { checkLimit } from '../../src/studio/service/inputs/input-files.ts';

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

test('V-RT: input video at least 3 seconds and up to 4K, output 1080p', () => {
  expect(model('V-RT').request.properties.input_video?.media).toStrictEqual({
    kind: 'video',
    minSeconds: 3,
    maxSide: 4096,
  });
  expect(model('V-RT').returns.resolution).toStrictEqual({ default: '1080p' });
});

test('V-RT: the studio, too, holds a clip to 4K', () => {
  const { media: limit = { kind: 'video' } } = fieldOf(model('V-RT'), 'input_video') ?? {};
  const clip = (width: number, height: number) => () =>
    checkLimit('input_video', 'V-RT', limit, {
      input: { path: 'clip.mp4', facts: { kind: 'video', width, height, duration: 5 } },
      bytes: 1,
    });
  expect(clip(2160, 3840)).not.toThrow();
  expect(clip(7680, 4320)).toThrow('input_video is 7680 pixels on its longer side; V-RT takes at most 4096');
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

test('what is no number that can be sent is refused in words', () => {
  expect(reasons('I-GEN-A', { prompt: 'a fox', seed: Number.POSITIVE_INFINITY })).toStrictEqual([
    'seed: seed is too large a number',
  ]);
  expect(reasons('V-RT', { input_video: 'https://a.example/x.mp4', retake_start_time: Number.NaN })).toStrictEqual([
    'retake_start_time: retake_start_time must be a number, not NaN',
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
  expect(reasons('V-T2V-B', { prompt: 'a fox', duration: 16 })).toStrictEqual([
    'duration: duration must be at most 15, not 16',
  ]);
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

test('V-I2V-C: duration 4 to 30 s; how it is written is not shown, so a text that is no number of seconds passes', () => {
  const request = { prompt: 'push in', input_image: 'https://a.example/x.png' };
  for (const duration of ['auto', '4', '30s', '4.5 s', '00:40'])
    expect(reasons('V-I2V-C', { ...request, duration })).toStrictEqual([]);
  expect(reasons('V-I2V-C', { ...request, duration: '3s' })).toStrictEqual([
    'duration: duration must be at least 4s, not "3s"',
  ]);
  expect(reasons('V-I2V-C', { ...request, duration: '31' })).toStrictEqual([
    'duration: duration must be at most 30s, not "31"',
  ]);
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

test('I-EDIT-C: dimensions up to 3840x2160, lying or standing', () => {
  const request = { prompt: 'relight' };
  for (const resolution of ['2K', '4K', '3840x2160', '2160x3840', '1080x1080', 'auto'])
    expect(reasons('I-EDIT-C', { ...request, resolution })).toStrictEqual([]);
  for (const resolution of ['8K', '3841x2160', '2400x2400'])
    expect(reasons('I-EDIT-C', { ...request, resolution })).toStrictEqual([
      `resolution: resolution must be at most 4K or 3840x2160, not "${resolution}"`,
    ]);
});

test.each([
  ['V-RF', { input_video: 'https://a.example/x.mp4', prompt: 'forest', aspect_ratio: '9:16' }, '1080p', '1440p'],
  ['V-V2V', { input_video: 'https://a.example/x.mp4', prompt: 'charcoal' }, '1080P', '2160p'],
  ['V-V2V', { input_video: 'https://a.example/x.mp4', prompt: 'charcoal' }, '1080P', '4K'],
  ['I-EDIT-A', { prompt: 'relight' }, '4 MP', '6 MP'],
])('%s: resolution up to %j, however it is written', (label, request, fits, breaks) => {
  expect(reasons(label, { ...request, resolution: fits })).toStrictEqual([]);
  expect(reasons(label, { ...request, resolution: breaks })).toStrictEqual([
    `resolution: resolution must be at most ${fits.replace('P', 'p').replace('Mp', 'MP')}, not "${breaks}"`,
  ]);
});

test.each([
  ['V-RF', { input_video: 'https://a.example/x.mp4', prompt: 'forest', aspect_ratio: '9:16' }, '540p, 1080p'],
  ['V-V2V', { input_video: 'https://a.example/x.mp4', prompt: 'charcoal' }, '540p, 1080p'],
  ['V-UP', { input_video: 'https://a.example/x.mp4' }, '1080p'],
])('%s: a resolution has a number in it', (label, request, written) => {
  expect(reasons(label, { ...request, resolution: 'potato' })).toStrictEqual([
    `resolution: resolution must be written like ${written}, not "potato"`,
  ]);
});

test('V-RF: a ratio between those that the document shows', () => {
  const request = { input_video: 'https://a.example/x.mp4', prompt: 'forest' };
  for (const aspect_ratio of ['3:1', '1:3', '5:4', '2.39:1'])
    expect(reasons('V-RF', { ...request, aspect_ratio })).toStrictEqual([]);
  expect(reasons('V-RF', { ...request, aspect_ratio: '99:1' })).toStrictEqual([
    'aspect_ratio: aspect_ratio must be at most 3:1, not "99:1"',
  ]);
});

test('V-RT: a mode retakes video, audio or both', () => {
  const request = { input_video: 'https://a.example/x.mp4' };
  for (const retake_mode of ['replace_video', 'replace_audio', 'both'])
    expect(reasons('V-RT', { ...request, retake_mode })).toStrictEqual([]);
  expect(reasons('V-RT', { ...request, retake_mode: 'extend' })).toHaveLength(1);
});

test('chat: context lengths, max outputs, effort, and the step in the price', () => {
  const lines = modelLibrary.labels.flatMap(label => {
    const { chat } = model(label);
    if (!chat) return [];
    const { contextTokens, maxOutputTokens, effort, priceStep, acceptsImages, functionCalling } = chat;
    return [
      [
        label,
        contextTokens,
        maxOutputTokens ?? '-',
        effort ? ('levels' in effort ? effort.levels.join('|') : `${effort.from}..${effort.through}`) : '-',
        acceptsImages ? 'images' : '-',
        functionCalling ? 'functions' : '-',
        priceStep ? `>${priceStep.aboveInputTokens}: ${priceStep.inputFactor}x, ${priceStep.outputFactor}x` : '-',
      ].join(' '),
    ];
  });
  expect(lines).toStrictEqual([
    'C-A 1040000 - - - functions -',
    'C-B 128000 - - images - -',
    'C-C 64000 - - - - -',
    'C-D 1047576 - - - - -',
    'V-context-E 1050000 128000 none|low|medium|high|xhigh - - >272000: 2x, 1.5x',
    'C-F 400000 128000 none|low|medium|high|xhigh - functions -',
    'C-G 200000 - - - - -',
    'C-H 1000000 128000 low..max images - -',
  ]);
});

test('chat: no more output is asked for than the model can give', () => {
  const messages = [{ role: 'user', content: 'three beats' }];
  expect(reasons('C-H', { messages, max_tokens: 128_000 })).toStrictEqual([]);
  expect(reasons('C-H', { messages, max_tokens: 128_001 })).toStrictEqual([
    'max_tokens: max_tokens must be at most 128000, not 128001',
  ]);
  expect(reasons('C-D', { messages, max_tokens: 500_000 })).toStrictEqual([]);
});

test('chat: every message has a role and a content; images come as parts, where the model accepts them', () => {
  const parts = [{ type: 'image_url', image_url: { url: 'https://a.example/x.png' } }];
  expect(reasons('C-D', { temperature: 'high' })).toStrictEqual([
    'messages: messages is required by C-D',
    'temperature: temperature must be a number, not "high"',
  ]);
  expect(reasons('C-D', { messages: ['hello', { role: 'user' }, { role: 'user', content: parts }] })).toStrictEqual([
    'messages[0]: messages[0] must be a mapping, not "hello"',
    'messages[1].content: messages[1].content is required by C-D',
    `messages[2].content: messages[2].content must be text, not ${JSON.stringify(parts).slice(0, 57)}…`,
  ]);
  expect(reasons('C-B', { messages: [{ role: 'user', content: parts }] })).toStrictEqual([]);
  expect(reasons('C-B', { messages: [{ role: 'user', content: 7 }] })).toStrictEqual([
    'messages[0].content: messages[0].content must be text or a list, not 7',
  ]);
});

test('I-EDIT-B: a search switch of any vendor’s name passes, anything else does not', () => {
  expect(reasons('I-EDIT-B', { prompt: 'relight', acme_search: false })).toStrictEqual([]);
  expect(reasons('I-EDIT-B', { prompt: 'relight', acme_search: 'no', search: true })).toStrictEqual([
    'search: I-EDIT-B has no field search; it takes prompt, input_image, aspect_ratio, resolution',
    'acme_search: acme_search must be true or false, not "no"',
  ]);
});

test('where the document names fields without showing them, an unknown field passes', () => {
  const open = modelLibrary.labels.filter(label => model(label).undocumentedFields);
  expect(open).toStrictEqual('V-I2V-D V-V2V V-RF I-EDIT-C C-A C-B C-C C-D V-context-E C-F C-G C-H'.split(' '));
  const schemas = open.map(label => model(label).request.additionalProperties);
  expect(new Set(schemas)).toStrictEqual(new Set([true]));
});
