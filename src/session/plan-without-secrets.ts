import { Instances } from '../domain/instances.ts';
import type { Instance, Plan } from '../domain/plan.ts';
import type { Redactor } from '../host/redactor.ts';

/** Secrets are hidden before requests are clipped to a line: half a secret would not be found any more. */
export function planWithoutSecrets(plan: Plan, secrets: Redactor): Plan {
  const hidden = (instance: Instance): Instance =>
    instance.request === undefined ? instance : { ...instance, request: secrets.redactIn(instance.request) };
  return {
    ...plan,
    instances: new Instances(
      [...plan.instances.steps].map(step => [
        step,
        plan.instances.isOpen(step) ? null : plan.instances.of(step).map(hidden),
      ]),
    ),
  };
}
