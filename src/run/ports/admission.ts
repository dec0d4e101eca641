/**
 * The one question before money moves: may this request be sent? The answer is for the *request* (who pays where, its fingerprint), not
 * for the submission: it may be owned already, or be in the making, or be open from before. Limits, the rate of submits, budgets
 * and single flight are this one decision. A port: `admission/journal-admission.ts` decides over the rows
 * of a journal, which is that of this machine or one that many machines share: there the row of the submission is the slot.
 */
import type { BudgetStatus, BudgetStop, Demand } from '../../model/budget.ts';
import type { RateReached } from '../../model/request-rates.ts';
import type { Call, LostTime } from '../../model/run/event.ts';
import type { Failure } from '../../model/run/failure.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { Result } from '../../model/run/result.ts';
import type { Submission } from '../../records/views/ledger.ts';

export interface Asked {
  readonly key: InstanceKey;
  readonly fingerprint: string;
  readonly model: string;
  /** What it comes to, never too low: held against the budgets with what is spent and in flight. */
  readonly demand: Demand;
  /** False: the instance wants an answer of its own, even if another one asked for the same. */
  readonly shared: boolean;
  /** The caller was answered `go` before and asks for another POST: the last one was provably not accepted, or its answer has to be mended. */
  readonly again?: boolean;
  /** The service lists it, though it has refused it: nothing holds it back, for it is there already. */
  readonly isListed?: true;
  /** The service's list was looked at after earlier refusals of the same request: see `refused_before`. */
  readonly hasLooked?: boolean;
  /** Asked within the decision: what is not wanted any more is answered `stopped`. */
  readonly isWanted?: () => boolean;
  /** Absent: the queue. What a call was answered is in no list of the service. */
  readonly via?: Call | undefined;
  /** Records the intent within the same decision, so that it is durable when `go` or `mine` is answered. Returns its nonce. */
  readonly intend: (lostTime?: LostTime) => string;
}

export type Admitted =
  /** The intent is durable and its slot is taken: one POST. */
  | { readonly is: 'go'; readonly nonce: string }
  /** The result is on this machine already. */
  | { readonly is: 'owned'; readonly result: Result }
  /** Another film's run has ended the same request since this run last looked: the result may be on another machine, or at the service. Look, and ask again. */
  | { readonly is: 'elsewhere' }
  /** It was refused in the last day, of which the service may know better: look at its list, and ask again. */
  | { readonly is: 'refused_before' }
  /** Another instance of this run is making it, or has tried: its outcome is shared. */
  | { readonly is: 'in_flight'; readonly outcome: Promise<RequestOutcome> }
  /** It was sent before and is not finished, or its outcome is unknown: that submission is resumed. */
  | { readonly is: 'mine'; readonly open: Submission }
  /** It was sent this many times; each time its answer was lost, and it provably had not arrived. */
  | { readonly is: 'spent'; readonly times: number }
  /** The request would cost money, and `--frozen` forbids that. */
  | { readonly is: 'frozen' }
  /** A number under `rates` of the service's settings is reached: ask again at `until` (Unix milliseconds), and hold nothing meanwhile. */
  | { readonly is: 'held_back'; readonly reached: RateReached; readonly until: number }
  /**
   * It may be sent later: other requests hold all places at the service (`isForPlace`), another film's run works on the same request, or it
   * fits into a budget only if something in flight costs less than reserved. Hold nothing meanwhile, and ask again when `over` resolves.
   */
  | { readonly is: 'wait'; readonly reason: string; readonly over: Promise<void>; readonly isForPlace?: true }
  /** It does not fit into a budget, and nothing in flight could make room for it. */
  | { readonly is: 'over_budget'; readonly stop: BudgetStop }
  /** The run stopped, or the journal cannot be written. */
  | { readonly is: 'stopped' };

/** What admission would answer for certain as things stand, and that is no `go`. */
export type Foreseen = Extract<Admitted, { readonly is: 'spent' | 'frozen' | 'held_back' | 'over_budget' }>;

export type RequestOutcome =
  | { readonly is: 'ok'; readonly result: Result }
  | { readonly is: 'failed'; readonly failure: Failure }
  | { readonly is: 'stopped' };

/** A command that acts outside is about to begin. */
export interface ActAsked {
  readonly key: InstanceKey;
  readonly fingerprint: string;
  /** A person has decided that it is done again, though it may have been done before. */
  readonly again: boolean;
  /** Asked for once more, though it is known to be done. */
  readonly anew: boolean;
  /** This run was answered `go` before, and the command reported failure. */
  readonly retried?: boolean;
  /** Records that it begins within the same decision, so that it is durable when `go` is answered. */
  readonly begin: () => void;
}

export type ActAdmitted =
  /** That it begins is durable: it is run, once. */
  | { readonly is: 'go' }
  | { readonly is: 'owned'; readonly result: Result }
  /** Another instance of this run is at it: its outcome is shared. */
  | { readonly is: 'in_flight'; readonly outcome: Promise<RequestOutcome> }
  /** The run of `film` is at it at this moment: ask again in `ms` milliseconds. */
  | { readonly is: 'wait'; readonly ms: number; readonly film: string }
  /** Some run began it, and ended before it knew the outcome; `perhaps`: or none did. `at`: Unix milliseconds, of the beginning at the earliest. */
  | { readonly is: 'open'; readonly at: number; readonly perhaps?: true }
  | { readonly is: 'stopped' };

export interface Admission {
  /** Answers at once. @param signal ends the wait of an answer `wait`. */
  admit(asked: Asked, signal: AbortSignal): Promise<Admitted>;
  /**
   * Asked before an irreversible step for a request, such as publishing its files. Undefined: it may be sent, or is known already. It decides
   * nothing: `admit` does, later.
   */
  foresee(asked: Pick<Asked, 'fingerprint' | 'model' | 'demand'>): Promise<Foreseen | undefined>;
  /**
   * Whether a model may be brought up, which bills from then on for as long as it takes: not where a budget bounds the dollars, unless
   * it allows what has no price.
   */
  stopsActivation(): Promise<BudgetStop | undefined>;
  /**
   * Whether another process runs the film by now, asked before something is ended that the film's runs share. False where the journal does not
   * answer within a minute.
   */
  isSuperseded(): Promise<boolean>;
  /** All that this account sent in that time is known again, so it is looked for no more. Where that cannot be kept, the next run looks again. */
  lostTimeIsOver(lostTime: LostTime): Promise<void>;
  /** How things stand with each number of each budget. */
  budget(): readonly BudgetStatus[];
  /** The same question before a command acts outside of this machine; it does not wait. */
  admitAct(asked: ActAsked): Promise<ActAdmitted>;
  /** A command that does not act outside has begun: an act with the same inputs shares its outcome, which `settle` gives. */
  runs(fingerprint: string): void;
  /** Gives the outcome of a request that was answered `go` or `mine` to everybody who waits for the same. */
  settle(fingerprint: string, outcome: RequestOutcome): void;
  readonly isFrozen: boolean;
  /** `admit` answers `refused_before` by itself. Absent: the caller looks for refusals first. */
  readonly sharesRefusals?: boolean;
  /** Whether an answer other than `go` is likely: it is owned, in the making, or open from before. */
  knows(fingerprint: string): boolean;
  /** Open from before, and not asked for by this run so far. */
  readonly openSubmissions: readonly Submission[];
}
