/**
 * What `status` shows of a run that is led somewhere else. The lead keeps it as one row of the team's tables, so that a reader opens neither the
 * events nor the plan. Every list in it is bounded; the counts are whole.
 */

import { type InstanceKey, stepOf } from '../../../model/run/key.ts';
import type { ReportedState } from '../../../model/run/run-report.ts';
import { messageText } from '../../../model/text/clean.ts';
import { InstanceStory } from '../../../records/views/instance-story.ts';
import type { AllTurns, TurnedInstance } from '../../../records/views/turn-states.ts';
import { failureWords } from '../failure-text.ts';
import { shown } from '../report/reported-states.ts';
import { messages } from '../report/state-words.ts';
import { type AtWork, addWaiting, atWork, type FilmStatus, failedNow, type Waiting } from './film-status.ts';

/** Times are Unix milliseconds, money US dollars. */
export interface RunTally
  extends Pick<FilmStatus, 'counts' | 'at_work' | 'waiting' | 'failed'>,
    Pick<AllTurns, 'last' | 'outcome' | 'spent' | 'estimated' | 'budget'> {
  readonly began: number;
  readonly questions: readonly TalliedQuestion[];
}

interface TalliedQuestion {
  readonly key: InstanceKey;
  readonly what: 'pick' | 'approve';
  readonly ask: string;
  readonly options: readonly InstanceKey[];
}

/** Entries of each list. */
const MOST_TALLIED = 100;

export function runTally(turns: AllTurns): RunTally {
  const { instances, failed, began = 0, last, outcome, spent, estimated, budget } = turns;
  const counts: Partial<Record<ReportedState, number>> = {};
  const at_work: AtWork[] = [];
  const questions: TalliedQuestion[] = [];
  const waiting = new Map<string, Waiting>();
  for (const [key, one] of instances) {
    const state = stateOf(one);
    counts[state] = (counts[state] ?? 0) + 1;
    if (state === 'waiting') addWaiting(waiting, stepOf(key), waitsFor(one, instances), MOST_TALLIED);
    if (!(one.is instanceof InstanceStory)) continue;
    const { state: now, attempts, sentTo, generation } = one.is;
    if (at_work.length < MOST_TALLIED)
      at_work.push(...atWork({ key, state, model: one.model || sentTo || '', attempts, generation }));
    if (now.is === 'asking' && questions.length < MOST_TALLIED)
      questions.push({ key, what: now.what, ask: now.ask, options: now.options.slice(-MOST_TALLIED) });
  }
  return {
    ...{ began, last, outcome, spent, estimated, budget, counts, at_work, waiting: [...waiting.values()], questions },
    failed: [...failed]
      .slice(0, MOST_TALLIED)
      .map(([key, failure]) => failedNow(key, { code: failure.code, message: failureWords(failure) })),
  };
}

function stateOf({ is }: TurnedInstance): ReportedState {
  if (is instanceof InstanceStory) return shown(is.state, true);
  return is === 'made before' ? 'made' : (is ?? 'waiting');
}

function waitsFor({ needs, is }: TurnedInstance, instances: AllTurns['instances']): string | null {
  if (is instanceof InstanceStory) {
    if (is.state.is === 'refused') return messageText(is.state.reason);
    if (is.state.is === 'retrying') return messageText(is.state.failure.message);
  }
  const unmet = needs.filter(need => typeof instances.get(need)?.is !== 'string');
  return unmet.length === 0 ? null : messages.waitsForSome(unmet);
}
