/** States of an instance in words: of `status`, of the report, and of its page. Each is used in a sentence (`is waiting for a person`) and alone. */

import type { ReportedState } from '../../../model/run/run-report.ts';
import { cleanText } from '../../../model/text/clean.ts';

export const STATE_WORDS: Readonly<Record<ReportedState, string>> = {
  made: 'made',
  reused: 'reused',
  failed: 'failed',
  blocked: 'blocked',
  skipped: 'skipped',
  left_out: 'left out',
  not_run: 'not run',
  waiting: 'waiting',
  queued: 'queued',
  running: 'running',
  fetching: 'downloading',
  asks: 'waiting for a person',
};

/** How many instances are in each state; states of none are absent. */
export function countStates(instances: Iterable<{ readonly state: ReportedState }>) {
  const counts: Partial<Record<ReportedState, number>> = {};
  for (const { state } of instances) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** In the order in which they are shown. */
export const STATES = Object.keys(STATE_WORDS) as readonly ReportedState[];

/** A report's own words. */
export const messages = {
  blocked: (by: string): string => `it needs ${cleanText(by)}, which came to nothing`,
  notRun: (): string => 'the run ended before its turn',
  overBudget: (why: string): string => `over budget, not sent: ${cleanText(why)}`,
  notTriedAgain: (): string => 'the run ended before its next try',
  leftOpen: (): string => 'the run ended before it did; the next one takes it up',
  again: (): string => 'what it was asked for is the same, and its result was not at hand',
  /** By another instance, or by another film of the project. */
  madeMeanwhile: (): string => 'the same request was made meanwhile',
  /** Found when all that it reads was there. */
  owned: (): string => 'owned, once all that it reads was there',
  notKept: (): string => 'an older version ran it, and did not keep why',
  outputNotMade: (key: string, state: string): string => `${cleanText(key)} is ${state}`,
  /** The first three by name. */
  waitsForSome: (unmet: readonly string[]): string => {
    const names = [...new Set(unmet)].slice(0, 3);
    const more = unmet.length - names.length;
    return `waits for ${[...names.map(cleanText), ...(more > 0 ? [`${more} more`] : [])].join(', ')}`;
  },
};
