import type { RunId } from '../../domain/key.ts';
import type { Journal } from '../../records/journal/journal.ts';
import type { Submission } from '../../records/views/ledger.ts';

/** A person gives these up: no run waits for them any more. */
export async function forgetSubmissions(chosen: readonly Submission[], journal: Journal): Promise<void> {
  for (const { key, nonce, fingerprint } of chosen) {
    journal.append(`forgotten ${nonce}` as RunId, [{ type: 'submission_forgotten', key, nonce, fingerprint }]);
  }
  await journal.durable();
}
