import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { InstanceKey } from '../../src/domain/key.ts';
import type { MediaFacts } from '../../src/domain/media.ts';
import type { Model } from '../../src/domain/model.ts';
import type { Result } from '../../src/domain/result.ts';
import { priceOf } from '../../src/plan/request-price.ts';
import { resolve } from '../../src/plan/resolve.ts';
import { costOf } from '../../src/studio/service/generation-cost.ts';
import { contextOf, media, planOf, studioPrices, type World } from './support.ts';

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
    const { usd } = priceOf(studioPrices.get(label), model, request, {
      kind: model.produces === 'image' ? 'image' : 'video',
      duration: SECONDS,
      ...(request.generate_audio === false && { audio_codec: null }),
    });
    expect([request, usd]).toStrictEqual([request, Number(bill)]);
  }
});

test.each([
  ['V-T2V-C', '0.5: 5 s × $0.10'],
  ['V-I2V-B', '0.5: 5 s × $0.10'],
  ['V-REF', '0.6: 5 s × $0.12'],
])('%s without `generate_audio` is told with sound: never too low', (label, told) => {
  const { usd, basis } = priceOf(studioPrices.get(label), modelLibrary.get(label), {}, { kind: 'video', duration: 5 });
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
  // Before the clip is there nobody knows how long it will be.
  expect([...fresh.instances][1]).toMatchObject({ price: null, priceBasis: '$0.06 a second, length not known' });
  const results = new Map<string, Result>([['shot', shot]]);
  const inOneGo = resolve(fresh, [...fresh.instances][1]!, key => results.get(key), contextOf());
  expect(inOneGo).toMatchObject({ price: 0.252, priceBasis: '4.2 s × $0.06' });
  const world: World = { owned: { find: found(fresh, shot), atService: () => undefined, last: () => undefined } };
  expect(planOf(FILM, world).instances.get('framed' as InstanceKey)).toMatchObject({
    price: 0.252,
    priceBasis: '4.2 s × $0.06',
  });
});

const found =
  ({ instances }: ReturnType<typeof planOf>, shot: Result) =>
  (fingerprint: string): Result | undefined =>
    fingerprint === [...instances][0]!.fingerprint ? shot : undefined;
