/** A `run` step: a local command, done by the hands. */
import type { Execute } from './execute.ts';

export const executeCommand: Execute<'run'> = async (instance, work, { run }) => {
  const { key, remaining, step } = instance;
  const { fingerprint } = work;
  const timeoutMs = step.timeout?.total ?? step.timeout?.run;
  const started = () => run.recorder.record({ type: 'command_started', key, fingerprint });
  const done = await run.hands.runCommand(
    { ...work, ...(timeoutMs !== undefined && { timeoutMs }) },
    { priority: remaining, started },
    run.stopping.signal,
  );
  run.recorder.settle(key, fingerprint, done);
};
