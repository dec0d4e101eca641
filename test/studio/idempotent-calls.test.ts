/** What `test/contract/idempotency.cases.ts` cannot tell at any service: restarts, and whoever hangs up in the middle. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temp.ts';
import { type TestStudio, testStudio } from './fake-studio.ts';

const STILL = { model: 'I-GEN-A', prompt: 'a red fox' };
const CHAT = { model: 'C-A', messages: [{ role: 'user', content: 'a fox' }], stream: true };
const named = (key: string) => ({ 'idempotency-key': key });

test('a name is known to the next studio: the same generation, the same refusal, the same words', async () => {
  const folder = await temporaryFolder();
  const chat = { ...CHAT, stream: false };
  let said: unknown;
  {
    await using studio = await testStudio({ folder });
    await studio.post('/api/ai/queue', STILL, named('one'));
    said = (await studio.post('/api/ai/chat/completions', chat, named('talk'))).body;
  }
  {
    let count = 0;
    await using studio = await testStudio({ folder, newId: () => `later-${++count}` });
    const again = await studio.post('/api/ai/queue', STILL, named('one'));
    expect(again.body).toEqual({ generations: [{ generation_id: 'gen-1', status: 'queued' }] });
    expect((await studio.post('/api/ai/queue', { ...STILL, seed: 2 }, named('one'))).status).toBe(422);
    expect((await studio.post('/api/ai/chat/completions', chat, named('talk'))).body).toEqual(said);
    expect((await studio.post('/api/ai/chat/completions', CHAT, named('talk'))).status).toBe(422);
    await studio.clock.advance(24 * 3_600_000);
    expect((await studio.post('/api/ai/chat/completions', chat, named('talk'))).body).not.toEqual(said);
  }
});

/** Somebody chat is passed on to, who says a word whenever the test lets them. */
async function upstream() {
  const asked: ServerResponse[] = [];
  const arrivals: ((response: ServerResponse) => void)[] = [];
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    asked.push(response);
    arrivals.shift()?.(response);
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    next: () => new Promise<ServerResponse>(resolve => arrivals.push(resolve)),
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const stream = (studio: TestStudio, key: string, signal?: AbortSignal) =>
  studio.send('/api/ai/chat/completions', CHAT, { headers: named(key), ...(signal && { signal }) });

test('who hangs up in the middle of a stream, and asks again, hears it from the beginning, and it is written once', async () => {
  using model = await upstream();
  await using studio = await testStudio({ chatUpstream: { url: model.url } });
  const hangUp = new AbortController();
  const arrival = model.next();
  const first = stream(studio, 'talk', hangUp.signal);
  const writing = await arrival;
  writing.write('data: {"word":1}\n\n');
  const reader = (await first).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: {"word":1}\n\n');
  hangUp.abort();
  const second = await stream(studio, 'talk');
  writing.write('data: {"word":2}\n\n');
  writing.end('data: [DONE]\n\n');
  const whole = 'data: {"word":1}\n\ndata: {"word":2}\n\ndata: [DONE]\n\n';
  expect(await second.text()).toBe(whole);
  expect(await (await stream(studio, 'talk')).text()).toBe(whole);
  expect(model.asked.length).toBe(1);
});

test('a stream that breaks off breaks off for everybody, and leaves its name free', async () => {
  using model = await upstream();
  await using studio = await testStudio({ chatUpstream: { url: model.url } });
  const arrival = model.next();
  const both = [stream(studio, 'talk'), stream(studio, 'talk')];
  const writing = await arrival;
  writing.write('data: {"word":1}\n\n');
  const texts = (await Promise.all(both)).map(answer => answer.text());
  writing.destroy();
  const heard = await Promise.allSettled(texts);
  expect(heard.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = model.next();
  const third = stream(studio, 'talk');
  (await again).end('data: [DONE]\n\n');
  expect(await (await third).text()).toBe('data: [DONE]\n\n');
});
