import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { GeneratedNow } from '../../src/api/service.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { json, silent, stubServer } from '../support/stub-server.ts';
import { never, service } from './hub.ts';

const REQUEST = { model: 'V-T2V-A', prompt: 'a red fox' };

test('a quarter of an hour without a byte is no end for the connection itself', async () => {
  // This is not our clock but the one under the connection, whose own patience would end after five minutes.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const stub = await stubServer(silent);
  let answer = (): void => {};
  stub.answer(response => {
    answer = () => json(200, { videos: [{ url: 'https://films.test/fox.mp4' }] })(response, response.req);
  });
  const made = service(stub.url).generateNow('/videos/generate', REQUEST, never);
  await stub.arrived(1);
  await vi.advanceTimersByTimeAsync(15 * 60_000);
  answer();
  expect(await made).toEqual({ is: 'made', urls: ['https://films.test/fox.mp4'] });
});

test('it waits as long as it takes: there is no deadline to run into', async () => {
  const stub = await stubServer(silent);
  const clock = new FakeClock();
  let answer = (): void => {};
  stub.answer(response => {
    answer = () => json(200, { videos: [{ url: 'https://films.test/fox.mp4' }] })(response, response.req);
  });
  const made = service(stub.url, clock).generateNow('/videos/generate', REQUEST, never);
  await stub.arrived(1);
  await clock.advance(40 * 60_000);
  expect(clock.sleeping).toEqual([]);
  answer();
  expect(await made).toEqual({ is: 'made', urls: ['https://films.test/fox.mp4'] });
  expect(stub.seen.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['POST', '/api/ai/videos/generate', '{"model":"V-T2V-A","prompt":"a red fox"}'],
  ]);
});

describe('where the media is, however it is told', () => {
  const made = (...urls: [string, ...string[]]): GeneratedNow => ({ is: 'made', urls });
  const cases: readonly [string, unknown, GeneratedNow | 'unknown'][] = [
    ['videos', { created: 1, model: 'm', videos: [{ url: 'https://a.test/1.mp4' }] }, made('https://a.test/1.mp4')],
    [
      'several images',
      { images: [{ url: 'https://a.test/1.png', revised_prompt: 'x' }, { url: 'https://a.test/2.png' }] },
      made('https://a.test/1.png', 'https://a.test/2.png'),
    ],
    ['the common data list', { data: [{ url: 'https://a.test/1.png' }] }, made('https://a.test/1.png')],
    ['the document’s own word', { result_url: 'https://a.test/1.mp4' }, made('https://a.test/1.mp4')],
    ['no address at all', { created: 1, model: 'm', videos: [] }, 'unknown'],
    ['something that is no address', { videos: [{ url: 'fox.mp4' }, 7, null] }, 'unknown'],
  ];
  test.each(cases)('%s', async (_name, body, expected) => {
    const stub = await stubServer(json(200, body));
    const message = `${stub.host} answered 200 without the URL of what was made`;
    expect(await service(stub.url).generateNow('/images/edit', REQUEST, never)).toEqual(
      expected === 'unknown' ? { is: 'unknown', message } : expected,
    );
  });
});
