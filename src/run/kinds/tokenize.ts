/**
 * A `tokenize` step. It moves no money, so it may be asked for again; a service that has begun it already refuses by the state the
 * fine-tune is in (409), which after an answer that was lost is the answer.
 */
import type { InstanceKey } from '../../domain/key.ts';
import { backoff } from '../../host/backoff.ts';
import type { ResolvedTuning } from '../../plan/resolved.ts';
import type { RequestOutcome } from '../ports/admission.ts';
import type { RunServices } from '../run-services.ts';
import type { Execute } from './execute.ts';

export const executeTokenize: Execute<'tokenize'> = async ({ key }, work, services) =>
  services.run.recorder.settle(key, work.fingerprint, await tokenize(key, work, services));

async function tokenize(
  key: InstanceKey,
  { place, fingerprint }: ResolvedTuning,
  { run, health }: Pick<RunServices, 'run' | 'health'>,
): Promise<RequestOutcome> {
  const { service, clock, journal } = run;
  let mayHaveBegun = journal.wasCutOff(fingerprint);
  run.recorder.record({ type: 'command_started', key, fingerprint });
  if (!(await run.recorder.durable())) return { is: 'stopped' };
  const failed = (message: string): RequestOutcome => ({ is: 'failed', failure: { code: 'tokenize_failed', message } });
  for (let attempt = 0; ; attempt++) {
    const answer = await service.tokenize(place, run.stopping.signal);
    if (run.stopping.signal.aborted && answer.is !== 'ok') return { is: 'stopped' };
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
        await clock.sleep(backoff(attempt, answer), run.stopping.signal);
        if (run.stopping.signal.aborted) return { is: 'stopped' };
    }
  }
}
