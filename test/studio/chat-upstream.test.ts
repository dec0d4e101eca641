/** Chat passed on to a service of the user's own, which is a real server here. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/text/json.ts';
import type { ChatUpstream } from '../../src/studio/index.ts';
import {
  halfABody,
  htmlPage,
  json,
  redirect,
  resetAfterRequest,
  stream,
  stubServer,
  text,
  type Way,
} from '../support/stub-server.ts';
import { KEY, testStudio } from './fake-studio.ts';

const PATH = '/api/ai/chat/completions';
const ASK: JsonObject = {
  model: 'C-D',
  messages: [{ role: 'user', content: 'a fox' }],
  temperature: 0.2,
  vendor_field: 1,
};
const ANSWER = {
  id: 'x-1',
  object: 'chat.completion',
  created: 5,
  model: 'llama',
  system_fingerprint: 'fp',
  choices: [{ index: 0, message: { role: 'assistant', content: 'A fox.' }, finish_reason: 'stop' }],
};

async function passing(way: Way, more: Partial<ChatUpstream> = {}) {
  const upstream = await stubServer(way);
  const studio = await testStudio({ chatUpstream: { url: `${upstream.url}/v1`, ...more } });
  return { upstream, studio };
}

test('a request is passed on as it came, under the upstream’s own key and name; the answer comes back as it is', async () => {
  const { upstream, studio } = await passing(json(200, ANSWER), { key: 'up-key', model: 'llama' });
  await using _ = studio;
  const { status, body } = await studio.post(PATH, ASK);
  expect([status, body]).toEqual([200, ANSWER]);
  expect(upstream.seen.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
    ['POST', '/v1/chat/completions', { ...ASK, model: 'llama' }],
  ]);
  const [{ headers } = { headers: {} }] = upstream.seen;
  expect(headers).toMatchObject({ authorization: 'Bearer up-key', accept: 'application/json' });
  expect(JSON.stringify(headers)).not.toContain(KEY);
});

test('without a key none is sent, and without a name the label is', async () => {
  const { upstream, studio } = await passing(json(200, ANSWER));
  await using _ = studio;
  await studio.post(PATH, ASK);
  expect(upstream.seen[0]?.headers.authorization).toBeUndefined();
  expect(JSON.parse(upstream.seen[0]?.body ?? '')).toEqual(ASK);
});

test('a stream is passed on as it comes, byte for byte', async () => {
  const events = 'data: {"choices":[{"delta":{"content":"A 狐"}}]}\n\n: beat\n\ndata: [DONE]\n\n';
  let say = (_text: string): void => {};
  const { upstream, studio } = await passing(
    stream(response => {
      say = text => void (text === '' ? response.end() : response.write(text));
    }),
  );
  await using _ = studio;
  const response = await studio.send(PATH, { ...ASK, stream: true });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  expect(upstream.seen[0]?.headers.accept).toBe('text/event-stream, application/json');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  say(events.slice(0, 20));
  expect((await reader.read()).value).toBe(events.slice(0, 20));
  say(events.slice(20));
  say('');
  let rest = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) rest += next.value;
  expect(rest).toBe(events.slice(20));
});

test('a stream that breaks off there breaks off here', async () => {
  const { studio } = await passing(stream(response => void response.write('data: {}\n\n', () => response.destroy())));
  await using _ = studio;
  const response = await studio.send(PATH, { ...ASK, stream: true });
  await expect(response.text()).rejects.toThrow('terminated');
});

test('whoever hangs up here hangs up there', async () => {
  let gone: Promise<unknown> = Promise.resolve();
  const { upstream, studio } = await passing((_response, request) => {
    gone = new Promise(resolve => request.socket.on('close', resolve));
  });
  await using _ = studio;
  const stop = new AbortController();
  const answer = studio.send(PATH, ASK, { signal: stop.signal }).catch((error: Error) => error.name);
  await upstream.arrived(1);
  stop.abort();
  expect(await answer).toBe('AbortError');
  await gone;
});

describe('what goes wrong there is told here in a sentence', () => {
  const cases: readonly [string, Way, number, string][] = [
    ['a stack', json(500, { error: { message: 'boom\n    at run (engine.js:1:2)' } }), 502, 'which answered 500: boom'],
    ['a page', htmlPage(502), 502, 'which answered 502'],
    ['a wrong key', json(401, { error: 'invalid key' }), 502, 'which answered 401: invalid key'],
    ['a model it has not', json(404, { detail: 'no such model' }), 502, 'which answered 404: no such model'],
    ['a request it does not take', json(400, { error: { message: 'too long' } }), 400, 'which answered 400: too long'],
    ['a redirect', redirect(307, 'http://elsewhere.test/'), 502, 'which answered 307'],
    ['something else', text(200, 'hello'), 502, 'which answered 200 without a whole chat completion'],
    ['half an answer', halfABody, 502, 'which answered 200 without a whole chat completion'],
    ['a reset', resetAfterRequest, 502, 'which cut the connection'],
  ];
  test.each(cases)('%s', async (_name, way, status, said) => {
    const { upstream, studio } = await passing(way, { key: 'up-key' });
    await using _ = studio;
    const answer = await studio.post(PATH, ASK);
    expect([answer.status, (answer.body as { error: JsonObject }).error.message]).toEqual([
      status,
      `chat is passed on to ${upstream.url}, ${said}`,
    ]);
    expect([upstream.seen.length, studio.log.filter(line => /could not be answered/.test(line))]).toEqual([1, []]);
  });

  test('too many requests, with the wait', async () => {
    const { upstream, studio } = await passing(text(429, 'slow', { 'retry-after': '7' }));
    await using _ = studio;
    const { status, headers, body } = await studio.post(PATH, ASK);
    expect([status, headers.get('retry-after'), (body as { error: JsonObject }).error.message]).toEqual([
      429,
      '7',
      `chat is passed on to ${upstream.url}, which answered 429`,
    ]);
  });
});

describe('an upstream that cannot be is refused before anything is served', () => {
  const write = '; write it as http://127.0.0.1:11434/v1, and /chat/completions is appended';
  const cases: readonly [ChatUpstream, string][] = [
    [{ url: 'llama' }, 'is no web address'],
    [{ url: 'ftp://127.0.0.1/v1' }, 'is no web address'],
    [{ url: 'http://user:word@127.0.0.1/v1' }, 'holds a user name or a password'],
    [{ url: 'http://127.0.0.1/v1?key=1' }, 'holds a `?` or a `#`'],
    [{ url: 'http://models.test/v1', key: 'k' }, 'would be sent its key unencrypted: use https, or no key'],
    [{ url: 'https://models.test/v1', key: 'a b' }, 'has a key that no header can carry'],
  ];
  test.each(cases)('%o', async (chatUpstream, why) => {
    await expect(testStudio({ chatUpstream })).rejects.toThrow(`the chat upstream ${why}${write}`);
  });
});
