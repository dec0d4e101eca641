/** Ends what is being drawn and is asked for no more: in the built-in studio that costs nothing, and makes room for what is. */
import type { Service } from '../../api/service.ts';
import type { Event } from '../../domain/event.ts';
import type { InstanceKey, RunId } from '../../domain/key.ts';
import type { Clock } from '../../host/clock.ts';
import type { Journal } from '../../run/ports/journal.ts';
import { cancelAt } from '../../run/requests/cancel.ts';

export interface Withdrawal {
  readonly service: Service;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Fingerprints of what is still asked for. */
  readonly wanted: ReadonlySet<string>;
}

/** @returns what was ended. What has finished meanwhile stays owned. */
export async function withdraw({ service, journal, clock, wanted }: Withdrawal): Promise<readonly InstanceKey[]> {
  const unwanted = journal.views.ledger.open.filter(
    ({ id, fingerprint }) => id !== undefined && !wanted.has(fingerprint),
  );
  const ended = await Promise.all(
    unwanted.map(async open => {
      const { key, nonce, fingerprint, id } = open;
      const cancelled = await cancelAt(service, open, clock, new AbortController().signal);
      if (cancelled.is !== 'ended' || id === undefined) return [];
      const run = `withdrawn ${nonce}` as RunId;
      const append = (event: Event) => journal.append(run, [event]);
      append({ type: 'taken_up', key, nonce, fingerprint, generation_id: id });
      append({ type: 'failed', key, failure: cancelled.failure });
      return [key];
    }),
  );
  await journal.durable();
  return ended.flat();
}
