/**
 * Admission over the rows of a journal: one decision at a time for the whole project, because it is made while the journal is locked. The
 * queue of a run orders its own requests and limits how many are under way; admission also counts those of other films.
 *
 *   asked ─┬─ another instance of this run asked for it ───────────► in_flight
 *          ├─ it is owned ─────────────────────────────────────────► owned
 *          ├─ another film's run has ended it meanwhile ───────────► elsewhere
 *          ├─ open from before, of this film or one not running ───► mine
 *          ├─ open, and another film's run works on it ────────────► wait
 *          ├─ lost and absent too often ───────────────────────────► spent
 *          ├─ over a budget, and this run has something in flight
 *          │  that may turn out to be less ────────────────────────► wait
 *          ├─ over a budget ───────────────────────────────────────► over_budget
 *          ├─ a rate of the service's settings is reached ──────────► held_back
 *          ├─ perhaps sent in a time that the journal has lost ──────► mine
 *          ├─ refused before, by a team's rows ────────────────────► refused_before
 *          ├─ no slot, or too many submits in this second ─────────► wait
 *          └─ the intent is written ───────────────────────────────► go
 */
import type { Clock } from '../../machine/time/clock.ts';
import { deadline } from '../../machine/time/deadline.ts';
import { type BudgetStatus, type BudgetStop, NO_DEMAND } from '../../model/budget.ts';
import type { ServiceRates } from '../../model/request-rates.ts';
import type { LostTime } from '../../model/run/event.ts';
import type { Result } from '../../model/run/result.ts';
import { isFreeAccount } from '../../model/run/run-money.ts';
import { type AdmissionRows, NO_REQUEST, type RowsFor } from '../../records/journal/admission-rows.ts';
import { DecisionLost, JournalFailed, Superseded } from '../../records/journal/journal.ts';
import type { Submission } from '../../records/views/ledger.ts';
import type { Limits } from '../engine/limits.ts';
import type {
  ActAdmitted,
  ActAsked,
  Admission,
  Admitted,
  Asked,
  Foreseen,
  RequestOutcome,
} from '../ports/admission.ts';
import { AdmissionLine, type Decided, type Final, type Wait } from './admission-line.ts';
import type { JournalBudgets } from './journal-budgets.ts';
import { JournalRates } from './journal-rates.ts';
import { type PlaceAwaited, WINDOW, waitForPlace } from './service-places.ts';
import { PlacesTaken } from './under-way.ts';

interface JournalAdmissionOptions {
  readonly journal: AdmissionRows;
  readonly clock: Clock;
  readonly account: string;
  readonly limits: Pick<Limits, 'in_flight' | 'per_model' | 'submits_per_second' | 'attempts'>;
  /** A result of this fingerprint that is on this machine. */
  readonly owned: (fingerprint: string) => Result | undefined;
  /** The digest of a result of this fingerprint that is known and may be on another machine. Absent: none is. */
  readonly madeElsewhere?: (fingerprint: string) => string | undefined;
  /** The result of an act of this fingerprint that was done, wherever its files are. Absent: as `owned`. */
  readonly actDone?: (fingerprint: string) => Result | undefined;
  /** Whether another film of the project is being run at the moment. */
  readonly isRunning: (film: string) => boolean;
  readonly frozen?: boolean;
  readonly budgets?: JournalBudgets;
  /** What the service allows, as its settings say. */
  readonly rates?: ServiceRates | undefined;
}

const BEHIND_OTHERS = 'requests before it hold all places at the service';
/** Milliseconds between two checks of what another film's run works on. */
const LOOK = 1_000;
/** Milliseconds for which a journal is asked who runs the film, while something may bill by the second. */
const LONGEST_UNHEARD = 60_000;

export class JournalAdmission implements Admission {
  readonly #options: JournalAdmissionOptions;
  /** Requests that this run is making or has tried to make, by fingerprint. */
  readonly #inFlight = new Map<string, PromiseWithResolvers<RequestOutcome>>();
  /** Submissions of earlier runs that were handed out as `mine`. */
  readonly #handedOut = new Set<string>();
  /** Nonces of this run's own submissions. */
  readonly #sent = new Set<string>();
  /** Fingerprints of requests that other films had under way when this run asked for them. */
  readonly #awaited = new Set<string>();
  /** What may have been sent in a lost time, where that it is looked for could not be kept. */
  readonly #undecided = new Map<string, LostTime>();
  readonly #rates: JournalRates | undefined;
  readonly #places = new PlacesTaken();
  readonly #line: AdmissionLine;

  constructor(options: JournalAdmissionOptions) {
    this.#options = options;
    const { rates } = options;
    this.#line = new AdmissionLine(options);
    this.#rates =
      rates && new JournalRates({ ...options, clock: options.journal, rates, isOurs: open => this.#isOurs(open) });
  }

  admit(asked: Asked, signal: AbortSignal): Promise<Admitted> {
    const admit = () => this.#admit(asked, signal);
    return this.#options.journal.team && !this.#isOpen(asked) ? this.#line.inTurn(asked.model, admit) : admit();
  }

  async #admit(asked: Asked, signal: AbortSignal): Promise<Admitted> {
    if (signal.aborted) return { is: 'stopped' };
    const isExempt = asked.isListed || this.#isOpen(asked);
    const known = this.#known(asked) ?? (isExempt ? undefined : this.#line.full(asked.model));
    return known ?? this.#line.answer(asked.model, await this.#asked(asked), signal);
  }

  async #asked(asked: Asked): Promise<Decided> {
    const madeBefore = this.#options.madeElsewhere?.(asked.fingerprint);
    let hasIntended = false;
    let perhapsIn: LostTime | undefined;
    const intend: Asked['intend'] = lostTime => {
      hasIntended = true;
      perhapsIn = lostTime;
      return asked.intend(lostTime);
    };
    const decided = await this.#decided(asked, () => ({
      value: this.#decide({ ...asked, intend }, madeBefore),
      isKept: hasIntended,
    }));
    const name = nameOf(asked);
    // The rows may tell of an intent that was taken back: it was neither looked for nor sent.
    if (perhapsIn && decided.is === 'stopped') this.#undecided.set(name, perhapsIn);
    else if (hasIntended) this.#undecided.delete(name);
    // Milliseconds by the rows' clock; this machine waits them on its own.
    return decided.is === 'held_back'
      ? { ...decided, until: decided.until - this.#options.journal.now() + this.#options.clock.now() }
      : decided;
  }

  admitAct(asked: ActAsked): Promise<ActAdmitted> {
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      asked.begin();
    };
    return this.#decided(asked, () => ({ value: this.#decideAct({ ...asked, begin }), isKept: hasBegun }));
  }

  /** `isKept`: the answer holds only if it could be kept. Any other answer holds even if the journal became unreachable a moment later. */
  async #decided<T>(
    on: RowsFor,
    decision: () => { readonly value: T; readonly isKept: boolean },
  ): Promise<T | { readonly is: 'stopped' }> {
    let made: ReturnType<typeof decision> | undefined;
    try {
      await this.#options.journal.decide(on, () => {
        made = decision();
      });
      if (made) return made.value;
    } catch (error) {
      if (error instanceof DecisionLost && made && !made.isKept) return made.value;
      // The journal notifies its listeners, and nothing is sent.
      if (!(error instanceof JournalFailed)) throw error;
    }
    return { is: 'stopped' };
  }

  runs(fingerprint: string): void {
    this.#begin({ fingerprint });
  }

  settle(fingerprint: string, outcome: RequestOutcome): void {
    this.#inFlight.get(fingerprint)?.resolve(outcome);
  }

  get sharesRefusals(): boolean {
    return this.#options.journal.team !== undefined;
  }

  get isFrozen(): boolean {
    return this.#options.frozen ?? false;
  }

  knows(fingerprint: string): boolean {
    if (this.#inFlight.has(fingerprint) || this.#options.owned(fingerprint)) return true;
    return this.#isOpen({ fingerprint });
  }

  get openSubmissions(): readonly Submission[] {
    return this.#options.journal.views.ledger.open.filter(
      ({ nonce }) => !this.#handedOut.has(nonce) && !this.#sent.has(nonce),
    );
  }

  /** Answers that depend on no other run. */
  #known({ fingerprint, shared, again = false }: Asked): Final | undefined {
    if (!shared) return undefined;
    const begun = this.#inFlight.get(fingerprint);
    if (begun && !again) return { is: 'in_flight', outcome: begun.promise };
    const result = this.#options.owned(fingerprint);
    if (!result) return undefined;
    // Another film was quicker, while this run was at it and had others waiting for it.
    begun?.resolve({ is: 'ok', result });
    return { is: 'owned', result };
  }

  /** @param madeBefore digest of the result that was known before the rows were read. */
  #decide(asked: Asked, madeBefore: string | undefined): Decided {
    const { journal, account, isRunning } = this.#options;
    const { fingerprint, shared, again = false } = asked;
    const mine = again ? undefined : this.openSubmissions.find(open => open.fingerprint === fingerprint);
    // Asked again for another POST too: another film may have begun after this run gave its own submission up.
    const theirs = shared ? journal.views.sent.openElsewhere(fingerprint, account) : undefined;
    if (mine && mine.nonce !== theirs?.submission.nonce) {
      // Another film may have taken over what an earlier run of this film left, and own the result by now.
      const finished = mine.idle ? (this.#known(asked) ?? this.#madeMeanwhile(asked, madeBefore)) : undefined;
      if (finished) {
        journal.views.ledger.leave(mine.nonce);
        return finished;
      }
      if (!mine.idle || journal.takeOver(mine)) return this.#resume(asked, mine);
    }
    // Another film has taken over, or closed, what an earlier run of this film had given up.
    if (mine) journal.views.ledger.leave(mine.nonce);
    if (theirs) {
      // A submission that another run has given up is not waited for: that run might wait for one that this run has given up.
      if (isRunning(theirs.film) && !theirs.submission.idle) {
        this.#awaited.add(fingerprint);
        return { is: 'wait', ms: LOOK, reason: `${theirs.film} waits for the same request` };
      }
      journal.takeOver(theirs.submission);
      return this.#resume(asked, theirs.submission);
    }
    // Another film may own the result since it was last looked for.
    const known = this.#known(asked);
    if (known) return known;
    // A service that refused the other film's request may have accepted it all the same.
    const wasAwaited = this.#awaited.delete(fingerprint) && !asked.isListed;
    if (wasAwaited || this.#madeMeanwhile(asked, madeBefore)) return { is: 'elsewhere' };
    if (asked.isListed) return this.#go(asked);
    const refusal = this.#refusal(asked);
    if (refusal) return refusal;
    if (asked.isWanted?.() === false) return { is: 'stopped' };
    const perhapsSent = this.#perhapsSent(asked);
    if (perhapsSent) return this.#resume(asked, perhapsSent);
    if (!asked.hasLooked && asked.via === undefined && journal.team?.wasRefused()) return { is: 'refused_before' };
    const { ms, ...forPlace } = this.#place(asked);
    if (ms > 0) {
      this.#line.join(asked.model, ms);
      return { is: 'wait', ms, reason: BEHIND_OTHERS, forPlace };
    }
    this.#line.leave(asked.model);
    return this.#go(asked);
  }

  #madeMeanwhile({ fingerprint, shared }: Asked, madeBefore: string | undefined): Final | undefined {
    const made = shared ? this.#options.madeElsewhere?.(fingerprint) : undefined;
    return made === undefined || made === madeBefore ? undefined : { is: 'elsewhere' };
  }

  #go(asked: Asked): Final {
    this.#options.budgets?.keep();
    this.#begin(asked);
    const nonce = asked.intend();
    this.#sent.add(nonce);
    return { is: 'go', nonce };
  }

  #decideAct({ fingerprint, again, anew, retried, begin }: ActAsked): ActAdmitted {
    const { journal, isRunning, owned, actDone = owned } = this.#options;
    const begun = this.#inFlight.get(fingerprint);
    if (begun && !retried) return { is: 'in_flight', outcome: begun.promise };
    const result = anew ? undefined : actDone(fingerprint);
    if (result) return { is: 'owned', result };
    const open = journal.views.work.actLeftOpen(fingerprint);
    // Only the newest run of a film can be carrying it out. Nothing waits for what an earlier run left.
    if (open && open.film !== journal.views.film && open.isNewest && isRunning(open.film))
      return { is: 'wait', ms: LOOK, film: open.film };
    if (open && !again) return { is: 'open', at: open.at };
    const lostTime = journal.team?.lostTime();
    if (lostTime?.isOfFilm && !again) return { is: 'open', at: lostTime.since, perhaps: true };
    this.#begin({ fingerprint });
    begin();
    return { is: 'go' };
  }

  async foresee(asked: Pick<Asked, 'fingerprint' | 'model' | 'demand'>): Promise<Foreseen | undefined> {
    const { journal, clock } = this.#options;
    await journal.look(asked);
    const refusal = this.knows(asked.fingerprint) ? undefined : this.#refusal(asked);
    // A rate may hold back what waits for its budget as well.
    const certain = refusal?.is === 'wait' ? this.#rates?.reachedBy(asked.model) : refusal;
    if (certain?.is !== 'held_back') return certain;
    // What is under way ends at any moment.
    return certain.reached.rate === 'in_flight'
      ? undefined
      : { ...certain, until: certain.until - journal.now() + clock.now() };
  }

  /** Why a request that is not known yet may not be sent now; undefined: a place is all that it needs. */
  #refusal(asked: Pick<Asked, 'fingerprint' | 'model' | 'demand'>): Foreseen | Wait | undefined {
    const { journal, limits, frozen, account, madeElsewhere } = this.#options;
    const isDrawnAgain = isFreeAccount(account) && madeElsewhere?.(asked.fingerprint) !== undefined;
    if (frozen && !isDrawnAgain) return { is: 'frozen' };
    const times = journal.views.sent.timesLost(asked.fingerprint);
    if (times >= limits.attempts) return { is: 'spent', times };
    return this.#held(asked) ?? this.#rates?.reachedBy(asked.model);
  }

  async stopsActivation(): Promise<BudgetStop | undefined> {
    await this.#options.journal.look(NO_REQUEST);
    return this.#options.budgets?.stopFor({ ...NO_DEMAND, usd: null });
  }

  async isSuperseded(): Promise<boolean> {
    // A wrong answer costs the other run a moment: a deployment that is gone is brought up again. A journal may be unreachable for hours.
    using late = deadline(LONGEST_UNHEARD, { clock: this.#options.clock, where: 'in the background' });
    const unheard = new Promise<false>(resolve => late.signal.addEventListener('abort', () => resolve(false)));
    const isReached = this.#options.journal.look(NO_REQUEST).then(
      () => false,
      error => {
        if (!(error instanceof JournalFailed)) throw error;
        return error instanceof Superseded;
      },
    );
    return await Promise.race([isReached, unheard]);
  }

  async lostTimeIsOver(lostTime: LostTime): Promise<void> {
    try {
      await this.#options.journal.team?.lostTimeIsOver(this.#options.account, lostTime);
    } catch (error) {
      if (!(error instanceof JournalFailed)) throw error;
    }
  }

  budget(): readonly BudgetStatus[] {
    return this.#options.budgets?.status() ?? [];
  }

  /**
   * A request that does not fit waits while one of this run is in flight and may turn out cheaper: its end makes room, or shows that
   * there is none.
   */
  #held({ demand }: Pick<Asked, 'demand'>): Extract<Admitted, { readonly is: 'over_budget' }> | Wait | undefined {
    const { journal, budgets } = this.#options;
    const stop = budgets?.stopFor(demand);
    if (!budgets || !stop) return undefined;
    const ours = journal.views.ledger.open.filter(open => !open.idle && this.#isOurs(open));
    const reason = 'it fits into the budget only if what is under way costs less than reserved';
    if (ours.length > 0 && !budgets.stopFor(demand, ours)) return { is: 'wait', ms: LOOK, reason };
    return { is: 'over_budget', stop };
  }

  /**
   * What was sent in a time that the journal has lost is known to the service alone: it is looked for like what was sent and never answered.
   * A call leaves nothing to look for: of films that came later it is not asked.
   */
  #perhapsSent(asked: Asked): Submission | undefined {
    const { journal } = this.#options;
    const teamLoss = journal.team?.lostTime();
    const isListed = asked.via === undefined || teamLoss?.isOfFilm === true;
    const lostTime = (isListed ? teamLoss : undefined) ?? this.#undecided.get(nameOf(asked));
    return lostTime && journal.views.ledger.get(asked.intend({ since: lostTime.since, until: lostTime.until }));
  }

  #resume(asked: Asked, open: Submission): Final {
    this.#handedOut.add(open.nonce);
    this.#begin(asked);
    return { is: 'mine', open };
  }

  #begin({ fingerprint }: Pick<Asked, 'fingerprint'>): void {
    if (!this.#inFlight.has(fingerprint)) this.#inFlight.set(fingerprint, Promise.withResolvers());
  }

  #isOpen({ fingerprint }: Pick<Asked, 'fingerprint'>): boolean {
    return this.openSubmissions.some(open => open.fingerprint === fingerprint);
  }

  #place({ model }: Asked): PlaceAwaited {
    const { journal, account, limits, isRunning } = this.#options;
    const now = this.#options.journal.now();
    const mine = journal.views.ledger.open.filter(
      open =>
        (open.account ?? account) === account &&
        this.#places.takes({ ...open, isIdle: open.idle ?? false }, () => this.#isOurs(open), now),
    );
    const theirs = journal.views.sent
      .underWay(account, undefined)
      .filter(open => open.film !== journal.views.film && this.#places.takes(open, () => isRunning(open.film), now));
    return waitForPlace({
      ...{ model, now, limits, allowed: journal.team?.allowed(), line: journal.team?.line },
      ...{ mine: byModel(mine), theirs: byModel(theirs) },
      recent: journal.views.sent.submits(account, now - WINDOW),
    });
  }

  #isOurs({ nonce }: Pick<Submission, 'nonce'>): boolean {
    return this.#sent.has(nonce) || this.#handedOut.has(nonce);
  }
}

function byModel(all: readonly { readonly model: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { model } of all) counts.set(model, (counts.get(model) ?? 0) + 1);
  return counts;
}

const nameOf = ({ key, fingerprint }: Pick<Asked, 'key' | 'fingerprint'>): string => `${fingerprint} ${key}`;
