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

const X = 'https://a.example/x.png';
const CLIP = 'https://a.example/x.mp4';
const still = { prompt: 'push in', input_image: X };
const forest = { input_video: CLIP, prompt: 'forest', aspect_ratio: '9:16' };
const charcoal = { input_video: CLIP, prompt: 'charcoal' };
const fox = { prompt: 'a fox' };
const relight = { prompt: 'relight' };
const messages = [{ role: 'user', content: 'three beats' }];
const images = (count: number) => Array.from({ length: count }, (_, i) => `https://a.example/${i}.png`);
const NO_LOOP = 'loop is supported for 5s clips only: set duration to 5s or leave loop out';
const SECONDS = 'duration must be one of -1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, not';

/** By label: requests with what is said of them, each sentence behind the path that it begins with; nothing: it may be sent. */
const BOUNDS: { readonly [label: string]: readonly (readonly [request: JsonObject, ...says: readonly string[]])[] } = {
  'V-T2V-A': [
    // Characters are counted as people do.
    [{ prompt: '狐'.repeat(500), negative_prompt: '🦊'.repeat(500) }],
    [
      { prompt: 'x'.repeat(501), negative_prompt: '🦊'.repeat(612) },
      'prompt must have at most 500 characters, it has 501',
      'negative_prompt must have at most 500 characters, it has 612',
    ],
    [{ ...fox, duration: 2, seed: 0 }],
    [{ ...fox, duration: 15, seed: 2147483647 }],
    [
      { ...fox, duration: 16, seed: 2147483648 },
      'duration must be at most 15, not 16',
      'seed must be at most 2147483647, not 2147483648',
    ],
    [{ ...fox, duration: 1, seed: -1 }, 'duration must be at least 2, not 1', 'seed must be at least 0, not -1'],
  ],
  'V-T2V-B': [
    [{ ...fox, duration: 5 }],
    [{ ...fox, duration: 16 }, 'duration must be at most 15, not 16'],
    [
      { ...fox, duration: 4, resolution: '720P' },
      'resolution must be one of 480P, 768P, not "720P"',
      'duration must be at least 5, not 4',
    ],
  ],
  'V-T2V-C': [
    ...[-1, 4, 15].map(duration => [{ ...fox, duration }] as const),
    [{ ...fox, duration: 3 }, `${SECONDS} 3`],
  ],
  'V-I2V-A': [
    [{ ...still, duration: '7s' }, 'duration must be one of 5s, 10s, not "7s"'],
    [{ ...still, loop: true }],
    [{ ...still, loop: true, duration: '5s' }],
    [{ ...still, loop: false, duration: '10s' }],
    [{ ...still, loop: true, duration: '10s' }, NO_LOOP],
  ],
  'V-I2V-B': [
    ...[-1, 4, 15].map(duration => [{ ...still, duration }] as const),
    [{ ...still, duration: 3 }, `${SECONDS} 3`],
  ],
  // How a duration is written is not shown: a text that is no number of seconds passes.
  'V-I2V-C': [
    ...['auto', '4', '30s', '4.5 s', '00:40'].map(duration => [{ ...still, duration }] as const),
    [{ ...still, duration: '3s' }, 'duration must be at least 4s, not "3s"'],
    [{ ...still, duration: '31' }, 'duration must be at most 30s, not "31"'],
    [{ ...still, duration: 8 }, 'duration must be text, not 8'],
  ],
  'V-V2V': [
    [{ ...charcoal, resolution: '1080P' }],
    [{ ...charcoal, resolution: '2160p' }, 'resolution must be at most 1080p, not "2160p"'],
    [{ ...charcoal, resolution: '4K' }, 'resolution must be at most 1080p, not "4K"'],
    [{ ...charcoal, resolution: 'potato' }, 'resolution must be written like 540p, 1080p, not "potato"'],
  ],
  'V-RF': [
    [{ ...forest, resolution: '1080p' }],
    [{ ...forest, resolution: '1440p' }, 'resolution must be at most 1080p, not "1440p"'],
    [{ ...forest, resolution: 'potato' }, 'resolution must be written like 540p, 1080p, not "potato"'],
    // A ratio between those that the document shows.
    ...['3:1', '1:3', '5:4', '2.39:1'].map(aspect_ratio => [{ ...forest, aspect_ratio }] as const),
    [{ ...forest, aspect_ratio: '99:1' }, 'aspect_ratio must be at most 3:1, not "99:1"'],
    // A field that the document says exists, and does not name.
    [{ ...forest, position: 'center' }],
  ],
  'V-RT': [
    ...['replace_video', 'replace_audio', 'both'].map(retake_mode => [{ input_video: CLIP, retake_mode }] as const),
    [{ input_video: CLIP, retake_start_time: Number.NaN }, 'retake_start_time must be a number, not NaN'],
  ],
  'V-UP': [[{ input_video: CLIP, resolution: 'potato' }, 'resolution must be written like 1080p, not "potato"']],
  'I-EDIT-A': [
    [{ ...relight, resolution: '4 MP' }],
    [{ ...relight, resolution: '6 MP' }, 'resolution must be at most 4 MP, not "6 MP"'],
    [{ ...relight, input_image: [X, 7] }, 'input_image[1] must be text, not 7'],
    [{ ...relight, input_image: X }, `input_image must be a list, not "${X}"`],
  ],
  'I-EDIT-B': [
    [{ ...relight, input_image: images(14) }],
    [{ ...relight, input_image: images(15) }, 'input_image must have at most 14 items, it has 15'],
    // A search switch of any vendor's name.
    [{ ...relight, acme_search: false }],
    [{ ...relight, acme_search: 'no' }, 'acme_search must be true or false, not "no"'],
  ],
  'I-EDIT-C': [
    [{ ...relight, input_image: images(16) }],
    [{ ...relight, input_image: images(17) }, 'input_image must have at most 16 items, it has 17'],
    ...['2K', '4K', '3840x2160', '2160x3840', '1080x1080', 'auto'].map(
      resolution => [{ ...relight, resolution }] as const,
    ),
    ...['8K', '3841x2160', '2400x2400'].map(
      resolution =>
        [{ ...relight, resolution }, `resolution must be at most 4K or 3840x2160, not "${resolution}"`] as const,
    ),
  ],
  'I-GEN-A': [
    [{ ...fox, num_inference_steps: 50 }],
    [{ ...fox, num_inference_steps: 0 }, 'num_inference_steps must be at least 1, not 0'],
    [{ ...fox, num_inference_steps: 51 }, 'num_inference_steps must be at most 50, not 51'],
    [{ ...fox, seed: Number.POSITIVE_INFINITY }, 'seed is too large a number'],
  ],
  'C-D': [[{ messages, max_tokens: 500_000 }]],
  // No more output is asked for than the model can give.
  'C-H': [
    [{ messages, max_tokens: 128_000 }],
    [{ messages, max_tokens: 128_001 }, 'max_tokens must be at most 128000, not 128001'],
  ],
};

test.each(
  Object.entries(BOUNDS).flatMap(([label, rows]) =>
    rows.map(([request, ...says]) => [label, JSON.stringify(request).slice(0, 80), request, says] as const),
  ),
)('%s: %s', (label, _, request, says) => {
  const paths = says.map(sentence => `${sentence.split(' ')[0]}: ${sentence}`);
  expect(reasons(label, request)).toStrictEqual(paths);
});

test('V-RT: a mode retakes video, audio or both', () => {
  expect(reasons('V-RT', { input_video: CLIP, retake_mode: 'extend' })).toHaveLength(1);
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
