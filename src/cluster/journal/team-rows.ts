/**
 * What the team's database told for one decision: rows of other films, limits of the key, and what was decided elsewhere. Beside them stand
 * the film's own rows, which nobody else writes.
 */
import { type Amounts, addAmounts, amounts, type Spending } from '../../domain/budget.ts';
import { roundUsd } from '../../domain/money.ts';
import { realFilm } from '../../domain/profile.ts';
import { RATE_WINDOWS, type ServiceRates, statedRates } from '../../domain/request-rates.ts';
import type { Allowed, Charges, SentOfLate } from '../../run/admission/admission-rows.ts';
import type { ActLeftOpen } from '../../run/ports/journal.ts';
import type { Submission } from '../../run/requests/ledger.ts';
import type { Row } from './replica.ts';

/** As the function `admission_rows` gives them. Times are Unix milliseconds. */
export interface TeamFacts {
  readonly superseded?: true;
  readonly now: number;
  readonly choices: readonly (Row & { readonly id: number })[];
  readonly spent: readonly SpentRow[];
  readonly events: readonly Row[];
  readonly open_elsewhere: { readonly row: Row; readonly is_running: boolean } | null;
  readonly times_lost: number;
  readonly act: {
    readonly film: string;
    readonly at: number;
    readonly is_newest: boolean;
    readonly is_running: boolean;
  } | null;
  readonly under_way?: readonly UnderWay[];
  readonly submits?: readonly number[];
  readonly nth?: readonly ({ readonly row: number; readonly at: number; readonly future: number | null } | null)[];
  readonly allowed?: {
    readonly in_flight: number | null;
    readonly per_second: number | null;
    readonly usd_per_day: number | null;
    readonly usd_today: number | null;
  } | null;
  readonly per_model?: number | null;
  readonly contenders?: number;
}

interface UnderWay {
  readonly film: string;
  readonly nonce: string;
  readonly model: string;
  readonly state: string;
  readonly at: number;
  readonly is_idle: boolean;
  readonly is_running: boolean;
}

type SpentRow = { readonly film: string; readonly is_open: boolean } & { readonly [measure: string]: number };

/** A number that intents are counted against: `n` of them within `window` milliseconds, of this model or of all. */
export interface RateAsked {
  readonly n: number;
  readonly window: number;
  readonly model?: string | undefined;
}

const NOTHING: TeamFacts = {
  ...{ now: 0, choices: [], spent: [], events: [], open_elsewhere: null, times_lost: 0, act: null },
};

export class TeamRows {
  #facts: TeamFacts = NOTHING;
  #rates: readonly RateAsked[] = [];
  readonly #film: string;
  readonly #own: Charges;

  /** @param own of the film itself. */
  constructor(film: string, own: Charges) {
    this.#film = film;
    this.#own = own;
  }

  /** From now on these are what is told. @param rates that `nth` was asked for. */
  become(facts: TeamFacts, rates: readonly RateAsked[]): void {
    this.#facts = facts;
    this.#rates = rates;
  }

  openElsewhere(): { readonly film: string; readonly submission: Submission } | undefined {
    const found = this.#facts.open_elsewhere;
    if (!found) return undefined;
    return { film: String(found.row.film), submission: JSON.parse(String(found.row.body)) as Submission };
  }

  get timesLost(): number {
    return this.#facts.times_lost;
  }

  actLeftOpen(): ActLeftOpen | undefined {
    const { act } = this.#facts;
    return act ? { film: act.film, at: act.at, isNewest: act.is_newest } : undefined;
  }

  /** Whether somebody leads that film, or is about to. */
  isRunning(film: string): boolean {
    const { open_elsewhere: open, act, under_way: all = [] } = this.#facts;
    if (open?.row.film === film) return open.is_running;
    if (act?.film === film) return act.is_running;
    return all.some(one => one.film === film && one.is_running);
  }

  allowed(): Allowed {
    const { allowed, per_model: perModel, contenders = 0 } = this.#facts;
    const most = perModel ?? allowed?.in_flight;
    return {
      in_flight: allowed?.in_flight ?? undefined,
      per_model: perModel ?? undefined,
      submits_per_second: allowed?.per_second ?? undefined,
      share: most && contenders > 1 ? Math.max(1, Math.ceil(most / contenders)) : undefined,
    };
  }

  /** US dollars that the key may cost in a day, and what it has cost in the last one. */
  get day(): { readonly limit: number; readonly spent: number } | undefined {
    const { allowed } = this.#facts;
    return allowed?.usd_per_day == null ? undefined : { limit: allowed.usd_per_day, spent: allowed.usd_today ?? 0 };
  }

  readonly submissions: SentOfLate = {
    underWayElsewhere: (_, since) => {
      const counts = new Map<string, number>();
      for (const { film, model, state, at } of this.#facts.under_way ?? [])
        if (film !== this.#film && at > since && (state === 'intended' || state === 'accepted'))
          counts.set(model, (counts.get(model) ?? 0) + 1);
      return counts;
    },
    submits: () => this.#facts.submits ?? [],
    nthIntent: (_, { n, model, now, since }) => {
      const place = this.#rates.findIndex(one => one.n === n && one.model === model && one.window === now - since);
      const found = this.#facts.nth?.[place];
      return found ? { ...found, future: found.future ?? undefined } : undefined;
    },
    underWay: (_, model) =>
      (this.#facts.under_way ?? [])
        .filter(one => one.state !== 'made' && (model === undefined || one.model === model))
        .map(({ film, nonce, at, is_idle }) => ({ film, nonce, at, isIdle: is_idle })),
  };

  readonly charges: Charges = {
    spending: (account, of, since = 0) => {
      const own = this.#own.spending(account, of === 'project' ? 'profile' : of, since);
      if (since > 0 || of === 'profile') return own;
      const others = this.#facts.spent.filter(
        ({ film }) => of === 'project' || realFilm(film) === realFilm(this.#film),
      );
      return others.reduce((sum, row) => addSpent(sum, row), own);
    },
    newest: () => this.#own.newest(),
    unknownOf: locked => this.#own.unknownOf(locked),
    keep: (account, locked) => this.#own.keep(account, locked),
  };
}

function addSpent({ settled, inFlight }: Spending, row: SpentRow): Spending {
  const more: Amounts = amounts(measure => ({
    known: roundUsd(Number(row[measure] ?? 0)),
    unknown: Number(row[`${measure}_unknown`] ?? 0),
  }));
  return row.is_open
    ? { settled, inFlight: addAmounts(inFlight, more) }
    : { settled: addAmounts(settled, more), inFlight };
}

/** What these rates of a service's settings are counted by. */
export const ratesAsked = (rates: ServiceRates): readonly RateAsked[] =>
  statedRates(rates).flatMap(({ rate, limit, model }) =>
    rate === 'in_flight' ? [] : [{ n: limit, window: RATE_WINDOWS[rate], model }],
  );
