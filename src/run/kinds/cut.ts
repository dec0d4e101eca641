/**
 * A `cut` step: what is named by an address is fetched first, all of it is placed on the timeline, and the executor renders it. It costs
 * nothing and acts nowhere: whatever interrupts it, it is simply done again.
 */

import { deadline } from '../../machine/time/deadline.ts';
import type { Instance } from '../../model/plan.ts';
import type { Failure } from '../../model/run/failure.ts';
import { keptShots } from '../../plan/owned/keep-plan.ts';
import { settledCut } from '../derived-inputs.ts';
import type { Execute, RunServices, WorkToDo } from '../engine/run-services.ts';
import { timeLimit } from '../engine/time-limit.ts';
import type { RequestOutcome } from '../ports/admission.ts';
import { changedFile } from '../ports/author-files.ts';
import type { CutOutcome } from '../ports/executor.ts';
import { madeOnce } from './made-once.ts';

export const executeCut: Execute<'cut'> = (instance, work, services) =>
  madeOnce(instance, work.fingerprint, services, () => rendered(instance, work, services));

async function rendered(instance: Instance, work: WorkToDo<'cut'>, { run }: RunServices): Promise<RequestOutcome> {
  const { key, remaining, step } = instance;
  const { fingerprint } = work;
  const { recorder, executor, stopping, clock, queue } = run;
  const changed = await changedFile(work, run);
  if (changed) return { is: 'failed', failure: changed };
  const limit = timeLimit(step);
  using late = deadline(limit, { clock });
  const signal = AbortSignal.any([stopping.signal, late.signal]);
  const settled = await settledCut(work, key, run, signal);
  if (settled.is === 'ok') {
    const { cut } = settled;
    const turn = {
      priority: remaining,
      started: () =>
        recorder.record({ type: 'command_started', key, fingerprint }, [{ shots: { key, all: keptShots(cut) } }]),
      progress: (fraction: number) =>
        recorder.emit({ type: 'progress', key, status: 'cutting', position: null, fraction }),
    };
    const made = await queue.onThisMachine(instance, 'cut', () =>
      executor.makeCut({ key, cut, authorPaths: work.authorPaths }, turn, signal),
    );
    return inTime(made);
  }
  return inTime(settled);

  /** What was cut off by its own limit, and not by the run. */
  function inTime(outcome: CutOutcome): CutOutcome {
    if (outcome.is !== 'stopped' || stopping.signal.aborted || !late.signal.aborted) return outcome;
    return { is: 'failed', failure: tooLate(limit ?? 0) };
  }
}

const tooLate = (limit: number): Failure => ({
  code: 'timed_out',
  message: `not rendered after ${limit} ms; give it a longer \`timeout\``,
});
