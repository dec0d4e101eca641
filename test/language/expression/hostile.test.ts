/**
 * Expressions that are deep, huge or slow, on purpose or because a model wrote what they read: each ends with an error that says what
 * to do, at its place. What is asserted is the work (steps and size are counted, not timed), so that no slow machine fails here; the
 * clock is looked at once, with a bound ten times what was measured. How long each takes cold: `node test/bench/hostile-cold.ts`.
 */
import { describe, expect, it } from 'vitest';
import { fromJson } from '../../../src/language/expression/cel-value.ts';
import { BUDGET, Budget } from '../../../src/language/expression/evaluation-limit.ts';
import { interpret } from '../../../src/language/expression/interpret.ts';
import { isStopped } from '../../../src/language/expression/outcome.ts';
import { readCode } from '../../../src/language/types/cel.ts';
import { processorTime } from '../../support/processor-time.ts';
import { ask } from './ask.ts';
import { ATTACKS, attack, bound, STEPS } from './attacks.ts';

describe('hostile expressions', () => {
  it.each(ATTACKS)('%s', (_, code, said) => {
    const attacked = attack(code);
    expect(attacked.said).toBe(said);
    // One function may announce more than is left, and then does not begin.
    expect(Math.min(attacked.steps, BUDGET.steps + 1)).toBeLessThanOrEqual(BUDGET.steps + 1);
  });

  it('all of them together take as long as one of them may', () => {
    for (const [, code] of ATTACKS) attack(code);
    const worked = processorTime();
    for (const [, code] of ATTACKS) attack(code);
    expect(worked()).toBeLessThan(200 * ATTACKS.length);
  });

  it('the message has its place in the file, and a check of it ends as well', () => {
    expect(ask('[1] + range(1000000000)')).toEqual({
      type: 'a list of whole numbers',
      value: undefined,
      failure: `‹range(1000000000)› \`range(1000000000)\`: ${STEPS}`,
    });
    const doubled = bound(30, "'a'", "params.count > 2 ? x : (params.count > 1 ? x : 'b')");
    expect(ask(doubled)).toMatchObject({ type: 'a text', value: 'a' });
  });

  it('a list of itself is not given to a run', () => {
    expect(ask(bound(30, '[1]', '[x, x]')).failure).toContain(STEPS);
  });

  it('what a good expression spends is a small part of what it may', () => {
    const film = Array.from({ length: 10_000 }, (_, index) => ({ result_url: `https://example.org/${index}.mp4` }));
    const budget = new Budget();
    const read = readCode('steps.map(s, s.result_url).join(" ")');
    if (read.is !== 'program') throw new Error('a program');
    const outcome = interpret(
      read.tree,
      '',
      { read: () => film, originOf: () => 'plain', dividesReals: () => false },
      budget,
    );
    expect(isStopped(outcome)).toBe(false);
    expect(budget.spent.steps).toBeLessThan(BUDGET.steps / 5);
    expect(fromJson(film, 'plain', undefined)).toBeDefined();
  });
});
