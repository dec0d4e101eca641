/** From an accepted generation to a result on this disk: follow it, own it, bring it home, look at what it is. */
import { asTyped } from '../../domain/as-typed.ts';
import type { Failure } from '../../domain/failure.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { GenerationId, InstanceKey } from '../../domain/key.ts';
import type { MediaKind } from '../../domain/media.ts';
import type { MediaResult } from '../../domain/result.ts';
import { backoff } from '../../host/backoff.ts';
import { deadline } from '../../host/deadline.ts';
import type { Context, FetchResult } from '../context.ts';
import type { Watcher } from './watcher.ts';

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
  work: Accepted & { readonly id: GenerationId; readonly isOld: boolean },
  context: Context,
  watcher: Watcher,
): Promise<Followed> {
  const { key, id } = work;
  let last = '';
  const { clock } = context.world;
  using late = deadline(work.limit, { clock });
  const end = await watcher.watch({
    id,
    isOld: work.isOld,
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
  late.clear();
  if (!end && context.signal.aborted) return { is: 'stopped' };
  if (!end) {
    const message = `not finished after ${work.limit} ms; generation ${id} goes on at the service and the next run takes it up`;
    return { is: 'failed', failure: { code: 'timed_out', message } };
  }
  const { record, took } = end;
  const forget = giveUp(work, context);
  if (end.is === 'lost') {
    const message = `the service took it as ${id}, and says now that it knows no such generation; the next run asks again${forget}`;
    return { is: 'failed', failure: { code: 'generation_lost', generation_id: id, message } };
  }
  const message = record.error_message?.trim() || 'the service gave no reason';
  if (record.status === 'cancelled')
    return { is: 'failed', failure: { code: 'generation_cancelled', generation_id: id, message } };
  if (record.status === 'failed')
    return { is: 'failed', failure: { code: 'generation_failed', generation_id: id, message } };
  if (!record.result_url) {
    const missing = `the service says it succeeded but gives no result_url; the next run asks again${forget}`;
    return { is: 'failed', failure: { code: 'download_failed', generation_id: id, message: missing } };
  }
  context.emit({ type: 'generated', key, generation_id: id, result_url: record.result_url, cost: work.price });
  if (!(await context.durable())) return { is: 'stopped' };
  context.world.failpoint?.('generated');
  return { is: 'generated', url: record.result_url, took };
}

/** How a person says that it is waited for no more; nothing where nobody said how to cancel. */
function giveUp({ key }: Pick<Accepted, 'key'>, { world }: Context): string {
  const { cancel } = world.settings;
  return cancel === undefined ? '' : `; to give it up, \`${cancel} ${asTyped(key)} --forget\``;
}

function kindMadeBy(model: string, { world }: Context): MediaKind {
  return world.planContext.library.get(model)?.produces === 'image' ? 'image' : 'video';
}

const TRIES = 4;

/**
 * Downloads, verifies and probes the result. An address that has expired, or gives something else than what was asked for, is read from
 * the generation again. What cannot be fetched stays open: it was paid for.
 */
export async function downloadResult(
  work: Accepted,
  url: string,
  context: Context,
): Promise<
  | { readonly is: 'ok'; readonly result: MediaResult }
  /** `gone`: the service does not keep it any more. */
  | { readonly is: 'failed'; readonly failure: Failure; readonly gone?: true }
  | { readonly is: 'stopped' }
> {
  const { fetchResult, clock, failpoint } = context.world;
  const kind = kindMadeBy(work.model, context);
  let message = '';
  let gone = true;
  let address = url;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (context.signal.aborted) return { is: 'stopped' };
    if (context.plan.instances.has(work.key)) context.emit({ type: 'download_started', key: work.key, bytes: null });
    failpoint?.('downloading');
    const fetched = await fetchResult(address, work.id ?? `call-${work.fingerprint}`, context.signal, kind);
    if (context.signal.aborted && fetched.is !== 'ok') return { is: 'stopped' };
    if (fetched.is === 'ok') {
      failpoint?.('download-placed');
      return { is: 'ok', result: await resultOf(work, address, fetched, kind, context) };
    }
    message = fetched.message;
    gone &&= fetched.is === 'gone';
    await clock.sleep(backoff(attempt), context.signal);
    if (work.id === null) continue;
    const record = await context.world.service.generation(work.id, context.signal);
    if (record.is === 'ok' && record.value.result_url) address = record.value.result_url;
  }
  const next = work.id === null && gone ? 'a call leaves nothing to ask for again' : 'the next run asks for it again';
  const owned = `${message}; it is made and stays yours: ${next}${giveUp(work, context)}`;
  const failure = { code: 'download_failed', generation_id: work.id, message: owned } as const;
  return { is: 'failed', failure, ...(gone && { gone }) };
}

async function resultOf(
  work: Accepted,
  url: string,
  { sha256, bytes, file, media: seen }: Extract<Awaited<ReturnType<FetchResult>>, { readonly is: 'ok' }>,
  kind: MediaKind,
  context: Context,
): Promise<MediaResult> {
  const media = seen ?? (await context.world.probe(file)) ?? { kind };
  return {
    ...{ is: 'media', result_url: url, file, sha256, bytes, generation_id: work.id },
    ...{ request: work.request, cost: work.price, media },
  };
}
