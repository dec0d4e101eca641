/**
 * Answers from the command line: `--pick best[beat=3]=take=2`, `--approve ok`. Each applies as soon as its candidates are known, so that nothing is
 * made of what loses. It is kept like any other answer when a run takes it.
 */
import { type Asking, type Choice, deciderName } from '../../model/run/choice.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { NamedCandidate } from '../../model/run/promotion.ts';
import { type Selector, selects } from '../../model/selector.ts';
import { candidateNamed } from '../../plan/graph/gathered-candidates.ts';
import type { ChosenByName } from '../../plan/plan-context.ts';
import { messages } from '../../plan/selector-messages.ts';
import type { Choices, Recorded } from '../../records/journal/choices.ts';

export interface PresetAnswer {
  readonly is: Asking['is'];
  /** Which picks or approvals it is about. */
  readonly of: Selector;
  /** The same as it was typed. */
  readonly text: string;
  /** Of a pick: as they were named, best first. */
  readonly chosen: readonly string[];
}

export interface PresetAnswers {
  readonly all: readonly PresetAnswer[];
  readonly who: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly note?: string;
}

export class PresetChoices implements Choices {
  readonly #kept: Choices;
  readonly #answers: PresetAnswers;
  /** Taken, and not kept yet. `over`: what it replaces. */
  readonly #taken = new Map<
    InstanceKey,
    { readonly choice: Choice; readonly asking: Asking; readonly over?: Choice }
  >();
  readonly #mistakes = new Map<InstanceKey, string>();

  constructor(kept: Choices, answers: PresetAnswers) {
    this.#kept = kept;
    this.#answers = answers;
  }

  /** Answers that cannot be taken: they name a candidate that does not exist, or one that a person has rejected. */
  get mistakes(): readonly string[] {
    return [...this.#mistakes.values()];
  }

  find(asking: Asking): Choice | undefined {
    const before = this.#kept.find(asking);
    const chosen = this.#chosenOf(asking);
    if (!chosen || before?.chosen.join() === chosen.join()) return before;
    if (asking.is === 'approve' && before) {
      this.#mistakes.set(asking.key, messages.refusedBefore(asking.key, deciderName(before)));
      return before;
    }
    const { is, key, from, called, asked } = asking;
    const { who, at, note } = this.#answers;
    const choice: Choice = {
      ...{ key, from, called, chosen, by: 'flag', who, at },
      ...(note !== undefined && { note }),
      ...(is === 'approve' && asked !== undefined && { asked }),
    };
    this.#taken.set(key, { choice, asking, ...(before && { over: before }) });
    return choice;
  }

  /** A new answer goes before what was picked in another profile, and may name a candidate that is known only by its name so far. */
  byName(key: InstanceKey, candidates: readonly NamedCandidate[], count: number): ChosenByName | undefined {
    const called = candidates.map(one => one.key);
    if (!this.#presetOf({ is: 'pick', key })) return this.#kept.byName?.(key, candidates, count);
    const chosen = this.#placesOf({ is: 'pick', key, called, count })?.flatMap(place => called[place] ?? []);
    const { who, note } = this.#answers;
    return chosen && { chosen, by: 'flag', who, ...(note !== undefined && { note }) };
  }

  willApprove(key: InstanceKey): boolean {
    return this.#presetOf({ is: 'approve', key }) !== undefined;
  }

  /** Keeps all that is taken so far, and gives it. Undefined where the journal cannot be written. */
  async keepAll(): Promise<readonly Choice[] | undefined> {
    const kept: Choice[] = [];
    for (const key of [...this.#taken.keys()]) {
      const one = await this.keepPreset(key);
      if (one?.recorded.is === 'unwritable') return undefined;
      if (one?.recorded.is === 'kept') kept.push(one.choice);
    }
    return kept;
  }

  async keepPreset(key: InstanceKey): Promise<{ readonly choice: Choice; readonly recorded: Recorded } | undefined> {
    const taken = this.#taken.get(key);
    if (!taken) return undefined;
    const recorded = await this.#kept.record(taken.choice, taken.asking, taken.over);
    if (recorded.is === 'kept') this.#taken.delete(key);
    return { choice: taken.choice, recorded };
  }

  record(choice: Choice, asking: Asking, over?: Choice): Promise<Recorded> {
    return this.#kept.record(choice, asking, over);
  }

  withdraw(asking: Asking): Promise<readonly Choice[] | undefined> {
    return this.#kept.withdraw(asking);
  }

  refresh(): boolean {
    return this.#kept.refresh();
  }

  get newest(): number {
    return this.#kept.newest;
  }

  get sinceOpened(): ReadonlyMap<InstanceKey, Choice | undefined> {
    return this.#kept.sinceOpened;
  }

  /** Undefined without an answer, or without one that can be taken. */
  #chosenOf(asking: Asking): readonly string[] | undefined {
    const { is, from } = asking;
    if (is === 'approve') return this.#presetOf(asking) && from;
    return this.#placesOf(asking)?.map(place => from[place] ?? '');
  }

  #presetOf({ is, key }: Pick<Asking, 'is' | 'key'>): PresetAnswer | undefined {
    return this.#answers.all.findLast(one => one.is === is && selects(one.of, key));
  }

  /** Of a pick: of all that it is chosen from, from 0. */
  #placesOf(asking: Pick<Asking, 'is' | 'key' | 'called' | 'count'>): readonly number[] | undefined {
    const { key, called, count } = asking;
    const answers = this.#presetOf(asking);
    if (!answers) return undefined;
    const places: number[] = [];
    for (const word of answers.chosen) {
      const named = candidateNamed(word, { key, called });
      if (named.is === 'mistaken') return this.#mistaken(key, named.message);
      places.push(named.place);
    }
    const wanted = Math.min(count, called.length);
    if (new Set(places).size === wanted && places.length === wanted) return places;
    return this.#mistaken(key, messages.howMany(key, wanted, places.length));
  }

  #mistaken(key: InstanceKey, message: string): undefined {
    this.#mistakes.set(key, message);
  }
}
