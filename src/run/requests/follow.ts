/** From an accepted generation to a result on this disk: follow it, own it, bring it home, look at what it is. */
import { asTyped } from '../../domain/as-typed.ts';
import type { Failure } from '../../domain/failure.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { GenerationId, InstanceKey } from '../../domain/key.ts';
import { deadline } from '../../host/deadline.ts';
import type { RunCore } from '../run-core.ts';
import type { WatchedService } from './watcher.ts';

type Needs = Pick<RunCore, 'clock' | 'failpoint' | 'recorder' | 'settings' | 'stopping'>;

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
  run: Needs,
  watched: WatchedService,
): Promise<Followed> {
  const { key, id } = work;
  let last = '';
  const { clock } = run;
  using late = deadline(work.limit, { clock });
  const end = await watched.watch({
    id,
    isOld: work.isOld,
    expected: work.expected,
    signal: AbortSignal.any([run.stopping.signal, late.signal]),
    progress: record => {
      const fraction = record.progress ?? null;
      const position = record.position ?? null;
      const now = `${record.status} ${position} ${fraction}`;
      if (now === last) return;
      last = now;
      run.recorder.record({ type: 'progress', key, status: record.status, position, fraction });
    },
  });
  late.clear();
  if (!end && run.stopping.signal.aborted) return { is: 'stopped' };
  if (!end) {
    const message = `not finished after ${work.limit} ms; generation ${id} goes on at the service and the next run takes it up`;
    return { is: 'failed', failure: { code: 'timed_out', message } };
  }
  const { record, took } = end;
  const forget = giveUpHint(work, run);
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
  run.recorder.record({ type: 'generated', key, generation_id: id, result_url: record.result_url, cost: work.price });
  if (!(await run.recorder.durable())) return { is: 'stopped' };
  run.failpoint?.('generated');
  return { is: 'generated', url: record.result_url, took };
}

/** How a person says that it is waited for no more; nothing where nobody said how to cancel. */
export function giveUpHint({ key }: Pick<Accepted, 'key'>, { settings }: Pick<RunCore, 'settings'>): string {
  const { cancel } = settings;
  return cancel === undefined ? '' : `; to give it up, \`${cancel} ${asTyped(key)} --forget\``;
}
