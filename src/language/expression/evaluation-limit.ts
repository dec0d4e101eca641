/**
 * What one evaluation may spend. An expression is written by a person, and what it reads by models and commands: whatever the two
 * come to, it ends within milliseconds. Work is counted and not timed, so that an expression that is good on one machine is good on all.
 */
export const BUDGET = {
  /**
   * Nodes evaluated, items looked at, and characters: a hundred a step, or ten where they are looked at one by one. Ten thousand results
   * are mapped and joined with a fifth of it; all of it takes twenty milliseconds in a process that has evaluated nothing before.
   */
  steps: 200_000,
  /** Characters and items produced on the way. */
  size: 2_000_000,
  /** Characters of one text. */
  text: 1_000_000,
  /** Lists within lists that are compared or given. */
  depth: 200,
} as const;

export type Spent = keyof typeof BUDGET;

/** Ends an evaluation: no `||` around it absorbs it. Never leaves the folder. */
export class BudgetSpent extends Error {
  readonly spent: Spent;

  constructor(spent: Spent) {
    super(spent);
    this.spent = spent;
  }
}

export class Budget {
  #steps = 0;
  #size = 0;

  step(): void {
    if (++this.#steps > BUDGET.steps) throw new BudgetSpent('steps');
  }

  steps(count: number): void {
    this.#steps += count;
    if (this.#steps > BUDGET.steps) throw new BudgetSpent('steps');
  }

  /** Characters that JavaScript itself reads through once. */
  characters(count: number): void {
    this.steps(Math.ceil(count / 100));
  }

  /** Characters that are looked at one by one, by us or where JavaScript may begin again: some ten in the time of a step. */
  scanned(count: number): void {
    this.steps(Math.ceil(count / 10));
  }

  /** Before they are made: so many items of a list. */
  items(count: number): void {
    this.steps(Math.ceil(count / 2));
    this.#produce(count);
  }

  /** Before it is made: a mapping of so many entries, which costs what some items cost. */
  mapping(count: number): void {
    this.items(4 + count);
  }

  /** Before it is made: a text of so many characters. */
  text(length: number): void {
    if (length > BUDGET.text) throw new BudgetSpent('text');
    this.#produce(length);
  }

  depth(depth: number): void {
    if (depth > BUDGET.depth) throw new BudgetSpent('depth');
  }

  #produce(count: number): void {
    this.#size += count;
    if (this.#size > BUDGET.size) throw new BudgetSpent('size');
  }

  get spent(): { readonly steps: number; readonly size: number } {
    return { steps: this.#steps, size: this.#size };
  }
}
