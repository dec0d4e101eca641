/**
 * Holds the project to the rates of a service's settings. What counts is what the journal holds: intents, of all films and all runs,
 * also of those that were refused; so it holds across processes and outlives each of them. Asked within the decision of admission.
 *
 * A clock that is set back leaves intents in the future. They count as if they had been sent when they were first seen there, which is
 * later than they were, so that nothing is sent too soon and no request waits for the clock to catch up.
 */

import type { Clock } from '../../machine/time/clock.ts';
import { RATE_WINDOWS, type RateReached, ratesOf, type ServiceRates } from '../../model/request-rates.ts';
import type { AdmissionRows } from '../../records/journal/admission-rows.ts';
import type { OpenRow } from '../../records/views/sent-requests.ts';
import type { Admitted } from '../ports/admission.ts';
import { PlacesTaken } from './under-way.ts';

interface Needs {
  readonly journal: Pick<AdmissionRows, 'views'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly account: string;
  readonly rates: ServiceRates;
  /** Whether another film of the project is being run at the moment. */
  readonly isRunning: (film: string) => boolean;
  /** Whether this run follows that submission, or is sending it. */
  readonly isOurs: (submission: { readonly nonce: string }) => boolean;
}

/** Milliseconds until it is looked again whether something under way has ended. */
const LOOK = 1_000;

type HeldBack = Extract<Admitted, { readonly is: 'held_back' }>;

export class JournalRates {
  readonly #needs: Needs;
  /** Among the intents up to this row were some from the future when this was seen, at `at`. */
  #fromFuture = { row: -1, at: 0 };

  readonly #places = new PlacesTaken();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** The rate that holds a request to this model back for the longest; undefined where none does. */
  reachedBy(model: string): HeldBack | undefined {
    const { clock, rates } = this.#needs;
    const now = clock.now();
    let longest: HeldBack | undefined;
    for (const reached of ratesOf(model, rates)) {
      const until = this.#openAt(reached, now);
      if (until > now && until > (longest?.until ?? 0)) longest = { is: 'held_back', reached, until };
    }
    return longest;
  }

  /** Unix milliseconds at which this rate lets another one through, or is looked at again. */
  #openAt({ rate, limit, model }: RateReached, now: number): number {
    const { journal, account } = this.#needs;
    if (rate === 'in_flight') return this.#underWay(model, now) < limit ? 0 : now + LOOK;
    const window = RATE_WINDOWS[rate];
    const nth = journal.views.sent.nthIntent(account, { n: limit, since: now - window, now, model });
    if (!nth) return 0;
    if (nth.future !== undefined && nth.future > this.#fromFuture.row) this.#fromFuture = { row: nth.future, at: now };
    // Set back once more, the moment of seeing it lies in the future itself.
    if (this.#fromFuture.at > now) this.#fromFuture = { ...this.#fromFuture, at: now };
    const { row, at } = this.#fromFuture;
    return Math.min(nth.at, nth.row <= row ? at : now) + window;
  }

  #underWay(model: string | undefined, now: number): number {
    const { journal, account, isRunning, isOurs } = this.#needs;
    const isFollowed = (open: OpenRow) => (open.film === journal.views.film ? isOurs(open) : isRunning(open.film));
    return journal.views.sent
      .underWay(account, model)
      .filter(open => this.#places.takes(open, () => isFollowed(open), now)).length;
  }
}
