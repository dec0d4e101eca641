/** Each event in a few words, without its instance's key: `not taken, tried no more: the request is too long`. */

import { rateText } from '../../model/request-rates.ts';
import type { EventType, LeftOut, RecordedEvent, WaitsFor } from '../../model/run/event.ts';
import { isFree } from '../../model/run/run-money.ts';
import { cleanText, messageText } from '../../model/text/clean.ts';
import { counted, formatSeconds, formatUsd, listed } from '../../model/text/format.ts';
import { whyText } from '../../plan/cost/budget-text.ts';
import type { InstanceState } from '../../records/views/instance-state.ts';
import type { RunView } from '../../records/views/run-view.ts';
import { failedText } from './failure-text.ts';
import { closedText, deploymentText } from './left-at-service-text.ts';
import { choiceText, resultText } from './result-text.ts';

/**
 * Null for what is not worth a line of its own: beats of progress that change no state, and the ends that the view gathers
 * (`reused`, `skipped`, `blocked`).
 * @param before the instance's state before the event; null where it is about no instance that is known
 * @param run with the event in it
 */
export function eventText(event: RecordedEvent, before: InstanceState | null, run: RunView): string | null {
  const text = TEXTS[event.type] as (event: RecordedEvent, before: InstanceState | null, run: RunView) => string | null;
  return text(event, before, run);
}

type Texts = {
  readonly [type in EventType]: (
    event: Extract<RecordedEvent, { readonly type: type }>,
    before: InstanceState | null,
    run: RunView,
  ) => string | null;
};

const silent = () => null;

const TEXTS: Texts = {
  run_started: silent,
  expanded: ({ step, instances }) => `${cleanText(step)} is fanned out: ${counted(instances.length, 'instance')}`,
  stream_changed: ({ up, reason }, before) => {
    if (up) return before === null ? null : 'events arrive again';
    return `events stopped, asking instead: ${messageText(reason)}`;
  },
  service_changed: ({ reachable, reason }) =>
    reachable ? 'the service answers again' : `the service cannot be reached, trying again: ${messageText(reason)}`,
  pace_changed: event =>
    event.slower
      ? `the service is asked too often, and is asked more slowly: again in ${formatSeconds(Math.max(0, event.until - event.at) / 1000)}: ${messageText(event.reason)}`
      : 'the service is asked as before again',
  output_written: ({ path, note, unchanged }) =>
    `${unchanged ? 'in place:' : 'wrote'} ${cleanText(path)}${note === undefined ? '' : `: ${messageText(note)}`}`,
  output_failed: ({ path, reason }) => `${cleanText(path)} could not be written: ${messageText(reason)}`,
  journal_failed: ({ reason }) => messageText(reason),
  run_detached: () => 'stopping: nothing new is started',
  run_finished: silent,
  activation_intended: ({ model }, _, run) =>
    `activating ${cleanText(model)}${isFree(run) ? '' : ', which bills from here on'}`,
  deployment_changed: (event, _, run) => deploymentText(event, run),
  activation_closed: (event, _, run) => closedText(event, run),
  still_billing: ({ model, reason }) =>
    `${cleanText(model)} could not be deactivated, and bills on: ${messageText(reason)}`,
  submit_intended: silent,
  submit_accepted: ({ found }) => (found ? 'found at the service, not sent twice' : 'submitted'),
  submit_refused: ({ retry_at, at, reason, busy }) => {
    if (busy) return null;
    const again = retry_at === null ? 'no more' : `again in ${formatSeconds((retry_at - at) / 1000)}`;
    return `not taken, tried ${again}: ${messageText(reason)}`;
  },
  submit_unknown: ({ reason }) => `no answer, looking for it: ${messageText(reason)}`,
  looking: silent,
  submit_absent: ({ asked, reason }) =>
    asked ? `sent again, as asked for: ${messageText(reason)}` : 'did not arrive, will be sent again',
  held_back: ({ until, at, first, ...reached }) =>
    first
      ? `waits for the rate of the settings, ${rateText(reached)}: next in ${formatSeconds(Math.max(0, until - at) / 1000)}`
      : null,
  over_budget: stop => `over budget, not sent: ${whyText(stop)}`,
  submission_forgotten: silent,
  taken_up: () => 'resumed, not sent twice',
  cancel_asked: () => 'cancelling',
  cancel_failed: ({ message }) => `not cancelled: ${messageText(message)}`,
  billed: ({ cost, estimate }, _, run) => {
    // A failed generation that was free has been reported as free.
    if (isFree(run) || (cost === 0 && estimate === null)) return null;
    return `billed ${formatUsd(cost)}${estimate === null ? '' : `, not ~${formatUsd(estimate)}`}`;
  },
  reused: silent,
  skipped: silent,
  left_out: silent,
  blocked: silent,
  // More to choose from is no news of its own.
  waiting_for: ({ ask }, before) => (before?.is === 'asking' ? null : `waits for a person: ${messageText(ask)}`),
  chosen: ({ choice }) => choiceText(choice),
  command_started: ({ key }, _, run) => (run.instances.get(key)?.actsOutside ? 'started, acts outside' : 'started'),
  text_written: (_, before) => (before?.is === 'writing' ? null : 'writing'),
  answer_cleaned: ({ left_out }) => `its JSON is read without ${listed(left_out.map(one => LEFT_OUT[one]))}`,
  round_over: ({ round, of, holds, said }) => {
    const words = said === '' ? '' : `, ${messageText(said)}`;
    if (holds) return `holds${words}`;
    return `does not hold${words}: ${round < of ? `round ${round + 1} of at most ${of} follows` : 'it was the last round'}`;
  },
  answer_unfit: ({ reason }) => `its answer does not fit: ${messageText(reason)}`,
  progress: (event, before) => {
    const status = cleanText(event.status);
    if (status === 'queued')
      return before?.is === 'queued' || event.position === null ? null : `queued, place ${event.position}`;
    return before?.is === 'working' && before.status === event.status ? null : status;
  },
  generated: () => 'made',
  download_started: silent,
  still_waiting: ({ what, reason, since, at }, before) =>
    before?.is === 'writing'
      ? null
      : `waits for ${AWAITED[what]} for ${formatSeconds(Math.max(0, at - since) / 1000)}: ${messageText(reason)}`,
  succeeded: ({ result }) => `done  ${resultText(result)}`,
  retrying: ({ failure, until, at, attempt, of }) =>
    `${failedText(failure)}; again in ${formatSeconds(Math.max(0, until - at) / 1000)}, attempt ${attempt} of ${of}`,
  failed: ({ failure }) => failedText(failure),
};

/** What an instance waits for, as it follows `waits for`. */
export const AWAITED: { readonly [what in WaitsFor]: string } = {
  answer: 'the answer',
  result: 'its result',
  record: 'what the service says of it',
  upload: 'its inputs to be published',
  input: 'its input',
  admission: 'its turn',
  frames: 'its frames and sound',
  deployment: 'the deployment of its model',
  cost: 'its real cost',
  journal: 'the journal',
};

const LEFT_OUT: { readonly [one in LeftOut]: string } = {
  fence: 'the code fence around it',
  words: 'the words beside it',
  trailing_commas: 'the comma before a closing bracket',
};
