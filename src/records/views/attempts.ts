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

/** @param usd what the event has cost */
export function countAttempt(attempts: Attempt[], event: RecordedInstanceEvent, usd: number): void {
  const charged = attempts.findLast(
    one => event.type !== 'billed' || one.generation === null || one.generation === event.generation_id,
  );
  if (charged && usd !== 0) charged.cost = event.type === 'billed' ? event.cost : addUsd(charged.cost ?? 0, usd);
  const last = attempts.at(-1);
  const open = last?.ended === null ? last : undefined;
  const end = (is: Attempt['is'], reason: string | null) => {
    if (open) Object.assign(open, { ended: event.at, is, reason: reason ?? open.reason });
  };
  const begin = (running: number | null, generation: string | null = null) =>
    attempts.push({
      ...{ queued: event.at, running, fetching: null, ended: null, is: 'running' },
      ...{ cost: null, generation, reason: null },
    });
  switch (event.type) {
    case 'submit_intended':
      end('unknown', null);
      begin(event.via ? event.at : null);
      break;
    case 'command_started':
      end('unknown', null);
      begin(event.at);
      break;
    case 'taken_up':
    case 'submit_accepted':
      if (!open) begin(null, event.generation_id);
      else if (event.generation_id !== null)
        Object.assign(open, { generation: event.generation_id, is: 'running', reason: null });
      break;
    case 'submit_refused':
    case 'submit_absent':
    case 'answer_unfit':
      end('failed', event.reason);
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
      end(isCancelled(event.failure) ? 'cancelled' : 'failed', event.failure.message);
      break;
    case 'succeeded':
      end('made', null);
      break;
  }
}
