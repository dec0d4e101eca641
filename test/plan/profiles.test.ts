/** A plan in a profile, and what whoever promotes is shown. */
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import type { Plan } from '../../src/model/plan.ts';
import { type Asking, answers, type Choice } from '../../src/model/run/choice.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { chosenIn, type Promotion } from '../../src/model/run/promotion.ts';
import { type PlanContext, plan } from '../../src/plan/plan.ts';
import { formatPlan, planJson } from '../../src/show/plan/plan-text.ts';
import { carriedIn, picksIn, promotionLines } from '../../src/show/plan/promotion-text.ts';
import { contextOf } from './support.ts';

const FILM = `shotlist: 1
name: spot
models: { film: V-T2V-A }
profiles:
  draft: { models: { film: V-T2V-C } }
steps:
  shot: { model: film, matrix: { beat: [a, b] }, takes: 3, with: { prompt: "fox \${{ matrix.beat }}", duration: 5 } }
  best: { each: "\${{ steps.shot }}", pick: takes }
  ok: { approve: "\${{ steps.best }}" }
outputs:
  film: { from: "\${{ steps.best }}", to: "out/{beat}.mp4" }
`;

function planned(profile: string | undefined, choices?: PlanContext['choices'], text = FILM) {
  const { pipeline } = compile({ path: 'film.yaml', text }, modelLibrary, { profile });
  const context = { ...contextOf(), choices };
  const made = pipeline && plan(pipeline, context).plan;
  if (!made) throw new Error('it cannot be planned');
  return { plan: made, context };
}
/** Somebody has picked this. */
const choosing = (...wanted: readonly string[]): NonNullable<PlanContext['choices']> => ({
  find({ key, from, called, ...rest }: Asking) {
    const at = called.findIndex(one => wanted.includes(one));
    const choice: Choice = { key, from, called, chosen: [from[at] ?? ''], by: 'person', who: 'Ada', at: 0 };
    return at >= 0 && answers(choice, { key, from, called, ...rest }) ? choice : undefined;
  },
});
const promoting = ({ from, picks }: Promotion): NonNullable<PlanContext['choices']> => ({
  find: () => undefined,
  byName(key, candidates, count) {
    const pick = picks.find(one => one.key === key);
    const chosen = pick && chosenIn(pick, candidates, count);
    return chosen && { chosen, by: 'promoted', from, who: pick.who };
  },
});

test('a plan in a profile tells its own price and that of the real film; one of the real film tells that it is', () => {
  const [draft, final] = [planned('draft').plan, planned(undefined).plan];
  const text = formatPlan(draft, { width: 100, final });
  expect(text).toMatch(/^spot {2}9 instances on studio, profile draft, free: prices are list prices$/m);
  expect(text).toMatch(/^in final +free \(up to \$4\.50 at list price\)$/m);
  expect(text).toMatch(/free \(up to \$3\.00 at list price\)$/m);
  expect(formatPlan(final, { width: 100 })).toMatch(
    /^spot {2}9 instances on studio, profile final, free: prices are list prices$/m,
  );
  expect(planJson(draft, { final })).toMatchObject({ profile: 'draft', final: { totals: { usd: 4.5 } } });
  expect(planJson(final)).not.toHaveProperty('final');
  const broken = formatPlan(draft, { width: 100, final: { mistakes: 'it has mistakes of its own' } });
  expect(broken).toMatch(/^in final +it has mistakes of its own$/m);
  expect(
    formatPlan(planned(undefined, undefined, FILM.replace(/profiles:\n.*\n/, '')).plan, { width: 100 }),
  ).not.toContain('profile');
});

test('what is picked is told, made alone, and held against all takes; approvals are asked again, seeds told as they are', () => {
  const draft = planned('draft', choosing('shot[beat=a,take=1]', 'shot[beat=b,take=3]'));
  const { decided, open } = picksIn(draft.plan, draft.context);
  expect(open).toEqual([]);
  const promotion = { from: 'draft', picks: decided };
  const { plan: final, context } = planned(undefined, promoting(promotion));
  const out = [...final.instances].filter(({ decision }) => decision.is === 'left_out').map(({ key }) => key as string);
  expect(out).toEqual(['shot[beat=a,take=2]', 'shot[beat=a,take=3]', 'shot[beat=b,take=1]', 'shot[beat=b,take=2]']);
  const becomes = new Map(decided.map(pick => [pick.key, carriedIn(final, context, pick)]));
  const allTakes = planned(undefined).plan;
  expect(
    promotionLines({
      ...{ from: 'draft', to: 'final', picks: decided, becomes, draft: draft.plan, final, allTakes },
      ...{ cameTo: { usd: 2.4, unknown: 1 } },
    }),
  ).toEqual([
    'spot: what was picked in draft is made in final, on studio',
    '  picked          best[beat=a]: shot[beat=a,take=1]',
    '                  best[beat=b]: shot[beat=b,take=3]',
    '  asked again     ok: an approval is of what was shown',
    '  draft came to   free ($2.40 at list price), and 1 of unknown cost',
    '  final comes to  free (up to $1.50 at list price)',
    '  with all takes  free (up to $4.50 at list price)',
    '  seeds           as in draft for 0 of 2; shot[beat=a,take=1] has none, so nothing holds it to what was seen',
  ]);
});

test('nothing is carried that nobody has picked, and what is chosen in the real film stays', () => {
  const draft = planned('draft', choosing('shot[beat=a,take=1]'));
  const { decided, open } = picksIn(draft.plan, draft.context);
  expect([decided.map(({ key }) => key as string), open]).toEqual([['best[beat=a]'], ['best[beat=b]']]);
  const becomesIn = ({ plan: made, context }: { readonly plan: Plan; readonly context: PlanContext }) =>
    carriedIn(made, context, decided[0]!);
  expect(becomesIn(planned(undefined, choosing('shot[beat=a,take=2]')))).toBe('kept');
  expect(becomesIn(planned(undefined, choosing('shot[beat=a,take=1]')))).toBe('carried');
  expect(becomesIn(planned(undefined))).toBe('asked');
  expect(carriedIn(planned(undefined).plan, contextOf(), { ...decided[0]!, key: 'gone' as InstanceKey })).toBe('gone');
});
