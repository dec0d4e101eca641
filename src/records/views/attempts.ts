/** Each try of an instance: when it was queued, at work, fetched and over, what became of it and what it cost. */
import { isInQueue } from '../../api/queue.ts';
import { isCancelled } from '../../domain/failure.ts';
import { addUsd } from '../../domain/money.ts';
import type { RecordedInstanceEvent } from './instance-state.ts';

/** Times in Unix milliseconds; null: not yet. */
export interface Attempt {
  queued: number;
  running: number | null;
  fetching: number | null;
  ended: number | null;
  is: 'made' | 'failed' | 'cancelled' | 'unknown' | 'running';
  cost: number | null;
  generation: string | null;
  reason: string | null;
}

/**
 * The attempts after one more event; the last one is changed in place.
 * @param usd what the event has cost
 */
export function attemptsAfter(
  attempts: readonly Attempt[],
  event: RecordedInstanceEvent,
  usd: number,
): readonly Attempt[] {
  if (usd !== 0) charge(attempts, event, usd);
  const last = attempts.at(-1);
  const open = last?.ended === null ? last : undefined;
  switch (event.type) {
    case 'submit_intended':
      end(open, event.at, 'unknown');
      return [...attempts, begun(event.at, event.via ? event.at : null, null)];
    case 'command_started':
      end(open, event.at, 'unknown');
      return [...attempts, begun(event.at, event.at, null)];
    case 'taken_up':
    case 'submit_accepted':
      if (!open) return [...attempts, begun(event.at, null, event.generation_id)];
      if (event.generation_id !== null)
        Object.assign(open, { generation: event.generation_id, is: 'running', reason: null });
      break;
    case 'submit_refused':
    case 'submit_absent':
    case 'answer_unfit':
      end(open, event.at, 'failed', event.reason);
      break;
    case 'submit_unknown':
      if (open) Object.assign(open, { is: 'unknown', reason: event.reason });
      break;
    case 'progress':
      if (open && !isInQueue(event.status)) open.running ??= event.at;
      break;
    case 'generated':
      if (open) Object.assign(open, { running: open.running ?? open.queued, is: 'running' });
      break;
    case 'download_started':
      if (open) open.fetching ??= event.at;
      break;
    case 'retrying':
    case 'failed':
      end(open, event.at, isCancelled(event.failure) ? 'cancelled' : 'failed', event.failure.message);
      break;
    case 'succeeded':
      end(open, event.at, 'made');
      break;
  }
  return attempts;
}

function charge(attempts: readonly Attempt[], event: RecordedInstanceEvent, usd: number): void {
  const charged = attempts.findLast(
    one => event.type !== 'billed' || one.generation === null || one.generation === event.generation_id,
  );
  if (charged) charged.cost = event.type === 'billed' ? event.cost : addUsd(charged.cost ?? 0, usd);
}

const begun = (queued: number, running: number | null, generation: string | null): Attempt => ({
  queued,
  running,
  fetching: null,
  ended: null,
  is: 'running',
  cost: null,
  generation,
  reason: null,
});

function end(attempt: Attempt | undefined, at: number, is: Attempt['is'], reason?: string): void {
  if (attempt) Object.assign(attempt, { ended: at, is, reason: reason ?? attempt.reason });
}
