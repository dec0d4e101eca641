/** What an instance is doing, waits for, or came to. */

import { rateText } from '../../model/request-rates.ts';
import { unreachable } from '../../model/run/failure.ts';
import { type InstanceKey, stepOf } from '../../model/run/key.ts';
import { cleanText, messageText } from '../../model/text/clean.ts';
import { counted, formatBytes } from '../../model/text/format.ts';
import { whyText } from '../../plan/cost/budget-text.ts';
import { type EndState, type InstanceState, isOver, phase } from '../../records/views/instance-state.ts';
import { couldStart, type InstanceView, type RunView, type Settled, unmetNeeds } from '../../records/views/run-view.ts';
import { AWAITED } from './event-text.ts';
import { failedText } from './failure-text.ts';
import { resultText } from './result-text.ts';

/** Milliseconds for which a reported wait is shown: a wait that goes on is reported once a minute. */
const WAIT_SHOWN_FOR = 61_000;

/** Returns the reason of a wait that goes on; undefined where none does. `now` in Unix milliseconds. */
export const waitReason = ({ wait }: InstanceView, now: number): string | undefined =>
  wait !== null && now < wait.at + WAIT_SHOWN_FOR ? messageText(wait.reason) : undefined;

/** Returns the wait for an instance that is over: `shot waits for its real cost: …`; null where there is none. `now` in Unix milliseconds. */
export function waitAfterEndText(run: RunView, now: number): string | null {
  for (const instance of run.instances.values())
    if (instance.wait !== null && isOver(instance.state) && waitReason(instance, now) !== undefined)
      return `${instance.label} waits for ${AWAITED[instance.wait.what]}: ${messageText(instance.wait.reason)}`;
  return null;
}

/**
 * What an instance is doing right now: `waits for framed`, `queued, place 3`, `sending: house has not answered the request yet`. `now` in Unix
 * milliseconds.
 */
export function stateText(run: RunView, instance: InstanceView, now: number): string {
  const reason = waitReason(instance, now);
  if (reason === undefined || instance.state.is === 'asking') return workText(run, instance, now);
  return phase(instance.state) === 'ahead' ? `waits: ${reason}` : `${workText(run, instance, now)}: ${reason}`;
}

function workText(run: RunView, instance: InstanceView, now: number): string {
  const { state } = instance;
  switch (state.is) {
    case 'waiting':
      return waitsForModelText(run, instance) ?? waitsText(unmetNeeds(run, instance));
    case 'refused':
      if (state.retryAt === null) return `not taken: ${messageText(state.reason)}`;
      return `not taken, again in ${secondsUntil(state.retryAt, now)}: ${messageText(state.reason)}`;
    case 'absent':
      return 'did not arrive, will be sent again';
    case 'held_back':
      return `waits, ${cleanText(rateText(state.rate))}: next in ${secondsUntil(state.until, now)}`;
    case 'retrying':
      return `again in ${secondsUntil(state.until, now)}, attempt ${state.attempt} of ${state.of}: ${failedText(state.failure)}`;
    case 'asking':
      return `${askText(state)}${state.awaited === 0 ? '' : ` (${state.awaited} still to come)`}`;
    case 'over_budget':
      return `over budget, not sent: ${whyText(state.stop)}`;
    case 'sending':
      return 'sending';
    case 'unknown':
      return `no answer, looking for it${lookingText(state, now)}: ${messageText(state.reason)}`;
    case 'queued':
      return state.position === null ? 'queued' : `queued, place ${state.position}`;
    case 'working':
      return cleanText(state.status) || 'working';
    case 'generated':
      return 'made, not downloaded yet';
    case 'downloading':
      return state.bytes === null ? 'downloading' : `downloading ${formatBytes(state.bytes)}`;
    case 'running':
      return runningText(run, instance);
    case 'writing':
      return `writing, ${counted(state.words, 'word')}`;
    case 'unfit':
      return `asked to mend its answer: ${messageText(state.reason)}`;
    case 'cancelling':
      return 'cancelling';
    default:
      return endText(state);
  }
}

/** What a person is asked: `waits for a person: which take?` */
export const askText = ({ ask }: Extract<InstanceState, { readonly is: 'asking' }>): string =>
  `waits for a person: ${messageText(ask)}`;

/** A command that acts outside is not cut off: stopping the run waits for it. */
function runningText({ detached }: RunView, { actsOutside }: InstanceView): string {
  if (!actsOutside) return 'running';
  return detached === null ? 'acts outside' : 'acts outside, is let end';
}

/** How an instance ended, without its time and price: `1280×720, 6.0s, 4.1 MB`. */
export function endText(state: EndState): string {
  switch (state.is) {
    case 'succeeded':
      return resultText(state.result);
    case 'reused':
      return state.fetched ? `fetched again, ${resultText(state.result)}` : 'already here';
    case 'skipped':
      return `${state.needless ? 'not needed' : 'skipped'}: ${messageText(state.why)}`;
    case 'left_out':
      return `left out: ${messageText(state.why)}`;
    case 'blocked':
      return `blocked by ${cleanText(state.by)}`;
    case 'failed':
      return failedText(state.failure);
    default:
      return unreachable(state);
  }
}

/** Several instances of one step that ended alike: `clip ×40`, and how. */
export function groupText(group: Extract<Settled, { readonly is: 'group' }>): {
  readonly label: string;
  readonly how: string;
} {
  const first = group.instances[0];
  if (first === undefined) throw new Error('a group holds at least one instance');
  const { ended: state } = first;
  // Only the first would show what each of them is like.
  const how = state.is === 'reused' && state.fetched ? 'fetched again' : endText(state);
  return { label: `${stepOf(first.label as InstanceKey)} ×${group.instances.length}`, how };
}

/** `, page 3 of 9 of what the service lists` or `, again in 30s`. */
function lookingText({ page, of, until }: Extract<InstanceState, { readonly is: 'unknown' }>, now: number): string {
  if (page !== undefined) return `, page ${page}${of === undefined ? '' : ` of ${of}`} of what the service lists`;
  return until === undefined ? '' : `, again in ${secondsUntil(until, now)}`;
}

const secondsUntil = (at: number, now: number): string => `${Math.max(0, Math.ceil((at - now) / 1000))}s`;

/** For an instance with its own inputs there, and a model on its way up; null for any other. */
function waitsForModelText(run: RunView, instance: InstanceView): string | null {
  const deployment = run.deployments.get(instance.model);
  const isAwaited = deployment?.is === 'coming' || (deployment?.is === 'theirs' && deployment.status !== 'active');
  if (deployment === undefined || !isAwaited || !couldStart(run, instance)) return null;
  return `waits for ${deployment.model}${deployment.status === '' ? '' : `: ${deployment.status}`}`;
}

function waitsText(needs: readonly InstanceView[]): string {
  const [first, second] = needs;
  if (first === undefined) return 'next up';
  if (second === undefined) return `waits for ${first.label}`;
  return needs.length === 2
    ? `waits for ${first.label} and ${second.label}`
    : `waits for ${first.label} and ${needs.length - 1} more`;
}
