/**
 * How money moves: the intent is durable, then one POST, then the id is durable in the same tick.
 *
 *   intended ── POST ─┬─ accepted ─────────────────────► follow it
 *                     ├─ refused, unreached ───────────► provably not taken: say why; try again where that can help
 *                     └─ unknown ── look for it ─┬─ found ──► follow it
 *                                                ├─ absent ─► provably not there: it may be sent again
 *                                                └─ nobody can tell ─► the author's `on_unknown` decides
 *
 * "Provably not there" needs a service that lists its history (observed, not promised), read a while after the POST ended.
 */
import type { HistoryRow } from '../api/queue.ts';
import type { Failure } from '../domain/failure.ts';
import { canonical, type Json, type JsonObject } from '../domain/json.ts';
import type { GenerationId, InstanceKey } from '../domain/key.ts';
import type { Context } from './context.ts';
import { backoff, type Health } from './health.ts';
import type { OpenSubmission } from './ledger.ts';

export interface Submission {
  readonly key: InstanceKey;
  readonly fingerprint: string;
  readonly model: string;
  readonly request: JsonObject;
  readonly price: number | null;
}

export type Submitted =
  | { readonly is: 'accepted'; readonly id: GenerationId }
  | { readonly is: 'failed'; readonly failure: Failure }
  /** The run stopped first; what is journalled is taken up by the next one. */
  | { readonly is: 'stopped' };

/** A generation may have been enqueued by a clock that runs ahead of or behind ours. */
const CLOCK_SKEW_S = 300;

export async function submit(work: Submission, context: Context, health: Health): Promise<Submitted> {
  const { service, newId, clock, journal } = context.world;
  for (let attempt = 0; ; attempt++) {
    await context.pools.submitTurn();
    if (context.signal.aborted) return { is: 'stopped' };
    const nonce = newId();
    context.emit({ type: 'submit_intended', nonce, ...work });
    await journal.committed();
    // From here to its answer the POST is not cut off when the run stops: half a POST is money nobody can account for.
    const answer = await service.enqueue({ ...work.request, model: work.model }, new AbortController().signal);
    const now = clock.now();
    switch (answer.is) {
      case 'accepted': {
        const id = answer.id as GenerationId;
        context.emit({ type: 'submit_accepted', key: work.key, nonce, generation_id: id, found: false });
        journal.commit();
        health.well();
        return { is: 'accepted', id };
      }
      case 'refused': {
        if (answer.status === 429) {
          const retry_at = now + (answer.retryAfter ?? backoff(attempt));
          context.emit({ type: 'submit_refused', key: work.key, nonce, reason: answer.message, retry_at });
          await clock.sleep(retry_at - now, context.signal);
          break;
        }
        context.emit({ type: 'submit_refused', key: work.key, nonce, reason: answer.message, retry_at: null });
        if (answer.status === 401 || answer.status === 403) {
          health.refused(answer.message);
          return { is: 'stopped' };
        }
        return {
          is: 'failed',
          failure: { code: 'request_refused', status: answer.status, message: answer.message },
        };
      }
      case 'unreached': {
        health.trouble(answer.message);
        const retry_at = now + backoff(attempt);
        context.emit({ type: 'submit_refused', key: work.key, nonce, reason: answer.message, retry_at });
        await clock.sleep(retry_at - now, context.signal);
        break;
      }
      case 'unknown': {
        const { key, fingerprint } = work;
        context.emit({ type: 'submit_unknown', key, nonce, fingerprint, reason: answer.message });
        const found = await lookFor({ ...work, nonce, at: now }, context, health);
        if (found.is !== 'absent') return found;
        break;
      }
    }
  }
}

/** Takes up what an earlier run submitted for this very request. */
export async function takeUp(
  open: OpenSubmission,
  key: InstanceKey,
  context: Context,
  health: Health,
): Promise<Submitted | { readonly is: 'absent' }> {
  const { nonce, fingerprint } = open;
  if (open.id) {
    context.emit({ type: 'taken_up', key, nonce, fingerprint, generation_id: open.id });
    return { is: 'accepted', id: open.id };
  }
  const reason = 'an earlier run ended before the service had answered';
  context.emit({ type: 'submit_unknown', key, nonce, fingerprint, reason });
  return lookFor({ ...open, key }, context, health);
}

/** Looks for a submission whose outcome is unknown wherever the service lists what it was given. */
async function lookFor(
  lost: Omit<OpenSubmission, 'id'>,
  context: Context,
  health: Health,
): Promise<Submitted | { readonly is: 'absent' }> {
  const { service, clock, settings } = context.world;
  for (let attempt = 0; ; attempt++) {
    if (context.signal.aborted) return { is: 'stopped' };
    const askedAt = clock.now();
    const answer = await service.history(context.signal);
    if (context.signal.aborted) return { is: 'stopped' };
    switch (answer.is) {
      case 'ok': {
        health.well();
        const row = answer.value.find(candidate => isIt(candidate, lost, context));
        if (row) {
          const id = row.generation_id as GenerationId;
          context.emit({ type: 'submit_accepted', key: lost.key, nonce: lost.nonce, generation_id: id, found: true });
          context.world.journal.commit();
          return { is: 'accepted', id };
        }
        // The POST may still be on its way through the service: "not listed" counts only after a while.
        const settled = lost.at + settings.settleUnknown;
        if (askedAt >= settled) {
          const reason = 'the service lists all it was given, and this is not among it';
          context.emit({ type: 'submit_absent', key: lost.key, nonce: lost.nonce, reason });
          return { is: 'absent' };
        }
        await clock.sleep(settled - clock.now(), context.signal);
        break;
      }
      case 'absent':
        return nobodyCanTell(lost, context);
      case 'unauthenticated':
        health.refused(answer.message);
        return { is: 'stopped' };
      case 'unavailable':
        health.trouble(answer.message);
        await clock.sleep(answer.retryAfter ?? backoff(attempt), context.signal);
        break;
    }
  }
}

function nobodyCanTell(lost: Omit<OpenSubmission, 'id'>, context: Context): Submitted | { readonly is: 'absent' } {
  if (context.world.settings.onUnknown === 'resubmit') {
    const reason = 'the service does not list what it was given; --on-unknown resubmit was asked for';
    context.emit({ type: 'submit_absent', key: lost.key, nonce: lost.nonce, reason });
    return { is: 'absent' };
  }
  const message =
    'the request was sent but the answer was lost, and this service does not list what it was given: it may have been accepted and paid for. ' +
    'Look at the service; to send it again, run with --on-unknown resubmit';
  return { is: 'failed', failure: { code: 'submit_unknown', message } };
}

/** A row of the history is the lost submission when nobody else claims it, it is recent, and every field we sent is in it. */
function isIt(row: HistoryRow, lost: Omit<OpenSubmission, 'id'>, context: Context): boolean {
  if (context.ledger.isClaimed(row.generation_id)) return false;
  if (row.enqueued_at !== undefined && row.enqueued_at < lost.at / 1000 - CLOCK_SKEW_S) return false;
  if ((row.model_name ?? row.model) !== lost.model) return false;
  const fields = row as unknown as Readonly<Record<string, Json | undefined>>;
  return Object.entries(lost.request).every(
    ([name, value]) => fields[name] !== undefined && canonical(fields[name]) === canonical(value),
  );
}
