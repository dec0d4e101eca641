/**
 * A `tokenize` step. It moves no money, so it may be asked for again; a service that has begun it already refuses by the state the
 * fine-tune is in (409), which after an answer that was lost is the answer.
 */
import type { Failure } from '../domain/failure.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { TuningResult } from '../domain/result.ts';
import type { ResolvedTuning } from '../plan/resolved.ts';
import type { Context } from './context.ts';
import { backoff, type Health } from './health.ts';

type Tokenized =
  | { readonly is: 'ok'; readonly result: TuningResult }
  | { readonly is: 'failed'; readonly failure: Failure }
  | { readonly is: 'stopped' };

export async function tokenize(
  key: InstanceKey,
  { place, fingerprint }: ResolvedTuning,
  context: Context,
  health: Health,
): Promise<Tokenized> {
  const { service, clock, journal } = context.world;
  let mayHaveBegun = journal.wasCutOff(fingerprint);
  context.emit({ type: 'command_started', key, fingerprint });
  await journal.committed();
  const failed = (message: string): Tokenized => ({ is: 'failed', failure: { code: 'tokenize_failed', message } });
  for (let attempt = 0; ; attempt++) {
    const answer = await service.tokenize(place, context.signal);
    if (context.signal.aborted && answer.is !== 'ok') return { is: 'stopped' };
    switch (answer.is) {
      case 'ok':
        health.well();
        return { is: 'ok', result: { is: 'fine_tune', fine_tune: answer.value } };
      case 'refused':
        if (answer.status === 409 && mayHaveBegun)
          return { is: 'ok', result: { is: 'fine_tune', fine_tune: { id: place.id } } };
        return failed(answer.message);
      case 'absent':
        return failed(answer.message);
      case 'unauthenticated':
        health.refused(answer.message);
        return { is: 'stopped' };
      case 'unavailable':
        mayHaveBegun = true;
        health.trouble(answer.message);
        await clock.sleep(answer.retryAfter ?? backoff(attempt), context.signal);
        if (context.signal.aborted) return { is: 'stopped' };
    }
  }
}
