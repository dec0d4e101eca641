/** A pick in a plan: who chooses, what it costs, and what is left out once it is chosen. */
import { describe, expect, test } from 'vitest';
import { openQuestions, questionAt } from '../../src/app/choices/film-questions.ts';
import { type Asking, answers, type Choice } from '../../src/model/run/choice.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { plan } from '../../src/plan/plan.ts';
import { planJson } from '../../src/show/plan/plan-text.ts';
import { compiled, contextOf, planOf, Shelf, shown, type World } from './support.ts';

const FILM = `
steps:
  still: { matrix: { beat: [a, b] }, model: I-GEN-A, with: { prompt: "beat \${{ matrix.beat }}" } }
  shot: { each: "\${{ steps.still }}", takes: 3, model: V-I2V-A, with: { prompt: it moves, input_image: "\${{ each.result_url }}" } }
  fine: { each: "\${{ steps.shot }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }
  best: { each: "\${{ steps.fine }}", pick: takes }
  told: { each: "\${{ steps.best }}", run: [ls, "\${{ each.file }}"] }
`;
const SIMPLE = `
steps:
  shot: { model: V-T2V-A, takes: 3, with: { prompt: a fox, duration: 5 } }
  best: { pick: "\${{ steps.shot }}" }
`;

/** Of whatever is picked from, this candidate was chosen. */
const choosing = (chosen: string, by: Choice['by'] = 'person') => ({
  find(asking: Asking): Choice | undefined {
    const { key, from, called, is } = asking;
    const one = from[called.indexOf(chosen as InstanceKey)];
    if (one === undefined || is === 'approve') return undefined;
    const choice = { key, from, called, chosen: [one], by, who: 'Ada', at: 0 };
    return answers(choice, asking) ? choice : undefined;
  },
});

/** Plans as if this candidate had been chosen, of whatever is asked. */
function planChoosing(film: string, chosen: string, by: Choice['by'] = 'person', world: World = {}) {
  const planned = plan(compiled(film), { ...contextOf(world), choices: choosing(chosen, by) });
  if (!planned.plan) throw new Error(planned.diagnostics.map(({ message }) => message).join());
  return planned.plan;
}
const decisions = ({ instances }: ReturnType<typeof planChoosing>) =>
  [...instances].map(({ key, decision: { is, why } }) => `${key} ${is}: ${why}`);

describe('who chooses is told', () => {
  test('a person, a rule, a judge with its price', () => {
    expect(shown(SIMPLE)).toContain('to be chosen by a person, of 3');
    expect(shown(SIMPLE.replace(' }}" }', ' }}", rule: "${{ candidate.bytes }}" }'))).toContain(
      'to be chosen by its rule, of 3',
    );
    const judged = shown(SIMPLE.replace(' }}" }', ' }}", judge: { model: C-B, prompt: which?, frames: 2 } }'));
    expect(judged).toContain('to be chosen by its judge, of 3');
    // What a judge is shown is not known before it is there: its price is never told too low.
    expect(judged).toMatch(/best\/judge +\$0\.051 +at most, without max_tokens/);
    expect(judged).not.toContain('without a known price');
    // Also while the candidates are not known.
    const later = SIMPLE.replace(' }}" }', '.filter(s, s.bytes > 1) }}", judge: { model: C-B, prompt: which? } }');
    expect(shown(later)).toMatch(/best +to be chosen by its judge +free/);
  });

  test('what reads it has a price while a person chooses, by what all candidates agree in', () => {
    const film = `${SIMPLE}  up: { model: V-UP, with: { input_video: "\${{ steps.best.result_url }}" } }\n`;
    const priceIn = (planned: ReturnType<typeof planOf>) => planned.instances.get('up' as InstanceKey)?.price;
    const owned = new Shelf();
    owned.make(planOf(SIMPLE));
    expect(decisions(planOf(film, { owned }))).toContain('best run: to be chosen by a person, of 3');
    expect(priceIn(planOf(film, { owned }))).toBe(priceIn(planOf(film)));
    expect(priceIn(planOf(film))).toBeGreaterThan(0);
  });

  test('one choice for each beat, over its takes', () => {
    const keys = [...planChoosing(FILM, '').instances].map(({ key }) => key).filter(key => key.startsWith('best'));
    expect(keys).toEqual(['best[beat=a]', 'best[beat=b]']);
  });
});

describe('what is chosen', () => {
  test('is needed alone: takes that lost are left out and not paid for', () => {
    const made = planChoosing(SIMPLE, 'shot[take=2]');
    expect(decisions(made)).toEqual([
      'shot[take=1] left_out: lost the pick best',
      'shot[take=2] run: never run',
      'shot[take=3] left_out: lost the pick best',
      'best maybe: shot[take=2] was chosen by Ada',
    ]);
    expect(made.totals.left_out).toBe(2);
    expect(made.instances.get('best' as InstanceKey)?.needs).toEqual(['shot[take=2]']);
    expect(planJson(made).instances).toMatchObject([{}, {}, {}, { pick: { count: 1, by: 'person' } }]);
  });

  test('what an output names, or somebody else needs, is made all the same', () => {
    const also = `${SIMPLE}  other: { run: [ls, "\${{ steps.shot[2].file }}"] }\noutputs: { all: { from: "\${{ steps.shot }}", to: "out/{take}.mp4" } }\n`;
    expect(planChoosing(also, 'shot[take=2]').totals.left_out).toBe(0);
    const read = `${SIMPLE}  other: { run: [ls, "\${{ steps.shot[2].file }}"] }\n`;
    expect(decisions(planChoosing(read, 'shot[take=2]')).filter(line => line.includes('left_out'))).toEqual([
      'shot[take=1] left_out: lost the pick best',
    ]);
  });

  test('is asked about in an approval, though its bytes are at the service or with a team alone', () => {
    const film = `
steps:
  shot: { model: V-T2V-A, takes: 2, with: { prompt: a fox, duration: 5 } }
  best: { pick: "\${{ steps.shot }}" }
  ok: { approve: "\${{ steps.best }}" }
`;
    const shelf = new Shelf();
    shelf.make(planOf(film));
    for (const take of ['shot[take=1]', 'shot[take=2]']) shelf.leaveAtService(take as InstanceKey);
    const away = planChoosing(film, 'shot[take=2]', 'person', { owned: shelf });
    const ok = away.instances.get('ok' as InstanceKey);
    const context = { ...contextOf({ owned: shelf }), choices: choosing('shot[take=2]') };
    const looked = { plan: away, context, choices: context.choices, store: { file: () => undefined } };
    expect(ok && questionAt(looked, ok)).toMatchObject({
      ...{ key: 'ok', candidates: [{ key: 'best', result: { is: 'picked' } }] },
    });
    expect(openQuestions(looked).map(({ key }) => key)).toEqual(['ok']);
  });

  test('by a rule counts only while it is the same rule; a person outranks it', () => {
    const ruled = SIMPLE.replace(' }}" }', ' }}", rule: "${{ candidate.bytes }}" }');
    expect(planChoosing(ruled, 'shot[take=2]', 'rule').totals.left_out).toBe(0);
    expect(planChoosing(ruled, 'shot[take=2]', 'person').totals.left_out).toBe(2);
  });
});

test('what only waits for an approval is perhaps made until it is given, and its price no certain part of the sum', () => {
  const film = `
steps:
  cheap: { model: I-GEN-A, matrix: { n: [1, 2] }, with: { prompt: "a fox \${{ matrix.n }}" } }
  ok: { each: "\${{ steps.cheap }}", approve: "\${{ each }}" }
  dear: { matrix: { n: [1, 2] }, needs: [ok], model: V-T2V-A, with: { prompt: "a fox \${{ matrix.n }}" } }
  free: { needs: [cheap], run: [ls] }
`;
  const owned = new Shelf();
  const fresh = planOf(film);
  expect(decisions(fresh).filter(line => !line.startsWith('cheap'))).toEqual([
    'ok[n=1] maybe: to be approved by a person',
    'ok[n=2] maybe: to be approved by a person',
    'dear[n=1] maybe: if ok[n=1] is approved',
    'dear[n=2] maybe: if ok[n=2] is approved',
    'free run: never run',
  ]);
  expect(fresh.demand.certain.usd.known).toBe(0.02);
  owned.make(fresh);
  expect(decisions(planOf(film, { owned })).filter(line => line.startsWith('dear'))).toEqual([
    'dear[n=1] hit: unchanged',
    'dear[n=2] hit: unchanged',
  ]);
});

describe('a choice answers', () => {
  const called = ['a', 'b'] as unknown as readonly InstanceKey[];
  const asking: Asking = { is: 'pick', key: 'best' as InstanceKey, from: ['1', '2'], called, count: 1, by: 'person' };
  const choice: Choice = {
    key: asking.key,
    from: ['1', '2', '3'],
    called,
    chosen: ['2'],
    by: 'person',
    who: 'Ada',
    at: 0,
  };

  test('while nothing is asked about that was not there, and the chosen is still there', () => {
    expect(answers(choice, asking)).toBe(true);
    expect(answers(choice, { ...asking, from: ['1', '2', '4'] })).toBe(false);
    expect(answers(choice, { ...asking, from: ['1', '3'] })).toBe(false);
    expect(answers(choice, { ...asking, count: 2 })).toBe(false);
  });

  test('an approval: for this very content and these very words', () => {
    const approval: Asking = { ...asking, is: 'approve', asked: 'x', count: 2 };
    const yes: Choice = { ...choice, from: ['1', '2'], chosen: ['1', '2'], asked: 'x' };
    expect(answers(yes, approval)).toBe(true);
    expect(answers({ ...yes, chosen: [] }, approval)).toBe(true);
    expect(answers(yes, { ...approval, from: ['1'] })).toBe(false);
    expect(answers(yes, { ...approval, asked: 'y' })).toBe(false);
  });
});
