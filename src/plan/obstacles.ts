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
  readonly incomplete: ReadonlySet<string>;
}

interface Found {
  readonly waiting: Map<InstanceKey | StepName, Extract<Input, { is: 'waiting' }>>;
  readonly skipped: Set<string>;
  readonly incomplete: Set<string>;
}

const NOTHING_FOUND: Obstacles = { waiting: new Map(), skipped: new Set(), incomplete: new Set() };

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
    this.#found ??= { waiting: new Map(), skipped: new Set(), incomplete: new Set() };
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
      incomplete: new Set(incomplete),
    };
    const problems = this.problems.length;
    const answer = ask();
    this.#found = found;
    this.problems.length = problems;
    return answer;
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
