/**
 * Submissions that were sent to the service and not owned yet, folded from the events of all runs of a film. An entry opens with an intent and
 * closes only when the result is owned, or it provably cost nothing, or the service itself reports that it failed, or a person gives it up. A
 * deadline, a crash or a lost download on this side never closes one.
 *
 *   intended ─┬─ accepted ── made ──► closed (made, failed)
 *             ├─ unknown ──┬─ accepted
 *             │            └─────────► closed (absent, forgotten)
 *             └──────────────────────► closed (refused, unfit, made)
 *
 * What may have been sent in a time that the journal has forgotten begins as `unknown`.
 */
import type { Demand, Measure } from '../../model/budget.ts';
import { isMeasured } from '../../model/media/media.ts';
import { isUsd, milliseconds, roundUsd } from '../../model/money.ts';
import type { Call, RecordedEvent } from '../../model/run/event.ts';
import type { Failure } from '../../model/run/failure.ts';
import { unreachable } from '../../model/run/failure.ts';
import type { GenerationId, InstanceKey, RunId } from '../../model/run/key.ts';
import type { Result } from '../../model/run/result.ts';
import type { OpenRequest } from '../../model/run/run-money.ts';
import type { JsonObject } from '../../model/text/json.ts';

/** One event of the log, with the film and the run that recorded it. */
export interface LogEntry {
  readonly film: string;
  readonly run: RunId;
  readonly event: RecordedEvent;
}

export interface Submission {
  readonly nonce: string;
  readonly key: InstanceKey;
  readonly fingerprint: string;
  /** As the file names it. */
  readonly model: string;
  readonly request: JsonObject;
  readonly price: number | null;
  /** What a budget counts of it before its end is known; absent in journals from before there were budgets: its price alone is known. */
  readonly demand?: Demand;
  /** What it came to, as far as that is known once it is made, or at its end. */
  readonly spent?: Partial<Pick<Demand, Measure>>;
  /** It was refused because the service was asked too often. */
  readonly busy?: true;
  /** It was sent again because its author decided so: there is no proof that it was not taken. */
  readonly unproven?: true;
  /** Who pays and where; undefined in journals of version 1. */
  readonly account?: string;
  /** Unix milliseconds of the intent, and of the moment its POST was given up as lost. */
  readonly at: number;
  readonly lostAt?: number;
  /** Unix milliseconds when it was known that the service had it. */
  readonly acceptedAt?: number;
  /** Milliseconds that runs have looked for it. */
  readonly waited?: number;
  /** Its answer was a gateway's: it may be carried out later than others. */
  readonly gateway?: true;
  /** Its request held a secret that was not journalled, so these texts are not what was sent. */
  readonly masked?: true;
  /** A synchronous call, which leaves no id. Absent: the queue. */
  readonly via?: Call;
  /** The address of the media, from the service. */
  readonly url?: string;
  /** Absent: the POST's outcome is not known. */
  readonly id?: GenerationId;
  /** It may never have been sent: if it was, after `at` and before `lostAt`, in a time that the journal has forgotten. */
  readonly isFromLostTime?: true;
  /** The generation that its intent was journalled for: nothing was sent under its nonce. `id` is set once it is claimed. */
  readonly listed?: GenerationId;
  /** Its instance has failed without closing it, or a later run has started: no run works on it until one resumes it. */
  readonly idle?: boolean;
  readonly state: 'intended' | 'accepted' | 'made' | 'unknown' | 'closed';
  readonly end?: 'refused' | 'absent' | 'unfit' | 'made' | 'failed' | 'forgotten';
}

export class Ledger {
  readonly #open = new Map<string, Submission>();
  /** The current submission of each instance, within one run. */
  readonly #current = new Map<string, string>();
  /** Of a chat, what its answers that did not fit cost: its result has the sum of all its calls. */
  readonly #unfit = new Map<string, { readonly usd: number; readonly tokens: number }>();

  /** @param open what a journal holds as open, oldest first. */
  constructor(open: Iterable<Submission> = []) {
    for (const submission of open) this.adopt(submission);
  }

  /** The submission that the event changed, as it is now; undefined where it changed none. */
  apply(run: RunId, event: RecordedEvent): Submission | undefined {
    // A new run works on none of them until it resumes it.
    if (event.type === 'run_started') for (const { nonce } of this.open) this.#change(nonce, { idle: true });
    if (!('key' in event)) return undefined;
    const at = `${run}\n${event.key}`;
    switch (event.type) {
      case 'submit_intended':
        this.#current.set(at, event.nonce);
        return this.#set(submissionOf(event));
      case 'submit_accepted':
        this.#current.set(at, event.nonce);
        return this.#change(event.nonce, { id: event.generation_id, state: 'accepted', acceptedAt: event.at });
      case 'taken_up': {
        this.#current.set(at, event.nonce);
        const id = event.generation_id;
        return this.#change(event.nonce, { key: event.key, idle: false, ...(id !== null && { id }) });
      }
      case 'generated': {
        const nonce = this.#current.get(at);
        const known = nonce === undefined ? undefined : this.#open.get(nonce)?.spent;
        const spent = known ?? (event.cost === null ? undefined : { usd: event.cost });
        return this.#change(nonce, { url: event.result_url, state: 'made', ...(spent && { spent }) });
      }
      case 'submit_unknown': {
        this.#current.set(at, event.nonce);
        const before = this.#open.get(event.nonce);
        const lostAt = before?.lostAt ?? event.at;
        return this.#change(event.nonce, {
          ...{ key: event.key, state: 'unknown', lostAt, idle: false },
          ...(event.gateway && { gateway: true }),
        });
      }
      case 'looking':
        return event.waited === undefined ? undefined : this.#change(event.nonce, { waited: event.waited });
      case 'submit_refused':
        return this.#close(event.nonce, 'refused', event.busy && { busy: true });
      case 'submit_absent':
        return this.#close(event.nonce, 'absent', event.asked && { unproven: true });
      case 'submission_forgotten':
        return this.#close(event.nonce, 'forgotten');
      case 'answer_unfit': {
        const { cost, tokens } = event;
        const before = this.#unfit.get(at) ?? { usd: 0, tokens: 0 };
        this.#unfit.set(at, { usd: before.usd + (cost ?? 0), tokens: before.tokens + (tokens ?? 0) });
        const spent = { ...(cost !== null && { usd: cost }), ...(tokens !== undefined && { tokens }) };
        return this.#close(event.nonce, 'unfit', { spent });
      }
      case 'succeeded':
        return this.#close(this.#current.get(at), 'made', { spent: spentOn(event.result, this.#unfit.get(at)) });
      case 'retrying':
        return endsIt(event.failure) ? this.#close(this.#current.get(at), 'failed') : undefined;
      case 'failed':
        return endsIt(event.failure)
          ? this.#close(this.#current.get(at), 'failed')
          : this.#change(this.#current.get(at), { idle: true });
      default:
        return undefined;
    }
  }

  /** Oldest first. */
  get open(): readonly Submission[] {
    return [...this.#open.values()];
  }

  /** The oldest open one for this request. */
  withFingerprint(fingerprint: string): Submission | undefined {
    for (const open of this.#open.values()) if (open.fingerprint === fingerprint) return open;
    return undefined;
  }

  get(nonce: string): Submission | undefined {
    return this.#open.get(nonce);
  }

  /** Adds a submission that an earlier run left open. If it was not answered then, its outcome is unknown: no process waits for the answer. */
  adopt(submission: Submission): void {
    const { state, at } = submission;
    this.#set(state === 'intended' ? { ...submission, state: 'unknown', lostAt: at } : submission);
  }

  /** Another film has taken it over: it is that one's to follow. */
  leave(nonce: string): void {
    this.#open.delete(nonce);
  }

  #set(submission: Submission): Submission {
    this.#open.set(submission.nonce, submission);
    return submission;
  }

  #change(nonce: string | undefined, change: Partial<Submission>): Submission | undefined {
    const entry = nonce === undefined ? undefined : this.#open.get(nonce);
    return entry && this.#set({ ...entry, ...change });
  }

  #close(
    nonce: string | undefined,
    end: NonNullable<Submission['end']>,
    known: Pick<Submission, 'spent' | 'unproven' | 'busy'> = {},
  ): Submission | undefined {
    const entry = nonce === undefined ? undefined : this.#open.get(nonce);
    if (!entry) return undefined;
    this.#open.delete(entry.nonce);
    return { ...entry, ...known, state: 'closed', end };
  }
}

function submissionOf(event: RecordedEvent & { readonly type: 'submit_intended' }): Submission {
  const { nonce, key, fingerprint, model, request, price, demand, account, via, listed, lost_time: lost } = event;
  return {
    ...{ nonce, key, fingerprint, model, request, price, at: event.at, state: 'intended' },
    ...(demand && { demand }),
    ...(account !== undefined && { account }),
    ...(via && { via }),
    ...(listed && { listed }),
    ...(lost && { at: lost.since, lostAt: lost.until, state: 'unknown', isFromLostTime: true }),
  };
}

/** Whether a failure also ends the submission behind it. */
export function endsIt(failure: Failure): boolean {
  switch (failure.code) {
    case 'generation_failed':
    case 'generation_cancelled':
    case 'request_refused':
    case 'deployment_failed':
    case 'request_invalid':
    case 'input_changed':
    case 'answer_invalid':
    case 'answer_refused':
    case 'tokenize_failed':
    case 'command_failed':
    case 'cut_failed':
    case 'expression_failed':
    case 'until_not_held':
    case 'frozen':
      return true;
    case 'submit_unknown':
    case 'effect_unknown':
    case 'generation_lost':
    case 'download_failed':
      return false;
    case 'timed_out':
      return failure.goes_on !== true;
    default:
      return unreachable(failure);
  }
}

/** The state of an open submission at its service, for sums of money. */
export const openRequest = ({ id, url, state, price }: Submission): OpenRequest => ({
  is: url !== undefined || state === 'made' ? 'made' : id !== undefined ? 'under_way' : 'lost',
  price,
});

/** Whether it was sent to the service of this account: the same address, with whatever key. One without a recorded account counts as sent here. */
export const isAt = ({ account }: Pick<Submission, 'account'>, at: { readonly account: string }): boolean =>
  !account || addressIn(account) === addressIn(at.account);

/** `https://host/path 0123…` → `https://host/path`. */
export const addressIn = (account: string): string => account.split(' ')[0] ?? '';

/** The cost of a result, as far as it records it. @param unfit what was counted already, of the answers of a chat that did not fit */
export function spentOn(
  result: Result,
  unfit: { readonly usd: number; readonly tokens: number } = { usd: 0, tokens: 0 },
): Partial<Pick<Demand, Measure>> {
  switch (result.is) {
    case 'media': {
      const { cost, media } = result;
      const isVideo = media.kind === 'video' && isMeasured(media.duration);
      return {
        ...(isUsd(cost) && { usd: cost }),
        ...(isVideo && { video_seconds: milliseconds(media.duration ?? 0), images: 0 }),
        ...(media.kind === 'image' && { video_seconds: 0 }),
        tokens: 0,
      };
    }
    case 'text': {
      const { cost, usage } = result;
      return {
        ...(isUsd(cost) && { usd: roundUsd(Math.max(0, cost - unfit.usd)) }),
        ...{ video_seconds: 0, images: 0 },
        ...(isAmount(usage?.total_tokens) && { tokens: Math.max(0, usage.total_tokens - unfit.tokens) }),
      };
    }
    case 'command':
    case 'fine_tune':
    case 'outputs':
    case 'picked':
    case 'approved':
    case 'round':
      return {};
  }
}

const isAmount = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
