/** Where an instance of the plan is in its life, as its events tell it. */
import { cleanText } from '../domain/clean.ts';
import type { RecordedEvent } from '../domain/event.ts';
import type { Failure } from '../domain/failure.ts';
import type { InstanceKey } from '../domain/key.ts';
import { rateText } from '../domain/request-rates.ts';
import type { Result } from '../domain/result.ts';
import { unreachable } from '../domain/unreachable.ts';
import { whyText } from '../plan/budget-text.ts';
import { messageText, outputLine } from './message-text.ts';
import { wordsIn } from './words-in.ts';

/** The first group has not begun, the second is under way, the third is over. */
export type InstanceState =
  | { readonly is: 'waiting' }
  | { readonly is: 'refused'; readonly reason: string; readonly retryAt: number | null }
  | { readonly is: 'absent' }
  /** A number of the settings' `rates` holds it back, in words; the next may be sent at `until` (Unix milliseconds). */
  | { readonly is: 'held_back'; readonly rate: string; readonly until: number }
  /** It has failed, and is tried again at `until`. */
  | {
      readonly is: 'retrying';
      readonly failure: Failure;
      readonly attempt: number;
      readonly of: number;
      readonly until: number;
    }
  /** A person is asked, and how much there is to choose from. */
  | {
      readonly is: 'asking';
      readonly what: 'pick' | 'approve';
      readonly ask: string;
      readonly options: readonly InstanceKey[];
      readonly awaited: number;
    }
  /** It does not fit into a budget, and is not sent. */
  | { readonly is: 'over_budget'; readonly why: string }
  //
  | { readonly is: 'sending' }
  /** Its answer was lost: it is looked for, page by page, and again at `until` (Unix milliseconds). */
  | {
      readonly is: 'unknown';
      readonly reason: string;
      readonly page?: number;
      readonly of?: number;
      readonly until?: number;
    }
  | { readonly is: 'queued'; readonly position: number | null }
  | { readonly is: 'working'; readonly status: string; readonly fraction: number | null }
  | { readonly is: 'generated' }
  | { readonly is: 'downloading'; readonly bytes: number | null }
  | { readonly is: 'running' }
  /** A chat model's answer: how many words there are, and the last of them. */
  | { readonly is: 'writing'; readonly words: number; readonly tail: string }
  /** Its answer does not fit and is asked to be mended. */
  | { readonly is: 'unfit'; readonly reason: string }
  | { readonly is: 'cancelling' }
  | EndState;

/** How an instance can be over. */
export type EndState =
  | { readonly is: 'succeeded'; readonly result: Result }
  /** `fetched`: again from the service. */
  | { readonly is: 'reused'; readonly result: Result; readonly fetched?: true }
  | {
      readonly is: 'skipped';
      readonly why: string;
      /** Whose result is taken in its place. */
      readonly standIn?: InstanceKey;
      /** An earlier round of its `until` holds. */
      readonly needless?: true;
    }
  | { readonly is: 'left_out'; readonly why: string }
  | { readonly is: 'blocked'; readonly by: string }
  | { readonly is: 'failed'; readonly failure: Failure };

export type Phase = 'ahead' | 'under-way' | 'over';

/** Whether an instance has not begun, is under way, or is over. */
export function phase(state: InstanceState): Phase {
  switch (state.is) {
    case 'waiting':
    case 'refused':
    case 'absent':
    case 'held_back':
    case 'retrying':
    case 'asking':
    case 'over_budget':
      return 'ahead';
    case 'sending':
    case 'unknown':
    case 'queued':
    case 'working':
    case 'generated':
    case 'downloading':
    case 'running':
    case 'writing':
    case 'unfit':
    case 'cancelling':
      return 'under-way';
    case 'succeeded':
    case 'reused':
    case 'skipped':
    case 'left_out':
    case 'blocked':
    case 'failed':
      return 'over';
    default:
      return unreachable(state);
  }
}

export const isOver = (state: InstanceState): state is EndState => phase(state) === 'over';

/** An event that is about one instance, and moves it on. */
export type RecordedInstanceEvent = Exclude<
  Extract<RecordedEvent, { readonly fingerprint: string } | { readonly key: InstanceKey }>,
  { readonly type: 'output_written' | 'output_failed' | 'cancel_failed' }
>;

/** The state after one more event. An event out of its usual order (a resumed run) is believed. */
export function nextState(before: InstanceState, event: RecordedInstanceEvent): InstanceState {
  switch (event.type) {
    case 'reused':
      return { is: 'reused', result: event.result, ...(event.fetched && { fetched: true }) };
    case 'skipped':
      return {
        is: 'skipped',
        why: messageText(event.why),
        ...(event.stands_in !== undefined && { standIn: event.stands_in }),
        ...(event.needless && { needless: true as const }),
      };
    case 'left_out':
      return { is: 'left_out', why: messageText(event.why) };
    case 'blocked':
      return { is: 'blocked', by: cleanText(event.by) };
    case 'waiting_for':
      return {
        is: 'asking',
        what: event.is,
        ask: messageText(event.ask),
        options: event.options.map(({ key }) => key),
        awaited: event.awaited.length,
      };
    case 'chosen':
      return { is: 'waiting' };
    case 'command_started':
      return { is: 'running' };
    case 'submit_intended':
      return { is: 'sending' };
    case 'submit_accepted':
    case 'taken_up':
      return { is: 'queued', position: null };
    case 'submit_refused':
      return { is: 'refused', reason: messageText(event.reason), retryAt: event.retry_at };
    case 'submit_unknown':
      return { is: 'unknown', reason: messageText(event.reason) };
    case 'looking':
      return stateWhileLooking(before, event);
    case 'submission_forgotten':
      return before;
    case 'submit_absent':
      return { is: 'absent' };
    case 'over_budget':
      return { is: 'over_budget', why: whyText(event) };
    case 'held_back':
      return { is: 'held_back', rate: cleanText(rateText(event)), until: event.until };
    case 'retrying': {
      const { attempt, of, until } = event;
      return { is: 'retrying', failure: cleanFailure(event.failure), attempt, of, until };
    }
    case 'text_written':
      return stateWhileWriting(before, event.text);
    case 'answer_cleaned':
    case 'round_over':
    case 'still_waiting':
      return before;
    case 'answer_unfit':
      return { is: 'unfit', reason: messageText(event.reason) };
    case 'progress':
      // Late news about a result that is already coming in changes nothing.
      if (before.is === 'generated' || before.is === 'downloading' || isOver(before)) return before;
      if (event.status === 'queued') return { is: 'queued', position: event.position };
      return { is: 'working', status: cleanText(event.status) || 'working', fraction: event.fraction };
    case 'generated':
      return { is: 'generated' };
    case 'download_started':
      return { is: 'downloading', bytes: event.bytes };
    case 'succeeded':
      return { is: 'succeeded', result: event.result };
    case 'failed':
      return { is: 'failed', failure: cleanFailure(event.failure) };
    case 'cancel_asked':
      return { is: 'cancelling' };
    case 'billed':
      return before;
    default:
      return unreachable(event);
  }
}

/** Safe to show. */
export function cleanFailure(failure: Failure): Failure {
  const clean = { ...failure, message: messageText(failure.message) };
  if (!('lines' in clean) && !('log' in clean)) return clean;
  const { lines, log } = clean;
  return {
    ...clean,
    ...(lines && { lines: lines.map(outputLine) }),
    ...(log !== undefined && { log: cleanText(log) }),
  };
}

function stateWhileLooking(
  before: InstanceState,
  { page, of, until }: Extract<RecordedEvent, { readonly type: 'looking' }>,
): InstanceState {
  if (before.is !== 'unknown') return before;
  return {
    is: 'unknown',
    reason: before.reason,
    ...(page !== undefined && { page }),
    ...(of !== undefined && { of }),
    ...(until !== undefined && { until }),
  };
}

/** Characters of a growing text that are worth a look. */
const TAIL = 400;

function stateWhileWriting(before: InstanceState, piece: string): InstanceState {
  const sofar = before.is === 'writing' ? before : { words: 0, tail: '' };
  // White space at the ends of a piece separates its words from its neighbours': the dots keep it from being trimmed.
  const tail = sofar.tail + cleanText(`.${piece}.`).slice(1, -1);
  // A word that goes on in the next piece is counted where it begins.
  const words = wordsIn(tail) - wordsIn(sofar.tail) + sofar.words;
  return { is: 'writing', words, tail: [...tail].slice(-TAIL).join('') };
}
