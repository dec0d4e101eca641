/**
 * Waits until a fine-tune that the service has taken is tokenized. Only reads tell: no event announces it, and the document offers no
 * such read, so a service that answers none is believed at once. What was read once and is denied later may come back.
 */
import { type FineTune, type FineTunePlace, reasonOf, tokenizationOf } from '../../api/fine-tunes.ts';
import type { InstanceKey } from '../../domain/key.ts';
import { backoff } from '../../host/backoff.ts';
import type { RequestOutcome } from '../ports/admission.ts';
import type { RunServices } from '../run-services.ts';
import type { Pace } from './watcher.ts';

export interface WatchedFineTune {
  readonly key: InstanceKey;
  readonly place: FineTunePlace;
}

export interface SeenSoFar {
  /** As the service told it last. */
  readonly last: FineTune | undefined;
  /** It was read before. */
  readonly isReadable: boolean;
}

/** Milliseconds, awake, after which a fine-tune that was read and is denied now counts as lost. */
const LOST_AFTER = 60_000;

/** `stopped` when the signal aborts: it goes on at the service. */
export async function watchFineTune(
  { key, place }: WatchedFineTune,
  seen: SeenSoFar,
  signal: AbortSignal,
  { run, health }: Pick<RunServices, 'run' | 'health'>,
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
        const state = tokenizationOf(last);
        if (state === 'ready') return { is: 'ok', result: { is: 'fine_tune', fine_tune: last } };
        if (state === 'failed') return failed(failureWords(last));
        if (state === 'untold') return untold(last);
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

/** Taken, and nobody can tell when it is ready. */
const untold = (fine_tune: FineTune): RequestOutcome => ({
  is: 'ok',
  result: { is: 'fine_tune', fine_tune, ready: false },
});

export const failed = (message: string): RequestOutcome => ({
  is: 'failed',
  failure: { code: 'tokenize_failed', message },
});

/** Whatever the service says of it. */
export function failureWords(seen: FineTune): string {
  const state = `the fine-tune is ${seen.status}`;
  const reason = reasonOf(seen);
  return reason === undefined ? `${state}; the service gave no reason` : `${state}: ${reason}`;
}

/** Milliseconds until the next look: often where reading is free, else a part of the time that has gone. */
const pause = (gone: number, { slow, least, progress }: Pace): number =>
  progress ?? Math.min(slow, gone === 0 ? 3 * least : Math.max(least, 0.4 * gone));
