/**
 * What becomes of rounds when a film is promoted. Whether one holds is asked of what was made, and in another profile that is something
 * else: they are made anew there, as the file says. What is asked word for word alike is made once, whichever profile asks.
 */
import { cleanText } from '../domain/clean.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { Plan } from '../domain/plan.ts';
import type { RoundResult } from '../domain/result.ts';
import type { Slot } from './plan-graph.ts';
import { number } from './plan-page.ts';
import { roundsOfSlot } from './rounds.ts';

interface Promoted {
  readonly from: string;
  readonly draft: Plan;
  readonly final: Plan;
}

/** What is made in rounds there: `shot[take=2]: round 2 held in draft; whether one holds is asked anew, of 3 at most`. */
export function roundTexts({ from, draft, final }: Promoted): readonly string[] {
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
export function takenRound({ instances }: Plan, key: InstanceKey): RoundResult | undefined {
  const decision = instances.get(key)?.decision;
  const result = decision && 'result' in decision ? decision.result : undefined;
  return result?.is === 'round' ? result : undefined;
}

/** It is made only where none before it holds. */
export const isOfLaterRound = ({ round = 1, outer }: Pick<Slot, 'round' | 'outer'>): boolean =>
  round > 1 || (outer !== undefined && isOfLaterRound(outer));

const takenText = ({ round, otherwise }: RoundResult, from: string): string =>
  otherwise ? `none held in ${from}, and round ${number(round)} was taken` : `round ${number(round)} held in ${from}`;

const anew = (most: number): string =>
  most === 1 ? 'whether it holds is asked anew' : `whether one holds is asked anew, of ${number(most)} at most`;
