/** The studio over real HTTP, through a conformance proxy with its description, asked by the client that films are made with. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { connect } from '../../src/client/connect.ts';
import { probe } from '../../src/media/probe.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';
import { RenderRefusal } from '../../src/studio/animatic/job.ts';
import type { Network } from '../../src/studio/service/inputs/fetch-source.ts';
import type { StudioParts } from '../../src/studio/service/serve.ts';
import type { StudioOptions } from '../../src/studio/service/studio-options.ts';
import { type Begun, KEY, testStudio } from '../studio/fake-studio.ts';
import { json, stubServer } from '../support/stub-server.ts';
import type { ConformanceProxy } from './conformance-proxy.ts';
import type { FixtureNeeds, Medium, ServiceFixture } from './service-fixture.ts';

interface StudioSetup {
  readonly proxy: ConformanceProxy;
  readonly strict: boolean;
}

export async function studioFixture({ proxy, strict }: StudioSetup, needs: FixtureNeeds = {}): Promise<ServiceFixture> {
  const upstream = needs.upstream && (await stubServer(json(200, COMPLETION)));
  const passedOn = upstream && { chatUpstream: { url: `${upstream.url}/v1`, key: 'up-key', model: 'llama' } };
  const studio = await testStudio({ strict, workers: 32, ...passedOn, ...surroundings(needs) });
  const url = await proxy.before(studio.url);
  const common = { name: 'house', baseUrl: url, clock: studio.clock };
  const [service, stranger] = [connect({ ...common, key: KEY }), connect({ ...common, key: 'another-key' })];
  onTestFinished(async () => {
    await Promise.all([service.close(), stranger.close()]);
    await studio[Symbol.asyncDispose]();
  });
  const begun = new Map<string, Begun>();
  const rendering = async (id: string): Promise<Begun> => {
    for (;;) {
      const found = begun.get(id);
      if (found) return found;
      const next = await studio.renderer.next();
      begun.set(next.job.id, next);
    }
  };
  return {
    url,
    key: KEY,
    strict,
    service,
    stranger,
    finish: async id => {
      await (await rendering(id)).finish();
      await studio.until(id, 'succeeded');
    },
    fail: async (id, message) => {
      (await rendering(id)).fail(new RenderRefusal(message));
      await studio.until(id, 'failed');
    },
    begun: () => studio.renderer.begun.length,
    next: async () => {
      const next = await studio.renderer.next();
      begun.set(next.job.id, next);
      return {
        finish: () => next.finish(),
        refuse: message => next.fail(new RenderRefusal(message)),
        breakDown: () => next.fail(new Error('the encoder fell over')),
      };
    },
    later: ms => studio.clock.advance(ms),
    upstream: async way => {
      upstream?.answer(way === 'answers' ? json(200, COMPLETION) : json(500, BROKEN));
      if (way === 'is gone') await upstream?.stop();
    },
    close: () => studio.close(),
  };
}

const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'llama',
  choices: [{ index: 0, message: { role: 'assistant', content: 'A fox.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
};
const BROKEN = { error: { message: 'out of memory\n    at run (engine.js:1:2)' } };

function surroundings({ perSecond, media = {} }: FixtureNeeds): Partial<StudioOptions & StudioParts> {
  return {
    ...(perSecond === undefined ? {} : { rate: { perSecond } }),
    network: internetOf(media),
    // The bytes that `internetOf` sends tell their own facts; what stands in a request itself is what it is.
    probe: async path => {
      const text = await readFile(path, 'utf8');
      return text.startsWith('{') ? (JSON.parse(text) as MediaFacts) : probe(path);
    },
  };
}

/** An internet that holds these and nothing else. */
const internetOf = (media: { readonly [url: string]: Medium }): Network => ({
  lookup: async () => ['93.184.215.14'],
  get: async url => {
    const medium = media[url.href];
    const text = medium === undefined ? '' : JSON.stringify(medium.facts).padEnd(medium.bytes ?? 0);
    const statusCode = medium === undefined ? 404 : 200;
    return Object.assign(Readable.from([Buffer.from(text)]), { statusCode, headers: {} }) as unknown as IncomingMessage;
  },
});
