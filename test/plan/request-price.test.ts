import { expect, test } from 'vitest';
import type { Pricing } from '../../src/api/catalog.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';
import { pending } from '../../src/model/plan.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { costOfTokens } from '../../src/plan/cost/chat-tokens.ts';
import { priceOf } from '../../src/plan/cost/request-price.ts';
import { shown } from './support.ts';

const PER_SECOND: Pricing = { method: 'per_video_output_second', cost_per_second: 0.1 };
const video = (duration?: number, height?: number): MediaFacts => ({
  kind: 'video',
  ...(duration !== undefined && { duration }),
  ...(height !== undefined && { height, width: (height * 16) / 9 }),
});
const priced = (label: string, pricing: Pricing | undefined, request: JsonObject, facts?: MediaFacts) => {
  const { usd, basis } = priceOf({ pricing, model: modelLibrary.get(label), request, facts });
  return `${usd}: ${basis}`;
};

test('video is billed by the second of output', () => {
  expect(priced('V-RF', PER_SECOND, {}, video(6))).toBe('0.6: 6 s × $0.10');
  expect(priced('V-RF', PER_SECOND, {}, video(5.005))).toBe('0.5005: 5.005 s × $0.10');
  expect(priced('V-RF', PER_SECOND, {}, video())).toBe('3: at most 30 s × $0.10');
});

test('the most specific price wins, whatever the letter case of the resolution', () => {
  const table: Pricing = { ...PER_SECOND, cost_per_second_by_resolution: { '480p': 0.05, '1080P': 0.2 } };
  expect(priced('V-T2V-A', table, { resolution: '1080P' }, video(5))).toBe('1: 5 s × $0.20');
  expect(priced('V-RF', table, { resolution: '1080p' }, video(5))).toBe('1: 5 s × $0.20');
  expect(priced('V-RF', table, { resolution: '720p' }, video(5))).toBe('0.5: 5 s × $0.10');
});

test('the document’s default resolution counts when none is asked for; one that is not known yet is told at the dearest', () => {
  const table: Pricing = { ...PER_SECOND, cost_per_second_by_resolution: { '1080p': 0.2 } };
  expect(priced('V-T2V-A', table, {}, video(5))).toBe('1: 5 s × $0.20');
  expect(priced('V-RF', table, {}, video(5, 1080))).toBe('1: 5 s × $0.20');
  expect(priced('V-RF', table, { resolution: pending('steps.ask.stdout') }, video(5))).toBe('1: 5 s × $0.20');
});

test('a table without a general price tells its dearest line until the resolution is known', () => {
  const table: Pricing = {
    method: 'per_video_output_second',
    cost_per_second: null,
    cost_per_second_by_resolution: { '1080p': 0.2 },
  };
  expect(priced('V-RF', table, { resolution: pending('steps.ask.stdout') }, video(5))).toBe('1: 5 s × $0.20');
  expect(priced('V-RF', table, {}, video(5))).toBe('1: 5 s × $0.20');
  expect(priced('V-RF', table, { resolution: '540p' }, video(5))).toBe('null: no price in the catalog');
});

test('high resolution and sound have prices of their own', () => {
  const pricing: Pricing = { ...PER_SECOND, cost_per_second_high_res: 0.3, cost_per_second_with_audio: 0.15 };
  expect(priced('V-RF', pricing, { resolution: '1080p' }, video(5))).toBe('1.5: 5 s × $0.30');
  expect(priced('V-RF', pricing, { resolution: '540p', generate_audio: true }, video(5))).toBe('0.75: 5 s × $0.15');
  // Whether a reframe of an unknown clip has sound nobody can say: never told too low.
  expect(priced('V-RF', pricing, { resolution: '540p' }, video(5))).toBe('0.75: 5 s × $0.15');
  expect(priced('V-RF', pricing, { resolution: '540p' }, { ...video(5), audio_codec: null })).toBe('0.5: 5 s × $0.10');
  expect(priced('V-RF', pricing, { resolution: '4K' }, video(5))).toBe('1.5: 5 s × $0.30');
});

test('images, tokens and processing time', () => {
  expect(priced('I-GEN-A', { method: 'per_image', cost_per_image: 0.0035 }, {})).toBe('0.0035: 1 image × $0.0035');
  expect(priced('I-GEN-A', { method: 'per_image', cost_per_image: null }, {})).toBe('null: no price in the catalog');
  expect(priced('I-GEN-A', { method: 'time', cost_per_second: 0.01 }, {})).toBe('null: billed by processing time');
  expect(priced('I-GEN-A', { method: 'token' }, {})).toBe('null: billed by token');
  expect(priced('I-GEN-A', { method: 'per_moon' } as unknown as Pricing, {})).toBe('null: no price in the catalog');
  expect(priced('I-GEN-A', undefined, {})).toBe('null: no price in the catalog');
});

test('what has no price is counted apart, never as nothing', () => {
  const film = `
steps:
  still:
    model: I-GEN-A
    with: { prompt: a fox }
  shot:
    model: V-T2V-A
    with: { prompt: a fox, duration: 4 }
`;
  const pricing = new Map<string, Pricing>([['V-T2V-A', PER_SECOND]]);
  expect(`\n${shown(film, { pricing })}\n`).toBe(`
film  2 instances on studio, free: prices are list prices

run    still  never run                                  no price in the catalog
       I-GEN-A · prompt a fox

run    shot  never run                                        $0.40  4 s × $0.10
       V-T2V-A · prompt a fox · duration 4

longest path  about 5m 00s: shot
total         2 run: free ($0.40 at list price, and 1 instance without a known
              price)
`);
});

test('an image is billed by its quality and resolution, where the catalog has a line for them', () => {
  const pricing = modelLibrary.get('I-EDIT-C')!.pricing as unknown as Pricing;
  expect(priced('I-EDIT-C', pricing, { quality: 'high', resolution: '4k' })).toBe('0.19: 1 image × $0.19');
  expect(priced('I-EDIT-C', pricing, { quality: 'low', resolution: '2K' })).toBe('0.03: 1 image × $0.03');
  expect(priced('I-EDIT-C', pricing, { quality: 'high' })).toBe('0.19: 1 image × $0.19');
  expect(priced('I-EDIT-C', pricing, { quality: 'middling', resolution: '4K' })).toBe('0.19: 1 image × $0.19');
});

const TOKENS: Pricing = { method: 'token', input_cost_per_token: 2.5e-6, output_cost_per_token: 15e-6 };
const ask = (content: string) => [{ role: 'user', content }];

test('a chat costs at most what it asks and the longest answer it allows', () => {
  expect(priced('C-D', TOKENS, { messages: ask('three beats about a fox!'), max_tokens: 200 })).toBe(
    '0.00307: at most 28 + 200 tokens',
  );
  // A Chinese character is a token of its own.
  expect(priced('C-D', TOKENS, { messages: ask('狐狸过冰河'), max_tokens: 200 })).toBe(
    '0.0030475: at most 19 + 200 tokens',
  );
  expect(priced('C-D', TOKENS, { messages: ask('x'), max_tokens: 1 })).toBe('0.0000275: at most 5 + 1 tokens');
  expect(priced('C-D', { method: 'token' }, { messages: ask('x'), max_tokens: 1 })).toBe(
    'null: no price in the catalog',
  );
});

const OPEN = [{ role: 'user', content: pending('steps.ask.text') }];
const SHOWN = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x.example/a.png' } }] }];

test('what is not known of a chat is as much as its model can read, and can write', () => {
  const cheap: Pricing = { method: 'token', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
  expect(priced('C-B', cheap, { messages: OPEN, max_tokens: 1 })).toBe('0.128002: at most 128000 + 1 tokens');
  expect(priced('C-B', cheap, { messages: SHOWN, max_tokens: 1 })).toBe('0.128002: at most 128000 + 1 tokens');
  expect(priced('C-B', cheap, { messages: ask('x') })).toBe('0.256005: at most, without max_tokens');
  // Of some the document says how much they write at most.
  expect(priced('C-F', cheap, { messages: OPEN })).toBe('0.656: at most, without max_tokens');
  // Beyond 272K all of it is billed at the higher price.
  expect(priced('V-context-E', cheap, { messages: OPEN, max_tokens: 1000 })).toBe(
    '2.103: at most 1050000 + 1000 tokens',
  );
  expect(priced('C-B', { method: 'token' }, { messages: OPEN })).toBe('null: no price in the catalog');
});

test('a model whose limits nobody knows has no price until the request is known', () => {
  const cheap: Pricing = { method: 'token', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };
  const { chat: _, ...model } = modelLibrary.get('C-B')!;
  const basis = (request: JsonObject) => priceOf({ pricing: cheap, model, request }).basis;
  expect(basis({ messages: OPEN, max_tokens: 1 })).toBe('its words are not known yet');
  expect(basis({ messages: SHOWN, max_tokens: 1 })).toBe('by token; what images count is not known');
  expect(basis({ messages: ask('x') })).toBe('by token; set max_tokens to know');
  expect(basis({ messages: ask('x'), max_tokens: 1 })).toBe('at most 5 + 1 tokens');
});

test('whoever sends what has no price is not held back by what a model can read: what the author has bounded still counts', () => {
  const allowed = (request: JsonObject) => {
    const { basis, demand } = priceOf({ pricing: TOKENS, model: modelLibrary.get('C-H'), request, unpriced: 'allow' });
    return [basis, demand.usd, demand.tokens];
  };
  expect(allowed({ messages: SHOWN, max_tokens: 1 })).toEqual(['by token; what images count is not known', null, null]);
  expect(allowed({ messages: ask('x'), max_tokens: 1 })).toEqual(['at most 5 + 1 tokens', 0.0000275, 6]);
});

test('beyond 272K input tokens one model bills twice the input and one and a half times the output', () => {
  const { chat } = modelLibrary.get('V-context-E')!;
  const cost = (prompt_tokens: number, of = chat) =>
    costOfTokens(TOKENS, of, { prompt_tokens, completion_tokens: 1000 });
  expect(cost(272_000)).toBe(0.695);
  expect(cost(272_001)).toBe(1.382505);
  expect(cost(272_001, modelLibrary.get('C-D')!.chat)).toBe(0.6950025);
});
