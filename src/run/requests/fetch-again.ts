/**
 * A result that was made before and is not on this machine, as in a fresh clone or in CI: the lock file knows its generation, and the
 * service may still have it. Only when it is gone there is it paid for again.
 */
import type { Failure } from '../../domain/failure.ts';
import type { Instance } from '../../domain/plan.ts';
import type { MediaResult } from '../../domain/result.ts';
import { backoff } from '../../host/backoff.ts';
import type { RunServices } from '../scheduler.ts';
import { downloadResult } from './follow.ts';

export type FetchedAgain =
  | { readonly is: 'ok'; readonly result: MediaResult }
  /** There is nothing to fetch: it was never made, or the service has it no more. */
  | { readonly is: 'gone' }
  /** It is there, and cannot be brought here now: no reason to pay for it again. */
  | { readonly is: 'failed'; readonly failure: Failure }
  | { readonly is: 'stopped' };

export async function fetchAgain(instance: Instance, fingerprint: string, crew: RunServices): Promise<FetchedAgain> {
  const { context, health } = crew;
  const { planContext, service, clock } = context.world;
  const known = instance.step.cache ? planContext.owned.atService(fingerprint) : undefined;
  const id = known?.generation_id;
  if (!known || id === null || id === undefined) return { is: 'gone' };
  for (let attempt = 0; !context.signal.aborted; attempt++) {
    const answer = await service.generation(id, context.signal);
    switch (answer.is) {
      case 'ok': {
        const { status, result_url } = answer.value;
        health.well();
        return status === 'succeeded' && result_url ? home(instance, known, result_url, crew) : { is: 'gone' };
      }
      case 'absent':
        return { is: 'gone' };
      case 'unauthenticated':
        health.refused(answer.message);
        return { is: 'stopped' };
      case 'unavailable':
        // The run as a whole loses its patience with a service that does not answer.
        health.trouble(answer.message);
        await clock.sleep(backoff(attempt, answer), context.signal);
    }
  }
  return { is: 'stopped' };
}

async function home(
  { key, step }: Instance,
  { generation_id: id, request, cost: price }: MediaResult,
  url: string,
  { context }: RunServices,
): Promise<FetchedAgain> {
  const model = step.kind === 'generate' ? step.model : '';
  const work = { key, id, fingerprint: '', model, request, price, expected: undefined, limit: undefined };
  const fetched = await context.pools.download(() => downloadResult(work, url, context));
  return fetched.is === 'failed' && fetched.gone ? { is: 'gone' } : fetched;
}
