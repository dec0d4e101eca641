/** A transcript over real HTTP, past a witness where there is a description for it, asked by the client that films are made with. */
import { expect, onTestFinished } from 'vitest';
import { connect } from '../../src/client/connect.ts';
import { FakeClock, KEY } from '../studio/fake-studio.ts';
import { Replay } from './replay.ts';
import type { ServiceStand } from './stand.ts';
import type { Line } from './transcript.ts';
import type { Description, Witness } from './witness.ts';

export interface Stage {
  readonly lines: readonly Line[];
  /** What to do where the case and its lines differ. */
  readonly otherwise: string;
  readonly watched?: { readonly witness: Witness; readonly description: Description };
}

export async function replayStand({ lines, otherwise, watched }: Stage): Promise<ServiceStand> {
  const replay = new Replay(lines, KEY);
  const own = await replay.open();
  const url = watched === undefined ? own : await watched.witness.before(own, watched.description);
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
