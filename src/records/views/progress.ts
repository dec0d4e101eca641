/** The progress of each generation of a run, by the service's last report: what a file or a page shows other processes. */
import type { RecordedEvent } from '../../model/run/event.ts';
import type { InstanceKey } from '../../model/run/key.ts';

export interface Progress {
  readonly status: string;
  /** In the service's queue, 1 is next; null where unknown. */
  readonly position: number | null;
  /** 0 to 1; null where unknown. */
  readonly fraction: number | null;
}

/** Brings it on by one event, in place. False: the event changed nothing. */
export function applyProgress(now: Map<InstanceKey, Progress>, event: RecordedEvent): boolean {
  if (event.type === 'run_started' || event.type === 'run_finished' || event.type === 'run_detached') {
    now.clear();
    return true;
  }
  if (!('key' in event)) return false;
  if (event.type !== 'progress') return now.delete(event.key);
  const { status, position, fraction } = event;
  now.set(event.key, { status, position, fraction });
  return true;
}
