/** Every kind of store, tried with the same cases. */
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { LocalStore } from '../../src/artifacts/local-store.ts';
import { temporaryFolder } from '../support/temp.ts';
import { STORE_CASES, type StoreFixture } from './store.cases.ts';

const KINDS: Readonly<Record<string, () => Promise<StoreFixture>>> = {
  'a folder': async () => {
    const folder = await temporaryFolder();
    // All of it is on this machine, or on one whose disk is mounted here: nothing can be cut off.
    return { folder, open: () => LocalStore.open(join(folder, 'store')), cutOff: async () => {} };
  },
};

describe.each(Object.entries(KINDS))('%s', (_, fixture) => {
  test.each(Object.entries(STORE_CASES))('%s', async (_, tell) => tell(await fixture()));
});
