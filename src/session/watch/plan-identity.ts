/** Whether two plans ask for the same: a comment, a line that was moved and an unused param make no other film. */
import type { Plan } from '../../domain/plan.ts';

/** Equal where the plans ask for the same things and put them into the same places. */
export const planIdentity = ({ instances, outputs, open }: Plan): string =>
  JSON.stringify(
    [
      // What is not known yet is told by its step, as it is written.
      [...instances].map(({ key, fingerprint, request, step }) => [key, fingerprint ?? [request, step]]),
      outputs,
      open,
    ],
    (name, value: unknown) => (PLACES.has(name) ? undefined : value instanceof Map ? [...value] : value),
  );

/** Where something stands in its file. */
const PLACES: ReadonlySet<string> = new Set(['span', 'at', 'source', 'decision']);
