/**
 * A run as plain lines, where the output is no terminal or under CI: one line for each thing that changed, with the time since the
 * start, never rewritten. The last block is what the screen ends with, in the same words.
 */
import { padEnd, padStart } from '../domain/cells.ts';
import type { RecordedEvent, Reporter } from '../domain/event.ts';
import { formatSeconds, formatUsd } from '../domain/format.ts';
import { isDecision } from '../domain/result.ts';
import type { Clock } from '../host/clock.ts';
import { eventText } from '../telling/event-text.ts';
import { heldText } from '../telling/held-back.ts';
import { openingLine } from '../telling/opening-and-outcome.ts';
import { reduce } from '../telling/reduce.ts';
import {
  type EndedInstance,
  emptyRunView,
  type InstanceView,
  type RunView,
  type Settled,
} from '../telling/run-view.ts';
import { endText, groupText } from '../telling/state-text.ts';
import { type SummaryLine, summaryLines } from '../telling/summary.ts';

export interface PlainOptions {
  /** The command that runs this film again, for the summary; made from the file's name when absent. */
  readonly command?: string;
  /** Options that say which film is meant, as they are typed: `--draft`. */
  readonly film?: string;
  /** With it a sign of life is given while requests are held back: after a minute, and then ever more rarely, to one in an hour. */
  readonly clock?: Clock;
}

/** Milliseconds between two signs of life: doubled each time. */
const FIRST_BEAT = 60_000;
const LAST_BEAT = 3_600_000;
const BEGINS_TO_HOLD: ReadonlySet<RecordedEvent['type']> = new Set(['pace_changed', 'held_back']);

/** `write` is given one line at a time, without its line feed. */
export function plainReporter(write: (line: string) => void, options: PlainOptions = {}): Reporter {
  const run = emptyRunView();
  let written = 0;
  const closed = new AbortController();
  let beats = false;

  async function beatWhileHeld(clock: Clock): Promise<void> {
    if (beats || heldText(run, clock.now()) === null) return;
    beats = true;
    for (let ms = FIRST_BEAT; ; ms = Math.min(LAST_BEAT, 2 * ms)) {
      await clock.sleep(ms, closed.signal, 'in the background');
      const words = closed.signal.aborted ? null : heldText(run, clock.now());
      if (words === null) break;
      write(row(run, clock.now(), '', words));
    }
    beats = false;
  }

  return {
    report(event: RecordedEvent): void {
      const before = 'key' in event ? (run.instances.get(event.key)?.state ?? null) : null;
      const isFirstStream = event.type === 'stream_changed' && event.up && run.stream === null;
      const isSaid = event.type === 'run_detached' && run.detached !== null;
      reduce(run, event);
      if (options.clock && BEGINS_TO_HOLD.has(event.type)) void beatWhileHeld(options.clock);
      const words = isFirstStream || isSaid ? null : eventText(event, before, run);
      const over = run.settled.slice(written);
      written = run.settled.length;
      for (const entry of over) for (const line of settledLines(run, entry, options)) write(line);
      if (words === null || isToldAtEnd(event)) return;
      const instance = 'key' in event ? run.instances.get(event.key) : undefined;
      write(row(run, event.at, instance?.label ?? '', `${words}${request(event, instance)}`));
    },
    async close(): Promise<void> {
      closed.abort();
    },
  };
}

/** `submitted  V-T2V-A  ~$0.60`: which model it uses and what it is expected to cost, said where money moves. */
function request(event: RecordedEvent, instance: InstanceView | undefined): string {
  if (event.type !== 'submit_accepted' || instance === undefined) return '';
  const price = instance.price === null ? '' : `  ~${formatUsd(instance.price)}`;
  return instance.model === '' ? price : `  ${instance.model}${price}`;
}

function settledLines(run: RunView, entry: Settled, options: PlainOptions): readonly string[] {
  switch (entry.is) {
    case 'started':
      return [openingLine(run)];
    case 'instance':
      return [row(run, entry.instance.until ?? run.lastEventAt, entry.instance.label, howItEnded(entry.instance))];
    case 'group': {
      const { label, how } = groupText(entry);
      return [row(run, entry.instances[0]?.until ?? run.lastEventAt, label, how)];
    }
    case 'finished':
      return summary(run, options);
  }
}

/** How an instance ended is a line of its own, and so is what was chosen. */
const isToldAtEnd = ({ type }: RecordedEvent): boolean =>
  type === 'succeeded' || type === 'failed' || type === 'chosen';

function howItEnded({ state, since, until, paidUsd }: EndedInstance): string {
  if (state.is !== 'succeeded') return endText(state);
  const time = since === null || until === null ? '' : ` in ${formatSeconds((until - since) / 1000)}`;
  const made = endText(state);
  if (isDecision(state.result)) return made;
  return `done${time}${made === 'done' ? '' : `: ${made}`}${paidUsd > 0 ? `  ${formatUsd(paidUsd)}` : ''}`;
}

/** `  +12.3s  shot    submitted  V-T2V-A  ~$0.60` */
function row(run: RunView, at: number, label: string, words: string): string {
  const offset = padStart(`+${formatSeconds((at - run.startedAt) / 1000)}`, 8);
  return `${offset}  ${padEnd(label, Math.min(40, run.widest.label))}  ${words}`.trimEnd();
}

function summary(run: RunView, { command, film }: PlainOptions): readonly string[] {
  return ['', ...summaryLines(run, command, 'in a line', film).map(word => INDENT[word.role] + word.text)];
}

const INDENT: Readonly<Record<SummaryLine['role'], string>> = {
  ...{ outcome: '', output: '  ', failed: '✗ ', detail: '  ', log: '    ', next: '', command: '  ' },
};
