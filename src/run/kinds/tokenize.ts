/**
 * A `tokenize` step: its tokenization is begun once, and waited for where the service lets the fine-tune be read.
 *
 *   read ─┬─ ready ─────────────────────────────────────────► done, nothing was sent
 *         ├─ under way ────────────────────────────┐
 *         └─ created, or unknown ── POST ──┴─ read, until it is ready ─┬─► done
 *                                                                              ├─► failed, in the service's words
 *                                                                              └─► cannot be read: done, and noted
 *
 * It moves no money, so where an answer was lost, and nothing can be read, it may be asked for again: a service that has begun it
 * refuses by the state the fine-tune is in (409), and that is the answer then.
 */
import { type FineTune, type FineTunePlace, reasonOf, tokenizationOf } from '../../api/fine-tunes.ts';
import { backoff } from '../../machine/time/backoff.ts';
import { deadline } from '../../machine/time/deadline.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { Execute, RunServices } from '../engine/run-services.ts';
import { timeLimit } from '../engine/time-limit.ts';
import type { RequestOutcome } from '../ports/admission.ts';
import type { Pace } from '../requests/watcher.ts';

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

interface TuningWork {
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
    const last = before.is === 'ok' ? before.value : undefined;
    const state = last && tokenizationOf(last);
    const isReadable = last !== undefined;
    if (state === 'under_way') return untilOver(work, { last, isReadable }, signal, services);
    if (last && (state === 'ready' || mayHaveBegun)) {
      const end = endOf(last);
      if (end) return end;
    }
    const answer = await service.tokenize(place, signal);
    switch (answer.is) {
      case 'ok':
        services.health.well();
        // The answer to the POST is a first look at it.
        return endOf(answer.value) ?? untilOver(work, { last: answer.value, isReadable }, signal, services);
      case 'refused':
        if (answer.status === 409 && mayHaveBegun) return untilOver(work, { last, isReadable }, signal, services);
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

/** Undefined: its tokenization goes on, or was not begun, or the service does not tell. */
function endOf(seen: FineTune): RequestOutcome | undefined {
  const state = tokenizationOf(seen);
  if (state === 'ready') return { is: 'ok', result: { is: 'fine_tune', fine_tune: seen } };
  if (state !== 'failed') return undefined;
  return failed(
    `the fine-tune is ${seen.status}${reasonOf(seen) === undefined ? '; the service gave no reason' : `: ${reasonOf(seen)}`}`,
  );
}

function tooLate({ id }: FineTunePlace, limit: number): RequestOutcome {
  const message = `not ready after ${limit} ms; the tokenization of ${id} goes on at the service, and the next run waits for it`;
  return { is: 'failed', failure: { code: 'timed_out', message, goes_on: true } };
}

interface SeenSoFar {
  readonly last: FineTune | undefined;
  /** It was read before. */
  readonly isReadable: boolean;
}

/** Milliseconds, awake, after which a fine-tune that was read and is denied now counts as lost. */
const LOST_AFTER = 60_000;

/**
 * Waits until a fine-tune that the service has taken is tokenized. Only reads tell: no event announces it, and the document offers no
 * such read, so a service that answers none is believed at once. What was read once and is denied later may come back. `stopped` when the
 * signal aborts: it goes on at the service.
 */
async function untilOver(
  { key, place }: TuningWork,
  seen: SeenSoFar,
  signal: AbortSignal,
  { run, health }: Needs,
): Promise<RequestOutcome> {
  const { service, clock, recorder, settings } = run;
  let { last, isReadable } = seen;
  let [shown, failures, asked, denied, gone] = ['', 0, 0, 0, 0];
  const show = (now: FineTune) => {
    const fraction = typeof now.progress === 'number' ? Math.min(1, Math.max(0, now.progress)) : null;
    const status = now.status ?? '';
    if (`${status} ${fraction}` === shown) return;
    shown = `${status} ${fraction}`;
    recorder.note({ type: 'progress', key, status, position: null, fraction });
  };
  if (last?.status !== undefined) show(last);
  for (;;) {
    const wait = failures > 0 ? backoff(failures - 1, { retryAfter: asked }) : pause(gone, settings.pace);
    await clock.sleep(wait, signal);
    gone += wait;
    if (signal.aborted) return { is: 'stopped' };
    const answer = await service.fineTune(place, signal);
    if (signal.aborted) return { is: 'stopped' };
    switch (answer.is) {
      case 'ok': {
        health.well();
        [failures, denied, isReadable] = [0, 0, true];
        last = answer.value;
        const end = tokenizationOf(last) === 'untold' ? untold(last) : endOf(last);
        if (end) return end;
        show(last);
        break;
      }
      case 'absent':
        if (!isReadable) return untold(last ?? { id: place.id });
        failures += 1;
        asked = 0;
        denied += wait;
        if (denied > LOST_AFTER)
          return failed(
            `the service took ${place.id}, and says now that it has no such fine-tune (${answer.message}); look at it there, then run again`,
          );
        break;
      case 'unauthenticated':
        health.refused(answer.message);
        return { is: 'stopped' };
      case 'unavailable':
        failures += 1;
        asked = answer.retryAfter ?? 0;
        health.trouble(answer.message);
    }
  }
}

/** Accepted; when it is ready is unknown. */
const untold = (fine_tune: FineTune): RequestOutcome => ({
  is: 'ok',
  result: { is: 'fine_tune', fine_tune, ready: false },
});

const failed = (message: string): RequestOutcome => ({ is: 'failed', failure: { code: 'tokenize_failed', message } });

/** Milliseconds until the next look: often where reading is free, else a part of the time that has gone. */
const pause = (gone: number, { slow, least, progress }: Pace): number =>
  progress ?? Math.min(slow, gone === 0 ? 3 * least : Math.max(least, 0.4 * gone));
