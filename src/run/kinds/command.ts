/** A `run` step: a local command, done by the hands. What acts outside goes by `effect.ts`. */
import type { Instance } from '../../model/plan.ts';
import { commandReady } from '../derived-inputs.ts';
import { resumeRetry, retryAfter } from '../engine/retry.ts';
import type { Execute, RunServices, WorkToDo } from '../engine/run-services.ts';
import type { RequestOutcome } from '../ports/admission.ts';
import { changedFile } from '../ports/author-files.ts';
import type { CommandOutcome } from '../ports/hands.ts';
import { executeEffect } from './effect.ts';
import { madeOnce } from './made-once.ts';

export const executeCommand: Execute<'run'> = (instance, work, services) =>
  work.effect
    ? executeEffect(instance, work, services)
    : madeOnce(instance, work.fingerprint, services, () => runToTheEnd(instance, work, services));

async function runToTheEnd(instance: Instance, work: WorkToDo<'run'>, services: RunServices): Promise<RequestOutcome> {
  const { run } = services;
  const { fingerprint } = work;
  if ((await resumeRetry(instance, fingerprint, run)) === 'stopped') return { is: 'stopped' };
  for (;;) {
    const changed = await changedFile(work, run);
    if (changed) return { is: 'failed', failure: changed };
    const ready = await commandReady(work, instance, run);
    const done: CommandOutcome =
      ready.is === 'ok'
        ? await run.queue.onThisMachine(instance, 'command', () => runOnce(instance, ready.value, services))
        : ready;
    const next = await retryAfter(instance, fingerprint, done, run);
    if (next === 'again') continue;
    const outcome: RequestOutcome = next === 'stopped' ? { is: 'stopped' } : done;
    run.admission.settle(fingerprint, outcome);
    return outcome;
  }
}

function runOnce(
  { key, remaining, step }: Instance,
  work: WorkToDo<'run'>,
  { run }: RunServices,
): Promise<CommandOutcome> {
  const { fingerprint } = work;
  const timeoutMs = step.timeout?.total ?? step.timeout?.run;
  const started = () => {
    // An effect with the same inputs would take this one for an act of unknown outcome.
    run.admission.runs(fingerprint);
    run.recorder.record({ type: 'command_started', key, fingerprint });
  };
  return run.hands.runCommand(
    { ...work, key, ...(timeoutMs !== undefined && { timeoutMs }) },
    { priority: remaining, started, isWanted: () => !run.stopping.beginning.aborted },
    run.stopping.signal,
  );
}
