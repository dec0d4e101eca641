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
 *
 * A call that answers at once leaves no id, and a list that does not hold it proves nothing: what is lost of one stays lost until the
 * author says so.
 */
import type { HistoryRow } from '../api/queue.ts';
import type { MediaEndpoint } from '../api/routes.ts';
import type { NotTaken } from '../api/service.ts';
import type { Call } from '../domain/event.ts';
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
  /** Absent: the queue. */
  readonly via?: Call;
}

export type Submitted =
  | { readonly is: 'accepted'; readonly id: GenerationId }
  /** A call has made it already. */
  | { readonly is: 'made'; readonly url: string }
  | { readonly is: 'failed'; readonly failure: Failure }
  /** The run stopped first; what is journalled is taken up by the next one. */
  | { readonly is: 'stopped' };

/** What looking for a lost submission came to. */
type Found = Exclude<Submitted, { readonly is: 'made' }>;

/** A generation may have been enqueued by a clock that runs ahead of or behind ours. */
const CLOCK_SKEW_S = 300;

/** Through the queue: the answer is an id to follow. */
export async function submit(work: Submission, context: Context, health: Health): Promise<Submitted> {
  const { service, journal } = context.world;
  for (;;) {
    const sent = await send(work, context, health, signal =>
      service.enqueue({ ...work.request, model: work.model }, signal),
    );
    switch (sent.is) {
      case 'taken': {
        const { nonce } = sent;
        const id = sent.answer.id as GenerationId;
        context.emit({ type: 'submit_accepted', key: work.key, nonce, generation_id: id, found: false });
        journal.commit();
        return { is: 'accepted', id };
      }
      case 'lost': {
        const found = await lookFor({ ...work, ...sent }, context, health);
        if (found.is !== 'absent') return found;
        break;
      }
      case 'failed':
      case 'stopped':
        return sent;
    }
  }
}

/** The endpoint that answers when the media is there: 5 to 15 minutes for a video, and waited for to the end. */
export async function makeNow(
  work: Submission,
  endpoint: MediaEndpoint,
  limit: number | undefined,
  context: Context,
  health: Health,
): Promise<Submitted> {
  const { service, journal } = context.world;
  const made = await call(
    work,
    limit,
    signal => service.generateNow(endpoint, { ...work.request, model: work.model }, signal),
    context,
    health,
  );
  if (made.is !== 'taken') return made;
  const { key, price: cost } = work;
  // One step is one piece of media: of several, the first.
  const [url] = made.answer.urls;
  context.emit({ type: 'generated', key, generation_id: null, result_url: url, cost });
  journal.commit();
  return { is: 'made', url };
}

/**
 * One call that answers at once. `limit`, in milliseconds, ends the wait on this side and never sends again: what is lost then may
 * have been carried out.
 */
export async function call<T extends { readonly is: string }>(
  work: Submission,
  limit: number | undefined,
  post: (signal: AbortSignal) => Promise<T | NotTaken>,
  context: Context,
  health: Health,
): Promise<Taken<T> | Found> {
  const { clock } = context.world;
  const answered = new AbortController();
  const late = new AbortController();
  if (limit !== undefined) void clock.sleep(limit, answered.signal).then(() => answered.signal.aborted || late.abort());
  try {
    for (;;) {
      const sent = await send(work, context, health, post, late.signal);
      if (sent.is !== 'lost') return sent;
      if (late.signal.aborted) {
        const message = `no answer after ${limit} ms; it may be carried out and billed all the same`;
        return { is: 'failed', failure: { code: 'timed_out', message } };
      }
      const found = await lookFor({ ...work, ...sent }, context, health);
      if (found.is !== 'absent') return found;
    }
  } finally {
    answered.abort();
  }
}

interface Taken<T> {
  readonly is: 'taken';
  readonly nonce: string;
  readonly answer: T;
}

type Sent<T> =
  | Taken<T>
  /** `at`: Unix milliseconds when the POST ended. */
  | { readonly is: 'lost'; readonly nonce: string; readonly at: number }
  | Extract<Submitted, { readonly is: 'failed' | 'stopped' }>;

/** Sends until it is taken, or lost, or cannot be: again only where it provably was not taken. */
async function send<T extends { readonly is: string }>(
  work: Submission,
  context: Context,
  health: Health,
  post: (signal: AbortSignal) => Promise<T | NotTaken>,
  late: AbortSignal = NEVER,
): Promise<Sent<T>> {
  const { newId, clock, journal } = context.world;
  const { key, fingerprint } = work;
  for (let attempt = 0; ; attempt++) {
    await context.pools.submitTurn();
    if (context.signal.aborted) return { is: 'stopped' };
    const nonce = newId();
    context.emit({ type: 'submit_intended', nonce, ...work });
    await journal.committed();
    // From here to its answer the POST is not cut off when the run stops: half a POST is money nobody can account for.
    const answer = await post(late);
    const now = clock.now();
    if (isTaken(answer)) {
      health.well();
      return { is: 'taken', nonce, answer };
    }
    switch (answer.is) {
      case 'refused': {
        if (answer.status === 429) {
          const retry_at = now + (answer.retryAfter ?? backoff(attempt));
          context.emit({ type: 'submit_refused', key, nonce, reason: answer.message, retry_at });
          await clock.sleep(retry_at - now, context.signal);
          break;
        }
        context.emit({ type: 'submit_refused', key, nonce, reason: answer.message, retry_at: null });
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
        context.emit({ type: 'submit_refused', key, nonce, reason: answer.message, retry_at });
        if (late.aborted)
          return { is: 'failed', failure: { code: 'timed_out', message: 'its time was over before it could be sent' } };
        await clock.sleep(retry_at - now, context.signal);
        break;
      }
      case 'unknown':
        context.emit({ type: 'submit_unknown', key, nonce, fingerprint, reason: answer.message });
        return { is: 'lost', nonce, at: now };
    }
  }
}

const NEVER = new AbortController().signal;

const isTaken = <T extends { readonly is: string }>(answer: T | NotTaken): answer is T =>
  answer.is !== 'refused' && answer.is !== 'unreached' && answer.is !== 'unknown';

/** Takes up what an earlier run submitted for this very request. */
export async function takeUp(
  open: OpenSubmission,
  key: InstanceKey,
  context: Context,
  health: Health,
): Promise<Submitted | { readonly is: 'absent' }> {
  const { nonce, fingerprint, url } = open;
  if (open.id) {
    context.emit({ type: 'taken_up', key, nonce, fingerprint, generation_id: open.id });
    return { is: 'accepted', id: open.id };
  }
  if (url !== undefined) {
    context.emit({ type: 'taken_up', key, nonce, fingerprint, generation_id: null });
    context.emit({ type: 'generated', key, generation_id: null, result_url: url, cost: open.price });
    return { is: 'made', url };
  }
  const reason = 'an earlier run ended before the service had answered';
  context.emit({ type: 'submit_unknown', key, nonce, fingerprint, reason });
  return lookFor({ ...open, key }, context, health);
}

/** Looks for a submission whose outcome is unknown wherever the service lists what it was given. */
async function lookFor(
  lost: Omit<OpenSubmission, 'id' | 'url'>,
  context: Context,
  health: Health,
): Promise<Found | { readonly is: 'absent' }> {
  const { service, clock, settings } = context.world;
  // A chat leaves no trace anywhere, and "not listed" would prove nothing.
  if (lost.via === 'chat') return nobodyCanTell(lost, context);
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
        // Some services list what a call makes, and none promises to.
        if (lost.via === 'sync') return nobodyCanTell(lost, context);
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

function nobodyCanTell(lost: Omit<OpenSubmission, 'id' | 'url'>, context: Context): Found | { readonly is: 'absent' } {
  if (context.world.settings.onUnknown === 'resubmit') {
    const reason = `${nothingToSee(lost)}; --on-unknown resubmit was asked for`;
    context.emit({ type: 'submit_absent', key: lost.key, nonce: lost.nonce, reason });
    return { is: 'absent' };
  }
  const message =
    `the request was sent but the answer was lost, and ${nothingToSee(lost)}: it may have been accepted and paid for. ` +
    'Look at the service; to send it again, run with --on-unknown resubmit';
  return { is: 'failed', failure: { code: 'submit_unknown', message } };
}

const nothingToSee = ({ via }: Pick<OpenSubmission, 'via'>): string =>
  via === undefined
    ? 'this service does not list what it was given'
    : 'a call that answers at once leaves nothing to look for';

/** A row of the history is the lost submission when nobody else claims it, it is recent, and every field we sent is in it. */
function isIt(row: HistoryRow, lost: Omit<OpenSubmission, 'id' | 'url'>, context: Context): boolean {
  if (context.ledger.isClaimed(row.generation_id)) return false;
  if (row.enqueued_at !== undefined && row.enqueued_at < lost.at / 1000 - CLOCK_SKEW_S) return false;
  if ((row.model_name ?? row.model) !== lost.model) return false;
  const fields = row as unknown as Readonly<Record<string, Json | undefined>>;
  return Object.entries(lost.request).every(
    ([name, value]) => fields[name] !== undefined && canonical(fields[name]) === canonical(value),
  );
}
