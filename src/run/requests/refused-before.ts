/**
 * A service that answers "too many requests" may have taken the request all the same, behind a gateway that counts for itself. So before it is
 * sent again the service's list is looked at, where there is one: a row that can only be this request is this request. No such row proves
 * nothing, and it is sent again: what is refused is not taken, by the standard (RFC 6585, section 4).
 */
import type { Call } from '../../domain/event.ts';
import type { GenerationId, InstanceKey } from '../../domain/key.ts';
import { readRefusedAsBusy } from '../../records/views/sent.ts';
import { judge } from './proof.ts';
import { DAY, evidenceOn, type ReconcileNeeds } from './reconcile.ts';
import type { ServiceHealth } from './service-health.ts';

/** Milliseconds until the answer to an equal request may be there. */
const SOON = 2_000;
/** How often. */
const TRIES = 3;

interface Asked {
  readonly key: InstanceKey;
  readonly fingerprint: string;
  /** Absent: the queue. */
  readonly via?: Call;
  /** This run was refused before. */
  readonly again: boolean;
}

/** The listed generation of what was refused, looked for before it is sent again; undefined where none can only be it. */
export async function lookAfterRefusal(
  asked: Asked,
  run: ReconcileNeeds,
  health: ServiceHealth,
): Promise<GenerationId | undefined> {
  const { journal, clock, service, stopping, looksAfterRefusal } = run;
  // What a call was answered is in no list.
  if (asked.via !== undefined) return undefined;
  const { fingerprint, key } = asked;
  // The refusal is among the rows.
  if (asked.again && !(await run.recorder.durable())) return undefined;
  const refused = await readRefusedAsBusy(journal.views, { fingerprint, account: service.account }, clock.now() - DAY);
  const [first, last] = [refused[0], refused.at(-1)];
  if (!first || !last) return undefined;
  const rows = await looksAfterRefusal.rows({ since: first.at, refusedAt: last.at }, run, health);
  for (let n = 0; rows.length > 0 && n < TRIES && !stopping.signal.aborted; n++) {
    let isLater = false;
    for (const one of refused) {
      const verdict = judge(await evidenceOn({ ...one, key }, rows, true, run));
      if (verdict.is === 'found') return verdict.row.generation_id as GenerationId;
      isLater ||= verdict.is === 'later';
    }
    if (!isLater) break;
    await clock.sleep(SOON, stopping.signal);
  }
  return undefined;
}
