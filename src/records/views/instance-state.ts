/**
 * What one instance of a run is at this moment, and what an event makes of it. The engine, the screen, reports and programs read this one
 * fold. Texts stay as they came: they are cleaned where they are shown.
 *
 * An event out of its usual order is believed, as in a resumed run; the engine asks `instance-lifecycle.ts` first.
 */
import type { BudgetStop } from '../../model/budget.ts';
import type { RateReached } from '../../model/request-rates.ts';
import type { Event, InstanceEvent, RecordedEvent, WaitingFor } from '../../model/run/event.ts';
import type { Failure } from '../../model/run/failure.ts';
import { unreachable } from '../../model/run/failure.ts';
import type { GenerationId, InstanceKey } from '../../model/run/key.ts';
import type { Result } from '../../model/run/result.ts';
import { cleanText } from '../../model/text/clean.ts';
import { wordsIn } from '../../model/text/word-difference.ts';

export type InstanceState = (Doing | Ending) & Lived;

/** An instance that is over: it is settled, with or without a result. */
export type EndState = Ending & Lived;

/**
 * How far its work is, by what is journalled: a state that is rebuilt from the journal has the same stage. What is only shown, such as
 * progress, changes none. `instance-lifecycle.ts` draws how they follow one another.
 */
export type Stage =
  | 'waiting'
  | 'running'
  | 'intended'
  | 'backing_off'
  | 'unknown'
  | 'absent'
  | 'unfit'
  | 'retrying'
  | 'generating'
  | 'generated'
  | 'over';

interface Lived {
  readonly stage: Stage;
  /** What the service has of it: the nonce of its intent, where that is known, and its id, null where it has none. */
  readonly sent?: { readonly nonce?: string; readonly id: GenerationId | null };
}

/** The first group has not begun, the second is under way. */
type Doing =
  | { readonly is: 'waiting' }
  | { readonly is: 'refused'; readonly reason: string; readonly retryAt: number | null }
  | { readonly is: 'absent' }
  /** A number of the settings' `rates` holds it back; the next may be sent at `until` (Unix milliseconds). */
  | { readonly is: 'held_back'; readonly rate: RateReached; readonly until: number }
  /** It has failed, and is tried again at `until` (Unix milliseconds). */
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
      readonly what: WaitingFor['is'];
      readonly ask: string;
      readonly options: readonly InstanceKey[];
      readonly awaited: number;
    }
  /** It does not fit into a budget, and is not sent. */
  | { readonly is: 'over_budget'; readonly stop: BudgetStop }
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
  /** `status`: the service's word. */
  | { readonly is: 'working'; readonly status: string; readonly fraction: number | null }
  | { readonly is: 'generated' }
  | { readonly is: 'downloading'; readonly bytes: number | null }
  | { readonly is: 'running' }
  /** A chat model's answer: how many words there are, and the last of them, safe to show. */
  | { readonly is: 'writing'; readonly words: number; readonly tail: string }
  /** Its answer was paid for and does not fit; it is asked to be mended. */
  | { readonly is: 'unfit'; readonly reason: string }
  | { readonly is: 'cancelling' };

type Ending =
  | { readonly is: 'succeeded'; readonly result: Result }
  /** `fetched`: again from the service. */
  | { readonly is: 'reused'; readonly result: Result; readonly fetched?: true }
  | {
      readonly is: 'skipped';
      readonly why: string;
      /** What was skipped before it; absent where its own condition is false. */
      readonly by?: string;
      /** The instance with the result that replaces it. */
      readonly standIn?: InstanceKey;
      /** An earlier round of its `until` holds. */
      readonly needless?: true;
    }
  /** No part of this run. */
  | { readonly is: 'left_out'; readonly why: string }
  | { readonly is: 'blocked'; readonly by: InstanceKey }
  | { readonly is: 'failed'; readonly failure: Failure };

export const WAITING: InstanceState = { is: 'waiting', stage: 'waiting' };

type Phase = 'ahead' | 'under-way' | 'over';

/** Whether an instance has not begun, is under way, or is over. */
export const phase = ({ is }: Pick<InstanceState, 'is'>): Phase => PHASES[is];

const PHASES: { readonly [is in InstanceState['is']]: Phase } = {
  ...{ waiting: 'ahead', refused: 'ahead', absent: 'ahead', held_back: 'ahead' },
  ...{ retrying: 'ahead', asking: 'ahead', over_budget: 'ahead' },
  ...{ sending: 'under-way', unknown: 'under-way', queued: 'under-way', working: 'under-way', generated: 'under-way' },
  ...{ downloading: 'under-way', running: 'under-way', writing: 'under-way', unfit: 'under-way' },
  ...{ cancelling: 'under-way' },
  ...{ succeeded: 'over', reused: 'over', skipped: 'over', left_out: 'over', blocked: 'over', failed: 'over' },
};

export const isOver = (state: InstanceState): state is EndState => state.stage === 'over';

export type RecordedInstanceEvent = RecordedEvent & InstanceEvent;

/** Whether an event is about an instance itself, and not about an output that is made of it, or a submission that no instance asks for. */
export const isOfInstance = <E extends Event>(event: E): event is E & InstanceEvent =>
  'key' in event && event.type !== 'output_written' && event.type !== 'output_failed' && !isLeftover(event);

/** Whether it is of a submission that no instance of the plan asks for. */
export const isLeftover = (event: Event): boolean => 'leftover' in event && event.leftover === true;

export function nextState(before: InstanceState, event: InstanceEvent): InstanceState {
  switch (event.type) {
    case 'reused':
      return { is: 'reused', stage: 'over', result: event.result, ...(event.fetched && { fetched: true }) };
    case 'skipped':
      return {
        ...{ is: 'skipped', stage: 'over', why: event.why },
        ...(event.by !== undefined && { by: event.by }),
        ...(event.stands_in !== undefined && { standIn: event.stands_in }),
        ...(event.needless && { needless: true as const }),
      };
    case 'left_out':
      return { is: 'left_out', stage: 'over', why: event.why };
    case 'blocked':
      return { is: 'blocked', stage: 'over', by: event.by };
    case 'succeeded':
      return { is: 'succeeded', stage: 'over', result: event.result };
    case 'failed':
      return { is: 'failed', stage: 'over', failure: event.failure };
    case 'command_started':
      return { is: 'running', stage: 'running' };
    case 'submit_intended':
      return { is: 'sending', stage: 'intended', sent: { nonce: event.nonce, id: null } };
    case 'submit_accepted':
    case 'taken_up':
      return {
        ...{ is: 'queued', stage: 'generating', position: null },
        sent: { nonce: event.nonce, id: event.generation_id },
      };
    case 'submit_refused':
      return { is: 'refused', stage: 'backing_off', reason: event.reason, retryAt: event.retry_at };
    case 'submit_unknown':
      return { is: 'unknown', stage: 'unknown', reason: event.reason, sent: { nonce: event.nonce, id: null } };
    case 'submit_absent':
      return { is: 'absent', stage: 'absent' };
    case 'answer_unfit':
      return { is: 'unfit', stage: 'unfit', reason: event.reason };
    case 'generated':
      return { is: 'generated', stage: 'generated', sent: { id: event.generation_id } };
    case 'retrying': {
      const { failure, attempt, of, until } = event;
      // What is made stays made: only its download is tried again.
      const lived: Lived = before.stage === 'generated' ? livedOf(before) : { stage: 'retrying' };
      return { is: 'retrying', ...lived, failure, attempt, of, until };
    }
    case 'billed':
      if ((before.is !== 'succeeded' && before.is !== 'reused') || before.result.is !== 'media') return before;
      // An attempt before it may be billed as well.
      if (before.result.generation_id !== event.generation_id) return before;
      return { ...before, result: { ...before.result, cost: event.cost } };
    default:
      return stateShown(before, event);
  }
}

/** These are only shown: a later run does not have to know them. */
type ShownEvent = Extract<
  InstanceEvent,
  {
    readonly type:
      | 'waiting_for'
      | 'chosen'
      | 'over_budget'
      | 'held_back'
      | 'looking'
      | 'text_written'
      | 'progress'
      | 'download_started'
      | 'cancel_asked'
      | 'cancel_failed'
      | 'submission_forgotten'
      | 'answer_cleaned'
      | 'round_over'
      | 'still_waiting';
  }
>;

function stateShown(before: InstanceState, event: ShownEvent): InstanceState {
  const shown = (doing: Doing) => (isOver(before) ? before : { ...doing, ...livedOf(before) });
  switch (event.type) {
    case 'waiting_for': {
      const options = event.options.map(({ key }) => key);
      return shown({ is: 'asking', what: event.is, ask: event.ask, options, awaited: event.awaited.length });
    }
    case 'chosen':
      return shown({ is: 'waiting' });
    case 'over_budget':
      return shown({ is: 'over_budget', stop: event });
    case 'held_back':
      return shown({ is: 'held_back', rate: event, until: event.until });
    case 'looking': {
      if (before.is !== 'unknown') return before;
      const { page, of, until } = event;
      return shown({
        ...{ is: 'unknown', reason: before.reason },
        ...(page !== undefined && { page }),
        ...(of !== undefined && { of }),
        ...(until !== undefined && { until }),
      });
    }
    case 'text_written':
      return shown(withText(before.is === 'writing' ? before : { words: 0, tail: '' }, event.text));
    case 'progress':
      // Late news about a result that is already coming in changes nothing.
      if (before.is === 'generated' || before.is === 'downloading') return before;
      return event.status === 'queued'
        ? shown({ is: 'queued', position: event.position })
        : shown({ is: 'working', status: event.status, fraction: event.fraction });
    case 'download_started':
      return shown({ is: 'downloading', bytes: event.bytes });
    case 'cancel_asked':
      return shown({ is: 'cancelling' });
    case 'cancel_failed':
      return before.is === 'cancelling'
        ? shown({ is: 'working', status: 'goes on at the service', fraction: null })
        : before;
    case 'submission_forgotten':
    case 'answer_cleaned':
    case 'round_over':
    case 'still_waiting':
      return before;
    default:
      return unreachable(event);
  }
}

const livedOf = ({ stage, sent }: Lived): Lived => (sent ? { stage, sent } : { stage });

/** Characters of a growing text that are worth a look. */
const TAIL = 400;

function withText(before: { readonly words: number; readonly tail: string }, piece: string): Doing {
  // White space at the ends of a piece separates its words from its neighbours': the dots keep it from being trimmed.
  const text = cleanText(`.${piece}.`).slice(1, -1);
  // A word that goes on in the next piece is counted where it begins.
  const last = [...before.tail.slice(-2)].at(-1) ?? '';
  const words = before.words + wordsIn(last + text) - wordsIn(last);
  return { is: 'writing', words, tail: [...(before.tail + text)].slice(-TAIL).join('') };
}
