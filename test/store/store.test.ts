/** Every kind of store, tried with the same cases. */
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { SharedResults } from '../../src/records/store/shared/shared-results.ts';
import { SharedStore } from '../../src/records/store/shared/shared-store.ts';
import { temporaryFolder } from '../support/temp.ts';
import { BUCKET_TEAM, FOLDER_TEAM, type Team } from './shared/teams.ts';
import { STORE_CASES, type StoreFixture } from './store.cases.ts';

const KINDS: Readonly<Record<string, () => Promise<StoreFixture>>> = {
  'a folder': async () => {
    const folder = await temporaryFolder();
    // All of it is on this machine, or on one whose disk is mounted here: nothing can be cut off.
    return { folder, open: () => LocalStore.open(join(folder, 'store')), cutOff: async () => {} };
  },
  'a folder of a team behind it': () => behind(FOLDER_TEAM),
  'a bucket of a team behind it': () => behind(BUCKET_TEAM),
};

async function behind(kind: () => Promise<Team>): Promise<StoreFixture> {
  const folder = await temporaryFolder();
  const team = await kind();
  return {
    folder,
    async open() {
      const local = await LocalStore.open(join(folder, 'store'));
      const shared = new SharedResults({ place: team.place(), store: local, clock: systemClock, write: true });
      return new SharedStore(local, shared);
    },
    cutOff: () => team.cutOff(),
  };
}

describe.each(Object.entries(KINDS))('%s', (_, fixture) => {
  test.each(Object.entries(STORE_CASES))('%s', async (_, tell) => tell(await fixture()));
});
