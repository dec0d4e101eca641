import { expect, test } from 'vitest';
import type { Clock } from '../../src/machine/time/clock.ts';
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import { type Answer, type TestStudio, testStudio } from './fake-studio.ts';

const PATH = '/api/ai/chat/completions';
const FOX = 'three beats about a fox who crosses a frozen river';
const asked = (content: string, more: JsonObject = {}): JsonObject => ({
  model: 'C-D',
  messages: [{ role: 'user', content }],
  ...more,
});
const textOf = ({ body }: Answer): string =>
  (body as { choices: { message: { content: string } }[] }).choices[0]?.message.content ?? '';

async function streamed(studio: TestStudio, body: Json): Promise<string> {
  const response = await studio.send(PATH, body);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  return response.text();
}

test('a completion is the common object', async () => {
  await using studio = await testStudio();
  const { status, body } = await studio.post(PATH, asked('a title for a film about a fox who crosses a frozen river'));
  expect([status, body]).toEqual([
    200,
    {
      id: 'chatcmpl-gen-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'C-D',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'The Fox and the Frozen River' },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 19, completion_tokens: 7, total_tokens: 26 },
    },
  ]);
});

test('a stream is the common chunks: who speaks, the words, the end, the usage, and a last word', async () => {
  await using studio = await testStudio();
  const body = asked('a title for a film about a fox who crosses a frozen river', {
    stream: true,
    max_tokens: 3,
    stream_options: { include_usage: true },
  });
  const head = { id: 'chatcmpl-gen-1', created: 1_700_000_000, model: 'C-D', object: 'chat.completion.chunk' };
  const chunk = (delta: JsonObject, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
    usage: null,
  });
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'The' }),
    chunk({ content: ' Fox' }),
    chunk({ content: ' and' }),
    chunk({ content: ' ' }),
    chunk({}, 'length'),
    { ...head, choices: [], usage: { prompt_tokens: 19, completion_tokens: 3, total_tokens: 22 } },
  ];
  expect(await streamed(studio, body)).toBe(
    [...chunks.map(one => `data: ${JSON.stringify(one)}\n\n`), 'data: [DONE]\n\n'].join(''),
  );
});

test('the same request is answered the same; another seed is another answer, unless the temperature is 0', async () => {
  await using studio = await testStudio();
  const say = async (more: JsonObject) => textOf(await studio.post(PATH, asked(FOX, more)));
  const plain = await say({});
  expect(await say({ temperature: 0.7 })).toBe(plain);
  expect(await say({ temperature: 0, seed: 7 })).toBe(plain);
  const seventh = await say({ seed: 7 });
  expect(seventh).not.toBe(plain);
  expect(await say({ seed: 7 })).toBe(seventh);
  expect(await say({ seed: 8 })).not.toBe(seventh);
});

test('an answer stops where it was asked to stop', async () => {
  await using studio = await testStudio();
  const answer = await studio.post(PATH, asked(FOX, { stop: ['2.', '3.'] }));
  expect(textOf(answer)).toMatch(/^1\. .+\.\n$/);
  expect(answer.body).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
});

test('what cannot be answered is refused with every reason and its place', async () => {
  await using studio = await testStudio();
  const reasons = async (body: JsonObject) => {
    const { status, body: answer } = await studio.post(PATH, body);
    expect(status).toBe(400);
    return ((answer as { error: JsonObject }).error.details as JsonObject[]).map(
      ({ path, message }) => `${path}: ${message}`,
    );
  };
  expect(await reasons(asked(FOX, { n: 2, max_completion_tokens: 0, response_format: { type: 'yaml' } }))).toEqual([
    'max_completion_tokens: max_completion_tokens must be a whole number of at least 1',
    'n: n must be 1: for another answer, send the request again with another seed',
    'response_format.type: response_format.type must be text, json_object or json_schema',
  ]);
  const schema = (schema: Json) =>
    asked(FOX, { response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } });
  const at = 'response_format.json_schema.schema';
  expect(await reasons(schema(7))).toEqual([`${at}: ${at} must be a JSON Schema`]);
  expect(await reasons(schema({ type: 'beats' }))).toEqual([
    `${at}: ${at} is no JSON Schema: type must be equal to one of the allowed values`,
  ]);
  expect(await reasons(schema({ type: 'integer', minimum: 3, maximum: 2 }))).toEqual([
    `${at}: no answer was found that fits ${at}: no number is at least 3 and at most 2`,
  ]);
  const long = { model: 'C-C', messages: [{ role: 'user', content: 'fox '.repeat(63_990) }], max_tokens: 100 };
  expect(await reasons(long)).toEqual([
    'messages: C-C has a context of 64,000 tokens; the messages are 63,994 and the answer may be 100: shorten the conversation, or lower max_tokens',
  ]);
  expect((await studio.post(PATH, { ...long, max_tokens: 6 })).status).toBe(200);
});

test('whoever hangs up in the middle of an answer has it stopped', async () => {
  // Between two words the writer waits on this clock, which only being called off ends.
  let calledOff = (): void => {};
  const stopped = new Promise<void>(resolve => {
    calledOff = resolve;
  });
  const clock: Clock = {
    now: () => 1_700_000_000_000,
    sleep: (ms, signal) =>
      new Promise(resolve => {
        signal?.addEventListener('abort', () => {
          if (ms < 1_000) calledOff();
          resolve();
        });
      }),
  };
  await using studio = await testStudio({ speed: 'full', clock });
  const stop = new AbortController();
  const response = await studio.send(PATH, asked('fifty beats about a fox', { stream: true }), { signal: stop.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toMatch(/^data: .*"role":"assistant"/);
  stop.abort();
  await stopped;
});

test('the catalog says what the chat models are', async () => {
  const said = async (studio: TestStudio) => ((await studio.get('/api/ai/models/C-D')).body as JsonObject).description;
  await using studio = await testStudio();
  expect(await said(studio)).toBe(
    'lower-cost general model. No neural network: a small deterministic writer of shot lists, which turns loglines into beats, shots, prompts and titles, and fits JSON schemas. SHOTLIST_CHAT_UPSTREAM passes chat on to a real model. Nothing is charged, and prices are examples.',
  );
  await using passing = await testStudio({ chatUpstream: { url: 'http://127.0.0.1:11434/v1/', model: 'llama' } });
  expect(await said(passing)).toBe(
    'lower-cost general model. Passed on to http://127.0.0.1:11434/v1/chat/completions as llama: what answers is whatever is served there. Nothing is charged, and prices are examples.',
  );
});
