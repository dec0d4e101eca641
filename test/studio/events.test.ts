import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { EventHub } from '../../src/studio/service/event-hub.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { KEY, type TestStudio, testStudio } from './fake-studio.ts';

const STILL = { model: 'I-GEN-A', prompt: 'a red fox' };

/** A client of the stream: gives the text as it comes, one blank-line-ended block at a time. */
async function listen(studio: TestStudio) {
  const response = await fetch(`${studio.url}/api/events`, { headers: { authorization: `Bearer ${KEY}` } });
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    type: response.headers.get('content-type'),
    /** Undefined when the stream has ended. */
    next: async (): Promise<string | undefined> => {
      while (!text.includes('\n\n')) {
        const { value, done } = await reader.read();
        if (done) return undefined;
        text += value;
      }
      const [block = '', ...rest] = text.split('\n\n');
      text = rest.join('\n\n');
      return block;
    },
  };
}

const completed = (id: string) => `event: media_generation_completed\ndata: {"generation_id":"${id}"}`;

test('every listener hears of every end, after it is on record', async () => {
  await using studio = await testStudio();
  const listeners = [await listen(studio), await listen(studio)];
  for (const { type, next } of listeners) {
    expect([type, await next()]).toEqual(['text/event-stream; charset=utf-8', ': listening']);
  }
  await studio.enqueue(STILL);
  await studio.enqueue(STILL);
  await studio.enqueue(STILL);
  await (await studio.renderer.next()).finish();
  for (const { next } of listeners) expect(await next()).toBe(completed('gen-1'));
  expect(await studio.get('/api/ai/queue/gen-1')).toMatchObject({ body: { status: 'succeeded' } });
  (await studio.renderer.next()).fail(new Error('no'));
  for (const { next } of listeners) expect(await next()).toBe(completed('gen-2'));
  await studio.delete('/api/ai/queue/gen-3');
  for (const { next } of listeners) expect(await next()).toBe(completed('gen-3'));
});

test('a quiet stream says every 15 seconds that it is still there', async () => {
  await using studio = await testStudio();
  const { next } = await listen(studio);
  await next();
  await studio.clock.advance(15_000);
  expect(await next()).toBe(': still here');
  await studio.clock.advance(15_000);
  expect(await next()).toBe(': still here');
});

test('a stream ends when the studio closes', async () => {
  const studio = await testStudio();
  const { next } = await listen(studio);
  await next();
  await studio[Symbol.asyncDispose]();
  expect(await next()).toBe(undefined);
});

test('a listener that reads nothing for half a minute is cut off', async () => {
  const clock = new FakeClock();
  const hub = new EventHub(clock);
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  // How much a kernel takes for somebody who reads nothing, and when, is its own affair: this one takes nothing.
  response.assignSocket(new Duplex({ read() {}, write() {} }) as Socket);
  hub.add(response);
  hub.publish('note', { note: 'x'.repeat(256 * 1024) });
  await new Promise(setImmediate);
  await clock.advance(15_000);
  expect(response.destroyed).toBe(false);
  await clock.advance(15_000);
  expect(response.destroyed).toBe(true);
  hub.close();
});
