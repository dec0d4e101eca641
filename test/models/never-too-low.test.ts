/**
 * No price is told too low. For every model, every combination of the fields that its price hangs on, said and left out: the plan tells
 * at least what the dearest reading of the document comes to. The numbers were written by hand, from the tables in `schema/models/` and
 * the document's bounds; `null`: nobody can tell before.
 */
import { describe, expect, test } from 'vitest';
import type { Pricing } from '../../src/api/catalog.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';
import { pending } from '../../src/model/plan.ts';
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import { priceOf } from '../../src/plan/cost/request-price.ts';
import { expectedFacts, knownFacts } from '../../src/plan/media/media-fields.ts';
import { costOf } from '../../src/studio/service/generation-cost.ts';

/** Nothing is said. */
const LEFT_OUT = undefined;
/** Twelve seconds with sound. */
const CLIP: MediaFacts = { kind: 'video', duration: 12, audio_codec: 'aac' };

interface Row {
  /** Values of each field that the price hangs on. */
  readonly fields: { readonly [field: string]: readonly (Json | undefined)[] };
  /** US dollars a second, or for an image, by what is said. */
  readonly rate: (said: JsonObject) => number;
  /** Seconds, by what is said; absent: an image. */
  readonly seconds?: (said: JsonObject) => number | null;
}

const said = (otherwise: number | null) => (fields: JsonObject) => {
  const seconds = Number.parseFloat(String(fields.duration));
  return seconds > 0 ? seconds : otherwise;
};
const ofTheClip = () => 12;
const LENGTHS = [LEFT_OUT, 5, -1] as const;
const SOUNDS = [LEFT_OUT, true, false] as const;

const SPOKEN = { duration: LENGTHS, generate_audio: SOUNDS };

/** Priced by size; one that has no line costs what the dearest does, and sound not less than its own line. */
const sized = (
  lines: { readonly [size: string]: number },
  seconds: NonNullable<Row['seconds']>,
  others: Row['fields'] = {},
  sound = 0,
): Row => ({
  fields: { resolution: [LEFT_OUT, ...Object.keys(lines)], ...others },
  rate: ({ resolution, generate_audio }) => {
    const silent = lines[String(resolution)] ?? Math.max(...Object.values(lines));
    return generate_audio === false ? silent : Math.max(sound, silent);
  },
  seconds,
});

const ROWS: { readonly [label: string]: Row } = {
  'V-T2V-A': sized({ '720P': 0.1, '1080P': 0.15 }, said(5), { duration: [LEFT_OUT, 3] }),
  'V-T2V-B': sized({ '480P': 0.05, '768P': 0.08 }, said(15), { duration: [LEFT_OUT, 6] }),
  'V-T2V-C': sized({ '480p': 0.05, '720p': 0.08 }, said(15), SPOKEN, 0.1),
  'V-I2V-A': {
    fields: { resolution: [LEFT_OUT, '540p', '720p', '1080p'], duration: [LEFT_OUT, '5s', '10s'] },
    // The document's default is 540p.
    rate: ({ resolution = '540p' }) => ({ '540p': 0.05, '720p': 0.08, '1080p': 0.14 })[String(resolution)] ?? 0,
    seconds: said(5),
  },
  'V-I2V-B': sized({ '480p': 0.05, '720p': 0.08 }, said(15), SPOKEN, 0.1),
  'V-I2V-C': sized({ '480p': 0.06, '720p': 0.1, '1080p': 0.18 }, said(30), {
    duration: [LEFT_OUT, 'auto', '8s'],
    generate_audio: SOUNDS,
  }),
  'V-I2V-D': { fields: { duration: [LEFT_OUT, 5] }, rate: () => 0.1, seconds: said(null) },
  'V-I2V-E': {
    fields: { duration: [LEFT_OUT, 8], resolution: [LEFT_OUT, '1080p'] },
    rate: () => 0.2,
    seconds: said(null),
  },
  'V-V2V': sized({ '540p': 0.08, '720p': 0.12, '1080p': 0.2 }, said(null), { duration: [LEFT_OUT, '5s'] }),
  'V-RF': sized({ '540p': 0.06, '720p': 0.08, '1080p': 0.12 }, ofTheClip),
  'V-RT': { fields: { retake_duration: [LEFT_OUT, 2] }, rate: () => 0.1, seconds: ofTheClip },
  'V-UP': sized({ '720p': 0.03, '1080p': 0.05, '4k': 0.1 }, ofTheClip, {
    resolution: [LEFT_OUT, '720p', '1080p', '4k', '2160p'],
    interpolate_frames: [LEFT_OUT, true],
    target_fps: [LEFT_OUT, 60],
  }),
  'V-REF': sized({ '480p': 0.06, '720p': 0.1 }, said(null), SPOKEN, 0.12),
  'I-EDIT-A': { fields: { resolution: [LEFT_OUT, '4 MP'] }, rate: () => 0.04 },
  'I-EDIT-B': { fields: { resolution: [LEFT_OUT, '4K'] }, rate: () => 0.08 },
  'I-EDIT-C': {
    fields: { quality: [LEFT_OUT, 'low', 'high', 'max'], resolution: [LEFT_OUT, '2K', '4K'] },
    rate: ({ quality, resolution }) => {
      if (quality === 'low') return resolution === '2K' ? 0.03 : resolution === '4K' ? 0.05 : 0.1;
      // No tier that is not on a line has another price than that of any image.
      return resolution === '2K' ? 0.1 : 0.19;
    },
  },
  'I-GEN-A': { fields: { num_inference_steps: [LEFT_OUT, 50] }, rate: () => 0.01 },
};

/** Every way to say some of them. */
function* combinations(fields: Row['fields']): Iterable<JsonObject> {
  const [first, ...rest] = Object.entries(fields);
  if (!first) return yield {};
  const [name, values] = first;
  for (const others of combinations(Object.fromEntries(rest)))
    for (const value of values) yield value === undefined ? others : { [name]: value, ...others };
}

const pricingOf = (label: string) => modelLibrary.get(label)?.pricing as unknown as Pricing;
const factsOf = (label: string, request: JsonObject, clip: MediaFacts | undefined) =>
  expectedFacts(modelLibrary.get(label)!, request, () => clip && knownFacts(clip))?.media;
const priced = (label: string, request: JsonObject, clip: MediaFacts | null = CLIP) =>
  priceOf({
    ...{ pricing: pricingOf(label), model: modelLibrary.get(label), request },
    facts: factsOf(label, request, clip ?? undefined),
  });

test('every model that makes media has a row', () => {
  const makers = modelLibrary.labels.filter(label => modelLibrary.get(label)?.produces !== 'text');
  expect(Object.keys(ROWS).sort()).toEqual([...makers].sort());
});

describe.each(Object.entries(ROWS))('%s', (label, { fields, rate, seconds }) => {
  const all = [...combinations(fields)];

  test.each(all.map(request => [JSON.stringify(request), request] as const))('%s', (_, request) => {
    const length = seconds ? seconds(request) : 1;
    const expected = length === null ? null : Math.round(rate(request) * length * 1e9) / 1e9;
    const { usd, demand } = priced(label, request);
    expect(usd).toBe(expected);
    expect(demand).toMatchObject(
      seconds ? { usd, video_seconds: length, images: 0 } : { usd, images: 1, video_seconds: 0 },
    );
    // What the studio bills for it is never more, however long it came out within what was asked for, and with sound or without.
    for (const audio_codec of ['aac', null]) {
      const made: MediaFacts = { kind: seconds ? 'video' : 'image', duration: length ?? 9, audio_codec };
      const billed = Number(costOf(modelLibrary.get(label)!, request, made, 1));
      expect(billed).toBeLessThanOrEqual(usd ?? Number.POSITIVE_INFINITY);
    }
  });

  test('what is still to come costs no less than whatever it turns out to be', () => {
    for (const name of Object.keys(fields)) {
      const known = all.filter(request => request[name] !== undefined && request[name] !== -1);
      for (const request of known) {
        const { usd: later } = priced(label, { ...request, [name]: pending('steps.say.json.value') });
        if (later !== null) expect(later).toBeGreaterThanOrEqual(priced(label, request).usd ?? 0);
      }
    }
  });
});

test('of a source that is not there yet the document may bound the length, or nobody can tell', () => {
  expect(priced('V-RF', {}, null)).toMatchObject({ usd: 3.6, demand: { video_seconds: 30 } });
  expect(priced('V-UP', {}, null)).toMatchObject({ usd: null, demand: { usd: null, video_seconds: null } });
});

describe('a chat', () => {
  const ask = (content: string, more: JsonObject = {}) =>
    priced('C-D', { messages: [{ role: 'user', content }], max_tokens: 100, ...more }).demand.tokens ?? 0;

  test('is told at as many tokens as its words could be, whatever they are written in', () => {
    // No tokenizer makes more of a text than it has bytes: digits and rare words come close.
    for (const text of ['8675309 8675309', 'Ünïcödé', 'лиса', '狐狸过冰河', '🦊🦊'])
      expect(ask(text)).toBeGreaterThanOrEqual(Buffer.byteLength(text) + 100);
  });

  test('with a schema is told with it', () => {
    const schema = { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } };
    expect(ask('beats', { response_format: schema }) - ask('beats')).toBe(JSON.stringify(schema).length);
  });

  test('without a bound, or shown an image, is told at all that its model can read and write', () => {
    const messages = [{ role: 'user', content: 'beats' }];
    const bounded = priced('C-D', { messages, max_tokens: 100 }).demand;
    const open = priced('C-D', { messages }).demand;
    expect(open).toMatchObject({ generations: 1 });
    expect(open.tokens).toBeGreaterThan(bounded.tokens ?? Number.NaN);
    expect(open.usd).toBeGreaterThan(bounded.usd ?? Number.NaN);
    const shown = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x/a.png' } }] }];
    expect(priced('C-D', { messages: shown, max_tokens: 100 }).demand.tokens).toBeGreaterThan(
      bounded.tokens ?? Number.NaN,
    );
  });
});

test('a price that is none is nobody’s price', () => {
  for (const cost_per_second of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(
      priceOf({
        pricing: { method: 'per_video_output_second', cost_per_second },
        ...{ model: modelLibrary.get('V-T2V-A'), request: {}, facts: CLIP },
      }).usd,
    ).toBe(null);
});

test('several of one request are each paid for', () => {
  expect(priced('I-GEN-A', { num_generations: 4 })).toMatchObject({ usd: 0.04, demand: { images: 4 } });
});
