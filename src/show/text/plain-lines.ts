/** A run as plain lines: one for each thing that changed, with the time since the start, never rewritten. Pure. */

import type { RecordedEvent } from '../../model/run/event.ts';
import { isDecision } from '../../model/run/result.ts';
import { atListPrice, isFree } from '../../model/run/run-money.ts';
import { padEnd, padStart } from '../../model/text/cells.ts';
import { cleanText, safeLines } from '../../model/text/clean.ts';
import { formatSeconds, formatUsd } from '../../model/text/format.ts';
import { type InstanceState, isOver, phase } from '../../records/views/instance-state.ts';
import { reduce } from '../../records/views/reduce.ts';
import {
  type EndedInstance,
  emptyRunView,
  type InstanceView,
  measuresOf,
  type RunView,
  type Settled,
} from '../../records/views/run-view.ts';
import { eventText } from './event-text.ts';
import { openingLine } from './opening-and-outcome.ts';
import { type SummaryLine, summaryLines } from './run-summary.ts';
import { endText, groupText } from './state-text.ts';

export interface PlainWords {
  /** The command that runs this film again, for the summary; made from the file's name when absent. */
  readonly command?: string;
  /** Options that say which film is meant, as they are typed: `--draft`. */
  readonly film?: string;
  /** The command that opens what waits for a person; made from the file's name when absent. */
  readonly reviewCommand?: string;
}

/** An event in words, and what it has ended. */
export interface Reduced {
  readonly event: RecordedEvent;
  /** Null where the event is worth no line of its own. */
  readonly words: string | null;
  /** The instance that it is about was not under way before. */
  readonly begins: boolean;
}

/** Brings the view on by one event, and returns its words. */
export function reduceToLines(run: RunView, event: RecordedEvent): Reduced {
  const before: InstanceState | null = 'key' in event ? (run.instances.get(event.key)?.state ?? null) : null;
  const isFirstStream = event.type === 'stream_changed' && event.up && run.stream === null;
  const isShown = event.type === 'run_detached' && run.detached !== null;
  reduce(run, event);
  const begins = before !== null && phase(before) === 'ahead';
  return { event, begins, words: isFirstStream || isShown ? null : eventText(event, before, run) };
}

/** No line of their own: `settledLines` shows how an instance ended and what was chosen, and `done` that it was made. */
const TOLD_ELSEWHERE: ReadonlySet<RecordedEvent['type']> = new Set(['succeeded', 'failed', 'chosen', 'generated']);

/** Lines of an event by itself. An instance that goes well has three: sent, done, written. */
export function eventLines(run: RunView, { event, words, begins }: Reduced): readonly string[] {
  if (words === null || TOLD_ELSEWHERE.has(event.type)) return [];
  // `signOfLife` shows progress. The first has a line here: a file that leaves this machine (`to s3://films/in`).
  if (event.type === 'progress' && !begins) return [];
  const instance = 'key' in event ? run.instances.get(event.key) : undefined;
  return [plainRow(run, event.at, instance?.label ?? '', `${words}${request(run, event, instance)}`)];
}

export function settledLines(run: RunView, entry: Settled, words: PlainWords): readonly string[] {
  switch (entry.is) {
    case 'started':
      return [openingLine(run)];
    case 'instance':
      return [
        plainRow(run, entry.instance.until ?? run.lastEventAt, entry.instance.label, howItEnded(run, entry.instance)),
      ];
    case 'group': {
      const { label, how } = groupText(entry);
      return [plainRow(run, entry.instances[0]?.until ?? run.lastEventAt, label, how)];
    }
    case 'finished':
      return summary(run, words);
  }
}

/** `  +12.3s  shot    submitted  V-T2V-A  ~$0.60` */
export function plainRow(run: RunView, at: number, label: string, words: string): string {
  const offset = padStart(`+${formatSeconds((at - run.startedAt) / 1000)}`, 8);
  return `${offset}  ${padEnd(label, Math.min(40, measuresOf(run).widest.label))}  ${words}`.trimEnd();
}

/** `  V-T2V-A  ~$0.60  gen_7` behind `submitted`: the model, the expected cost, and the id at the service. */
function request(run: RunView, event: RecordedEvent, instance: InstanceView | undefined): string {
  if ((event.type !== 'submit_accepted' && event.type !== 'taken_up') || instance === undefined) return '';
  const { model, generation } = instance;
  const details = event.type === 'taken_up' ? [] : [model, isFree(run) ? '' : priceText(event, instance)];
  return [...details, cleanText(generation ?? '')].flatMap(text => (text === '' ? [] : `  ${text}`)).join('');
}

/** The plan counts nothing for what an earlier run sent, so the price of a request that was found comes with its event. */
function priceText(
  { found, price: sentAt }: Extract<RecordedEvent, { readonly type: 'submit_accepted' }>,
  { price }: InstanceView,
): string {
  const usd = sentAt === undefined ? price : sentAt;
  return usd === null ? (found ? 'price unknown' : '') : `~${formatUsd(usd)}`;
}

function howItEnded(run: RunView, { ended: state, took, paidUsd }: EndedInstance): string {
  if (state.is !== 'succeeded') return endText(state);
  const time = took === null ? '' : ` in ${formatSeconds(took / 1000)}`;
  const made = endText(state);
  if (isDecision(state.result)) return made;
  return `done${time}${made === 'done' ? '' : `: ${made}`}${paidUsd > 0 && !isFree(run) ? `  ${formatUsd(paidUsd)}` : ''}`;
}

function summary(run: RunView, { command, film, reviewCommand }: PlainWords): readonly string[] {
  return [
    '',
    ...summaryLines(run, command, 'in a line', film, reviewCommand).map(word => INDENT[word.role] + word.text),
  ];
}

const INDENT: Readonly<Record<SummaryLine['role'], string>> = {
  ...{ outcome: '', output: '  ', failed: '✗ ', detail: '  ', log: '    ', next: '', command: '  ' },
};

/** Shown as it goes: each line once. */
export class InstanceLogText {
  readonly #run: RunView = emptyRunView();
  #shown = 0;

  constructor(started: RecordedEvent & { readonly type: 'run_started' }) {
    reduce(this.#run, started);
  }

  /** @param events all that were kept so far. */
  lines(events: readonly RecordedEvent[]): readonly { readonly at: number; readonly text: string }[] {
    const fresh = events.slice(this.#shown);
    this.#shown = events.length;
    return fresh.flatMap(event => {
      const text = reduceToLines(this.#run, event).words ?? this.#untold(event);
      return text === null ? [] : [{ at: event.at, text: safeLines(text) }];
    });
  }

  /** Of an event that has no words of its own: what was sent, and how the instance ended. */
  #untold(event: RecordedEvent): string | null {
    if (event.type === 'submit_intended')
      return `sent to ${event.model}${event.price ? `, ${isFree(this.#run) ? atListPrice(event.price) : formatUsd(event.price)}` : ''}`;
    const after = 'key' in event ? this.#run.instances.get(event.key)?.state : undefined;
    return after && isOver(after) ? endText(after) : null;
  }
}
