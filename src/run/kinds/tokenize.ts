/**
 * A `tokenize` step. It moves no money, so it may be asked for again; a service that has begun it already refuses by the state the
 * fine-tune is in (409), which after an answer that was lost is the answer.
 */
import type { InstanceKey } from '../../domain/key.ts';
import { backoff } from '../../host/backoff.ts';
import type { ResolvedTuning } from '../../plan/resolved.ts';
import type { Context, Ended } from '../context.ts';
import type { ServiceHealth } from '../requests/service-health.ts';

export async function executeTokenize(
  key: InstanceKey,
  { place, fingerprint }: ResolvedTuning,
  context: Context,
  health: ServiceHealth,
): Promise<Ended> {
  const { service, clock, journal } = context.world;
  let mayHaveBegun = journal.wasCutOff(fingerprint);
  context.emit({ type: 'command_started', key, fingerprint });
  if (!(await context.durable())) return { is: 'stopped' };
  const failed = (message: string): Ended => ({ is: 'failed', failure: { code: 'tokenize_failed', message } });
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
        await clock.sleep(backoff(attempt, answer), context.signal);
        if (context.signal.aborted) return { is: 'stopped' };
    }
  }
}
