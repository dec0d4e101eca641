/** Rules for every service's endpoints that answer when the media is there. */
import { expect } from 'vitest';
import { MEDIA_ENDPOINTS } from '../../src/api/routes.ts';
import type { GeneratedNow } from '../../src/api/service.ts';
import { now, type OpenCases } from './service-fixture.ts';

const STILL = { model: 'I-GEN-A', prompt: 'a red fox' };
const CLIP = { model: 'V-T2V-A', prompt: 'a red fox crosses a frozen river', duration: 2 };
const EDIT = { model: 'I-EDIT-A', prompt: 'snow' };
const refused = (status: number, message: string): GeneratedNow => ({ is: 'refused', status, message });

export const SYNC_CASES: OpenCases = {
  'an answer comes when the media is there, and says where': async ({ service, next }) => {
    for (const [endpoint, request] of [
      ['/videos/generate', CLIP],
      ['/images/generate', STILL],
      ['/images/edit', EDIT],
    ] as const) {
      const answer = service.generateNow(endpoint, request, now());
      const work = await next();
      await work.finish();
      const made = await answer;
      expect(made).toMatchObject({ is: 'made', urls: [expect.stringMatching(/^http/)] });
      if (made.is === 'made') expect((await fetch(made.urls[0])).status).toBe(200);
    }
  },

  'an edit may be sent where the document’s catalog sends it': async ({ service, next }) => {
    const answer = service.generateNow('/images/generate', EDIT, now());
    await (await next()).finish();
    expect(await answer).toMatchObject({ is: 'made' });
  },

  'what a model does not take is refused with every reason, and nothing is begun': async ({ service, begun }) => {
    const request = { model: 'V-T2V-A', duration: 40, sed: 1 };
    const answer = await service.generateNow('/videos/generate', request, now());
    expect(answer).toMatchObject({ is: 'refused', status: 400 });
    if (answer.is === 'refused') {
      expect(answer.message).toContain('prompt is required by V-T2V-A');
      expect(answer.message).toContain('duration must be at most 15, not 40');
      expect(answer.message).toContain('V-T2V-A has no field sed');
    }
    expect(begun()).toBe(0);
  },

  'a model of another endpoint is refused with the one that makes it': async ({ service, begun }) => {
    expect(await service.generateNow('/videos/generate', STILL, now())).toEqual(
      refused(400, 'I-GEN-A is not made at /api/ai/videos/generate: send it to /api/ai/images/generate'),
    );
    expect(await service.generateNow('/images/edit', CLIP, now())).toEqual(
      refused(400, 'V-T2V-A is not made at /api/ai/images/edit: send it to /api/ai/videos/generate'),
    );
    expect(begun()).toBe(0);
  },

  'a model that nobody has is not found, in the document’s words': async ({ service }) => {
    for (const endpoint of MEDIA_ENDPOINTS) {
      expect(await service.generateNow(endpoint, { ...STILL, model: 'V-NEW' }, now())).toEqual(
        refused(404, 'Model not found: V-NEW'),
      );
    }
  },

  'a request that turns out to be impossible is refused with the reason': async ({ service, next }) => {
    const answer = service.generateNow('/images/generate', STILL, now());
    (await next()).refuse('input_image is 2 s long; I-GEN-A takes at least 3 s');
    expect(await answer).toEqual(refused(400, 'input_image is 2 s long; I-GEN-A takes at least 3 s'));
  },

  'a service that broke down may have billed: the outcome is unknown': async ({ service, next }) => {
    const answer = service.generateNow('/images/generate', STILL, now());
    (await next()).breakDown();
    expect(await answer).toMatchObject({ is: 'unknown' });
  },

  'a wait that is called off has an unknown outcome': async ({ service, next }) => {
    const stop = new AbortController();
    const answer = service.generateNow('/videos/generate', CLIP, stop.signal);
    await next();
    stop.abort();
    expect(await answer).toMatchObject({ is: 'unknown', message: expect.stringMatching(/: stopped$/) });
  },

  'a key that is not its own is refused, and nothing is begun': async ({ stranger, begun }) => {
    for (const endpoint of MEDIA_ENDPOINTS) {
      expect(await stranger.generateNow(endpoint, STILL, now())).toEqual(refused(401, 'unauthenticated'));
    }
    expect(begun()).toBe(0);
  },
};
