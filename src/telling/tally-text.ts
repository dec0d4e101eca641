/** A step of many instances in a few words. */

import { type RunView, unmetNeeds } from '../records/views/run-view.ts';
import type { StepTally } from './step-tally.ts';

/** One of the counts of a row; `alarm` is kept for what went wrong, `person` for what somebody has to do. */
export interface Counted {
  readonly text: string;
  readonly is: 'plain' | 'quiet' | 'alarm' | 'person';
}

/** `25 done`, `8 at work`, `2 queued`, `1 failed`: only what there is any of. */
export function tallyTexts(tally: StepTally): readonly Counted[] {
  const counts: readonly (readonly [number, string, Counted['is']])[] = [
    [tally.done, tally.isDecided ? 'decided' : 'done', 'plain'],
    [tally.asking, tally.asking === 1 ? 'waits for you' : 'wait for you', 'person'],
    [tally.atWork, 'at work', 'plain'],
    [tally.queued, 'queued', 'plain'],
    [tally.retrying, 'tried again', 'plain'],
    [tally.overBudget, 'over budget', 'alarm'],
    [tally.failed, 'failed', 'alarm'],
    [tally.blocked, 'blocked', 'quiet'],
    [tally.next, 'next', 'quiet'],
    [tally.later, 'not yet', 'quiet'],
  ];
  return counts.filter(([n]) => n > 0).map(([n, word, is]) => ({ text: `${n} ${word}`, is }));
}

/** `waits for 12 of final and 1 of music`, for a step of which nothing has begun. */
export function waitsForText(run: RunView, tally: StepTally): string | null {
  if (tally.later !== tally.instances.length) return null;
  const missing = new Map<string, Set<string>>();
  for (const instance of tally.instances)
    for (const { key, step } of unmetNeeds(run, instance)) missing.set(step, (missing.get(step) ?? new Set()).add(key));
  const [first, second, ...others] = [...missing].map(([step, keys]) => `${keys.size} of ${step}`);
  if (first === undefined) return null;
  if (second === undefined) return `waits for ${first}`;
  return `waits for ${first} and ${others.length === 0 ? second : `${others.length + 1} more steps`}`;
}
