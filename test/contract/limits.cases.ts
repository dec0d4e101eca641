/** The document's table "Limits", a case for each row under the row's own words. A value on the limit is taken, a value past it is not. */
import { expect } from 'vitest';
import { routes } from '../../src/api/routes.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { rawHttp } from './raw-http.ts';
import { type Cases, type Medium, now, type Open } from './service-fixture.ts';

const at = (name: string): string => `https://films.test/${name}`;
const MB = 1024 * 1024;

/** A request that is enqueued, and one that is refused with these reasons, by the path of their field. */
type Verdict = readonly [request: JsonObject, reasons?: { readonly [path: string]: string }];

/** The fields of one model that are the same in all its requests. */
const judged =
  (common: JsonObject, verdicts: readonly Verdict[]) =>
  async (open: Open): Promise<void> => {
    const { post } = rawHttp(await open());
    for (const [own, reasons] of verdicts) {
      const { status, body } = await post(routes.queue, { ...common, ...own });
      const { details = [] } = (body as { error?: { details: { path: string; message: string }[] } }).error ?? {};
      const said = Object.fromEntries(details.map(({ path, message }) => [path, message]));
      expect([own, status, said]).toEqual([own, reasons ? 400 : 200, reasons ?? {}]);
    }
  };

/** Media that is fetched and looked at: a request with it comes to be rendered, or is refused with a sentence. */
const looked =
  (field: string, common: JsonObject, media: Readonly<Record<string, Medium & { readonly refused?: string }>>) =>
  async (open: Open): Promise<void> => {
    const named = Object.fromEntries(Object.entries(media).map(([name, medium]) => [at(name), medium]));
    const service = await open({ media: named });
    for (const [name, { refused }] of Object.entries(media)) {
      const request = { ...common, [field]: at(name) } as JsonObject & { model: string };
      const answer = service.service.generateNow('/videos/generate', request, now());
      if (refused === undefined) {
        await (await service.next()).finish();
        expect([name, (await answer).is]).toEqual([name, 'made']);
      } else expect(await answer).toEqual({ is: 'refused', status: 400, message: `${field} ${refused}` });
    }
  };

const sound = (format: string, duration: number, bytes?: number): Medium => ({
  facts: { kind: 'audio', format, duration },
  ...(bytes === undefined ? {} : { bytes }),
});
const clip = (duration: number, more: Partial<MediaFacts> = {}): Medium => ({
  facts: { kind: 'video', format: 'mp4', width: 640, height: 360, duration, ...more },
});
const image = at('a.png');
const images = (count: number) => ({ input_image: Array.from({ length: count }, (_, n) => at(`${n}.png`)) });
const past = (field: string, most: number, value: number) => ({
  [field]: `${field} must be at most ${most}, not ${value}`,
});
const short = (field: string, least: number, value: number) => ({
  [field]: `${field} must be at least ${least}, not ${value}`,
});
const long = (field: string) => ({ [field]: `${field} must have at most 500 characters, it has 501` });
const other = (duration: number) => ({
  duration: `duration must be one of -1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, not ${duration}`,
});

export const LIMIT_CASES: Cases = {
  'V-T2V-A prompt and negative_prompt: 500 characters each': judged({ model: 'V-T2V-A' }, [
    [{ prompt: 'x'.repeat(500), negative_prompt: '狐'.repeat(500) }],
    [{ prompt: '🦊'.repeat(500) }],
    [
      { prompt: '狐'.repeat(501), negative_prompt: 'x'.repeat(501) },
      { ...long('prompt'), ...long('negative_prompt') },
    ],
  ]),

  'V-T2V-A audio_url: WAV or MP3, 2 to 30 s, max 15 MB': looked(
    'audio_url',
    { model: 'V-T2V-A', prompt: 'a red fox' },
    {
      'shortest.wav': sound('wav', 2),
      'longest.mp3': sound('mp3', 30),
      'largest.wav': sound('wav', 20, 15 * MB),
      'short.wav': { ...sound('wav', 1.5), refused: 'is 1.5 s long; V-T2V-A takes at least 2 s' },
      'long.mp3': { ...sound('mp3', 31), refused: 'is 31.0 s long; V-T2V-A takes at most 30 s' },
      'large.wav': { ...sound('wav', 20, 16 * MB), refused: 'is larger than 15 MB, the most that is fetched' },
      'other.flac': { ...sound('flac', 5), refused: 'is in the format flac; V-T2V-A takes wav or mp3' },
      'clip.mp4': { ...clip(5), refused: 'is a video; V-T2V-A takes an audio there' },
    },
  ),

  'V-T2V-A duration: 2 to 15 s; seed 0 to 2147483647': judged({ model: 'V-T2V-A', prompt: 'a red fox' }, [
    [{ duration: 2, seed: 0 }],
    [{ duration: 15, seed: 2147483647 }],
    [
      { duration: 1, seed: -1 },
      { ...short('duration', 2, 1), ...short('seed', 0, -1) },
    ],
    [
      { duration: 16, seed: 2147483648 },
      { ...past('duration', 15, 16), ...past('seed', 2147483647, 2147483648) },
    ],
    [{ duration: 2.5 }, { duration: 'duration must be a whole number, not 2.5' }],
  ]),

  'V-T2V-B duration: 5 to 15 s': judged({ model: 'V-T2V-B', prompt: 'a red fox' }, [
    [{ duration: 5 }],
    [{ duration: 15 }],
    [{ duration: 4 }, short('duration', 5, 4)],
    [{ duration: 16 }, past('duration', 15, 16)],
  ]),

  'V-T2V-C and V-I2V-B duration: 4 to 15 s': async open => {
    const verdicts: Verdict[] = [
      [{ duration: 4 }],
      [{ duration: 15 }],
      [{ duration: -1 }],
      [{ duration: 3 }, other(3)],
      [{ duration: 16 }, other(16)],
    ];
    const models = [{ model: 'V-T2V-C' }, { model: 'V-I2V-B', input_image: image }];
    const both = models.flatMap(model => verdicts.map(([own, reasons]): Verdict => [{ ...model, ...own }, reasons!]));
    await judged({ prompt: 'a red fox' }, both)(open);
  },

  'V-I2V-C duration: 4 to 30 s': judged({ model: 'V-I2V-C', prompt: 'push in', input_image: image }, [
    [{ duration: '4' }],
    [{ duration: '30s' }],
    [{ duration: 'auto' }],
    [{ duration: '3' }, { duration: 'duration must be at least 4s, not "3"' }],
    [{ duration: '31s' }, { duration: 'duration must be at most 30s, not "31s"' }],
  ]),

  'V-I2V-A duration: `5s` or `10s`; loop only for 5s': judged(
    { model: 'V-I2V-A', prompt: 'push in', input_image: image },
    [
      [{ duration: '5s', loop: true }],
      [{ loop: true }],
      [{ duration: '10s' }],
      [{ duration: '7s' }, { duration: 'duration must be one of 5s, 10s, not "7s"' }],
      [
        { duration: '10s', loop: true },
        { loop: 'loop is supported for 5s clips only: set duration to 5s or leave loop out' },
      ],
    ],
  ),

  'V-RF source video: 30 seconds or less': looked(
    'input_video',
    { model: 'V-RF', prompt: 'snow', aspect_ratio: '9:16' },
    {
      'longest.mp4': clip(30),
      'long.mp4': { ...clip(31), refused: 'is 31.0 s long; V-RF takes at most 30 s' },
    },
  ),

  'V-RT input video: at least 3 seconds; up to 4K': looked(
    'input_video',
    { model: 'V-RT' },
    {
      'shortest.mp4': clip(3, { width: 3840, height: 2160 }),
      'short.mp4': { ...clip(2.5), refused: 'is 2.5 s long; V-RT takes at least 3 s' },
      'large.mp4': {
        ...clip(5, { width: 7680, height: 4320 }),
        refused: 'is 7680 pixels on its longer side; V-RT takes at most 4096',
      },
    },
  ),

  'I-GEN-A num_inference_steps: 1 to 50': judged({ model: 'I-GEN-A', prompt: 'a red fox' }, [
    [{ num_inference_steps: 1 }],
    [{ num_inference_steps: 50 }],
    [{ num_inference_steps: 0 }, short('num_inference_steps', 1, 0)],
    [{ num_inference_steps: 51 }, past('num_inference_steps', 50, 51)],
  ]),

  'I-EDIT-B input images: up to 14': judged({ model: 'I-EDIT-B', prompt: 'relight' }, [
    [images(14)],
    [images(15), { input_image: 'input_image must have at most 14 items, it has 15' }],
  ]),

  'I-EDIT-C input images: up to 16; dimensions up to 3840x2160': judged({ model: 'I-EDIT-C', prompt: 'relight' }, [
    [{ ...images(16), resolution: '3840x2160' }],
    [
      { ...images(17), resolution: '3841x2160' },
      {
        input_image: 'input_image must have at most 16 items, it has 17',
        resolution: 'resolution must be at most 4K or 3840x2160, not "3841x2160"',
      },
    ],
  ]),

  'synchronous video request: typically blocks 5 to 15 minutes': async open => {
    const service = await open();
    const request = { model: 'V-T2V-A', prompt: 'a red fox' };
    const answer = service.service.generateNow('/videos/generate', request, now());
    const work = await service.next();
    await service.later(15 * 60_000);
    await work.finish();
    expect(await answer).toMatchObject({ is: 'made' });
  },

  'chat context lengths and max outputs: see the chat models table': async open => {
    const { post } = rawHttp(await open());
    const asked = (model: string, letters: number, max_tokens: number) =>
      post(routes.chat, { model, messages: [{ role: 'user', content: 'x'.repeat(letters) }], max_tokens });
    for (const [model, context, most] of CHAT) {
      // The studio counts four letters as a token, and four tokens for what is around a message.
      expect([model, (await asked(model, (context - 5) * 4, 1)).status]).toEqual([model, 200]);
      const { status, body } = await asked(model, context * 4, 1);
      const said = (body as { error: { message: string } }).error.message;
      expect([model, status, said.slice(0, said.indexOf(';'))]).toEqual([
        model,
        400,
        `${model} has a context of ${context.toLocaleString('en')} tokens`,
      ]);
      if (most === undefined) continue;
      expect((await asked(model, 8, most)).status).toBe(200);
      expect(await asked(model, 8, most + 1)).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'max_tokens', message: past('max_tokens', most, most + 1).max_tokens }] } },
      });
    }
  },
};

/** Tokens. */
const CHAT: readonly (readonly [model: string, context: number, mostOutput?: number])[] = [
  ['C-A', 1_040_000],
  ['C-B', 128_000],
  ['C-C', 64_000],
  ['C-D', 1_047_576],
  ['V-context-E', 1_050_000, 128_000],
  ['C-F', 400_000, 128_000],
  ['C-G', 200_000],
  ['C-H', 1_000_000, 128_000],
];
