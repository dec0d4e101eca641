/** What a run has cost so far, in US dollars. */
import { addUsd } from '../domain/money.ts';
import type { RecordedInstanceEvent } from '../records/views/instance-state.ts';
import type { InstanceView, RunView } from './run-view.ts';

/** US dollars this run has spent so far, as far as is known. */
export function spentUsd(run: RunView): number {
  if (run.finished !== null) return run.finished.usd;
  let usd = 0;
  for (const instance of run.instances.values()) usd += instance.paidUsd;
  return usd;
}

/** What is paid is known when the service has finished it; until then its price is only expected. */
export function paidAfter(
  instance: Pick<InstanceView, 'paidUsd' | 'price' | 'state'>,
  event: RecordedInstanceEvent,
): number {
  if (event.type === 'generated') return event.cost ?? instance.price ?? 0;
  // An attempt that failed may be billed beside the one that was made. A result of an earlier run is no expense of this run.
  if (event.type === 'billed' && instance.state.is === 'reused') return instance.paidUsd;
  if (event.type === 'billed') return addUsd(addUsd(instance.paidUsd, -(event.estimate ?? 0)), event.cost);
  if (event.type === 'answer_unfit') return instance.paidUsd + (event.cost ?? 0);
  // A text's cost is that of all its calls.
  if (event.type === 'succeeded' && 'cost' in event.result) return event.result.cost ?? instance.paidUsd;
  return instance.paidUsd;
}

/** The built-in studio renders on this machine for nothing; its prices show what the same film would cost on a service. */
export const isFree = ({ service }: Pick<RunView, 'service'>): boolean =>
  service === 'studio' || service === 'studio-draft';
