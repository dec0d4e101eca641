/** A departure from a transcript is noticed. */
import { expect, test } from 'vitest';
import { KEY } from '../studio/fake-studio.ts';
import { parse, Replay } from './replay.ts';

const TEXT = `# Two scenes.

@V-A {"id":"V-A","object":"model","owned_by":"house"}

## a story
1 > GET /api/events
1 < 200
    content-type: text/event-stream
1 ~ : listening
2 > POST /api/ai/queue {"model":"V-A"}
2 < 200 {"generations":[{"generation_id":"g"}]}
3 > GET /api/ai/queue/g
3 < 200 {"status":"queued"}
4 > GET /api/ai/queue/g
4 < 200 {"status":"processing"}
* finish g
1 ~ event: media_generation_completed
    data: {"generation_id":"g"}
5 > GET /api/ai/queue/g
5 < 200 {"status":"succeeded","result_url":"{service}/results/g/g.webp"}

## a stream of words
1 > POST /api/ai/chat/completions {"model":"C-A","stream":true}
1 < 200
    content-type: text/event-stream
1 ~ data: {"id":"c","choices":[{"index":0,"delta":{"content":"{piece}"}}]}
    * ["A \\"fox\\""," & a"," {piece}."]
1 ~ data: {"id":"d","choices":[{"index":0,"delta":{"content":"{piece}"}}]}
    * [""]
1 ~ data: [DONE]
1 .

## another story
1 > GET /api/ai/models
    authorization: of somebody else
1 < 401 unauthenticated
    content-type: text/plain
    www-authenticate: Bearer
2 > GET /api/ai/models
2 < 200 {"object":"list","data":[{"@":"V-A"},{"@":"V-A"}]}
`;

async function playing(story: string) {
  const replay = new Replay(parse(TEXT).get(story) ?? [], KEY);
  const url = await replay.open();
  const ask = async (method: string, path: string, body?: string, authorization = `Bearer ${KEY}`) => {
    const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    return [response.status, (await response.text()).replaceAll(url, '')];
  };
  return { replay, url, ask };
}

const record = '/api/ai/queue/g';

test('a story is played in its order, with its events, however often one looks', async () => {
  const { replay, url, ask } = await playing('a story');
  const stream = (await fetch(`${url}/api/events`, { headers: { authorization: `Bearer ${KEY}` } })).body!;
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe(': listening\n\n');
  expect(await ask('POST', '/api/ai/queue', '{ "model": "V-A" }')).toEqual([
    200,
    '{"generations":[{"generation_id":"g"}]}',
  ]);
  const said = [];
  for (let look = 0; look < 4; look++) said.push((await ask('GET', record))[1]);
  expect(said).toEqual(['{"status":"queued"}', ...Array(3).fill('{"status":"processing"}')]);
  replay.cue('finish g');
  expect((await reader.read()).value).toBe('event: media_generation_completed\ndata: {"generation_id":"g"}\n\n');
  expect(await ask('GET', record)).toEqual([200, '{"status":"succeeded","result_url":"/results/g/g.webp"}']);
  expect(await replay.close()).toEqual([]);
});

test('a stream of words is played word by word, to its end', async () => {
  const { replay, ask } = await playing('a stream of words');
  const chunk = (id: string, content: string) =>
    `data: ${JSON.stringify({ id, choices: [{ index: 0, delta: { content } }] })}\n\n`;
  expect(await ask('POST', '/api/ai/chat/completions', '{"stream":true,"model":"C-A"}')).toEqual([
    200,
    `${chunk('c', 'A "fox"')}${chunk('c', ' & a')}${chunk('c', ' {piece}.')}${chunk('d', '')}data: [DONE]\n\n`,
  ]);
  expect(await replay.close()).toEqual([]);
});

test('whose key it is makes a difference, and a model is told in full', async () => {
  const { replay, ask } = await playing('another story');
  const model = '{"id":"V-A","object":"model","owned_by":"house"}';
  expect(await ask('GET', '/api/ai/models')).toEqual([200, `{"object":"list","data":[${model},${model}]}`]);
  expect(await ask('GET', '/api/ai/models', undefined, 'Bearer no')).toEqual([401, 'unauthenticated']);
  expect(await replay.close()).toEqual([]);
});

test('what was never recorded, and what is no longer asked, is objected to', async () => {
  const { replay, ask } = await playing('another story');
  await ask('GET', '/api/ai/models', undefined, 'Bearer no');
  expect(await ask('GET', '/api/ai/models/V-A')).toEqual([418, '{"error":"not in the transcript"}']);
  expect(await ask('POST', '/api/ai/models', '{"n":1}')).toEqual([418, '{"error":"not in the transcript"}']);
  expect(await replay.close()).toEqual([
    'not in the transcript: GET /api/ai/models/V-A ',
    'not in the transcript: POST /api/ai/models {"n":1}',
    'never asked: GET /api/ai/models ',
  ]);
});

test('a request that costs is not repeated, and a cue has its place', async () => {
  const { replay, ask } = await playing('a story');
  expect(() => replay.cue('fail g')).toThrow('the case has `fail g` happen, the transcript has `finish g`');
  expect(() => replay.cue('finish g')).toThrow('`finish g` comes before GET /api/events, which was recorded before it');
  expect((await ask('POST', '/api/ai/queue', '{"model":"V-A"}'))[0]).toBe(200);
  expect((await ask('POST', '/api/ai/queue', '{"model":"V-A"}'))[0]).toBe(418);
  expect((await replay.close()).filter(objection => objection.includes('POST'))).toEqual([
    'not in the transcript: POST /api/ai/queue {"model":"V-A"}',
  ]);
});
