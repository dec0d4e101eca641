/**
 * Sends a paid request: admission answers `go` (the intent is durable), then one POST is made, then the id is durable before it is used.
 *
 *   asked ── admission ─┬─ go ── POST ─┬─ accepted ─────────────────────► follow it
 *                       │              ├─ refused, unreached ───────────► provably not taken: say why; ask again where that can help
 *                       │              └─ unknown ─┬─ the service is idempotent: send it again under the same name
 *                       │                            └─ look for it ─┬─ found ──► follow it
 *                       │                                            ├─ absent ─► provably not there: ask again, a few times in its life
 *                       │                                            └─ unknown ─────► the author's `on_unknown` decides
 *                       ├─ mine ── resume it, or as `unknown`
 *                       ├─ held_back, wait ─► asked again later; until then the request holds no place of this run's queue
 *                       └─ owned, in_flight, spent, frozen, over_budget, stopped ─► nothing is sent
 *
 * A synchronous call leaves no id, and its absence from a list proves nothing: a lost call stays lost until the author decides.
 */
import type { NotTaken } from '../../api/service.ts';
import { backoff } from '../../machine/time/backoff.ts';
import { deadline } from '../../machine/time/deadline.ts';
import type { LostTime } from '../../model/run/event.ts';
import type { Failure } from '../../model/run/failure.ts';
import { unreachable } from '../../model/run/failure.ts';
import type { GenerationId, InstanceKey } from '../../model/run/key.ts';
import type { Result } from '../../model/run/result.ts';
import { asTyped } from '../../model/text/clean.ts';
import type { JsonObject } from '../../model/text/json.ts';
import type { Submission } from '../../records/views/ledger.ts';
import { reportWhileWaiting } from '../engine/report-waits.ts';
import type { RunCore } from '../engine/run-core.ts';
import type { Asked, RequestOutcome } from '../ports/admission.ts';
import { claim, lookAfterRefusal, type ReconcileNeeds, reconcile } from './reconcile.ts';
import type { ServiceHealth } from './service-health.ts';

export type SendNeeds = ReconcileNeeds & Pick<RunCore, 'admission' | 'failpoint' | 'newId' | 'pace' | 'queue'>;

/** A request as it is about to be sent. */
export interface PaidRequest
  extends Pick<Asked, 'key' | 'fingerprint' | 'model' | 'demand' | 'shared' | 'again' | 'via' | 'isWanted'> {
  readonly request: JsonObject;
  readonly price: number | null;
  /** It is the next turn of a conversation that goes on: it is not stopped where nothing new begins any more. */
  readonly goesOn?: boolean;
  /** Called when admission has answered, and the answer is not to wait. */
  readonly admitted?: () => void;
}

/** What the service may answer with: an id to follow, the media itself, or a text. */
export type Sent<T> =
  | { readonly is: 'taken'; readonly nonce: string; readonly answer: T }
  /** Sent by an earlier run, or found after its answer was lost. */
  | { readonly is: 'accepted'; readonly id: GenerationId; readonly from?: Submission }
  | { readonly is: 'made'; readonly url: string; readonly from: Submission }
  | { readonly is: 'owned'; readonly result: Result }
  /** Another film has ended the same request: it is asked for again where its result cannot be had. `again`: what `PaidRequest.again` is then. */
  | { readonly is: 'elsewhere'; readonly again: boolean }
  | { readonly is: 'in_flight'; readonly outcome: Promise<RequestOutcome> }
  | { readonly is: 'failed'; readonly failure: Failure }
  | HeldBack
  /** The run stopped first, or it does not fit into a budget; the next run resumes what is journalled. */
  | { readonly is: 'stopped' };

/**
 * Nothing may be sent now: it is to be sent again when the gates of the service are open, and `over` has resolved. `again`: what
 * `PaidRequest.again` is then. `reason`: of a wait for others, in words.
 */
interface HeldBack {
  readonly is: 'held_back';
  readonly again: boolean;
  readonly over?: Promise<void>;
  readonly reason?: string;
}

/** Nothing was sent, or it came to its end on this side. */
export type NotSent = Exclude<Sent<never>, { readonly is: 'taken' | 'accepted' | 'made' }>;

interface Post<T> {
  /** Makes exactly one POST. `late` ends the wait on this side, and never sends again. */
  readonly once: (nonce: string, late: AbortSignal) => Promise<T | NotTaken>;
  /** Milliseconds to wait for an answer, where the author set a limit. The service may have carried out a request whose answer was lost. */
  readonly limit?: number | undefined;
  /** What is wrong with an answer that was understood; such an answer counts as lost. */
  readonly doubt?: (answer: T) => string | undefined;
}

export async function send<T extends { readonly is: string }>(
  work: PaidRequest,
  post: Post<T>,
  run: SendNeeds,
  health: ServiceHealth,
): Promise<Sent<T>> {
  using deadlineOfPost = deadline(post.limit, run);
  const late = deadlineOfPost.signal;
  const { admission, clock } = run;
  const { key, fingerprint, model, demand, shared, via, isWanted } = work;
  let again = work.again ?? false;
  let looksForRefusal = !admission.sharesRefusals;
  for (let attempt = 0; ; attempt++) {
    let intended: string | undefined;
    let listed: GenerationId | undefined;
    const intend = (lostTime?: LostTime) => {
      intended = intent(work, run, lostTime ? { lost_time: lostTime } : listed && { listed });
      return intended;
    };
    const hasLooked = again || looksForRefusal;
    const about = { key, fingerprint, model, demand, shared, again, hasLooked, via };
    const asked = { ...about, intend, ...(isWanted && { isWanted }) };
    // What was sent before is followed to its end, whatever has failed meanwhile.
    const isNew = again || !admission.knows(fingerprint);
    listed = isNew && hasLooked ? await lookAfterRefusal({ ...work, again }, run, health) : undefined;
    const until = isNew && !work.goesOn ? run.stopping.beginning : run.stopping.signal;
    if (isNew && !until.aborted && run.queue.closedFor(model) > 0) return { is: 'held_back', again };
    const asking = () => admission.admit(listed ? { ...asked, isListed: true } : asked, until);
    const reason = () => 'the journal has not answered whether it may be sent';
    const admitted = await reportWhileWaiting({ key, what: 'admission', reason }, run, asking);
    if (admitted.is !== 'wait') work.admitted?.();
    let lost: Submission | undefined;
    switch (admitted.is) {
      case 'owned':
      case 'in_flight':
        return admitted;
      case 'elsewhere':
        return { is: 'elsewhere', again };
      case 'refused_before':
        looksForRefusal = true;
        continue;
      case 'stopped':
        if (intended === undefined) return admitted;
        withdraw(intended, key, run);
        // Its intent could not be kept, and the run goes on: nothing was sent, and it is asked once more.
        if (run.stopping.signal.aborted || until.aborted) return admitted;
        break;
      case 'spent':
        return { is: 'failed', failure: attemptsSpent(admitted.times, key, run) };
      case 'held_back':
        run.pace.reached(key, admitted.reached, admitted.until);
        return { is: 'held_back', again };
      case 'wait': {
        const { over, isForPlace } = admitted;
        if (isForPlace) run.queue.closeWhile(over, model);
        return { is: 'held_back', again, reason: admitted.reason, ...(!isForPlace && { over }) };
      }
      case 'frozen':
        return refuseFrozen(key, run);
      case 'over_budget':
        run.recorder.emit({ type: 'over_budget', key, ...admitted.stop });
        return { is: 'stopped' };
      case 'mine': {
        const taken = resumeSubmission(admitted.open, key, run);
        if (taken.is !== 'unknown') return taken;
        lost = asPlanned(taken.open, work);
        const claimed = lost.listed && (await claimListed(lost, lost.listed, run));
        if (claimed) return claimed;
        break;
      }
      case 'go': {
        const { nonce } = admitted;
        run.failpoint?.('intent-durable');
        if (listed) {
          const open = run.journal.views.ledger.get(nonce);
          const claimed = open && (await claimListed(open, listed, run));
          if (claimed) return claimed;
          withdraw(nonce, key, run, 'nothing was sent: the generation that is listed is taken up by another request');
          break;
        }
        run.pace.sends();
        const outcome = await postOnce(work, nonce, post, late, attempt, run, health);
        if (outcome.is === 'busy') return { is: 'held_back', again: true };
        if (outcome.is === 'again') break;
        if (outcome.is !== 'lost') return outcome;
        lost = run.journal.views.ledger.get(nonce);
        break;
      }
      default:
        return unreachable(admitted);
    }
    again = true;
    if (!lost) continue;
    if (late.aborted) return tooLate(post.limit);
    const repeated = await sendAgain(lost, post, late, run, health);
    if (repeated.is !== 'lost') return repeated;
    const found = await reconcile(lost, run, health);
    if (found.is === 'accepted') return { ...found, from: lost };
    if (found.is !== 'absent') return found;
    await clock.sleep(backoff(attempt + 2), run.stopping.signal);
  }
}

/** What was journalled of a request that held a secret is not what was sent; the plan, which asks for the same, knows it. */
const asPlanned = (lost: Submission, { request }: PaidRequest): Submission =>
  lost.masked ? { ...lost, request } : lost;

function intent(
  { key, fingerprint, model, request, price, demand, via }: PaidRequest,
  run: SendNeeds,
  more: { readonly lost_time: LostTime } | { readonly listed: GenerationId } | undefined,
): string {
  const nonce = run.newId();
  const { account } = run.service;
  const how = { ...(via && { via }), ...more };
  const asked = { key, nonce, fingerprint, model, request, price, demand };
  run.recorder.record({ type: 'submit_intended', ...asked, account, ...how });
  return nonce;
}

/**
 * Claims the generation that an intent was journalled for, in this run or in an earlier one that ended before its id was durable. Undefined:
 * an equal request has claimed it meanwhile.
 */
async function claimListed(
  open: Submission,
  id: GenerationId,
  run: SendNeeds,
): Promise<Extract<Sent<never>, { readonly is: 'accepted' | 'stopped' }> | undefined> {
  const claimed = await run.journal.views.sent.claimedAmong([id], run.service.account);
  if (claimed.size > 0 || run.journal.views.sent.isClaimed(id, run.service.account)) return undefined;
  const taken = await claim(open, id, run);
  return taken.is === 'accepted' ? { ...taken, from: open } : taken;
}

/** Withdraws an intent of which nothing was sent, so that no later run has to look for it. */
function withdraw(
  nonce: string,
  key: InstanceKey,
  run: SendNeeds,
  reason = 'nothing was sent: the journal could not be written',
): void {
  run.recorder.record({ type: 'submit_refused', key, nonce, reason, retry_at: null });
}

type Outcome<T> =
  | Extract<Sent<T>, { readonly is: 'taken' | 'failed' | 'stopped' }>
  | { readonly is: 'again' }
  /** It is not taken, for the service is asked too often. */
  | { readonly is: 'busy' }
  | { readonly is: 'lost' };

/** Makes one POST and decides what its answer means. */
async function postOnce<T extends { readonly is: string }>(
  { key, fingerprint }: PaidRequest,
  nonce: string,
  { once, doubt }: Post<T>,
  late: AbortSignal,
  attempt: number,
  run: SendNeeds,
  health: ServiceHealth,
): Promise<Outcome<T>> {
  const { clock, pace } = run;
  const sentAt = clock.now();
  // A stopping run does not cut the POST off before its answer: the money of half a POST could not be accounted for.
  const reason = () => `${run.service.name} has not answered the request yet`;
  const answer = await reportWhileWaiting({ key, what: 'answer', reason }, run, () => once(nonce, late));
  run.failpoint?.('post-answered');
  const now = clock.now();
  if (isTaken(answer)) {
    health.well();
    pace.well();
    const wrong = doubt?.(answer);
    if (wrong === undefined) return { is: 'taken', nonce, answer };
    run.recorder.record({ type: 'submit_unknown', key, nonce, fingerprint, reason: wrong });
    return { is: 'lost' };
  }
  switch (answer.is) {
    case 'refused': {
      const { status, message } = answer;
      if (status === 429) {
        // It does answer, and is left alone by all that would be sent.
        health.well();
        const retry_at = pace.busy(answer, sentAt);
        run.recorder.record({ type: 'submit_refused', key, nonce, reason: message, retry_at, busy: true });
        return { is: 'busy' };
      }
      run.recorder.record({ type: 'submit_refused', key, nonce, reason: message, retry_at: null });
      if (status === 401 || status === 403) {
        health.refused(message);
        return { is: 'stopped' };
      }
      return { is: 'failed', failure: { code: 'request_refused', status, message } };
    }
    case 'unreached': {
      health.trouble(answer.message);
      const retry_at = now + backoff(attempt);
      run.recorder.record({ type: 'submit_refused', key, nonce, reason: answer.message, retry_at });
      if (late.aborted) {
        const message = 'its time was over before it could be sent';
        return { is: 'failed', failure: { code: 'timed_out', message } };
      }
      await clock.sleep(retry_at - now, run.stopping.signal);
      return { is: 'again' };
    }
    case 'unknown': {
      const gateway = answer.gateway ? ({ gateway: true } as const) : {};
      run.recorder.record({ type: 'submit_unknown', key, nonce, fingerprint, reason: answer.message, ...gateway });
      return { is: 'lost' };
    }
  }
}

/** Milliseconds for which a service remembers a name for certain: half of the day that most promise. */
const REMEMBERED = 12 * 3_600_000;
const REPEATS = 6;

/**
 * Sends it again under the same name, where the service makes one generation of both: its answer is the one that was lost. `lost`: that is not
 * known to be safe, or does not help; the answer to a second sending proves nothing about the first.
 */
async function sendAgain<T extends { readonly is: string }>(
  lost: Submission,
  { once, doubt }: Post<T>,
  late: AbortSignal,
  run: SendNeeds,
  health: ServiceHealth,
): Promise<Extract<Outcome<T>, { readonly is: 'taken' | 'stopped' | 'lost' }>> {
  const { clock, settings, service, stopping } = run;
  const age = clock.now() - lost.at;
  const isRemembered = !lost.isFromLostTime && lost.account === service.account && age >= 0 && age < REMEMBERED;
  // A rate counts intents, and a second sending has none of its own.
  // Under the name of an intent for a listed generation nothing was sent, and the service would make another one.
  if (!settings.idempotent || settings.rates || !isRemembered || lost.listed !== undefined) return { is: 'lost' };
  for (let n = 0; n < REPEATS; n++) {
    if (n > 0) await clock.sleep(backoff(n), stopping.signal);
    if (stopping.signal.aborted) return { is: 'stopped' };
    const answer = await once(lost.nonce, late);
    if (isTaken(answer)) {
      health.well();
      return doubt?.(answer) === undefined ? { is: 'taken', nonce: lost.nonce, answer } : { is: 'lost' };
    }
    if (late.aborted || (answer.is === 'refused' && answer.status !== 429)) return { is: 'lost' };
    if (answer.is === 'unreached') health.trouble(answer.message);
  }
  return { is: 'lost' };
}

const isTaken = <T extends { readonly is: string }>(answer: T | NotTaken): answer is T =>
  answer.is !== 'refused' && answer.is !== 'unreached' && answer.is !== 'unknown';

type Taken =
  | Extract<Sent<never>, { readonly is: 'accepted' | 'made' }>
  | { readonly is: 'unknown'; readonly open: Submission };

/** Resumes what an earlier run sent for this very request. */
function resumeSubmission(open: Submission, key: InstanceKey, run: SendNeeds): Taken {
  const { nonce, fingerprint, url, id, state } = open;
  if (id !== undefined) {
    const made = state === 'made' && ({ made: true } as const);
    run.recorder.record({ type: 'taken_up', key, nonce, fingerprint, generation_id: id, ...made });
    return { is: 'accepted', id, from: open };
  }
  if (url !== undefined) {
    run.recorder.record({ type: 'taken_up', key, nonce, fingerprint, generation_id: null, made: true });
    run.recorder.record({ type: 'generated', key, generation_id: null, result_url: url, cost: open.price });
    return { is: 'made', url, from: open };
  }
  const reason = open.isFromLostTime
    ? 'the database has lost a time in which it may have been sent'
    : open.listed === undefined
      ? 'an earlier run ended before the service had answered'
      : 'an earlier run ended before it had kept the id that the service lists for it';
  run.recorder.record({ type: 'submit_unknown', key, nonce, fingerprint, reason });
  return { is: 'unknown', open: { ...open, key } };
}

/** Rejects an answer with the id of another request. */
export const idDoubt =
  (run: SendNeeds) =>
  ({ id }: { readonly id: string }): string | undefined =>
    run.journal.views.sent.isClaimed(id, run.service.account)
      ? `the service answered with ${id}, which is another request's id`
      : undefined;

const tooLate = (limit: number | undefined): Sent<never> => ({
  is: 'failed',
  failure: {
    code: 'timed_out',
    message: `no answer after ${limit} ms; it may be carried out and billed all the same`,
    goes_on: true,
  },
});

export function attemptsSpent(times: number, key: InstanceKey, { settings }: Pick<RunCore, 'settings'>): Failure {
  const forget =
    settings.cancel === undefined ? '' : `, then \`${settings.cancel} ${asTyped(key)} --forget\` and run again`;
  const lost =
    times === 1
      ? 'once and its answer was lost, though the service does not list it'
      : `${times} times and its answer was lost each time, though the service lists none of them`;
  const message = `the request was sent ${lost}: it is not sent again; look at the service${forget}`;
  return { code: 'submit_unknown', message, unlisted: true };
}

export function refuseFrozen(key: InstanceKey, run: SendNeeds): RequestOutcome & { readonly is: 'failed' } {
  const message = 'it would have to be paid for, and --frozen allows only what is owned already';
  run.stopping.stop({ is: 'frozen', reason: `${key}: ${message}` });
  return { is: 'failed', failure: { code: 'frozen', message } };
}
