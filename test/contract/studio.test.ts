/**
 * Every case at the studio, and at the strict one, through a conformance proxy with `/openapi.json`. Together they must bring about every answer that is
 * described there, from every operation, every state and every error's word: what no case has seen is named at the end.
 */
import { describe, expect, test } from 'vitest';
import { SUITES, UNABLE } from './cases.ts';
import { ConformanceProxy } from './conformance-proxy.ts';
import { studioFixture } from './studio-fixture.ts';

/** The studio always knows how a deployment stands, and makes no mistake that a request could bring about; strict, it cannot cancel. */
const UNTOLD = {
  plain: ['internal', 'unknown'],
  strict: ['already_finished', 'generation_cancelled', 'internal', 'unknown'],
} as const;

describe.each([
  ['the studio', 'plain'],
  ['the strict studio', 'strict'],
] as const)('%s', (_name, kind) => {
  const proxy = new ConformanceProxy();
  const strict = kind === 'strict';
  describe.each(Object.entries(SUITES))('%s', (_suite, cases) => {
    for (const [name, story] of Object.entries(cases)) {
      if (UNABLE[kind][name] === undefined) test(name, () => story(needs => studioFixture({ proxy, strict }, needs)));
    }
  });

  test('what it cannot do is named among the cases', () => {
    const names = Object.values(SUITES).flatMap(cases => Object.keys(cases));
    expect(Object.keys(UNABLE[kind]).filter(name => !names.includes(name))).toEqual([]);
  });

  test('every answer, state and error that is described was told', () => {
    expect(proxy.unseen).toEqual([]);
    expect(proxy.untold).toEqual(UNTOLD[kind]);
  });
});
