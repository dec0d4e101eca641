/** What keeps requests from being sent: a service that is asked too often, or a number of its settings. One line, for as long as it does. */
import { counted, formatTicking } from '../../model/text/format.ts';
import { phase } from '../../records/views/instance-state.ts';
import { couldStart, type RunView } from '../../records/views/run-view.ts';
import { stateText } from './state-text.ts';

/** Milliseconds that a rate is shown for beyond its end: the next request shows in a moment whether it holds again. */
const MOMENT = 1_000;

/**
 * `house allows 2 a minute: the next request goes out in 41s, 12 wait`; null while nothing is held back.
 * @param now Unix milliseconds
 */
export function heldText(run: RunView, now: number): string | null {
  if (run.detached !== null || run.finished !== null) return null;
  const rates = [...run.ratesReached.values()].filter(({ until }) => until + MOMENT > now);
  const held = rates
    .map(one => ({ ...one, waiting: waitingFor(run, one.model) }))
    .filter(({ waiting }) => waiting > 0)
    .sort((a, b) => b.until - a.until)[0];
  const { slowed } = run;
  if (slowed && slowed.until >= (held?.until ?? now)) return slowedText(run, slowed, now);
  if (held) {
    const next = held.isAtOnce
      ? 'the next request goes out when one of them has ended'
      : `the next request goes out in ${inTime(held.until, now)}`;
    return `${run.service} allows ${held.rate}: ${next}, ${waitText(held.waiting)}`;
  }
  return slowed && slowedText(run, slowed, now);
}

function slowedText(run: RunView, { until, reason }: NonNullable<RunView['slowed']>, now: number): string | null {
  const waiting = waitingFor(run);
  const wait = waiting > 0 ? `, ${waitText(waiting)}` : '';
  if (until > now)
    return `${run.service} is asked too often: nothing is sent for ${inTime(until, now)}${wait}: ${reason}`;
  return waiting > 0 ? `${run.service} is asked more slowly${wait}: ${reason}` : null;
}

const inTime = (until: number, now: number): string => formatTicking(Math.ceil(Math.max(0, until - now) / 1000));
const waitText = (waiting: number): string => `${counted(waiting, 'request')} ${waiting === 1 ? 'waits' : 'wait'}`;

/** Those with inputs that are there, and that are sent to the service: what is made here is free. */
function waitingFor(run: RunView, model?: string): number {
  let waiting = 0;
  for (const instance of run.instances.values()) {
    const { state, price } = instance;
    if (phase(state) !== 'ahead' || !AWAITS_ITS_TURN.has(state.is) || price === 0) continue;
    if (model !== undefined && instance.model !== model) continue;
    if (couldStart(run, instance)) waiting += 1;
  }
  return waiting;
}

const AWAITS_ITS_TURN: ReadonlySet<string> = new Set(['waiting', 'refused', 'absent', 'held_back']);

/** The line of a run without news for a while: `30 of 46 done; under way: shot queued, place 3 and 4 more`. Pure. */
interface SignOfLife {
  readonly text: string;
  /** Something goes on; else everything waits for what holds requests back. */
  readonly isUnderWay: boolean;
}

/** Instances that are named. */
const NAMED = 3;

/** Null where nothing goes on and nothing is held back. @param now Unix milliseconds */
export function signOfLife(run: RunView, now: number): SignOfLife | null {
  if (run.finished !== null) return null;
  const held = heldText(run, now);
  const all = [...run.instances.values()];
  const going = all.filter(({ state }) => phase(state) === 'under-way');
  if (going.length === 0) return held === null ? null : { text: held, isUnderWay: false };
  const done = all.filter(({ state }) => phase(state) === 'over').length;
  const named = going.slice(0, NAMED).map(one => `${one.label} ${stateText(run, one, now)}`);
  const more = going.length > NAMED ? ` and ${going.length - NAMED} more` : '';
  const text = `${done} of ${all.length} done; under way: ${named.join(', ')}${more}`;
  return { text: held === null ? text : `${text}; ${held}`, isUnderWay: true };
}
