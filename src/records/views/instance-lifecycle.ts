/**
 * Which event may happen to an instance in which stage.
 *
 *   waiting ─┬─ reused · skipped · left_out · blocked                             (over without work)
 *            ├─ running ───────────────────────────────┐
 *            └─ intended ─┬─ generating ─ generated ───┼─ succeeded · failed      (over)
 *                  ▲      ├─ unknown ─┬─ generating     │
 *                  │      │           └─ absent ─┐      │
 *                  │      ├─ backing_off ────────┤      │
 *                  │      ├─ unfit ──────────────┤      │
 *                  │      └─ (a call) ───────────┼──────┤
 *                  └─────────────────────────────┘      │
 *
 * Whatever is under way may fail and be `retrying`, which leads back to `running` or `intended`.
 * A call that answers at once goes from `intended` straight to what it gave: media that is `generated`, or a text.
 */
import type { InstanceEvent } from '../../model/run/event.ts';
import type { Result } from '../../model/run/result.ts';
import type { InstanceState, Stage } from './instance-state.ts';

/** @throws Error where the event does not fit: a belief of ours broke, and with money it is better to stop. */
export function assertMayHappen(event: InstanceEvent, now: InstanceState): void {
  const stages = stagesBefore(event);
  const may = stages === 'any' || (stages === 'not over' ? now.stage !== 'over' : stages.includes(now.stage));
  if (!may)
    throw new Error(
      `${event.key} is ${now.stage === 'over' ? now.is : now.stage}; "${event.type}" cannot happen to it`,
    );
}

type Before = readonly Stage[] | 'any' | 'not over';

function stagesBefore(event: InstanceEvent): Before {
  if (event.type === 'succeeded') return BEFORE_SUCCESS[event.result.is];
  // Only a call has its result before it has an id.
  if (event.type === 'generated' && event.generation_id === null) return ['intended', 'unknown', 'generating'];
  return BEFORE[event.type];
}

const BEFORE: { readonly [type in Exclude<InstanceEvent['type'], 'succeeded'>]: Before } = {
  // Between two rounds when another film of the project was quicker.
  reused: ['waiting', 'backing_off', 'absent', 'retrying'],
  skipped: ['waiting'],
  left_out: ['waiting'],
  blocked: ['waiting'],
  command_started: ['waiting', 'retrying'],
  // The invariant that money hangs on: nothing that may have been accepted is ever intended again.
  submit_intended: ['waiting', 'backing_off', 'absent', 'unfit', 'retrying'],
  submit_accepted: ['intended', 'unknown'],
  taken_up: ['waiting', 'intended', 'unknown', 'backing_off', 'absent', 'retrying'],
  submit_refused: ['intended'],
  // Not from `intended` when an earlier run, or another film's, ended between the POST and its answer.
  submit_unknown: ['waiting', 'intended', 'backing_off', 'absent', 'retrying'],
  submit_absent: ['unknown'],
  // After its answer was lost, a call may have been sent again under the same key and answered.
  answer_unfit: ['intended', 'unknown'],
  generated: ['generating', 'generated'],
  ...{ retrying: 'not over', failed: 'not over' },
  ...{ waiting_for: 'any', chosen: 'any', over_budget: 'any', held_back: 'any', looking: 'any', progress: 'any' },
  ...{ text_written: 'any', answer_cleaned: 'any', round_over: 'any', download_started: 'any', still_waiting: 'any' },
  ...{ submission_forgotten: 'any', cancel_asked: 'any', cancel_failed: 'any', billed: 'any' },
};

/** A text is its own result: there is nothing to fetch. What is made of other results is waiting until they are there. */
const BEFORE_SUCCESS: { readonly [is in Result['is']]: readonly Stage[] } = {
  ...{ media: ['running', 'generated'], command: ['running', 'generated'], fine_tune: ['running', 'generated'] },
  text: ['intended', 'unknown'],
  ...{ outputs: ['waiting'], picked: ['waiting'], approved: ['waiting'], round: ['waiting'] },
};
