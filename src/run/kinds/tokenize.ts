/**
 * A `tokenize` step: its tokenization is begun once, and waited for where the service lets the fine-tune be read.
 *
 *   read ─┬─ ready ─────────────────────────────────────────► done, nothing was sent
 *         ├─ under way ────────────────────────────┐
 *         └─ created, or nobody can tell ── POST ──┴─ read, until it is ready ─┬─► done
 *                                                                              ├─► failed, in the service's words
 *                                                                              └─► cannot be read: done, and told so
 *
 * It moves no money, so where an answer was lost, and nothing can be read, it may be asked for again: a service that has begun it
 * refuses by the state the fine-tune is in (409), and that is the answer then.
 */
import { type FineTune, type FineTunePlace, tokenizationOf } from '../../api/fine-tunes.ts';
import type { InstanceKey } from '../../domain/key.ts';
import { backoff } from '../../host/backoff.ts';
import { deadline } from '../../host/deadline.ts';
import type { RequestOutcome } from '../ports/admission.ts';
import { failed, failureWords, watchFineTune } from '../requests/fine-tune-watch.ts';
import type { RunServices } from '../run-services.ts';
import { timeLimit } from '../time-limit.ts';
import type { Execute } from './execute.ts';

type Needs = Pick<RunServices, 'run' | 'health'>;

export const executeTokenize: Execute<'tokenize'> = async ({ key, step }, { fingerprint, place }, services) => {
  const { recorder, journal, clock, stopping } = services.run;
  const mayHaveBegun = journal.views.work.wasCutOff(fingerprint);
  recorder.record({ type: 'command_started', key, fingerprint });
  if (!(await recorder.durable())) return;
  const limit = timeLimit(step);
  using late = deadline(limit, { clock });
  const signal = AbortSignal.any([stopping.signal, late.signal]);
  const outcome = await tokenize({ key, place, mayHaveBegun }, signal, services);
  const isLate = outcome.is === 'stopped' && !stopping.signal.aborted && late.signal.aborted;
  recorder.settle(key, fingerprint, isLate ? tooLate(place, limit ?? 0) : outcome);
};

export interface TuningWork {
  readonly key: InstanceKey;
  readonly place: FineTunePlace;
  /** An earlier run may have begun it. */
  readonly mayHaveBegun: boolean;
}

async function tokenize(work: TuningWork, signal: AbortSignal, services: Needs): Promise<RequestOutcome> {
  const { service } = services.run;
  const { place } = work;
  let { mayHaveBegun } = work;
  for (let attempt = 0; !signal.aborted; attempt++) {
    const before = await service.fineTune(place, signal);
    if (signal.aborted) break;
    const seen = before.is === 'ok' ? before.value : undefined;
    const found = seen && alreadyThere(seen, mayHaveBegun);
    if (found === 'wait') return watchFineTune(work, { last: seen, isReadable: true }, signal, services);
    if (found) return found;
    const answer = await service.tokenize(place, signal);
    switch (answer.is) {
      case 'ok':
        services.health.well();
        return taken(answer.value, seen !== undefined, work, signal, services);
      case 'refused':
        if (answer.status === 409 && mayHaveBegun)
          return watchFineTune(work, { last: seen, isReadable: seen !== undefined }, signal, services);
        return failed(answer.message);
      case 'absent':
        return failed(answer.message);
      case 'unauthenticated':
        services.health.refused(answer.message);
        return { is: 'stopped' };
      case 'unavailable':
        if (signal.aborted) break;
        mayHaveBegun = true;
        services.health.trouble(answer.message);
        await services.run.clock.sleep(backoff(attempt, answer), signal);
    }
  }
  return { is: 'stopped' };
}

/** What a fine-tune that was read says before anything is sent; undefined where its tokenization is to be begun. */
function alreadyThere(seen: FineTune, mayHaveBegun: boolean): RequestOutcome | 'wait' | undefined {
  switch (tokenizationOf(seen)) {
    case 'ready':
      return { is: 'ok', result: { is: 'fine_tune', fine_tune: seen } };
    case 'under_way':
      return 'wait';
    case 'failed':
      return mayHaveBegun ? failed(failureWords(seen)) : undefined;
    case 'created':
    case 'untold':
      return undefined;
  }
}

/** The answer to the POST is a first look at it. */
async function taken(
  said: FineTune,
  isReadable: boolean,
  work: TuningWork,
  signal: AbortSignal,
  services: Needs,
): Promise<RequestOutcome> {
  const state = tokenizationOf(said);
  if (state === 'ready') return { is: 'ok', result: { is: 'fine_tune', fine_tune: said } };
  if (state === 'failed') return failed(failureWords(said));
  return watchFineTune(work, { last: said, isReadable }, signal, services);
}

function tooLate({ id }: FineTunePlace, limit: number): RequestOutcome {
  const message = `not ready after ${limit} ms; the tokenization of ${id} goes on at the service, and the next run waits for it`;
  return { is: 'failed', failure: { code: 'timed_out', message, goes_on: true } };
}
