import type { Step } from '../domain/pipeline.ts';

/** Milliseconds that work at a service may take; the times an author gives for queueing and for running bound it together. */
export function timeLimit({ timeout }: Pick<Step, 'timeout'>): number | undefined {
  if (!timeout) return undefined;
  if (timeout.total !== undefined) return timeout.total;
  return timeout.queue === undefined && timeout.run === undefined
    ? undefined
    : (timeout.queue ?? 0) + (timeout.run ?? 0);
}
