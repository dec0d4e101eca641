/**
 * The database's rows for one decision: of other films, limits of the key, and choices made elsewhere. Beside them are the film's own rows, with no
 * other writer.
 */
import { type Amounts, addAmounts, amounts, type Measure, NO_SPENDING, type Spending } from '../../model/budget.ts';
import { roundUsd } from '../../model/money.ts';
import { RATE_WINDOWS, type ServiceRates, statedRates } from '../../model/request-rates.ts';
import type { Allowed, FilmsLostTime, InLine } from '../../records/journal/admission-rows.ts';
import { bodyOf } from '../../records/journal/journal-row.ts';
import type { ChargesView } from '../../records/views/charges.ts';
import type { JournalViews } from '../../records/views/journal-views.ts';
import type { Submission } from '../../records/views/ledger.ts';
import { isAt } from '../../records/views/ledger.ts';
import type { SentView } from '../../records/views/sent-requests.ts';
import { type FilmsSubmission, selectSent, sentRow } from '../../records/views/sent-requests.ts';
import type { ActLeftOpen } from '../../records/views/work.ts';
import { PlacesTaken } from '../../run/admission/under-way.ts';
import { postgresSafeText } from '../database/storable-text.ts';
import type { Row } from './replica.ts';

/** As the function `admission_rows` gives them. Times are Unix milliseconds. */
export interface TeamFacts {
  readonly superseded?: true;
  readonly was_refused?: boolean;
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
  readonly lost_time?: { readonly since: number; readonly until: number; readonly is_of_film: boolean } | null;
  readonly under_way?: readonly UnderWay[];
  readonly submits?: readonly number[];
  readonly nth?: readonly ({ readonly row: number; readonly at: number; readonly future: number | null } | null)[];
  readonly allowed?: {
    readonly in_flight: number | null;
    readonly per_second: number | null;
    readonly usd_per_day: number | null;
    readonly day: readonly { readonly is_open: boolean; readonly usd: number; readonly usd_unknown: number }[] | null;
  } | null;
  readonly per_model?: Readonly<Record<string, number>>;
  readonly waiting?: readonly { readonly film: string; readonly model: string; readonly since: number }[];
}

interface UnderWay {
  readonly film: string;
  readonly nonce: string;
  readonly model: string;
  readonly state: Submission['state'];
  readonly at: number;
  readonly is_idle: boolean;
  readonly is_running: boolean;
}

type SumsRow = { readonly is_open: boolean } & { readonly [sum in Measure | `${Measure}_unknown`]?: number };
type SpentRow = SumsRow & { readonly is_same: boolean };

/** A number that intents are counted against: `n` of them within `window` milliseconds, of this model or of all. */
export interface RateAsked {
  readonly n: number;
  readonly window: number;
  readonly model?: string | undefined;
}

export const NO_FACTS: TeamFacts = {
  ...{ now: 0, choices: [], spent: [], events: [], open_elsewhere: null, times_lost: 0, act: null },
};

export class TeamRows {
  readonly #places = new PlacesTaken();
  #facts: TeamFacts = NO_FACTS;
  #intended = 0;
  #rates: readonly RateAsked[] = [];
  readonly #film: string;
  readonly #own: ChargesView;

  constructor(film: string, own: Pick<JournalViews, 'charges'>) {
    this.#film = film;
    this.#own = own.charges;
  }

  /**
   * Answers from these facts from now on.
   * @param rates that `nth` was asked for.
   * @param intended the film's own intents since the facts were read.
   */
  become(facts: TeamFacts, rates: readonly RateAsked[], intended = 0): void {
    this.#facts = facts;
    this.#intended = intended;
    this.#rates = rates;
  }

  actLeftOpen(): ActLeftOpen | undefined {
    const { act } = this.#facts;
    return act ? { film: act.film, at: act.at, isNewest: act.is_newest } : undefined;
  }

  lostTime(): FilmsLostTime | undefined {
    const lost = this.#facts.lost_time;
    return lost ? { since: lost.since, until: lost.until, isOfFilm: lost.is_of_film } : undefined;
  }

  /** Whether a worker leads that film, or is about to. */
  isRunning(film: string): boolean {
    const { open_elsewhere: open, act, under_way: all = [] } = this.#facts;
    if (open?.row.film === film) return open.is_running;
    if (act?.film === film) return act.is_running;
    return all.some(one => one.film === film && one.is_running);
  }

  get wasRefused(): boolean {
    return this.#facts.was_refused === true;
  }

  allowed(): Allowed {
    const { allowed, per_model: models = {} } = this.#facts;
    return {
      ...{ models, in_flight: allowed?.in_flight ?? undefined, submits_per_second: allowed?.per_second ?? undefined },
    };
  }

  /** US dollars that the key may cost in a day, and what it has cost in the last one. */
  get day(): { readonly limit: number; readonly spending: Spending } | undefined {
    const { allowed } = this.#facts;
    if (allowed?.usd_per_day == null) return undefined;
    const spending = (allowed.day ?? []).reduce<Spending>(addSpent, NO_SPENDING);
    return { limit: allowed.usd_per_day, spending };
  }

  /** Of other films that wait for a place. */
  get inLine(): readonly InLine[] {
    const { waiting = [], under_way: all = [] } = this.#facts;
    // A thousand may wait while thousands are under way.
    const has = Map.groupBy(
      all.filter(one => this.#takesPlace(one)),
      ({ film }) => film,
    );
    return waiting
      .filter(({ film }) => film !== this.#film)
      .map(({ film, model, since }) => {
        const its = has.get(film) ?? [];
        return {
          film,
          model,
          since,
          underWay: { ofModel: its.filter(one => one.model === model).length, all: its.length },
        };
      });
  }

  #takesPlace({ is_idle: isIdle, is_running: isRunning, ...one }: UnderWay): boolean {
    return this.#places.takes({ ...one, isIdle }, () => isRunning, this.#facts.now);
  }

  /** Unix milliseconds since which the film itself waits for a place at that model. */
  waitsSince(model: string): number | undefined {
    return this.#facts.waiting?.find(one => one.film === this.#film && one.model === model)?.since;
  }

  readonly sent: Pick<SentView, 'openElsewhere' | 'timesLost' | 'submits' | 'nthIntent' | 'underWay'> = {
    /** @throws DatabaseRefused where its row cannot be read. */
    openElsewhere: () => {
      const found = this.#facts.open_elsewhere;
      return found ? { film: String(found.row.film), submission: submissionIn(found.row) } : undefined;
    },
    timesLost: () => this.#facts.times_lost,
    submits: () => {
      const { submits = [], now } = this.#facts;
      return [...submits, ...Array.from({ length: this.#intended }, () => now)];
    },
    nthIntent: (_, { n, model, now, since }) => {
      const place = this.#rates.findIndex(one => one.n === n && one.model === model && one.window === now - since);
      const found = this.#facts.nth?.[place];
      return found ? { ...found, future: found.future ?? undefined } : undefined;
    },
    underWay: (_, model) =>
      (this.#facts.under_way ?? [])
        .filter(one => one.state !== 'made' && (model === undefined || one.model === model))
        .map(({ is_idle: isIdle, ...one }) => ({ ...one, isIdle })),
  };

  readonly charges: ChargesView = {
    spending: (account, of, since = 0) => {
      const own = this.#own.spending(account, of === 'project' ? 'profile' : of, since);
      if (since > 0 || of === 'profile') return own;
      const others = this.#facts.spent.filter(({ is_same: isSame }) => of === 'project' || isSame);
      return others.reduce((sum, row) => addSpent(sum, row), own);
    },
    newest: () => this.#own.newest(),
    unknownOf: (account, locked) => this.#own.unknownOf(account, locked),
  };
}

/** The ledger's entry in a row of the team's journal. @throws DatabaseRefused where it cannot be read. */
export const submissionIn = (row: Readonly<Record<string, unknown>>): Submission =>
  bodyOf<Submission>(row, "the team's journal");

function addSpent({ settled, inFlight }: Spending, row: SumsRow): Spending {
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

interface TeamQueries {
  /** Of other films, as they were when the journal was opened. */
  readonly openOfOtherFilms: readonly FilmsSubmission[];
  /** This process leads the run. Otherwise it may not record bills. */
  readonly leads: boolean;
  /** A request was looked up in vain. */
  missed(fingerprint: string): void;
  /** Asks the team's database, again and again where it is out of reach. */
  query(sql: string, values: readonly unknown[]): Promise<readonly Row[]>;
}

/** The views of a film that many machines share: its own rows, and over them what others of the team have sent and made. */
export function teamViews(own: JournalViews, rows: TeamRows, team: TeamQueries): JournalViews {
  const isClaimed: JournalViews['sent']['isClaimed'] = (id, account) =>
    own.sent.isClaimed(id, account) || own.sent.isClaimed(postgresSafeText(id), account);
  return {
    ...own,
    charges: rows.charges,
    owned: {
      ...own.owned,
      find: fingerprint => {
        const found = own.owned.find(fingerprint);
        if (!found) team.missed(fingerprint);
        return found;
      },
      unbilled: () => (team.leads ? own.owned.unbilled() : new Set()),
    },
    work: {
      ...own.work,
      actLeftOpen: fingerprint => {
        const act = rows.actLeftOpen();
        // The database may not have the newest events of the film itself yet.
        return act && act.film !== own.film ? act : own.work.actLeftOpen(fingerprint);
      },
    },
    sent: {
      ...own.sent,
      ...rows.sent,
      openOfOtherFilms: () => team.openOfOtherFilms,
      isClaimed,
      claimedAmong: async (ids, account) => {
        const sql = 'SELECT generation_id AS id, account FROM submission WHERE generation_id = ANY($1)';
        const claimed = await team.query(sql, [ids.map(postgresSafeText)]);
        const known = new Set(
          claimed.filter(row => isAt({ account: String(row.account) }, { account })).map(({ id }) => id),
        );
        return new Set(ids.filter(id => known.has(postgresSafeText(id)) || isClaimed(id, account)));
      },
      ask: async (condition, values, than = '') => {
        const found = await team.query(selectSent(condition, 'n'), [than, ...values]);
        return found.map(row => sentRow(row, submissionIn(row))).reverse();
      },
    },
  };
}
