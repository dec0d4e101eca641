/**
 * Fetches a result that was made before and is not on this machine, as in a fresh clone or in CI: the lock file knows its generation,
 * and the service may still have it. The result is paid for again only when the service has it no more.
 */

import { backoff } from '../../machine/time/backoff.ts';
import type { Instance, Owned } from '../../model/plan.ts';
import type { Failure } from '../../model/run/failure.ts';
import type { MediaResult } from '../../model/run/result.ts';
import { isFree } from '../../model/run/run-money.ts';
import { formatUsd } from '../../model/text/format.ts';
import { isRedone } from '../../plan/owned/owned-result.ts';
import type { ResolvedRequest } from '../../plan/values/resolved.ts';
import { reportWhileWaiting } from '../engine/report-waits.ts';
import type { RunServices } from '../engine/run-services.ts';
import type { RequestOutcome } from '../ports/admission.ts';
import { downloadResult } from './download-result.ts';

type FetchedAgain =
  | { readonly is: 'ok'; readonly result: MediaResult }
  /**
   * There is nothing to fetch: it was never made, or the service has it no more. `isDrawnAgain`: the built-in studio draws the same again,
   * free.
   */
  | { readonly is: 'gone'; readonly isDrawnAgain?: boolean }
  /** The service has it, and it cannot be downloaded now: that is no reason to pay for it again. */
  | { readonly is: 'failed'; readonly failure: Failure }
  | { readonly is: 'stopped' };

export async function fetchAgain(
  instance: Instance,
  { fingerprint, model }: Pick<ResolvedRequest, 'fingerprint' | 'model'>,
  { run, health }: Pick<RunServices, 'run' | 'health'>,
): Promise<FetchedAgain> {
  const { planContext } = run;
  const isCached = instance.step.cache && !isRedone(instance.key, fingerprint, planContext);
  const known = isCached ? planContext.owned.atService(fingerprint) : undefined;
  const fetched = await fromService(instance, model, known, { run, health });
  if (fetched.is === 'gone' && known) {
    if (known.generation_id !== null) run.lock?.gone?.(known.generation_id);
    if (isFree(planContext)) return { is: 'gone', isDrawnAgain: true };
  }
  const damaged = fetched.is === 'gone' && isCached && planContext.owned.damaged?.(fingerprint);
  return damaged ? { is: 'failed', failure: notFetched(instance.key, damaged) } : fetched;
}

/**
 * Downloads a result that another machine of the team made meanwhile: from the team's store, else from the service. `gone`: neither has it.
 */
export async function fetchFromElsewhere(
  instance: Instance,
  request: Pick<ResolvedRequest, 'fingerprint' | 'model'>,
  services: Pick<RunServices, 'run' | 'health' | 'team'>,
): Promise<RequestOutcome | { readonly is: 'gone' }> {
  const { team } = services;
  const shared = await team.downloadFromTeam(instance, request.fingerprint);
  if (shared === 'stopped') return { is: 'stopped' };
  if (shared) return { is: 'ok', result: shared };
  const fetched = await fetchAgain(instance, request, services);
  if (fetched.is === 'ok') team.share(fetched.result);
  const withheld = fetched.is === 'gone' ? team.withheld(request.fingerprint) : undefined;
  return withheld ? { is: 'failed', failure: withheld } : fetched;
}

function notFetched(
  key: Instance['key'],
  { result: { generation_id, sha256, cost }, file }: NonNullable<ReturnType<NonNullable<Owned['damaged']>>>,
): Failure {
  const paid = cost === null ? 'its cost is not known' : `it cost ${formatUsd(cost)}`;
  const message = `its stored file is damaged (sha256 ${sha256.slice(0, 12)}…, now ${file}), and the service no longer has the result; ${paid}: adopt an intact copy with \`shotlist adopt\`, or pay for a new one with \`--redo ${key}\``;
  return { code: 'download_failed', generation_id, message, damaged: true };
}

async function fromService(
  instance: Instance,
  model: string,
  known: MediaResult | undefined,
  { run, health }: Pick<RunServices, 'run' | 'health'>,
): Promise<FetchedAgain> {
  const { service, clock } = run;
  const id = known?.generation_id;
  if (!known || id === null || id === undefined) return { is: 'gone' };
  const reason = () => `${service.name} has not answered whether it still has the result`;
  for (let attempt = 0; !run.stopping.signal.aborted; attempt++) {
    const asking = () => service.generation(id, run.stopping.signal);
    const answer = await reportWhileWaiting({ key: instance.key, what: 'record', reason }, run, asking);
    switch (answer.is) {
      case 'ok': {
        const { status, result_url } = answer.value;
        health.well();
        return status === 'succeeded' && result_url
          ? download(instance, model, known, result_url, run)
          : { is: 'gone' };
      }
      case 'absent':
        return { is: 'gone' };
      case 'unauthenticated':
        health.refused(answer.message);
        return { is: 'stopped' };
      case 'unavailable':
        // The whole run gives up on a service that does not answer: `ServiceHealth` decides when.
        health.trouble(answer.message);
        await clock.sleep(backoff(attempt, answer), run.stopping.signal);
    }
  }
  return { is: 'stopped' };
}

async function download(
  { key }: Instance,
  model: string,
  { generation_id: id, request, cost: price }: MediaResult,
  url: string,
  run: RunServices['run'],
): Promise<FetchedAgain> {
  const work = { key, id, fingerprint: '', model, request, price, expected: undefined };
  const fetched = await downloadResult(work, url, run);
  return fetched.is === 'failed' && fetched.gone ? { is: 'gone' } : fetched;
}
