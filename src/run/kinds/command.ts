/** A `run` step: a local command, done by the hands. What acts outside goes by `effect.ts`. */
import { changedFile } from '../changed-file.ts';
import { commandReady } from '../derived-inputs.ts';
import { executeEffect } from './effect.ts';
import type { Execute } from './execute.ts';

export const executeCommand: Execute<'run'> = async (instance, work, services) => {
  if (work.effect) return executeEffect(instance, work, services);
  const { run } = services;
  const { key, remaining, step } = instance;
  const { fingerprint } = work;
  const timeoutMs = step.timeout?.total ?? step.timeout?.run;
  const changed = await changedFile(work, run);
  if (changed) return run.recorder.fail(key, changed);
  const ready = await commandReady(work, run);
  if (ready.is === 'failed')
    return run.recorder.fail(key, { code: 'command_failed', exit: null, message: ready.message });
  if (ready.is === 'stopped') return;
  const started = () => {
    // What acts outside and has the same inputs would take this one for an act that nobody knows the end of.
    run.admission.runs(fingerprint);
    run.recorder.record({ type: 'command_started', key, fingerprint });
  };
  const done = await run.hands.runCommand(
    { ...ready.value, key, ...(timeoutMs !== undefined && { timeoutMs }) },
    { priority: remaining, started, isWanted: () => !run.stopping.beginning.aborted },
    run.stopping.signal,
  );
  run.admission.settle(fingerprint, done);
  run.recorder.settle(key, fingerprint, done);
};
