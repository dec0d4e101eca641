/**
 * What one instance of a run is at this moment, and what an event makes of it.
 *
 *   waiting ─┬─ reused · skipped · left_out · blocked                             (settled without work)
 *            ├─ running ───────────────────────────────┐
 *            └─ intended ─┬─ generating ─ generated ───┼─ succeeded · failed      (settled)
 *                  ▲      ├─ unknown ─┬─ generating     │
 *                  │      │           └─ absent ─┐      │
 *                  │      ├─ backing_off ────────┤      │
 *                  │      ├─ unfit ──────────────┤      │
 *                  │      └─ (a call) ───────────┼──────┤
 *                  └─────────────────────────────┘      │
 *
 * Whatever is under way may fail and be `retrying`, which leads back to `running` or `intended`.
 * A call that answers at once goes from `intended` straight to what it gave: media that is `generated`, or a text.
 *
 * An event that does not fit the state throws: that is a belief of ours that broke, and with money it is better to stop.
 */
import type { InstanceEvent } from '../domain/event.ts';
import type { Failure } from '../domain/failure.ts';
import type { GenerationId, InstanceKey } from '../domain/key.ts';
import type { Result } from '../domain/result.ts';
import { unreachable } from '../domain/unreachable.ts';

export type InstanceState =
  | { readonly is: 'waiting' }
  | { readonly is: 'reused'; readonly result: Result }
  | {
      readonly is: 'skipped';
      readonly why: string;
      /** What was skipped before it; absent where its own condition is false. */
      readonly by?: string;
      /** Whose result is taken in its place. */
      readonly standIn?: InstanceKey;
      /** An earlier round of its `until` holds. */
      readonly needless?: true;
    }
  /** No part of this run. */
  | { readonly is: 'left_out'; readonly why: string }
  | { readonly is: 'blocked'; readonly by: InstanceKey }
  | { readonly is: 'running'; readonly fingerprint: string }
  | { readonly is: 'intended'; readonly nonce: string; readonly fingerprint: string }
  | { readonly is: 'backing_off'; readonly fingerprint: string; readonly until: number }
  | { readonly is: 'unknown'; readonly nonce: string; readonly fingerprint: string }
  | { readonly is: 'absent'; readonly fingerprint: string }
  /** Its answer was paid for and does not fit; it is asked to be mended. */
  | { readonly is: 'unfit'; readonly fingerprint: string }
  /** It has failed and is tried again; nothing of it is open. */
  | { readonly is: 'retrying'; readonly fingerprint: string; readonly until: number }
  | {
      readonly is: 'generating';
      readonly nonce: string;
      readonly fingerprint: string;
      readonly id: GenerationId | null;
    }
  | { readonly is: 'generated'; readonly fingerprint: string; readonly id: GenerationId | null; readonly url: string }
  | { readonly is: 'succeeded'; readonly result: Result }
  | { readonly is: 'failed'; readonly failure: Failure };

export function nextState(now: InstanceState, event: InstanceEvent): InstanceState {
  switch (event.type) {
    case 'reused':
      // Between two rounds when another film of the project was quicker.
      return (
        expect(now, event, 'waiting', 'backing_off', 'absent', 'retrying') && { is: 'reused', result: event.result }
      );
    case 'skipped':
      return (
        expect(now, event, 'waiting') && {
          is: 'skipped',
          why: event.why,
          ...(event.by !== undefined && { by: event.by }),
          ...(event.stands_in !== undefined && { standIn: event.stands_in }),
          ...(event.needless && { needless: true as const }),
        }
      );
    case 'left_out':
      return expect(now, event, 'waiting') && { is: 'left_out', why: event.why };
    case 'blocked':
      return expect(now, event, 'waiting') && { is: 'blocked', by: event.by };
    case 'command_started':
      return expect(now, event, 'waiting', 'retrying') && { is: 'running', fingerprint: event.fingerprint };
    case 'submit_intended':
      // The invariant that money hangs on: nothing that may have been accepted is ever intended again.
      expect(now, event, 'waiting', 'backing_off', 'absent', 'unfit', 'retrying');
      return { is: 'intended', nonce: event.nonce, fingerprint: event.fingerprint };
    case 'submit_accepted': {
      const { nonce, fingerprint } = expect(now, event, 'intended', 'unknown');
      return { is: 'generating', nonce, fingerprint, id: event.generation_id };
    }
    case 'taken_up':
      expect(now, event, 'waiting', 'intended', 'unknown', 'backing_off', 'absent', 'retrying');
      return { is: 'generating', nonce: event.nonce, fingerprint: event.fingerprint, id: event.generation_id };
    case 'submit_refused': {
      const { fingerprint } = expect(now, event, 'intended');
      return { is: 'backing_off', fingerprint, until: event.retry_at ?? Number.POSITIVE_INFINITY };
    }
    case 'submit_unknown':
      // Not from `intended` when an earlier run, or another film's, ended between the POST and its answer.
      expect(now, event, 'waiting', 'intended', 'backing_off', 'absent', 'retrying');
      return { is: 'unknown', nonce: event.nonce, fingerprint: event.fingerprint };
    case 'submit_absent': {
      const { fingerprint } = expect(now, event, 'unknown');
      return { is: 'absent', fingerprint };
    }
    case 'answer_unfit': {
      // After its answer was lost, a call may have been sent again under the same key and answered.
      const { fingerprint } = expect(now, event, 'intended', 'unknown');
      return { is: 'unfit', fingerprint };
    }
    case 'waiting_for':
    case 'chosen':
    case 'progress':
    case 'over_budget':
    case 'held_back':
    case 'looking':
    case 'submission_forgotten':
    case 'text_written':
    case 'answer_cleaned':
    case 'round_over':
    case 'download_started':
    case 'still_waiting':
      return now;
    case 'generated': {
      // Only a call has its result before it has an id.
      const from =
        event.generation_id === null
          ? (['intended', 'unknown', 'generating'] as const)
          : (['generating', 'generated'] as const);
      const { fingerprint } = expect(now, event, ...from);
      return { is: 'generated', fingerprint, id: event.generation_id, url: event.result_url };
    }
    case 'retrying':
      if (isSettled(now)) throw impossible(now, event);
      // What is made stays made: only its download is tried again.
      return now.is === 'generated' ? now : { is: 'retrying', fingerprint: event.fingerprint, until: event.until };
    case 'succeeded':
      expect(now, event, ...BEFORE_SUCCESS[event.result.is]);
      return { is: 'succeeded', result: event.result };
    case 'failed':
      if (isSettled(now)) throw impossible(now, event);
      return { is: 'failed', failure: event.failure };
    case 'cancel_asked':
    case 'cancel_failed':
      return now;
    case 'billed':
      if ((now.is !== 'succeeded' && now.is !== 'reused') || now.result.is !== 'media') return now;
      // An attempt before it may be billed as well.
      if (now.result.generation_id !== event.generation_id) return now;
      return { ...now, result: { ...now.result, cost: event.cost } };
    default:
      return unreachable(event);
  }
}

/** What an instance is before it has a result of each kind. A text is its own result: there is nothing to fetch. */
const BEFORE_SUCCESS: { readonly [Is in Result['is']]: readonly InstanceState['is'][] } = {
  media: ['running', 'generated'],
  command: ['running', 'generated'],
  fine_tune: ['running', 'generated'],
  text: ['intended', 'unknown'],
  // Everything inside is there.
  outputs: ['waiting'],
  picked: ['waiting'],
  approved: ['waiting'],
  round: ['waiting'],
};

export const isSettled = (state: InstanceState): boolean =>
  state.is === 'reused' ||
  state.is === 'skipped' ||
  state.is === 'left_out' ||
  state.is === 'blocked' ||
  state.is === 'succeeded' ||
  state.is === 'failed';

function expect<Name extends InstanceState['is']>(
  now: InstanceState,
  event: InstanceEvent,
  ...allowed: Name[]
): Extract<InstanceState, { is: Name }> {
  if (!(allowed as string[]).includes(now.is)) throw impossible(now, event);
  return now as Extract<InstanceState, { is: Name }>;
}

const impossible = (now: InstanceState, event: InstanceEvent): Error =>
  new Error(`${event.key} is ${now.is}; "${event.type}" cannot happen to it`);
