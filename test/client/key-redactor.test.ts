/** A service that repeats the key, wherever a text can stand and however it can be spelt. */
import { describe, expect, test } from 'vitest';
import { KeyRedactor, StreamingRedactor } from '../../src/client/wire/key-redactor.ts';
import { processorTime } from '../support/processor-time.ts';
import { json, stream, stubServer, text, type Way } from '../support/stub-server.ts';
import { never, service as serviceWith } from './hub.ts';

// The key has letters that base64 writes in two ways, that JSON escapes, and that an address escapes.
const KEY = 'sk-very/secret~~~+key?"1"';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const all = (text: string, how: (code: string) => string): string =>
  [...text].map(letter => how(letter.charCodeAt(0).toString(16).padStart(4, '0'))).join('');

/** How a key comes back, by name. */
const SPELLINGS: Readonly<Record<string, string>> = {
  'as it is': KEY,
  'in an address': encodeURIComponent(KEY),
  'in an address, in small letters': encodeURIComponent(KEY).replace(/%../g, code => code.toLowerCase()),
  'with every letter percent-encoded': all(KEY, code => `%${code.slice(2)}`),
  'as a form': new URLSearchParams({ k: KEY }).toString().slice(2),
  'as JSON within the text': JSON.stringify(KEY).slice(1, -1),
  'as JSON within JSON': JSON.stringify(JSON.stringify(KEY)).slice(3, -3),
  'with slashes escaped': KEY.replaceAll('/', '\\/'),
  'with every letter escaped': all(KEY, code => `\\u${code}`),
  'with every letter escaped, in capitals': all(KEY, code => `\\u${code.toUpperCase()}`),
  'in base64': base64(KEY),
  'as a header in base64': base64(`Bearer ${KEY}`),
  'as a password in base64': base64(`:${KEY}`),
  'inside of longer text in base64': base64(`{"authorization":"Bearer ${KEY}","accept":"*/*"}`),
  'in base64 for addresses': Buffer.from(`~${KEY}`).toString('base64url'),
  'in base64 in an address': encodeURIComponent(base64(`~~${KEY}`)),
  'in colours': `${KEY.slice(0, 5)}\u001b[1m${KEY.slice(5)}`,
  'in colours of eight bits': `${KEY.slice(0, 5)}\u009b1m${KEY.slice(5)}`,
  'around a title': `${KEY.slice(0, 9)}\u001b]0;title\u0007${KEY.slice(9)}`,
  'with what no screen shows': [...KEY].join('\u200b'),
  'with soft hyphens': [...KEY].join('\u00ad'),
  'with controls': [...KEY].join('\u0000\u0085'),
};

/** Everything that a reader of `value` could make the key out of. */
function leaks(value: unknown): boolean {
  const whole = typeof value === 'string' ? value : JSON.stringify(value);
  const bare = (text: string): string =>
    text
      .replace(/\\u([0-9a-f]{4})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replace(/\x1b\][^\x07]*\x07|(?:\x1b\[|\x9b)[0-9;]*[@-~]|[\p{Cc}\p{Cf}]/gu, '')
      .replace(/%([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll('\\', '');
  const plain = bare(bare(whole));
  const inside = (plain.match(/[\w+/-]{16,}/g) ?? []).flatMap(run =>
    [0, 1, 2, 3].map(skip => Buffer.from(run.slice(skip), 'base64').toString('latin1')),
  );
  return [plain, ...inside].some(text => text.includes(KEY));
}

const service = (baseUrl: string, key = KEY) => serviceWith(baseUrl, undefined, { key });

test('the test itself would see it', () => {
  for (const [name, spelt] of Object.entries(SPELLINGS)) {
    expect(leaks({ a: [`x ${spelt} y`] }), name).toBe(true);
    expect(leaks({ a: [`x ${spelt.slice(0, 20)}`] }), name).toBe(false);
  }
});

describe.each(Object.entries(SPELLINGS))('a key %s', (_name, spelt) => {
  const echo = `no, ${spelt}, no`;

  /** Asks everything that can be asked of a service that answers all of it in this way. */
  async function everything(way: Way): Promise<readonly (readonly [question: string, answer: unknown])[]> {
    const stub = await stubServer(way);
    const hub = service(stub.url);
    const written: string[] = [];
    const place = { namespace: 'n', repo: 'r', id: 'f' };
    const chat = { model: 'm', messages: [] };
    return [
      ['generation', await hub.generation('g', never)],
      ['history', await hub.history(never, { until: new Set(['g']) }).then(answer => answer)],
      ['models', await hub.models(never)],
      ['search', await hub.searchModels('fox', never)],
      ['model', await hub.model('m', never)],
      ['activate', await hub.activate('m', never)],
      ['tokenize', await hub.tokenize(place, never)],
      ['cancel', await hub.cancel('g', never)],
      ['enqueue', await hub.enqueue({ model: 'm' }, never)],
      ['generate', await hub.generateNow('/videos/generate', { model: 'm' }, never)],
      ['chat', await hub.chat(chat, never, text => written.push(text))],
      ['written', written.join('')],
    ];
  }

  test('leaves with nothing that was asked for', async () => {
    const record = {
      ...{ generation_id: 'g', status: echo, result_url: `https://cdn.test/?k=${spelt}`, error_message: echo },
      ...{ model_name: echo, prompt: echo, [echo]: { deep: [{ [echo]: echo }] }, cost: echo, idempotency_key: echo },
    };
    const model = {
      ...{ id: 'm', display_name: echo, owned_by: echo, description: echo, summary: echo, endpoint: echo },
      ...{ capabilities: { input: [echo], output: [echo] }, developer: { name: echo, logo: echo }, image_url: echo },
      ...{ pricing: { method: 'time', cost_per_second_by_resolution: { [echo]: 1 } }, fine_tuning: { [echo]: echo } },
      ...{ source_model: echo, released_at: echo, request_schema: { properties: { [echo]: { enum: [echo] } } } },
    };
    const body = {
      ...record,
      ...model,
      generations: [record],
      data: [model],
      fine_tune: { id: 'f', status: echo, status_message: echo, [echo]: echo },
      videos: [{ url: `https://cdn.test/?k=${spelt}` }],
      choices: [
        { index: 0, message: { content: [{ text: echo }, { text: spelt.slice(0, 9) }, { text: spelt.slice(9) }] } },
      ],
    };
    for (const way of [
      json(200, body),
      json(200, { ...body, choices: [{ message: body.choices[0]?.message, finish_reason: echo }] }),
    ]) {
      const answers = await everything(way);
      for (const [question, answer] of answers) expect([question, leaks(answer)]).toEqual([question, false]);
      const kinds = answers.map(([, answer]) => (answer as { is?: string }).is);
      expect(kinds.slice(0, 7)).toEqual(Array(7).fill('ok'));
      expect(JSON.stringify(answers)).toContain('(key)');
    }
  });

  test('leaves with no reason for a no', async () => {
    const stub = await stubServer(text(500, ''));
    const hub = service(stub.url);
    for (const status of [400, 401, 404, 408, 409, 429, 500, 502]) {
      for (const way of [
        json(status, { error: { message: echo } }),
        json(status, { detail: [{ msg: echo }] }),
        text(status, echo),
      ]) {
        stub.answer(way);
        const answers = [
          await hub.generation('g', never),
          await hub.enqueue({ model: 'm' }, never),
          await hub.activate('m', never),
        ];
        expect(answers.map(leaks), String(status)).toEqual([false, false, false]);
      }
    }
  });

  test('is no part of an id', async () => {
    const stub = await stubServer(json(200, { generations: [{ generation_id: spelt, status: 'queued' }] }));
    const hub = service(stub.url);
    expect(await hub.enqueue({ model: 'm' }, never)).toEqual({
      is: 'unknown',
      message: `${stub.host} answered 200 without a generation id`,
    });
    const heard: string[] = [];
    const told = new Promise<void>(resolve => {
      hub.listen({ up: () => {}, down: resolve as () => void, completed: id => heard.push(id) });
    });
    stub.answer(
      stream(response => {
        const event = (data: unknown) => `event: media_generation_completed\ndata: ${JSON.stringify(data)}\n\n`;
        response.end(
          event({ generation_id: spelt }) + event({ generation_id: `g-${spelt}` }) + event({ generation_id: 'g' }),
        );
      }),
    );
    await told;
    expect(heard).toEqual(['g']);
  });

  test('does not come together again out of the pieces of a stream', async () => {
    const cuts = Array.from({ length: echo.length + 1 }, (_, cut) => [echo.slice(0, cut), echo.slice(cut)]);
    for (const pieces of [...cuts, [...echo]]) {
      const told: string[] = [];
      const held = new StreamingRedactor(new KeyRedactor(KEY, 8), piece => told.push(piece));
      for (const piece of pieces) held.take(piece);
      held.end();
      expect(leaks(told.join('')), JSON.stringify(pieces)).toBe(false);
      expect(told.join('')).toBe(held.passed);
      expect(held.passed.startsWith('no, ') && held.passed.endsWith(', no')).toBe(true);
      expect(held.passed).toContain('(key)');
    }
  });

  test('is in no text that is written, and in none of its ends', async () => {
    const piece = (content: string, more = {}) =>
      `data: ${JSON.stringify({ choices: [{ delta: { content }, ...more }] })}\n\n`;
    const body = [...echo].map(letter => piece(letter)).join('') + piece(echo) + piece('', { finish_reason: echo });
    for (const end of ['data: [DONE]\n\n', `data: {"error":{"message":${JSON.stringify(echo)}}}\n\n`, '']) {
      const stub = await stubServer(stream(response => response.end(body + end)));
      const written: string[] = [];
      const answer = await service(stub.url).chat({ model: 'm', messages: [], stream: true }, never, text =>
        written.push(text),
      );
      expect([leaks(answer), leaks(written.join(''))]).toEqual([false, false]);
      expect(written.join('')).toContain('(key)');
    }
  });
});

describe('what is no key stays as it is', () => {
  const secret = new KeyRedactor(KEY, 8);
  const texts = [
    '',
    'sk-very',
    'no secret at all: 100 %, 50%25, \\u00e9 \\n \\\\ "quoted" ~~~+key?',
    'A red fox runs. 狐狸 🦊\u0000\u202e',
    KEY.slice(1),
    KEY.slice(0, -1),
    base64('Bearer some other key of somebody'),
    '%73%6b-very',
    '\\'.repeat(1000),
  ];
  test('in one piece, and in pieces', () => {
    for (const text of texts) {
      expect(secret.redact(text)).toBe(text);
      expect(secret.parse(JSON.stringify({ [text]: [text, 1, null, true] }))).toEqual({
        [text]: [text, 1, null, true],
      });
      const told: string[] = [];
      const held = new StreamingRedactor(secret, piece => told.push(piece));
      for (const unit of text.split('')) held.take(unit);
      held.end();
      expect(told.join('')).toBe(text);
      expect(told.every(piece => piece.isWellFormed())).toBe(text.isWellFormed());
    }
  });

  test('and is handed on at once, up to where the key might begin', () => {
    const told: string[] = [];
    const held = new StreamingRedactor(secret, piece => told.push(piece));
    for (const piece of ['A red fox', ' is sk-', 'very', ' red.', ' %', '7', '0 x']) held.take(piece);
    expect(told).toEqual(['A red fox', ' is ', 'sk-very red.', ' ', '%70 x']);
  });

  test('and a name that means something to JavaScript is only a name', () => {
    const value = secret.parse(`{"__proto__": {"polluted": ${JSON.stringify(KEY)}}, "constructor": "%"}`) as object;
    expect(Object.entries(value)).toEqual([
      ['__proto__', { polluted: '(key)' }],
      ['constructor', '%'],
    ]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

test('a key that is a word is left in data, and taken out of messages', async () => {
  const stub = await stubServer(
    json(200, { generations: [{ generation_id: 'g', status: 'queued', prompt: 'a local fox' }], total_pages: 1 }),
  );
  const hub = service(stub.url, 'local');
  expect(await hub.history(never)).toMatchObject({ is: 'ok', value: [{ prompt: 'a local fox' }] });
  stub.answer(text(401, 'no such key: local'));
  expect(await hub.generation('g', never)).toEqual({ is: 'unauthenticated', message: 'no such key: (key) (401)' });
});

test('JSON that is too deep to be gone through is no JSON', () => {
  const deep = `${'['.repeat(200_000)}"%"${']'.repeat(200_000)}`;
  expect(new KeyRedactor(KEY, 8).parse(deep)).toBeUndefined();
});

test('a book full of beginnings is gone through once, not once for each of them', async () => {
  const secret = new KeyRedactor(KEY, 8);
  const parts = 'sk-very/,\\,%,s,\u200b,s\u200b,s\u0090,s\u001b],\u009d,\u009b0,sk-\\u00'.split(',');
  const stub = await stubServer(text(200, ''));
  const hub = service(stub.url);
  for (const part of parts) {
    const book = part.repeat(50_000);
    const worked = processorTime();
    secret.redact(book);
    secret.openAt(book);
    stub.answer(json(400, { error: book }));
    await hub.enqueue({ model: 'm' }, never);
    expect(worked(), JSON.stringify(part)).toBeLessThan(2_000);
  }
});
