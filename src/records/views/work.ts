/** The view of work on this machine: attempts, and commands with unrecorded outcomes. */
import type { EventType, RecordedEvent } from '../../model/run/event.ts';
import type { LogEntry } from './ledger.ts';

export interface WorkView {
  /**
   * How often this film has tried this work again since it last came to an end, good or bad; `unfit`: answers that did not fit since
   * then. `until` (Unix milliseconds): before that the next attempt is not to begin.
   */
  attempts(fingerprint: string): Attempts;
  /** Whether an earlier run began this work, and ended before it knew the outcome. */
  wasCutOff(fingerprint: string): boolean;
  /**
   * The last time that some run of the project began the command with this fingerprint, where it acts outside and its outcome is unknown: the run
   * ended first, or the command did not end by itself.
   */
  actLeftOpen(fingerprint: string): ActLeftOpen | undefined;
}

interface Attempts {
  readonly retried: number;
  readonly unfit: number;
  readonly until: number;
}

export interface ActLeftOpen {
  readonly film: string;
  /** Unix milliseconds of its beginning. */
  readonly at: number;
  /** No later run of that film has written anything. */
  readonly isNewest: boolean;
}

type TryEvent = Extract<RecordedEvent, { readonly type: 'retrying' | 'answer_unfit' | 'command_started' }>;

interface Try extends LogEntry {
  readonly event: TryEvent;
  /** Its instance came to an end since, good or bad. */
  isOver?: boolean;
  /** The outcome of its command was recorded; `isSure`: and shows whether the command acted. */
  isEnded?: boolean;
  isSure?: boolean;
  /** A later run of its film has begun. */
  isOlder?: boolean;
}

/**
 * The work of a film.
 * @param log in order; of the events of a project, those of the tries asked about, of all ends of their instances, and the first events of
 * later runs of their films are enough.
 */
export function workOf(film: string, log: Iterable<LogEntry>): WorkView {
  const tries: Try[] = [];
  const byInstance = new Map<string, Try[]>();
  for (const entry of log) {
    const { film: of, run, event } = entry;
    if (event.type === 'run_started') for (const one of tries) one.isOlder ||= one.film === of && one.run !== run;
    if (!('key' in event)) continue;
    const name = `${of}\n${event.key}`;
    const ofInstance = byInstance.get(name) ?? [];
    for (const one of ofInstance) follow(one, entry);
    if (!isTry(entry)) continue;
    const one = { ...entry };
    tries.push(one);
    byInstance.set(name, [...ofInstance, one]);
  }
  const own = (fingerprint: string, type: EventType) =>
    tries.filter(one => one.event.type === type && one.event.fingerprint === fingerprint && one.film === film);
  return {
    attempts(fingerprint) {
      const retried = own(fingerprint, 'retrying').filter(({ isOver }) => !isOver);
      const unfit = own(fingerprint, 'answer_unfit').filter(({ isOver }) => !isOver);
      const until = retried.map(({ event }) => (event.type === 'retrying' ? event.until : 0));
      return { retried: retried.length, unfit: unfit.length, until: Math.max(0, ...until) };
    },
    wasCutOff: fingerprint => own(fingerprint, 'command_started').some(({ isEnded }) => !isEnded),
    actLeftOpen(fingerprint) {
      const last = tries.findLast(({ event }) => event.type === 'command_started' && event.fingerprint === fingerprint);
      return !last || last.isSure ? undefined : { film: last.film, at: last.event.at, isNewest: !last.isOlder };
    },
  };
}

const isTry = (entry: LogEntry): entry is Try =>
  entry.event.type === 'retrying' || entry.event.type === 'answer_unfit' || entry.event.type === 'command_started';

/** What a later event of its instance makes of a try, in place. */
function follow(one: Try, { run, event }: LogEntry): void {
  const [isMade, isFailed] = [event.type === 'succeeded', event.type === 'failed'];
  if (isMade || isFailed || event.type === 'reused') one.isOver = true;
  if (run !== one.run) return;
  if (isMade || isFailed) one.isEnded = true;
  if (isMade || event.type === 'retrying' || (event.type === 'failed' && event.failure.code !== 'effect_unknown'))
    one.isSure = true;
}
