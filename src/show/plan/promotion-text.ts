/** What a promotion shows before anything is paid for. */

import type { Instance, Plan } from '../../model/plan.ts';
import type { Choice } from '../../model/run/choice.ts';
import { type InstanceKey, type StepName, stepOf } from '../../model/run/key.ts';
import { type PromotedPick, type Promotion, rowOf } from '../../model/run/promotion.ts';
import type { RoundResult } from '../../model/run/result.ts';
import { freeText, isFree } from '../../model/run/run-money.ts';
import { cleanText } from '../../model/text/clean.ts';
import { formatUsd, number } from '../../model/text/format.ts';
import { isObject } from '../../model/text/json.ts';
import type { Slot } from '../../plan/graph/plan-graph.ts';
import { roundsOfSlot } from '../../plan/graph/round-order.ts';
import { isPick, kindOf } from '../../plan/kinds/index.ts';
import type { ResultLookup } from '../../plan/obstacles.ts';
import { resultsIn } from '../../plan/owned/owned-result.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { resolve } from '../../plan/values/resolve.ts';
import { money } from './plan-text.ts';

export interface Promoting {
  readonly from: string;
  readonly to: string;
  readonly picks: Promotion['picks'];
  readonly becomes: ReadonlyMap<InstanceKey, Carried>;
  readonly draft: Plan;
  /** What making it came to: US dollars, and requests of unknown cost. */
  readonly cameTo: { readonly usd: number; readonly unknown: number };
  readonly final: Plan;
  /** The same with every take. */
  readonly allTakes: Pick<Plan, 'totals' | 'demand' | 'service'>;
}

/** Picks that are named when there are many. */
const FEW = 10;
const LABEL = 16;

export function promotionLines(promoting: Promoting): readonly string[] {
  const { from, to, final, allTakes } = promoting;
  const line = (label: string, text: string) => `  ${label.padEnd(LABEL)}${text}`;
  return [
    `${cleanText(final.pipeline.name)}: what was picked in ${from} is made in ${to}, on ${cleanText(final.service)}`,
    ...pickLines(promoting).map(([label, text]) => line(label, text)),
    ...fewOf(roundTexts(promoting)).map((text, at) => line(at === 0 ? 'rounds' : '', text)),
    ...askedAgain(promoting).map(text => line('asked again', text)),
    line(`${from} came to`, cameToText(promoting)),
    line(`${to} comes to`, money(final)),
    line('with all takes', money(allTakes)),
    ...seedLines(promoting).map((text, at) => line(at === 0 ? 'seeds' : '', text)),
  ];
}

function pickLines({ picks, becomes, to }: Promoting): readonly (readonly [string, string])[] {
  const of = (...wanted: readonly Carried[]) => picks.filter(({ key }) => wanted.includes(becomes.get(key) ?? 'gone'));
  const named = (some: Promotion['picks'], text: (pick: Promotion['picks'][number]) => string) => fewOf(some.map(text));
  const chosen = ({ key, chosen: keys }: Promotion['picks'][number]) => cleanText(`${key}: ${keys.join(', ')}`);
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['picked', named(of('carried', 'later'), chosen)],
    ['kept', named(of('kept'), ({ key }) => `${cleanText(key)} is chosen in ${to} already, and otherwise`)],
    [
      'asked anew',
      named(of('asked'), ({ key }) => `${cleanText(key)}: what it is chosen from is not the same in ${to}`),
    ],
    ['not in it', named(of('gone'), ({ key }) => `${cleanText(key)}: there is no such pick in ${to}`)],
  ];
  return rows.flatMap(([label, texts]) => texts.map((text, at) => [at === 0 ? label : '', text] as const));
}

/** An approval is of content, and this is other content. Of what is made in rounds the first is named. */
function askedAgain({ final }: Promoting): readonly string[] {
  const keys = [...final.instances].flatMap(instance => {
    const { key, step, decision } = instance;
    if (!kindOf(step).mayRefuse || isOfLaterRound(instance)) return [];
    return decision.is === 'hit' || decision.is === 'left_out' || decision.is === 'skip' ? [] : [key as string];
  });
  return keys.length === 0 ? [] : [`${cleanText(fewOf(keys).join(', '))}: an approval is of what was shown`];
}

const fewOf = (texts: readonly string[]): readonly string[] => [
  ...texts.slice(0, FEW),
  ...(texts.length > FEW ? [`and ${number(texts.length - FEW)} more`] : []),
];

function cameToText({ cameTo: { usd, unknown }, draft }: Promoting): string {
  const more = unknown === 0 ? '' : `, and ${number(unknown)} of unknown cost`;
  return `${isFree(draft) ? freeText(usd) : formatUsd(usd)}${more}`;
}

/** A model makes the like of it where it is the same model and has a seed; more is not certain. */
function seedLines({ picks, becomes, draft, final, from }: Promoting): readonly string[] {
  const chosen = picks
    .filter(({ key }) => becomes.get(key) === 'carried')
    .flatMap(pick => pick.chosen.map(key => takenRound(draft, key)?.key ?? key));
  const pairs = chosen.flatMap(key => {
    const [then, now] = [draft.instances.get(key), final.instances.get(key)];
    const models = [then, now].map(one => one && kindOf(one.step).model(one.step));
    return then && now && models[1] !== undefined ? [{ key, then, now, models }] : [];
  });
  if (pairs.length === 0) return [];
  const same = pairs.filter(
    ({ then, now }) => seedIn(then.request) !== undefined && seedIn(then.request) === seedIn(now.request),
  );
  const otherModels = same.filter(({ models: [was, is] }) => was !== is);
  const without = pairs.filter(({ now }) => seedIn(now.request) === undefined);
  return [
    `as in ${from} for ${number(same.length)} of ${number(pairs.length)}${
      without.length === 0
        ? ''
        : `; ${namesOf(without)} ${without.length === 1 ? 'has' : 'have'} none, so nothing holds ${without.length === 1 ? 'it' : 'them'} to what was seen`
    }`,
    ...(otherModels.length === 0
      ? []
      : [`another model makes another picture of the same seed: ${namesOf(otherModels)}`]),
  ];
}

const seedIn = (request: unknown): unknown =>
  request !== undefined && isObject(request as never) ? (request as { readonly seed?: unknown }).seed : undefined;

const namesOf = (some: readonly { readonly key: InstanceKey }[]): string =>
  cleanText(
    some
      .slice(0, 3)
      .map(({ key }) => key)
      .join(', ') + (some.length > 3 ? ` and ${number(some.length - 3)} more` : ''),
  );

/**
 * What becomes of rounds. Whether one passes depends on what was made, and in another profile that is something else: they are made anew there, as
 * in the file.
 *  What is asked word for word alike is made once, whichever profile asks:
 * `shot[take=2]: round 2 held in draft; whether one holds is asked anew, of 3 at most`.
 */
function roundTexts({ from, draft, final }: Promoting): readonly string[] {
  return [...final.instances].flatMap(instance => {
    const { key, step, decision } = instance;
    if (!('rounds' in step) || isOfLaterRound(instance)) return [];
    if (decision.is === 'hit' || decision.is === 'left_out' || decision.is === 'skip') return [];
    const taken = takenRound(draft, key);
    const most = roundsOfSlot(final, instance).length;
    return [cleanText(`${key}: ${taken ? `${takenText(taken, from)}; ` : ''}${anew(most)}`)];
  });
}

/** Where a step is made in rounds, the round of it that counts; undefined elsewhere. */
function takenRound({ instances }: Plan, key: InstanceKey): RoundResult | undefined {
  const decision = instances.get(key)?.decision;
  const result = decision && 'result' in decision ? decision.result : undefined;
  return result?.is === 'round' ? result : undefined;
}

/** It is made only where none before it holds. */
const isOfLaterRound = ({ round = 1, outer }: Pick<Slot, 'round' | 'outer'>): boolean =>
  round > 1 || (outer !== undefined && isOfLaterRound(outer));

const takenText = ({ round, otherwise }: RoundResult, from: string): string =>
  otherwise ? `none held in ${from}, and round ${number(round)} was taken` : `round ${number(round)} held in ${from}`;

const anew = (most: number): string =>
  most === 1 ? 'whether it holds is asked anew' : `whether one holds is asked anew, of ${number(most)} at most`;

export interface PicksIn {
  readonly decided: readonly PromotedPick[];
  /** Undecided, or there was nothing to choose from yet. A step means unknown instances. */
  readonly open: readonly (InstanceKey | StepName)[];
}

export function picksIn(plan: Plan, context: PlanContext): PicksIn {
  const lookup = resultsIn(plan);
  const decided: PromotedPick[] = [];
  const open: (InstanceKey | StepName)[] = plan.pipeline.steps.flatMap(step =>
    isPick(step) && plan.instances.isOpen(step.name) ? [step.name] : [],
  );
  for (const instance of plan.instances) {
    if (!isPick(instance.step)) continue;
    const pick = pickAt(instance, plan, context, lookup);
    if (pick === 'open') open.push(instance.key);
    else if (pick) decided.push(pick);
  }
  return { decided, open };
}

/** Undefined where there is nothing to choose: it is off, or has one candidate. */
function pickAt(
  instance: Instance,
  plan: Plan,
  context: PlanContext,
  lookup: ResultLookup,
): PromotedPick | 'open' | undefined {
  const resolved = resolve(plan, instance, lookup, context);
  const pick = (
    { by, who, login, note }: Pick<Choice, 'by' | 'who' | 'login' | 'note'>,
    chosen: readonly InstanceKey[],
    all: readonly InstanceKey[],
  ): PromotedPick => ({
    ...{ key: instance.key, chosen, who: by === 'rule' || by === 'judge' ? by : who },
    ...(login !== undefined && { login }),
    among: Object.fromEntries(all.map(key => [key, rowOf(plan.instances.get(key)?.matrix ?? {})])),
    ...(note !== undefined && { note }),
  });
  switch (resolved.is) {
    case 'skip':
      return undefined;
    case 'decision': {
      const { state, asking } = resolved;
      if (state.is === 'open') return 'open';
      const { choice } = state;
      if (choice.by === 'only') return undefined;
      return pick(
        choice,
        choice.chosen.flatMap(one => asking.called[asking.from.indexOf(one)] ?? []),
        asking.called,
      );
    }
    case 'pending': {
      const { decided, gives = [], excludes } = resolved;
      return decided ? pick(decided, gives, [...gives, ...(excludes?.instances ?? [])]) : 'open';
    }
    default:
      return 'open';
  }
}

/** What becomes of a promoted pick in the plan that it is promoted to. */
type Carried =
  /** What was chosen there is made here, and nothing else of what it was chosen from. */
  | 'carried'
  /** It is chosen here already, and otherwise. */
  | 'kept'
  /** What it is chosen from is another. */
  | 'asked'
  /** It is reported when the run gets there. */
  | 'later'
  | 'gone';

export function carriedIn(plan: Plan, context: PlanContext, { key, chosen }: PromotedPick): Carried {
  const instance = plan.instances.get(key);
  if (!instance) return plan.open.some(({ step }) => step === stepOf(key)) ? 'later' : 'gone';
  const resolved = resolve(plan, instance, resultsIn(plan), context);
  const isSame = (keys: readonly InstanceKey[]) => keys.join('\n') === chosen.join('\n');
  switch (resolved.is) {
    case 'skip':
      return 'gone';
    case 'pending':
      if (resolved.excludes && resolved.gives && isSame(resolved.gives)) return 'carried';
      return resolved.decided ? 'kept' : 'asked';
    case 'decision': {
      const { state, asking } = resolved;
      if (state.is === 'open') return 'asked';
      const keys = state.choice.chosen.flatMap(one => asking.called[asking.from.indexOf(one)] ?? []);
      if (isSame(keys)) return 'carried';
      return state.is === 'known' ? 'kept' : 'asked';
    }
    default:
      return 'asked';
  }
}
