/**
 * The budgets that bound a run: the film's, over all of its runs on this service account, in whichever profile; that of the profile; the project's,
 * over all of its films; this run's own; and what a team lets its key cost in a day. They are asked while the journal is locked, in the transaction
 * that keeps the intent: of two processes at once, each sees what the other has sent. What is spent is added up anew each time, so that nothing
 * drifts.
 */
import {
  type Amounts,
  type AppliedBudget,
  addAmounts,
  addDemand,
  amounts,
  type BudgetStatus,
  type BudgetStop,
  type Demand,
  type Measure,
  NO_AMOUNTS,
  NO_SPENDING,
  type Spending,
  statusOf,
  stopFor,
} from '../../model/budget.ts';
import { addUsd } from '../../model/money.ts';
import { isFreeAccount } from '../../model/run/run-money.ts';
import type { AdmissionRows } from '../../records/journal/admission-rows.ts';
import { type Charge, chargeOf, type LockedCharge } from '../../records/views/charges.ts';
import type { Submission } from '../../records/views/ledger.ts';

interface JournalBudgetsOptions {
  readonly journal: Pick<AdmissionRows, 'keepCharges' | 'team'> & {
    readonly views: Pick<AdmissionRows['views'], 'charges'>;
  };
  readonly account: string;
  readonly budgets: readonly AppliedBudget[];
  /** What the lock file names, read at most once: a fresh clone knows by it what was spent. */
  readonly locked: () => readonly LockedCharge[];
  /** The one that is made; absent: the real film. */
  readonly profile?: string | undefined;
}

export class JournalBudgets {
  readonly #options: JournalBudgetsOptions;
  /** What this run sends comes after it. */
  #begin: number;
  /** What the lock names and the journal does not know, until it is kept there. */
  #unkept: readonly LockedCharge[] | undefined;
  #isKept = false;

  constructor(options: JournalBudgetsOptions) {
    this.#options = options;
    this.#begin = options.journal.views.charges.newest();
  }

  /** The first number that a request does not fit into. `without`: open submissions to leave out of the sums. */
  stopFor(demand: Pick<Demand, Measure>, without: readonly Submission[] = []): BudgetStop | undefined {
    for (const applied of this.#applied) {
      const spending = this.#spending(applied);
      const stop = stopFor(applied, without.length > 0 ? less(spending, without) : spending, demand);
      if (stop) return stop;
    }
    return undefined;
  }

  status(): readonly BudgetStatus[] {
    return this.#applied.flatMap(applied => statusOf(applied, this.#spending(applied)));
  }

  /** What this profile of the film has cost: US dollars, and requests of unknown cost. */
  cameTo(): { readonly usd: number; readonly unknown: number } {
    const { settled, inFlight } = this.#spending({ of: 'profile' });
    const { known, unknown } = addAmounts(settled, inFlight).usd;
    return { usd: known, unknown };
  }

  /** Keeps what the lock knows and the journal does not, before this run puts anything in its place. Within `transact`. */
  keep(): void {
    if (this.#isKept) return;
    this.#isKept = true;
    const { journal, account, locked } = this.#options;
    journal.keepCharges(account, locked());
    this.#begin = journal.views.charges.newest();
  }

  get #applied(): readonly AppliedBudget[] {
    const { account, budgets, journal } = this.#options;
    // Dollars bound what is billed; other numbers bound what is made.
    if (isFreeAccount(account)) return budgets.map(({ of, budget: { usd: _, ...budget } }) => ({ of, budget }));
    return journal.team?.day ? [...budgets, { of: 'team_day', budget: { usd: journal.team.day.limit } }] : budgets;
  }

  #spending({ of }: Pick<AppliedBudget, 'of'>): Spending {
    const { journal, account } = this.#options;
    if (of === 'team_day') return journal.team?.day?.spending ?? NO_SPENDING;
    if (of === 'run') return journal.views.charges.spending(account, 'profile', this.#begin);
    const spending = journal.views.charges.spending(account, of);
    if (this.#isKept) return spending;
    this.#unkept ??= journal.views.charges.unknownOf(account, this.#options.locked());
    const { profile } = this.#options;
    const counted = of === 'profile' ? this.#unkept.filter(one => one.profile === profile) : this.#unkept;
    return { ...spending, settled: addAmounts(spending.settled, sumOf(counted)) };
  }
}

const sumOf = (locked: readonly LockedCharge[]): Amounts => {
  const distinct = new Map(locked.map(one => [one.generation ?? one.fingerprint, one.charge]));
  return [...distinct.values()].reduce((sum, charge) => addDemand(sum, charge), NO_AMOUNTS);
};

function less({ settled, inFlight }: Spending, without: readonly Submission[]): Spending {
  const charges = without.flatMap(open => chargeOf(open) ?? []);
  const minus = (sum: Amounts, gone: readonly Charge[]) => {
    const all = gone.reduce((amount, one) => addDemand(amount, one), NO_AMOUNTS);
    return amounts(measure => ({
      known: Math.max(0, addUsd(sum[measure].known, -all[measure].known)),
      unknown: Math.max(0, sum[measure].unknown - all[measure].unknown),
    }));
  };
  const open = charges.filter(({ isOpen }) => isOpen);
  const made = charges.filter(({ isOpen }) => !isOpen);
  return { settled: minus(settled, made), inFlight: minus(inFlight, open) };
}
