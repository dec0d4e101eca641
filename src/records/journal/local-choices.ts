/**
 * Choices on this machine: the journal has them in the order in which they were made, and the lock file those that everybody shares.
 *
 * Their order is decided without a clock, because clocks go wrong: a choice in the lock that the journal has seen before is older than what the
 * journal has seen since (a run was killed before it wrote the lock); a choice in the lock that the journal has never seen comes from another
 * person, and counts as newest. What was withdrawn has been seen, and no longer holds, wherever it is still written.
 */
import { type Asking, answers, type Choice, isSameChoice } from '../../model/run/choice.ts';
import { type InstanceKey, type StepName, stepOf } from '../../model/run/key.ts';
import { chosenIn, type NamedCandidate, type Promotion, stillChosenIn } from '../../model/run/promotion.ts';
import type { ChosenByName } from '../../plan/plan-context.ts';
import { NO_REQUEST } from './admission-rows.ts';
import type { Choices, Recorded } from './choices.ts';
import type { FilmJournal } from './film-journal.ts';
import { JournalFailed } from './journal.ts';

interface ChoicesGiven {
  readonly journal: Pick<FilmJournal, 'choices' | 'decide'>;
  /** The choices in the lock file for the service of this run. */
  readonly locked: readonly Choice[];
  /** Whether the film has such a step: a choice of one that is gone may belong to the same step under another name. */
  readonly hasStep: (name: StepName) => boolean;
  /** What was picked in another profile, and is to be made in this one. */
  readonly promotion?: Promotion | undefined;
}

export class LocalChoices implements Choices {
  readonly #given: ChoicesGiven;
  /** Oldest first; without what was withdrawn. */
  #known: Choice[] = [];
  readonly #seen: Choice[] = [];
  /** Of the lock, and never seen by the journal. */
  #foreign: readonly Choice[] = [];
  #last = 0;
  #newest = 0;
  readonly #sinceOpened = new Map<InstanceKey, Choice | undefined>();

  constructor(given: ChoicesGiven) {
    this.#given = given;
    this.refresh();
    this.#sinceOpened.clear();
    this.#foreign = given.locked;
    this.#settleForeign();
  }

  get newest(): number {
    return this.#newest;
  }

  get sinceOpened(): ReadonlyMap<InstanceKey, Choice | undefined> {
    return this.#sinceOpened;
  }

  find(asking: Asking): Choice | undefined {
    return this.#find(asking, new Set());
  }

  #find(asking: Asking, without: ReadonlySet<InstanceKey>): Choice | undefined {
    const all = [...this.#known, ...this.#foreign].filter(({ key }) => !without.has(key));
    const isAnswer = (choice: Choice) => answers(choice, asking) && !this.#isOutdated(choice);
    const { hasStep } = this.#given;
    return (
      all.findLast(choice => choice.key === asking.key && isAnswer(choice)) ??
      all.findLast(choice => !hasStep(stepOf(choice.key)) && isAnswer(choice))
    );
  }

  /** It was promoted once, and something else was picked there since. */
  #isOutdated({ key, by, called, from, chosen }: Choice): boolean {
    const pick = by === 'promoted' && this.#given.promotion?.picks.find(one => one.key === key);
    return pick ? chosen.map(one => called[from.indexOf(one)]).join('\n') !== pick.chosen.join('\n') : false;
  }

  byName(key: InstanceKey, candidates: readonly NamedCandidate[], count: number): ChosenByName | undefined {
    const { promotion } = this.#given;
    const pick = promotion?.picks.find(one => one.key === key);
    const promoted = pick && chosenIn(pick, candidates, count);
    if (promotion && pick && promoted)
      return { chosen: promoted, by: 'promoted', from: promotion.from, ...personOf(pick) };
    const kept = [...this.#known, ...this.#foreign]
      .filter(choice => choice.key === key)
      .map(choice => ({ choice, chosen: stillChosenIn(choice, candidates, count) }))
      .findLast(({ chosen }) => chosen !== undefined);
    return kept?.chosen && { chosen: kept.chosen, by: kept.choice.by, ...personOf(kept.choice) };
  }

  async record(choice: Choice, asking: Asking, over?: Choice): Promise<Recorded> {
    const recorded = await this.#decide((): Recorded => {
      const before = this.find(asking);
      if (before && !(over && isSameChoice(before, over)))
        return isSameChoice(before, choice) ? { is: 'kept' } : { is: 'taken', choice: before };
      this.#seeForeign(choice.key);
      this.#given.journal.choices.add(choice);
      return { is: 'kept' };
    });
    return recorded ?? { is: 'unwritable' };
  }

  withdraw(asking: Asking): Promise<readonly Choice[] | undefined> {
    return this.#decide(() => {
      const withdrawn: Choice[] = [];
      const keys = new Set<InstanceKey>();
      for (let one = this.find(asking); one; one = this.#find(asking, keys)) {
        withdrawn.push(one);
        keys.add(one.key);
        this.#seeForeign(one.key);
        this.#given.journal.choices.withdraw(one.key);
      }
      return withdrawn;
    });
  }

  /** Decides over the newest rows, which are known here afterwards; undefined where the journal cannot be written. */
  async #decide<T>(decision: () => T): Promise<T | undefined> {
    try {
      return await this.#given.journal.decide(NO_REQUEST, () => {
        this.refresh();
        return decision();
      });
    } catch (error) {
      if (error instanceof JournalFailed) return undefined;
      throw error;
    } finally {
      this.#settleForeign();
    }
  }

  /** From here on the journal has seen the lock's choice. */
  #seeForeign(key: InstanceKey): void {
    for (const one of this.#foreign) if (one.key === key) this.#given.journal.choices.add(one);
  }

  refresh(): boolean {
    const rows = this.#given.journal.choices.after(this.#last);
    for (const row of rows) {
      if ('withdrawn' in row) {
        this.#known = this.#known.filter(({ key }) => key !== row.withdrawn);
        this.#sinceOpened.set(row.withdrawn, undefined);
      } else {
        this.#known.push(row.choice);
        this.#seen.push(row.choice);
        this.#sinceOpened.set(row.choice.key, row.choice);
      }
    }
    this.#last = rows.at(-1)?.id ?? this.#last;
    this.#newest = this.#given.journal.choices.newest();
    return rows.length > 0;
  }

  /** What was written, or what was there, is known. */
  #settleForeign(): void {
    this.refresh();
    this.#foreign = this.#foreign.filter(choice => !this.#seen.some(seen => isSameChoice(seen, choice)));
  }
}

const personOf = ({ who, login, note }: Pick<Choice, 'who' | 'login' | 'note'>) => ({
  who,
  ...(login !== undefined && { login }),
  ...(note !== undefined && { note }),
});
