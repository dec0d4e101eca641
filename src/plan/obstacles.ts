/** What stands in the way of an instance, and what its values have asked for, while they are evaluated. */
import type { Source, Span } from '../domain/diagnostic.ts';
import type { InstanceKey, StepName } from '../domain/key.ts';
import { MediaTable } from './media-index.ts';
import type { Input } from './step-inputs.ts';

export interface Problem {
  /** Field of the request, where it is one. */
  readonly path?: string;
  readonly message: string;
  readonly at: Span;
  /** Where it is another file than the step's. */
  readonly source?: Source;
  /** What tools know it by, where that says more than "the request is wrong". */
  readonly code?: string;
}

/** What stands in the way of a value: it is waited for, or will never be there. */
export interface Obstacles {
  readonly waiting: ReadonlyMap<InstanceKey | StepName, Extract<Input, { is: 'waiting' }>>;
  readonly skipped: ReadonlySet<string>;
  /** By reason: the place of the value that reads it; undefined where the place is not known. */
  readonly incomplete: ReadonlyMap<string, Problem | undefined>;
}

interface Found {
  readonly waiting: Map<InstanceKey | StepName, Extract<Input, { is: 'waiting' }>>;
  readonly skipped: Set<string>;
  readonly incomplete: Map<string, Problem | undefined>;
}

const NOTHING_FOUND: Obstacles = { waiting: new Map(), skipped: new Set(), incomplete: new Map() };

/** What the evaluation of an instance has met: the same for its own values and for those that it is given from around its file. */
export class Met {
  readonly used = new UsedReads();
  readonly problems: Problem[] = [];
  #found: Found | undefined;
  #givenMedia: MediaTable | undefined;

  get obstacles(): Obstacles {
    return this.#found ?? NOTHING_FOUND;
  }

  get finding(): Found {
    this.#found ??= { waiting: new Map(), skipped: new Set(), incomplete: new Map() };
    return this.#found;
  }

  get givenMedia(): MediaTable {
    this.#givenMedia ??= new MediaTable();
    return this.#givenMedia;
  }

  /** Forgets what is asked meanwhile: it is asked only to see what might be. */
  quietly<T>(ask: () => T): T {
    const { waiting, skipped, incomplete } = this.obstacles;
    const found = this.#found && {
      waiting: new Map(waiting),
      skipped: new Set(skipped),
      incomplete: new Map(incomplete),
    };
    const problems = this.problems.length;
    const answer = ask();
    this.#found = found;
    this.problems.length = problems;
    return answer;
  }

  /** What `ask` gives, and what was skipped of all that it reads. That stands in the way of nothing else. */
  apart<T>(ask: () => T): { readonly answer: T; readonly skipped: readonly string[] } {
    const before = new Set(this.obstacles.skipped);
    const answer = ask();
    const skipped = [...this.obstacles.skipped].filter(name => !before.has(name));
    for (const name of skipped) this.finding.skipped.delete(name);
    return { answer, skipped };
  }
}

const NONE: ReadonlySet<never> = new Set();

export class UsedReads {
  // Made late: most of 10,000 instances ask for nothing here.
  #instances: Set<InstanceKey> | undefined;
  #steps: Set<StepName> | undefined;

  get instances(): ReadonlySet<InstanceKey> {
    return this.#instances ?? NONE;
  }

  get steps(): ReadonlySet<StepName> {
    return this.#steps ?? NONE;
  }

  addInstance(key: InstanceKey): void {
    this.#instances ??= new Set();
    this.#instances.add(key);
  }

  addStep(name: StepName): void {
    this.#steps ??= new Set();
    this.#steps.add(name);
  }
}
