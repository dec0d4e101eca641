/** From an accepted generation to a result on this disk: follow it, own it, bring it home, look at what it is. */
import type { Failure } from '../domain/failure.ts';
import type { JsonObject } from '../domain/json.ts';
import type { GenerationId, InstanceKey } from '../domain/key.ts';
import type { MediaKind } from '../domain/media.ts';
import type { MediaResult } from '../domain/result.ts';
import type { Context } from './context.ts';
import { backoff } from './health.ts';
import type { Watcher } from './watch.ts';

export interface Accepted {
  readonly key: InstanceKey;
  /** Null where a call made it. */
  readonly id: GenerationId | null;
  readonly fingerprint: string;
  readonly model: string;
  readonly request: JsonObject;
  readonly price: number | null;
  /** Milliseconds it is expected to take. */
  readonly expected: number | undefined;
  /** Milliseconds after which this side stops waiting; the generation stays ours and the next run takes it up. */
  readonly limit: number | undefined;
}

export type Followed =
  /** `took`: milliseconds. */
  | { readonly is: 'generated'; readonly url: string; readonly took: number }
  | { readonly is: 'failed'; readonly failure: Failure }
  | { readonly is: 'stopped' };

/** Waits for the service's last word. This is the part that holds a slot of the service's pool. */
export async function follow(
  work: Accepted & { readonly id: GenerationId },
  context: Context,
  watcher: Watcher,
): Promise<Followed> {
  const { key, id } = work;
  let last = '';
  const { clock } = context.world;
  const over = new AbortController();
  const late = new AbortController();
  if (work.limit !== undefined) {
    void clock.sleep(work.limit, over.signal).then(() => late.abort());
  }
  const end = await watcher.watch({
    id,
    expected: work.expected,
    signal: AbortSignal.any([context.signal, late.signal]),
    progress: record => {
      const fraction = record.progress ?? null;
      const position = record.position ?? null;
      const now = `${record.status} ${position} ${fraction}`;
      if (now === last) return;
      last = now;
      context.emit({ type: 'progress', key, status: record.status, position, fraction });
    },
  });
  over.abort();
  if (!end && context.signal.aborted) return { is: 'stopped' };
  if (!end) {
    const message = `not finished after ${work.limit} ms; generation ${id} goes on at the service and the next run takes it up`;
    return { is: 'failed', failure: { code: 'timed_out', message } };
  }
  const { record, took } = end;
  const message = record.error_message?.trim() || 'the service gave no reason';
  if (record.status === 'cancelled')
    return { is: 'failed', failure: { code: 'generation_cancelled', generation_id: id, message } };
  if (record.status === 'failed')
    return { is: 'failed', failure: { code: 'generation_failed', generation_id: id, message } };
  if (!record.result_url) {
    const missing = 'the service says it succeeded but gives no result_url';
    return { is: 'failed', failure: { code: 'download_failed', generation_id: id, message: missing } };
  }
  context.emit({ type: 'generated', key, generation_id: id, result_url: record.result_url, cost: work.price });
  context.world.journal.commit();
  return { is: 'generated', url: record.result_url, took };
}

function kindMadeBy(model: string, { world }: Context): MediaKind {
  return world.planContext.library.get(model)?.produces === 'image' ? 'image' : 'video';
}

const TRIES = 4;

/** Downloads, verifies and probes the result. An expired address is refreshed by reading the generation again. */
export async function bringHome(
  work: Accepted,
  url: string,
  context: Context,
): Promise<
  | { readonly is: 'ok'; readonly result: MediaResult }
  | { readonly is: 'failed'; readonly failure: Failure }
  | { readonly is: 'stopped' }
> {
  const { service, fetchResult, probe, clock } = context.world;
  let message = '';
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (context.signal.aborted) return { is: 'stopped' };
    context.emit({ type: 'download_started', key: work.key, bytes: null });
    const fetched = await fetchResult(url, work.id ?? `call-${work.fingerprint}`, context.signal);
    if (context.signal.aborted && fetched.is !== 'ok') return { is: 'stopped' };
    if (fetched.is === 'ok') {
      const media = await probe(fetched.file);
      const { sha256, bytes, file } = fetched;
      return {
        is: 'ok',
        result: {
          is: 'media',
          result_url: url,
          file,
          sha256,
          bytes,
          generation_id: work.id,
          request: work.request,
          cost: work.price,
          // What nobody can read is still what was asked for.
          media: media ?? { kind: kindMadeBy(work.model, context) },
        },
      };
    }
    message = fetched.message;
    await clock.sleep(backoff(attempt), context.signal);
    if (work.id === null) continue;
    const record = await service.generation(work.id, context.signal);
    if (record.is === 'ok' && record.value.result_url) url = record.value.result_url;
  }
  return { is: 'failed', failure: { code: 'download_failed', generation_id: work.id, message } };
}
