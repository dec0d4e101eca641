/** What the values of one instance have asked for: single instances, and steps as a whole. */
import type { InstanceKey, StepName } from '../domain/key.ts';

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
