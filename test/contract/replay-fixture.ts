/** A transcript over real HTTP, through a conformance proxy where there is a description for it, asked by the client that films are made with. */
import { expect, onTestFinished } from 'vitest';
import { connect } from '../../src/client/connect.ts';
import { FakeClock, KEY } from '../studio/fake-studio.ts';
import type { ConformanceProxy, Description } from './conformance-proxy.ts';
import { Replay } from './replay.ts';
import type { ServiceFixture } from './service-fixture.ts';
import type { Line } from './transcript.ts';

export interface ReplaySetup {
  readonly lines: readonly Line[];
  /** Advice where the case and its lines differ. */
  readonly otherwise: string;
  readonly watched?: { readonly proxy: ConformanceProxy; readonly description: Description };
}

export async function replayFixture({ lines, otherwise, watched }: ReplaySetup): Promise<ServiceFixture> {
  const replay = new Replay(lines, KEY);
  const own = await replay.open();
  const url = watched === undefined ? own : await watched.proxy.before(own, watched.description);
  const clock = new FakeClock();
  const common = { name: 'house', baseUrl: url, clock };
  const [service, stranger] = [connect({ ...common, key: KEY }), connect({ ...common, key: 'another-key' })];
  onTestFinished(async () => {
    await Promise.all([service.close(), stranger.close()]);
    expect(await replay.close(), `the case and its transcript differ: ${otherwise}`).toEqual([]);
  });
  return {
    url,
    key: KEY,
    strict: false,
    service,
    stranger,
    finish: async id => replay.cue(`finish ${id}`),
    fail: async (id, message) => replay.cue(`fail ${id}: ${message}`),
    begun: () => Number(replay.says('begun: ')),
    next: async () => {
      await replay.begins();
      return {
        finish: async () => replay.cue('ends well'),
        refuse: message => replay.cue(`is refused: ${message}`),
        breakDown: () => replay.cue('breaks down'),
      };
    },
    later: async ms => {
      replay.cue(`${ms} ms pass`);
      await clock.advance(ms);
    },
    upstream: async way => replay.cue(`upstream ${way}`),
    close: async () => replay.cue('closes'),
  };
}
