/**
 * Notifies others of what happens in a run: once for each question, failure and end. Notifying goes on beside the run and is never waited for while
 * it goes on; at its end it has a while to complete. Failures are shown then.
 */
import PQueue from 'p-queue';
import type { Clock } from '../../machine/time/clock.ts';
import type { RecordedEvent, Reporter } from '../../model/run/event.ts';
import { cleanText, safeJson } from '../../model/text/clean.ts';
import { reduce } from '../../records/views/reduce.ts';
import { emptyRunView, type RunView } from '../../records/views/run-view.ts';
import type { HookName } from '../../settings/hook-settings.ts';
import { failedText } from '../text/failure-text.ts';
import { outcomeLine } from '../text/opening-and-outcome.ts';
import type { FileOf } from './json-lines.ts';
import { jsonLine } from './json-lines.ts';

export interface HookMessage {
  readonly name: HookName;
  /** The same for every try: a receiver recognises a repetition. */
  readonly id: string;
  /** JSON of the documented shape. */
  readonly body: string;
}

/** Undefined where it is delivered; otherwise why not, in words. It tries again by itself, and ends soon once the signal aborts. */
type Deliver = (message: HookMessage, signal: AbortSignal) => Promise<string | undefined>;

interface HookOptions {
  readonly wanted: ReadonlySet<HookName>;
  readonly deliver: Deliver;
  readonly fileOf: FileOf;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Called for each that failed. */
  readonly failed: (name: HookName, many: number, why: string) => void;
}

/** Failures with a notification each: of a thousand alike, the end of the run counts the rest. */
const MOST_FAILURES = 20;
/** Messages that are under way at once. */
const AT_ONCE = 4;
/**
 * Milliseconds for which the end of a run waits for its hooks; a command that is ended then gets half a second more. After an interrupt the
 * machine may be about to stop.
 */
const PATIENCE = 4_500;
const SHORT_PATIENCE = 1_000;

export function hookReporter({ wanted, deliver, fileOf, clock, failed }: HookOptions): Reporter {
  const run = emptyRunView();
  const delivered = new Set<string>();
  const problems = new Map<HookName, { many: number; why: string }>();
  const over = new AbortController();
  const queue = new PQueue({ concurrency: AT_ONCE });
  let failures = 0;

  async function send(message: HookMessage): Promise<void> {
    const why = over.signal.aborted
      ? 'the run ended before it was sent'
      : await deliver(message, over.signal).catch(error => String(error instanceof Error ? error.message : error));
    if (why === undefined) return;
    const before = problems.get(message.name);
    problems.set(message.name, { many: (before?.many ?? 0) + 1, why: before?.why ?? why });
  }

  return {
    report(event: RecordedEvent): void {
      reduce(run, event);
      const name = nameOf(event);
      if (name === undefined || !wanted.has(name)) return;
      if (name === 'failed' && ++failures > MOST_FAILURES) return;
      // A question is sent again whenever there is more to choose from, and a budget for each that does not fit.
      const once =
        name === 'waiting' && 'key' in event ? `waiting ${event.key}` : name === 'failed' ? `${event.seq}` : name;
      if (delivered.has(once)) return;
      delivered.add(once);
      const message = { name, id: `${run.id}/${event.seq}`, body: bodyOf(name, { run, event, fileOf }) };
      void queue.add(() => send(message));
    },
    async close(): Promise<void> {
      const called = new AbortController();
      await Promise.race([
        queue.onIdle(),
        clock.sleep(run.finished?.outcome === 'interrupted' ? SHORT_PATIENCE : PATIENCE, called.signal),
      ]);
      called.abort();
      over.abort();
      await queue.onIdle();
      for (const [name, { many, why }] of problems) failed(name, many, why);
    },
  };
}

function nameOf(event: RecordedEvent): HookName | undefined {
  switch (event.type) {
    case 'waiting_for':
      return 'waiting';
    case 'failed':
      return 'failed';
    case 'over_budget':
      return 'budget';
    case 'run_finished':
      return 'finished';
    default:
      return undefined;
  }
}

interface About {
  readonly run: RunView;
  readonly event: RecordedEvent;
  readonly fileOf: FileOf;
}

/** `text` is what a chat shows; `event` as in `run --ui json`. */
const bodyOf = (on: HookName, { run, event, fileOf }: About): string =>
  safeJson({
    v: 1,
    on,
    text: textOf(run, event),
    run: run.id,
    name: run.name,
    pipeline: run.pipeline,
    service: run.service,
    profile: run.profile,
    event: JSON.parse(jsonLine(event, fileOf)),
  });

/** `teaser: shot[beat=3] failed: out of memory` */
function textOf(run: RunView, event: RecordedEvent): string {
  switch (event.type) {
    case 'waiting_for':
      return cleanText(`${run.name}: ${event.key} waits for a person: ${event.ask}`);
    case 'failed':
      return cleanText(`${run.name}: ${event.key} ${failedText(event.failure)}`);
    case 'over_budget':
      return cleanText(`${run.name}: ${event.key} does not fit into its budget, and is not sent`);
    default:
      return outcomeLine(run);
  }
}
