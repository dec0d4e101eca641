/**
 * Tries again what has failed, where its author wants that. Attempts are counted in the journal, so that a run that is killed, or
 * stopped, while it waits goes on with the count where it was. Its places in the queue are given back meanwhile.
 */

import { backoff } from '../../machine/time/backoff.ts';
import type { Instance } from '../../model/plan.ts';
import type { Failure } from '../../model/run/failure.ts';
import { type Retry, retryClassOf } from '../../model/run/retry-policy.ts';
import type { RequestOutcome } from '../ports/admission.ts';
import type { RunCore } from './run-core.ts';

type Needs = Pick<RunCore, 'clock' | 'journal' | 'random' | 'recorder' | 'stopping'>;

/** `again`: the next attempt is due. `final`: the outcome is final. */
type AfterFailure = 'again' | 'final' | 'stopped';

/** Milliseconds that doubling leads to at most, where the author asks for no more. */
const LONGEST = 10 * 60_000;

/** Waits, where the failure is one that its author wants it tried again after. */
export async function retryAfter(
  { key, step }: Pick<Instance, 'key' | 'step'>,
  fingerprint: string,
  outcome: RequestOutcome,
  run: Needs,
): Promise<AfterFailure> {
  if (outcome.is !== 'failed' || !step.retry || !isNamed(outcome.failure, step.retry)) return 'final';
  const { attempts: of, backoff: first } = step.retry;
  const attempt = run.journal.views.work.attempts(fingerprint).retried + 2;
  if (attempt > of) return 'final';
  const wait = jittered(backoff(attempt - 2, { first, longest: Math.max(first, LONGEST) }), run);
  const until = run.clock.now() + wait;
  run.recorder.record({ type: 'retrying', key, fingerprint, attempt, of, until, failure: outcome.failure });
  // The count is read from the journal, by this run as well.
  if (!(await run.recorder.durable())) return 'stopped';
  return sleep(wait, run);
}

/** An earlier run ended while it waited: what is left of that wait. */
export async function resumeRetry(
  { step }: Pick<Instance, 'step'>,
  fingerprint: string,
  run: Needs,
): Promise<'again' | 'stopped'> {
  if (!step.retry) return 'again';
  const { until } = run.journal.views.work.attempts(fingerprint);
  // A clock that was set back meanwhile makes it no longer than the longest wait.
  const left = Math.min(until - run.clock.now(), Math.max(LONGEST, step.retry.backoff) * 1.25);
  return left > 0 ? sleep(left, run) : 'again';
}

/** A chat's answers are sent back at once, in the conversation itself (`requests/chat-call.ts`). */
const isNamed = (failure: Failure, { on }: Retry): boolean => {
  const one = retryClassOf(failure);
  return one !== undefined && one !== 'invalid' && on.includes(one);
};

/** Give or take a quarter, so that those that failed together do not come back together. */
const jittered = (ms: number, { random }: Needs): number => Math.round(ms * (0.75 + 0.5 * random()));

async function sleep(ms: number, { clock, stopping }: Needs): Promise<'again' | 'stopped'> {
  await clock.sleep(ms, stopping.beginning);
  return stopping.beginning.aborted ? 'stopped' : 'again';
}
