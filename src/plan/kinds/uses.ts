/** `uses`: another file. Its steps are planned like any other; this gathers what they give, and costs nothing. */
import { messages } from '../plan-messages.ts';
import { FREE } from '../request-price.ts';
import { pendingOn, type ResolvedOutputs, type Unready } from '../resolved.ts';
import type { KindOfStep, Unresolved } from './kind.ts';

export const uses: KindOfStep<'uses'> = {
  isPaid: false,
  isKeptByService: false,
  staysHere: false,
  isGathered: true,
  actsOutside: () => false,
  label: () => 'uses',
  calledInText: ({ file }) => `uses ${file.source.path}`,
  model: () => undefined,
  json: ({ file }) => ({ uses: file.source.path }),
  // What it is given is read by the steps inside, and each waits for no more than it reads.
  values: () => [],
  fields: () => [],
  sent: () => undefined,
  resolve: resolveOutputs,
  expectedFacts: () => undefined,
  problemsExpected: () => [],
  price: () => FREE,
  usualSeconds: () => 0,
  changedSince: () => messages.gathered(),
};

function resolveOutputs({ slot, step, inputs, values }: Unresolved<'uses'>): Unready | ResolvedOutputs {
  const { outputs = {}, waiting = [], incomplete } = inputs.gathered ?? {};
  if (incomplete !== undefined)
    return { is: 'invalid', failure: { code: 'expression_failed', message: incomplete }, problems: [] };
  const shown = values.redactMap(step.with);
  const asks = { fields: shown, known: inputs.known };
  const waits = pendingOn(inputs, values, waiting);
  if (waits) return { ...waits, request: shown, shown, asks, media: [] };
  if (step.outputs.length > 0 && Object.keys(outputs).length === 0)
    return { is: 'skip', why: messages.allInsideSkipped(slot.key) };
  return { is: 'outputs', result: { is: 'outputs', outputs }, shown, asks, fingerprint: '', authorFiles: [] };
}
