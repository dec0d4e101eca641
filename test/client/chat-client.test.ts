import { describe, expect, test } from 'vitest';
import type { ChatRequest } from '../../src/api/chat-completions.ts';
import type { ChatAnswer } from '../../src/api/service.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { htmlPage, json, silent, stream, stubServer, type Way } from '../support/stub-server.ts';
import { KEY, never, service } from './hub.ts';

const PLAIN: ChatRequest = { model: 'C-D', messages: [{ role: 'user', content: 'three beats about a fox' }] };
const STREAMED: ChatRequest = { ...PLAIN, stream: true };

const completion = (content: unknown, more: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'C-D',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  ...more,
});
const USAGE = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };

const piece = (delta: object, finish_reason: string | null = null, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'C-D', choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
const LAST = 'data: [DONE]\n\n';
const FOX = [piece({ role: 'assistant', content: '' }), piece({ content: 'A red fox' }), piece({ content: ' runs.' })];

/** An event stream of exactly these bytes, cut into writes as the test says; then the connection ends properly. */
const events = (...writes: readonly (string | Uint8Array)[]): Way =>
  stream(async response => {
    for (const bytes of writes) await new Promise(resolve => response.write(bytes, resolve));
    response.end();
  });

/** The same, and then the connection is torn down. */
const eventsThenCut = (...writes: readonly string[]): Way =>
  stream(response => void response.write(writes.join(''), () => response.destroy()));

async function heard(way: Way, request = STREAMED): Promise<{ answer: ChatAnswer; pieces: string[]; host: string }> {
  const stub = await stubServer(way);
  const pieces: string[] = [];
  const answer = await service(stub.url).chat(request, never, text => pieces.push(text));
  expect([stub.seen.length, stub.connections]).toEqual([1, 1]);
  return { answer, pieces, host: stub.host };
}

const answered = (text: string, more: Partial<ChatAnswer> = {}): ChatAnswer =>
  ({ is: 'answered', text, finish_reason: 'stop', usage: null, ...more }) as ChatAnswer;

describe('a whole answer', () => {
  test('is one POST with the key, and is heard in one piece', async () => {
    const stub = await stubServer(json(200, completion('A red fox runs.', { usage: USAGE })));
    const pieces: string[] = [];
    const answer = await service(`${stub.url}/hub`).chat(PLAIN, never, text => pieces.push(text));
    expect(answer).toEqual(answered('A red fox runs.', { usage: USAGE }));
    expect(pieces).toEqual(['A red fox runs.']);
    expect(stub.seen).toMatchObject([
      { method: 'POST', path: '/hub/api/ai/chat/completions', body: JSON.stringify(PLAIN) },
    ]);
    expect(stub.seen[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, accept: 'application/json' });
  });

  test('is waited for as long as it takes', async () => {
    const stub = await stubServer(silent);
    const clock = new FakeClock();
    let say = (): void => {};
    stub.answer(response => {
      say = () => json(200, completion('done'))(response, response.req);
    });
    const answer = service(stub.url, clock).chat(PLAIN, never);
    await stub.arrived(1);
    await clock.advance(40 * 60_000);
    expect(clock.sleeping).toEqual([]);
    say();
    expect(await answer).toEqual(answered('done'));
  });

  const choice = (more: object) => ({ ...completion(''), choices: [{ index: 0, ...more }] });
  const cases: readonly [string, unknown, ChatAnswer][] = [
    [
      'cut off at max_tokens',
      choice({ message: { content: 'A red' }, finish_reason: 'length' }),
      answered('A red', { finish_reason: 'length' }),
    ],
    [
      'with an end of its own',
      choice({ message: { content: 'x' }, finish_reason: 'eos' }),
      answered('x', { finish_reason: 'eos' }),
    ],
    ['with no end told', choice({ message: { content: 'x' } }), answered('x')],
    [
      'in parts',
      choice({ message: { content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }] } }),
      answered('ab'),
    ],
    [
      'that is a refusal',
      choice({ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }),
      answered('No.', { finish_reason: 'refusal' }),
    ],
    [
      'that only calls tools',
      choice({ message: { content: null, tool_calls: [{}] }, finish_reason: 'tool_calls' }),
      answered('', { finish_reason: 'tool_calls' }),
    ],
    [
      'of several',
      {
        choices: [
          { index: 1, message: { content: 'b' } },
          { index: 0, message: { content: 'a' } },
        ],
      },
      answered('a'),
    ],
    [
      'with a total that has to be added up',
      completion('x', { usage: { prompt_tokens: 9, completion_tokens: 3 } }),
      answered('x', { usage: USAGE }),
    ],
    [
      'with a usage that is none',
      completion('x', { usage: { prompt_tokens: '9', completion_tokens: -3 } }),
      answered('x'),
    ],
    [
      'with what a terminal would obey, which is data here',
      completion('\u001b[2J<b>\r\n'),
      answered('\u001b[2J<b>\r\n'),
    ],
  ];
  test.each(cases)('%s', async (_name, body, expected) => {
    expect((await heard(json(200, body), PLAIN)).answer).toEqual(expected);
  });

  test('is taken as it is where a stream was asked for', async () => {
    const { answer, pieces } = await heard(json(200, completion('A red fox runs.')), STREAMED);
    expect([answer, pieces]).toEqual([answered('A red fox runs.'), ['A red fox runs.']]);
  });
});

describe('a streamed answer', () => {
  test('is heard piece by piece, with its end and its usage', async () => {
    const stub = await stubServer(
      events(...FOX, piece({}, 'stop'), `data: ${JSON.stringify({ choices: [], usage: USAGE })}\n\n`, LAST),
    );
    const pieces: string[] = [];
    const answer = await service(stub.url).chat(STREAMED, never, text => pieces.push(text));
    expect(answer).toEqual(answered('A red fox runs.', { usage: USAGE }));
    expect(pieces).toEqual(['A red fox', ' runs.']);
    expect(stub.seen[0]?.body).toBe(JSON.stringify(STREAMED));
    expect(stub.seen[0]?.headers.accept).toBe('text/event-stream, application/json');
  });

  test('means the same wherever its bytes are split, with any line ends, comments and data in several lines', async () => {
    const said = 'naïve 狐狸 🦊 runs';
    const wordy = piece({ content: said }).replace('{"id"', '{\ndata: "id"');
    const source = `\ufeff: hello\n\n${FOX[0]}: beat\nevent: note\ndata: whatever\n\n${wordy}id: 7\nretry: 9\n${piece({}, 'stop')}${LAST}`;
    for (const end of ['\n', '\r\n', '\r']) {
      const bytes = Buffer.from(source.replaceAll('\n', end));
      for (const size of [1, 2, 3, 7, bytes.length]) {
        const writes: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += size) writes.push(bytes.subarray(at, at + size));
        expect((await heard(events(...writes))).answer, `${JSON.stringify(end)} by ${size}`).toEqual(answered(said));
      }
    }
  });

  test('is never handed on in half characters', async () => {
    const [first, second] = ['\ud83e', '\udd8a'];
    const split = `data: {"choices":[{"delta":{"content":"a fox \\${'ud83e'}"}}]}\n\ndata: {"choices":[{"delta":{"content":"\\${'udd8a'}!"}}]}\n\n`;
    const { answer, pieces } = await heard(events(split, LAST));
    expect([answer, pieces]).toEqual([answered(`a fox ${first}${second}!`), ['a fox ', '🦊!']]);
  });

  test('is answered as soon as its last word is there, though the connection stays', async () => {
    const stub = await stubServer(stream(response => void response.write([...FOX, piece({}, 'stop'), LAST].join(''))));
    expect(await service(stub.url).chat(STREAMED, never)).toEqual(answered('A red fox runs.'));
  });

  test('that was asked for whole is taken as it is', async () => {
    expect((await heard(events(...FOX, piece({}, 'length'), LAST), PLAIN)).answer).toEqual(
      answered('A red fox runs.', { finish_reason: 'length' }),
    );
  });

  test('may end its last word without a blank line', async () => {
    expect((await heard(events(...FOX, 'data: [DONE]'))).answer).toEqual(answered('A red fox runs.'));
  });
});

describe('a stream that does not come to its end is unknown, and says how far it came', () => {
  const far = ', after 15 characters of the answer had come';
  const cases: readonly [string, Way, string][] = [
    ['a connection torn down', eventsThenCut(...FOX), `the connection was cut${far}`],
    ['an end without the last word', events(...FOX), `the stream ended without its last word${far}`],
    ['even after its finish', events(...FOX, piece({}, 'stop')), `the stream ended without its last word${far}`],
    [
      'an end inside an event',
      events(...FOX, 'data: {"choices":[{"del'),
      `the stream ended without its last word${far}`,
    ],
    ['nothing at all', events(''), 'the stream ended without its last word, before any text had come'],
    ['nothing but its last word', events(LAST), 'the stream ended without a chat completion, before any text had come'],
    [
      'an error',
      events(...FOX, 'data: {"error":{"message":"overloaded, \\u001b[31mtry later"}}\n\n', LAST),
      `overloaded, try later${far}`,
    ],
    ['an error by name', events(...FOX, 'event: error\ndata: overloaded\n\n'), `overloaded${far}`],
    ['an error that quotes the key', events(`data: {"error":"no ${KEY}"}\n\n`), 'no (key), before any text had come'],
    [
      'something else',
      events(...FOX, 'data: <html>\n\n', LAST),
      `the stream brought something that is no piece of a chat completion${far}`,
    ],
    [
      'a line without end',
      events('data: ', 'x'.repeat(2 * 1024 * 1024)),
      'one event of the stream is longer than 1 MiB, before any text had come',
    ],
    [
      'a book',
      events(...Array<string>(9).fill(piece({ content: 'x'.repeat(500_000) })), LAST),
      'the answer is longer than 4 MiB, after 4,500,000 characters of the answer had come',
    ],
  ];
  test.each(cases)('%s', async (_name, way, message) => {
    const { answer, host } = await heard(way);
    expect(answer).toEqual({ is: 'unknown', message: `${host}: ${message}` });
  });

  test('a person who stops it', async () => {
    const stub = await stubServer(stream(response => void response.write(FOX.join(''))));
    const stop = new AbortController();
    const answer = await service(stub.url).chat(STREAMED, stop.signal, text => text === ' runs.' && stop.abort());
    expect(answer).toEqual({ is: 'unknown', message: `${stub.host}: stopped${far}` });
  });
});

describe('an answer that is no chat completion', () => {
  const unknown = (message: string): ChatAnswer => ({ is: 'unknown', message });
  const cases: readonly [string, Way, (host: string) => ChatAnswer][] = [
    ['a page', htmlPage(200), host => unknown(`${host} answered 200 without a chat completion`)],
    ['no choice', json(200, { choices: [] }), host => unknown(`${host} answered 200 without a chat completion`)],
    [
      'an error that calls itself a success',
      json(200, { error: { message: 'overloaded' } }),
      () => unknown('overloaded (200)'),
    ],
  ];
  test.each(
    cases.flatMap(([name, way, expected]) => [
      [`${name}, whole`, PLAIN, way, expected] as const,
      [`${name}, streamed`, STREAMED, way, expected] as const,
    ]),
  )('%s', async (_name, request, way, expected) => {
    const { answer, pieces, host } = await heard(way, request);
    expect([answer, pieces]).toEqual([expected(host), []]);
  });
});
