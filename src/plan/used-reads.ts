/** What the values of one instance have asked for: single instances, and steps as a whole. */
import type { InstanceKey, StepName } from '../domain/key.ts';

export class UsedReads {
  readonly instances = new Set<InstanceKey>();
  readonly steps = new Set<StepName>();

  addInstance(key: InstanceKey): void {
    this.instances.add(key);
  }

  addStep(name: StepName): void {
    this.steps.add(name);
  }
}
