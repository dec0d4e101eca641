/** From a generation that the service has made to a result on this disk. */

import { backoff } from '../../machine/time/backoff.ts';
import type { MediaKind } from '../../model/media/media.ts';
import type { Failure } from '../../model/run/failure.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { MediaResult } from '../../model/run/result.ts';
import { formatBytes, formatSeconds } from '../../model/text/format.ts';
import { reportWait, reportWhileWaiting } from '../engine/report-waits.ts';
import type { RunCore } from '../engine/run-core.ts';
import type { DownloadOutcome, DownloadTurn, DownloadWork } from '../ports/executor.ts';
import { type Accepted, askedAgain, giveUpHint } from './follow.ts';

function kindMadeBy(model: string, { planContext }: Pick<RunCore, 'planContext'>): MediaKind {
  return planContext.library.get(model)?.produces === 'image' ? 'image' : 'video';
}

/** Times that a download is tried before it is left to the next run. */
const TRIES = 4;

/**
 * Downloads, verifies and probes the result. An address that has expired, or gives something else than what was asked for, is read from
 * the generation again. What cannot be fetched stays open: it was paid for.
 */
export async function downloadResult(
  work: Accepted,
  url: string,
  run: RunCore,
): Promise<
  | { readonly is: 'ok'; readonly result: MediaResult }
  /** `gone`: the service does not keep it any more. */
  | { readonly is: 'failed'; readonly failure: Failure; readonly gone?: true }
  | { readonly is: 'stopped' }
> {
  const { clock, failpoint, service } = run;
  const { signal } = run.stopping;
  const kind = kindMadeBy(work.model, run);
  let message = '';
  let gone = true;
  let address = url;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (signal.aborted) return { is: 'stopped' };
    const started = () => {
      if (run.state.instances.has(work.key))
        run.recorder.note({ type: 'download_started', key: work.key, bytes: null });
      failpoint?.('downloading');
    };
    const id = work.id ?? `call-${work.fingerprint}`;
    const fetched = await downloadAndReport({ key: work.key, what: 'result', url: address, id, kind }, started, run);
    if (signal.aborted && fetched.is !== 'ok') return { is: 'stopped' };
    if (fetched.is === 'ok') {
      failpoint?.('download-placed');
      return { is: 'ok', result: resultOf(work, address, fetched, kind) };
    }
    message = fetched.message;
    gone &&= fetched.is === 'gone';
    await clock.sleep(backoff(attempt), signal);
    if (work.id === null) continue;
    const record = await service.generation(work.id, signal);
    if (record.is === 'ok' && record.value.result_url) address = record.value.result_url;
  }
  const isLost = work.id === null && gone;
  const next = isLost ? `a call leaves nothing to ask for again${giveUpHint(work, run)}` : askedAgain(work, run);
  const owned = `${message}; it is made and stays yours: ${next}`;
  const failure = { code: 'download_failed', generation_id: work.id, message: owned } as const;
  return { is: 'failed', failure, ...(gone && { gone }) };
}

/** What a download needs of a run. */
export type Downloads = Pick<
  RunCore,
  'clock' | 'executor' | 'plan' | 'queue' | 'recorder' | 'settings' | 'state' | 'stopping'
>;

/**
 * Downloads once, in its turn. Reports a failed try at once, and a silent or slow one after ten seconds.
 * @param what the instance waits for.
 */
export async function downloadAndReport(
  { key, what, ...work }: DownloadWork & { readonly key: InstanceKey; readonly what: 'result' | 'input' },
  started: () => void,
  run: Downloads,
  signal: AbortSignal = run.stopping.signal,
): Promise<DownloadOutcome> {
  const { executor, clock } = run;
  const since = clock.now();
  const wait = { key, what, reason: () => reason } as const;
  let reason = `downloads are limited to ${run.settings.limits.downloads} at once`;
  const turn: DownloadTurn = {
    started: () => {
      reason = `nothing has come yet from ${URL.parse(work.url)?.host ?? 'its address'}`;
      started();
    },
    came: (bytes, total) => {
      reason = `${formatBytes(bytes)}${total === null ? '' : ` of ${formatBytes(total)}`} came so far`;
    },
    trouble: (message, again) => {
      reason = `${message}; tried again in ${formatSeconds(again / 1000)}`;
      reportWait(wait, since, run);
    },
  };
  // One that the edited plan asks for no more comes last.
  const remaining = run.plan.instances.get(key)?.remaining ?? 0;
  return reportWhileWaiting(wait, run, () =>
    run.queue.download(remaining, () => executor.download(work, turn, signal)),
  );
}

function resultOf(
  { id, request, price }: Accepted,
  url: string,
  { sha256, extension, bytes, media }: Extract<DownloadOutcome, { readonly is: 'ok' }>,
  kind: MediaKind,
): MediaResult {
  return {
    ...{ is: 'media', result_url: url, sha256, extension, bytes, generation_id: id },
    ...{ request, cost: price, media: media ?? { kind } },
  };
}
