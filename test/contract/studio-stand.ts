/** The studio over real HTTP, past a witness of its description, asked by the client that films are made with. */
import { onTestFinished } from 'vitest';
import { connect } from '../../src/client/connect.ts';
import { systemClock } from '../../src/host/clock.ts';
import { RenderRefusal } from '../../src/studio/render/job.ts';
import type { StudioOptions } from '../../src/studio/serve.ts';
import { KEY, testStudio } from '../studio/fake-studio.ts';
import type { CatalogStand } from './catalog.cases.ts';
import type { SyncStand } from './sync.cases.ts';
import type { Witness } from './witness.ts';

export async function studioStand(
  witness: Witness,
  options: Partial<StudioOptions>,
): Promise<CatalogStand & SyncStand> {
  const studio = await testStudio({ workers: 8, ...options });
  const common = { name: 'house', baseUrl: await witness.before(studio.url), clock: systemClock };
  const [service, stranger] = [connect({ ...common, key: KEY }), connect({ ...common, key: 'another-key' })];
  onTestFinished(async () => {
    await Promise.all([service.close(), stranger.close()]);
    await studio[Symbol.asyncDispose]();
  });
  return {
    service,
    stranger,
    later: ms => studio.clock.advance(ms),
    begun: () => studio.renderer.begun.length,
    next: async () => {
      const begun = await studio.renderer.next();
      return {
        finish: () => begun.finish(),
        refuse: message => begun.fail(new RenderRefusal(message)),
        breakDown: () => begun.fail(new Error('the encoder fell over')),
      };
    },
  };
}
