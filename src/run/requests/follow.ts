/** Follows an accepted generation to its final status, and records where the service keeps the result. */
import { type GenerationRecord, isInQueue, isTerminal } from '../../api/queue.ts';
import type { Timeout } from '../../model/pipeline.ts';
import type { Failure } from '../../model/run/failure.ts';
import type { GenerationId, InstanceKey } from '../../model/run/key.ts';
import { asTyped } from '../../model/text/clean.ts';
import { formatSeconds } from '../../model/text/format.ts';
import type { JsonObject } from '../../model/text/json.ts';
import type { RunCore } from '../engine/run-core.ts';
import { GenerationLimits } from '../engine/time-limit.ts';
import { cancelAt } from './cancel.ts';
import type { End, WatchedService } from './watcher.ts';

type Needs = Pick<RunCore, 'clock' | 'failpoint' | 'recorder' | 'service' | 'settings' | 'stopping'>;

export interface Accepted {
  readonly key: InstanceKey;
  /** Null where a synchronous call made it. */
  readonly id: GenerationId | null;
  readonly fingerprint: string;
  readonly model: string;
  readonly request: JsonObject;
  readonly price: number | null;
  /** Milliseconds it is expected to take. */
  readonly expected: number | undefined;
  /** After which this side stops waiting: the generation stays ours and the next run resumes it, unless it is to be cancelled then. */
  readonly timeout?: Timeout | undefined;
  readonly onTimeout?: 'cancel' | undefined;
}

type Followed =
  /** `took`: milliseconds. */
  | { readonly is: 'generated'; readonly url: string; readonly took: number }
  | { readonly is: 'failed'; readonly failure: Failure }
  | { readonly is: 'stopped' };

/** Waits for the final status. This is the part that holds a slot for the service. */
export async function follow(work: Following, run: Needs, watched: WatchedService): Promise<Followed> {
  const limits = new GenerationLimits(work.timeout, run.clock);
  try {
    const end = await untilOver(work, limits, run, watched);
    return end.is === 'stopped' || end.is === 'failed' ? end : ending(work, end, run);
  } finally {
    limits.clear();
  }
}

type Following = Accepted & { readonly id: GenerationId; readonly isOld: boolean };

/** Its end, or that it takes too long. Reads are rare, so before a limit counts the service is asked once more. */
async function untilOver(
  work: Following,
  limits: GenerationLimits,
  run: Needs,
  watched: WatchedService,
): Promise<End | Extract<Followed, { readonly is: 'failed' | 'stopped' }>> {
  const { key, id, expected } = work;
  const { signal } = run.stopping;
  let last = '';
  const progress = (record: GenerationRecord) => {
    if (!isInQueue(record.status)) limits.worksOnIt();
    const fraction = record.progress ?? null;
    const position = record.position ?? null;
    const preview = record.preview_url ?? undefined;
    const now = `${record.status} ${position} ${fraction} ${preview}`;
    if (now === last) return;
    last = now;
    run.recorder.note({
      ...{ type: 'progress', key, status: record.status, position, fraction },
      ...(preview !== undefined && { preview }),
    });
  };
  for (let { isOld } = work; ; isOld = true) {
    const end = await watched.watch({
      ...{ id, isOld, expected, progress },
      signal: AbortSignal.any([signal, limits.signal]),
    });
    if (end) return end;
    if (signal.aborted || !limits.over) return { is: 'stopped' };
    const seen = await run.service.generation(id, signal);
    if (signal.aborted) return { is: 'stopped' };
    if (seen.is === 'ok' && isTerminal(seen.value.status)) limits.lift();
    else {
      if (seen.is === 'ok') progress(seen.value);
      const { over } = limits;
      if (over) return tooLong(work, over, run);
    }
  }
}

/** It is left to the next run, or cancelled where its author wants that; a service that will not leaves it as it is. */
async function tooLong(
  { key, id, onTimeout }: Following,
  { limit, ms }: NonNullable<GenerationLimits['over']>,
  { clock, recorder, service, stopping }: Needs,
): Promise<Extract<Followed, { readonly is: 'failed' | 'stopped' }>> {
  const late = `${limit === 'queue' ? 'still in the queue' : 'not finished'} after ${formatSeconds(ms / 1000)}`;
  const left = `generation ${id} goes on at the service and the next run takes it up`;
  const goesOn = (message: string) =>
    ({ is: 'failed', failure: { code: 'timed_out', message, goes_on: true } }) as const;
  if (onTimeout !== 'cancel') return goesOn(`${late}; ${left}`);
  recorder.emit({ type: 'cancel_asked', key, generation_id: id });
  const cancelled = await cancelAt(service, { id }, clock, stopping.signal);
  if (cancelled.is === 'ended') {
    if (cancelled.failure.code !== 'generation_cancelled') return { is: 'failed', failure: cancelled.failure };
    const message = `${late}; it was cancelled at the service`;
    return { is: 'failed', failure: { code: 'timed_out', message, generation_id: id } };
  }
  if (stopping.signal.aborted) return { is: 'stopped' };
  const { why, message } = cancelled;
  recorder.emit({ type: 'cancel_failed', key, generation_id: id, why, message });
  return goesOn(`${late}, and it could not be cancelled (${message}); ${left}`);
}

async function ending(work: Following, end: End, run: Needs): Promise<Followed> {
  const { key, id } = work;
  const { record, took } = end;
  const again = askedAgain(work, run);
  if (end.is === 'lost') {
    const message = `the service took it as ${id}, and says now that it knows no such generation; ${again}`;
    return { is: 'failed', failure: { code: 'generation_lost', generation_id: id, message } };
  }
  const message = record.error_message?.trim() || 'the service gave no reason';
  if (record.status === 'cancelled')
    return { is: 'failed', failure: { code: 'generation_cancelled', generation_id: id, message } };
  if (record.status === 'failed')
    return { is: 'failed', failure: { code: 'generation_failed', generation_id: id, message } };
  if (!record.result_url) {
    const missing = `the service says it succeeded but gives no result_url; ${again}`;
    return { is: 'failed', failure: { code: 'download_failed', generation_id: id, message: missing } };
  }
  run.recorder.record({ type: 'generated', key, generation_id: id, result_url: record.result_url, cost: work.price });
  if (!(await run.recorder.durable())) return { is: 'stopped' };
  run.failpoint?.('generated');
  return { is: 'generated', url: record.result_url, took };
}

/** It stays true after a person gave it up. */
export function askedAgain({ key }: Pick<Accepted, 'key'>, { settings }: Pick<RunCore, 'settings'>): string {
  const { cancel } = settings;
  return cancel === undefined
    ? 'the next run asks again'
    : `each run asks again until you give it up: \`${cancel} ${asTyped(key)} --forget\``;
}

/** How a person gives the generation up, as part of a sentence; empty where no cancel command is known. */
export function giveUpHint({ key }: Pick<Accepted, 'key'>, { settings }: Pick<RunCore, 'settings'>): string {
  const { cancel } = settings;
  return cancel === undefined ? '' : `; to give it up, \`${cancel} ${asTyped(key)} --forget\``;
}

/** How long a generation of each model takes here, learnt from the journal and from this run: the first read comes when it is likely to be done. */
export class DurationEstimates {
  /** Milliseconds: the mean of what was seen, newer ones weighing more. */
  readonly #mean = new Map<string, number>();

  constructor(seen: ReadonlyMap<string, readonly number[]>) {
    for (const [model, durations] of seen) for (const took of [...durations].reverse()) this.learn(model, took);
  }

  learn(model: string, took: number): void {
    const mean = this.#mean.get(model);
    this.#mean.set(model, mean === undefined ? took : 0.8 * mean + 0.2 * took);
  }

  /** Milliseconds, or undefined when none was ever seen. */
  of(model: string): number | undefined {
    return this.#mean.get(model);
  }
}
