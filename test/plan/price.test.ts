import { describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';
import type { Model } from '../../src/model/model.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { Result } from '../../src/model/run/result.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { priceOf } from '../../src/plan/cost/request-price.ts';
import { resolve } from '../../src/plan/values/resolve.ts';
import { costOf } from '../../src/studio/service/generation-cost.ts';
import { clip, contextOf, media, planOf, studioPrices, type World } from './support.ts';

const SECONDS = 5.0417;

/** Every way to say, or leave out, what a price may hang on. */
function requestsOf({ request: { properties } }: Model): readonly JsonObject[] {
  let requests: JsonObject[] = [{}];
  for (const [field, ways] of Object.entries(FIELDS)) {
    const schema = properties[field];
    if (!schema) continue;
    const values = [...(schema.enum ?? schema.examples ?? []), ...ways];
    requests = requests.flatMap(rest => [rest, ...values.map(value => ({ ...rest, [field]: value }))]);
  }
  return requests;
}
const FIELDS = { resolution: ['1080p', '4k', '540P'], quality: ['low', 'high', 'odd'], generate_audio: [true, false] };

/** What the studio hands out for it: at draft speed smaller than asked, with sound unless it was asked for none. */
const drawn = ({ produces }: Model, { generate_audio }: JsonObject): MediaFacts =>
  produces === 'image'
    ? { kind: 'image', width: 640, height: 360 }
    : {
        kind: 'video',
        width: 640,
        height: 360,
        duration: SECONDS,
        audio_codec: generate_audio === false ? null : 'aac',
      };

const MEDIA = modelLibrary.labels.filter(label => modelLibrary.get(label)?.produces !== 'text');

test.each(MEDIA)('%s: the plan tells the price that the studio bills, whatever is said or left out', label => {
  const model = modelLibrary.get(label)!;
  for (const request of requestsOf(model)) {
    const bill = costOf(model, request, drawn(model, request), 12.5);
    const { usd } = priceOf({
      pricing: studioPrices.get(label),
      model,
      request,
      facts: {
        kind: model.produces === 'image' ? 'image' : 'video',
        duration: SECONDS,
        ...(request.generate_audio === false && { audio_codec: null }),
      },
    });
    expect([request, usd]).toStrictEqual([request, Number(bill)]);
  }
});

test.each([
  ['V-T2V-C', '0.5: 5 s × $0.10'],
  ['V-I2V-B', '0.5: 5 s × $0.10'],
  ['V-REF', '0.6: 5 s × $0.12'],
])('%s without `generate_audio` is told with sound: never too low', (label, told) => {
  const { usd, basis } = priceOf({
    pricing: studioPrices.get(label),
    model: modelLibrary.get(label),
    request: {},
    facts: { kind: 'video', duration: 5 },
  });
  expect(`${usd}: ${basis}`).toBe(told);
});

const FILM = `
steps:
  shot:
    model: V-T2V-B
    with: { prompt: a fox }
  framed:
    model: V-RF
    with: { input_video: "\${{ steps.shot.result_url }}", aspect_ratio: "9:16", prompt: forest }
`;

test('one go and a resumed run tell the same price: it belongs to the resolved request', () => {
  const shot = media('shot', { kind: 'video', duration: 4.2 });
  const fresh = planOf(FILM);
  // Before the clip is there nobody knows how long it will be: the document bounds what a reframe takes.
  expect([...fresh.instances][1]).toMatchObject({ price: 3.6, priceBasis: 'at most 30 s × $0.12' });
  const results = new Map<string, Result>([['shot', shot]]);
  const inOneGo = resolve(fresh, [...fresh.instances][1]!, key => results.get(key), contextOf());
  expect(inOneGo).toMatchObject({ price: 0.504, priceBasis: '4.2 s × $0.12' });
  const world: World = { owned: { find: found(fresh, shot), atService: () => undefined, last: () => undefined } };
  expect(planOf(FILM, world).instances.get('framed' as InstanceKey)).toMatchObject({
    price: 0.504,
    priceBasis: '4.2 s × $0.12',
  });
});

const found =
  ({ instances }: ReturnType<typeof planOf>, shot: Result) =>
  (fingerprint: string): Result | undefined =>
    fingerprint === [...instances][0]!.fingerprint ? shot : undefined;

describe('a clip of this machine', () => {
  /** Labels whose result is as long as what they are given. */
  const KEEPS = modelLibrary.labels.filter(label => modelLibrary.get(label)?.returns.duration?.keep === 'input_video');
  const FIELDS_OF: { readonly [label: string]: string } = {
    'V-RF': 'aspect_ratio: "9:16", prompt: snow',
    'V-RT': 'retake_start_time: 2, retake_duration: 3',
    'V-UP': 'resolution: 1080p',
  };
  const files = { 'clip.mp4': clip(12), './clip.mp4': clip(12) };
  const priceIn = (steps: string, key: string, world: World = {}) => {
    const { price, priceBasis } = planOf(`steps:${steps}`, { files, ...world }).instances.get(key as InstanceKey)!;
    return { price, priceBasis };
  };

  test('these labels keep the length of their clip', () => {
    expect(KEEPS.toSorted()).toStrictEqual(Object.keys(FIELDS_OF));
  });

  test.each([
    ['V-RF', 1.44, '12 s × $0.12'],
    ['V-RT', 1.2, '12 s × $0.10'],
    ['V-UP', 0.6, '12 s × $0.05'],
  ])('prices %s by its real seconds, whatever else is still to come', (label, price, priceBasis) => {
    const step = (more: string) => `
  say: { model: C-D, with: { prompt: a word, max_tokens: 5 } }
  made:
    model: ${label}
    with: { input_video: clip.mp4, ${FIELDS_OF[label]}${more} }`;
    expect(priceIn(step(''), 'made')).toStrictEqual({ price, priceBasis });
    if (label === 'V-UP') return;
    const waiting = step(', prompt: "${{ steps.say.text }}"').replace('prompt: snow, ', '');
    expect(priceIn(waiting, 'made')).toStrictEqual({ price, priceBasis });
  });

  test.each([
    ['by a param', '"${{ params.clip }}"', ''],
    ['as a coordinate', '"${{ matrix.of }}"', '\n    matrix: { of: [clip.mp4] }'],
    ['by an expression', `"\${{ params.clip == 'x' ? 'other.mp4' : './clip.mp4' }}"`, ''],
  ])('is found when it is named %s', (_, input, fanOut) => {
    const step = `
  made:${fanOut}
    model: V-UP
    with: { input_video: ${input} }`;
    const text = `params: { clip: { type: string, default: clip.mp4 } }\nsteps:${step}`;
    const [made] = [...planOf(text, { files }).instances];
    expect([made!.price, made!.priceBasis]).toStrictEqual([1.2, '12 s × $0.10']);
  });

  test('prices all that is made of it, link by link, before any of it exists', () => {
    const chain = `
  retaken: { model: V-RT, with: { input_video: clip.mp4, retake_start_time: 1, retake_duration: 2 } }
  framed: { model: V-RF, with: { input_video: "\${{ steps.retaken.result_url }}", aspect_ratio: "1:1", prompt: snow } }
  large: { model: V-UP, with: { input_video: "\${{ steps.framed.result_url }}", resolution: 4k } }`;
    expect(priceIn(chain, 'framed')).toStrictEqual({ price: 1.44, priceBasis: '12 s × $0.12' });
    expect(priceIn(chain, 'large')).toStrictEqual({ price: 1.2, priceBasis: '12 s × $0.10' });
  });

  test('that a command of this machine made is as long as it was probed', () => {
    const film = `
  cut: { run: [ffmpeg], creates: { film: film.mp4 } }
  large: { model: V-UP, with: { input_video: "\${{ steps.cut.files.film.file }}" } }`;
    const facts: MediaFacts = { kind: 'video', duration: 7.5 };
    const file = { sha256: 'ab'.repeat(32), extension: '.mp4', bytes: 9, media: facts };
    const result: Result = { is: 'command', stdout: '', json: null, files: { film: file } };
    const owned = { find: found(planOf(`steps:${film}`), result), atService: () => undefined, last: () => undefined };
    expect(priceIn(film, 'large', { owned })).toStrictEqual({ price: 0.75, priceBasis: '7.5 s × $0.10' });
    expect(priceIn(film, 'large').price).toBeNull();
  });

  test('of unknown length prices nothing, and is no error', () => {
    const odd = { 'clip.mp4': { ...clip(12), facts: undefined } };
    const step = `\n  made: { model: V-UP, with: { input_video: clip.mp4 } }`;
    expect(priceIn(step, 'made', { files: odd })).toStrictEqual({
      price: null,
      priceBasis: '$0.10 a second, length not known',
    });
  });
});
