/**
 * The instances of a plan: one view that planning, the run, the screens and the tests read. It grows while a film runs, because a
 * step whose lists are written by other steps is *open* until they are known.
 */
import { groupWithin, type InstanceKey, type StepName, stepOf } from './key.ts';

export class Instances<One extends { readonly key: InstanceKey }> implements Iterable<One> {
  /** In topological order; null while a step is open. */
  readonly #byStep: Map<StepName, readonly One[] | null>;
  readonly #byKey = new Map<InstanceKey, One>();
  /** Steps of used files within one instance of the step that uses them: `cleaned[beat=3]/repair`. */
  readonly #byGroup = new Map<StepName, One[]>();

  /** Every step of the film in topological order, with its instances, or with null where they are not known yet. */
  constructor(steps: Iterable<readonly [StepName, readonly One[] | null]>) {
    this.#byStep = new Map(steps);
    for (const [step, instances] of this.#byStep) this.#index(step, instances ?? []);
  }

  /** How many there are at this moment. */
  get size(): number {
    return this.#byKey.size;
  }

  get(key: InstanceKey): One | undefined {
    return this.#byKey.get(key);
  }

  has(key: InstanceKey): boolean {
    return this.#byKey.has(key);
  }

  /** The instances of a step, or of a group (`cleaned[beat=3]/repair`), in the order of its fan-out; none while it is open. */
  of(step: StepName): readonly One[] {
    return this.#byStep.get(step) ?? this.#byGroup.get(step) ?? [];
  }

  /** Its instances are not known yet. */
  isOpen(step: StepName): boolean {
    return this.#byStep.get(stepOf(step)) === null;
  }

  /** Every step in topological order, open ones too. */
  get steps(): Iterable<StepName> {
    return this.#byStep.keys();
  }

  /** The instances of an open step are known from here on. An empty list: all that it could be made from was skipped. */
  add(step: StepName, instances: readonly One[]): void {
    if (!this.isOpen(step))
      throw new Error(`the instances of ${step} are known already, or it is no step of this film`);
    this.#index(step, instances);
    this.#byStep.set(step, instances);
  }

  /** In topological order of the steps; the instances of one step stand together, in the order of its fan-out. */
  *[Symbol.iterator](): Iterator<One> {
    for (const instances of this.#byStep.values()) if (instances) yield* instances;
  }

  #index(step: StepName, instances: readonly One[]): void {
    for (const instance of instances) {
      if (this.#byKey.has(instance.key)) throw new Error(`${step} has two instances called ${instance.key}`);
      this.#byKey.set(instance.key, instance);
      const group = instance.key.includes('/') ? groupWithin(step, instance.key) : step;
      if (group === step) continue;
      const others = this.#byGroup.get(group);
      if (others) others.push(instance);
      else this.#byGroup.set(group, [instance]);
    }
  }
}
