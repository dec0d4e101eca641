/** One set of cases for the whole interface beside the queue: the studio, and the strict one. Together they give every answer there is. */
import { afterAll, describe, expect, test } from 'vitest';
import { CATALOG_CASES } from './catalog.cases.ts';
import { CHAT_CASES } from './chat.cases.ts';
import { studioStand } from './studio-stand.ts';
import { SYNC_CASES } from './sync.cases.ts';
import { TUNING_CASES } from './tuning.cases.ts';
import { WIRE_CASES } from './wire.cases.ts';
import { Witness } from './witness.ts';

describe.each([
  ['the studio', false],
  ['the strict studio', true],
] as const)('%s', (_name, strict) => {
  const witness = new Witness();
  for (const cases of [CATALOG_CASES, CHAT_CASES, SYNC_CASES, TUNING_CASES]) {
    for (const [name, story] of Object.entries(cases))
      test(name, async () => story(await studioStand(witness, { strict })));
  }
  for (const [name, story] of Object.entries(WIRE_CASES)) test(name, () => story({ strict, witness }));

  afterAll(() => {
    expect(witness.unseen).toEqual([]);
  });
});
