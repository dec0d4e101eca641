/**
 * Equal commands, and equal cuts, are made once in a run, as equal requests are paid for once: the first is made, and the others take its
 * outcome. They hold no place while they wait. What acts outside is asked for by `command.ts`.
 */

import type { Instance } from '../../model/plan.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { isRedone } from '../../plan/owned/owned-result.ts';
import { outcomeOfEqual } from '../engine/report-waits.ts';
import type { RunServices } from '../engine/run-services.ts';
import type { RequestOutcome } from '../ports/admission.ts';

/** Makes it, or waits for the equal one that is being made, and records what came of it. */
export async function madeOnce(
  instance: Instance,
  fingerprint: string,
  { run, inTheMaking }: Pick<RunServices, 'run' | 'inTheMaking'>,
  make: () => Promise<RequestOutcome>,
): Promise<void> {
  const { key } = instance;
  if (!sharesResult(instance, fingerprint, run)) return run.recorder.settle(key, fingerprint, await make());
  for (let other = inTheMaking.get(fingerprint); other !== undefined; other = inTheMaking.get(fingerprint)) {
    const outcome = await outcomeOfEqual(key, other, run);
    if (run.state.get(key).is === 'left_out') return;
    if (outcome.is !== 'stopped') return recordShared(outcome, key, fingerprint, run);
    // The other one stopped: with the run, or because it alone was not wanted any more.
    if (run.stopping.beginning.aborted) return;
  }
  const { promise, resolve } = Promise.withResolvers<RequestOutcome>();
  inTheMaking.set(fingerprint, promise);
  let outcome: RequestOutcome = { is: 'stopped' };
  try {
    outcome = await make();
    run.recorder.settle(key, fingerprint, outcome);
  } finally {
    if (outcome.is === 'stopped') inTheMaking.delete(fingerprint);
    resolve(outcome);
  }
}

/** False: the instance wants a result of its own. */
export const sharesResult = (
  { key, step }: Instance,
  fingerprint: string,
  { planContext }: Pick<RunServices['run'], 'planContext'>,
): boolean => step.cache && !isRedone(key, fingerprint, planContext);

/** The outcome of equal work, made for another instance, becomes this one's too. */
export function recordShared(
  outcome: RequestOutcome,
  key: InstanceKey,
  fingerprint: string,
  { recorder }: Pick<RunServices['run'], 'recorder'>,
): void {
  if (outcome.is === 'ok') recorder.record({ type: 'reused', key, fingerprint, result: outcome.result });
  else recorder.settle(key, fingerprint, outcome);
}
