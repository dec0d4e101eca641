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

/** Paths of what was no part of the run; of a step whose instances were never known, as the file writes it. */
export function leftOutOutputs({ plan, state }: Pick<RunCore, 'plan' | 'state'>): readonly string[] {
  const planned = plan.outputs.filter(({ instance }) => state.get(instance).is === 'left_out');
  const open = plan.pipeline.outputs.filter(({ from }) => state.isLeftOut(from));
  return [...planned.map(({ path }) => path), ...open.map(({ to }) => to)];
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
