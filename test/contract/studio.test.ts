/**
 * Every case at the studio, and at the strict one, past a witness of `/openapi.json`. Together they must bring about every answer that is
 * described there, from every operation, every state and every error's word: what no case has seen is named at the end.
 */
import { describe, expect, test } from 'vitest';
import { SUITES, UNABLE } from './cases.ts';
import { studioStand } from './studio-stand.ts';
import { Witness } from './witness.ts';

/** The studio always knows how a deployment stands, and makes no mistake that a request could bring about; strict, it cannot cancel. */
const UNTOLD = {
  plain: ['internal', 'unknown'],
  strict: ['already_finished', 'generation_cancelled', 'internal', 'unknown'],
} as const;

describe.each([
  ['the studio', 'plain'],
  ['the strict studio', 'strict'],
] as const)('%s', (_name, kind) => {
  const witness = new Witness();
  const strict = kind === 'strict';
  describe.each(Object.entries(SUITES))('%s', (_suite, cases) => {
    for (const [name, story] of Object.entries(cases)) {
      const reason = UNABLE[kind][name];
      if (reason === undefined) test(name, () => story(needs => studioStand({ witness, strict }, needs)));
      else test.skip(`${name} (cannot: ${reason})`);
    }
  });

  test('every answer, state and error that is described was told', () => {
    expect(witness.unseen).toEqual([]);
    expect(witness.untold).toEqual(UNTOLD[kind]);
  });
});
