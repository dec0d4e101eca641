/** Outputs that were asked for and will not be: what they are made from was skipped, though no condition of their own says so. */
import type { InstanceKey } from '../../domain/key.ts';
import type { Output } from '../../domain/pipeline.ts';
import type { RunCore } from '../run-core.ts';
import type { Placed } from './outputs.ts';

type Failed = Extract<Placed, { is: 'failed' }>;

export function unmadeOutputs({ plan, state }: Pick<RunCore, 'plan' | 'state'>): readonly Failed[] {
  const planned = plan.outputs.flatMap(({ name, instance, path }) => {
    const now = state.get(instance);
    return now.is === 'skipped' && now.standIn === undefined && now.by !== undefined
      ? [failed(name, instance, path, `it was not made, because ${now.by} was skipped`)]
      : [];
  });
  return [...planned, ...plan.pipeline.outputs.flatMap(output => ofEmptyStep(output, plan))];
}

/** A step whose list was never written has no instances, and so no planned outputs. */
function ofEmptyStep({ name, from, to }: Output, { instances }: RunCore['plan']): readonly Failed[] {
  if (instances.isOpen(from) || instances.of(from).length > 0) return [];
  return [
    failed(
      name,
      from as string as InstanceKey,
      to,
      `${from} has no instances, because what writes its list was skipped`,
    ),
  ];
}

const failed = (output: string, key: InstanceKey, path: string, why: string): Failed => ({
  is: 'failed',
  output,
  key,
  path,
  reason: `${why}; give that step an \`else\`, or this one a condition of its own`,
});
