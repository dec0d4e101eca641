/**
 * A `cut` step: what is named by an address is fetched first, all of it is placed on the timeline, and the hands render it. It costs
 * nothing and acts nowhere: whatever interrupts it, it is simply done again.
 */
import type { Failure } from '../../domain/failure.ts';
import { deadline } from '../../host/deadline.ts';
import { keptShots } from '../../plan/kept-plan.ts';
import { changedFile } from '../changed-file.ts';
import type { CutOutcome } from '../ports/hands.ts';
import { settledCut } from '../settled-cut.ts';
import { timeLimit } from '../time-limit.ts';
import type { Execute } from './execute.ts';

export const executeCut: Execute<'cut'> = async (instance, work, { run }) => {
  const { key, remaining, step } = instance;
  const { fingerprint } = work;
  const { recorder, hands, stopping, clock, slots } = run;
  const changed = await changedFile(work, run);
  if (changed) return recorder.fail(key, changed);
  const limit = timeLimit(step);
  using late = deadline(limit, { clock });
  const signal = AbortSignal.any([stopping.signal, late.signal]);
  const settled = await settledCut(work, hands, signal);
  if (settled.is === 'ok') {
    const { cut } = settled;
    const turn = {
      priority: remaining,
      started: () =>
        recorder.record({ type: 'command_started', key, fingerprint }, [{ shots: { key, all: keptShots(cut) } }]),
      progress: (fraction: number) =>
        recorder.emit({ type: 'progress', key, status: 'cutting', position: null, fraction }),
    };
    const made = await slots.onThisMachine(instance, 'cut', () =>
      hands.makeCut({ key, cut, authorPaths: work.authorPaths }, turn, signal),
    );
    return recorder.settle(key, fingerprint, inTime(made));
  }
  return recorder.settle(key, fingerprint, inTime(settled));

  /** What was cut off by its own limit, and not by the run. */
  function inTime(outcome: CutOutcome): CutOutcome {
    if (outcome.is !== 'stopped' || stopping.signal.aborted || !late.signal.aborted) return outcome;
    return { is: 'failed', failure: tooLate(limit ?? 0) };
  }
};

const tooLate = (limit: number): Failure => ({
  code: 'timed_out',
  message: `not rendered after ${limit} ms; give it a longer \`timeout\``,
});
