/** `uses`: another file. Its steps are planned like any other; this gathers what they give, and costs nothing. */
import { messages } from '../plan-messages.ts';
import { failed, pendingOn, type ResolvedOutputs, type Unready } from '../resolved.ts';
import { FREE_WORK, type KindOfStep, type Unresolved } from './kind.ts';

export const uses: KindOfStep<'uses'> = {
  ...FREE_WORK,
  isGathered: true,
  label: () => 'uses',
  calledInText: ({ file }) => `uses ${file.source.path}`,
  json: ({ file }) => ({ uses: file.source.path }),
  // What it is given is read by the steps inside, and each waits for no more than it reads.
  values: () => [],
  resolve: resolveOutputs,
  changedSince: () => messages.gathered(),
};

function resolveOutputs({ slot, step, inputs, values }: Unresolved<'uses'>): Unready | ResolvedOutputs {
  const { outputs = {}, waiting = [], incomplete } = inputs.gathered ?? {};
  if (incomplete !== undefined) return failed('expression_failed', incomplete);
  const shown = values.redactMap(step.with);
  const asks = { fields: shown, known: inputs.known };
  const waits = pendingOn(inputs, values, waiting);
  if (waits) return { ...waits, request: shown, shown, asks, media: [] };
  if (step.outputs.length > 0 && Object.keys(outputs).length === 0)
    return { is: 'skip', why: messages.allInsideSkipped(slot.key) };
  return { is: 'outputs', result: { is: 'outputs', outputs }, shown, asks, fingerprint: '', authorFiles: [] };
}
