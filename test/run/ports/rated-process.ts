/** A film's process as the cases of admission drive it, over any journal. */
import { NO_DEMAND } from '../../../src/domain/budget.ts';
import type { Event } from '../../../src/domain/event.ts';
import type { GenerationId, InstanceKey, RunId } from '../../../src/domain/key.ts';
import type { Result } from '../../../src/domain/result.ts';
import type { Admission } from '../../../src/run/ports/admission.ts';
import type { Journal } from '../../../src/run/ports/journal.ts';
import type { RatedProcess } from './admission-cases.ts';

/** None of its own: the rates are what bounds. */
export const RATED_LIMITS = { in_flight: 1_000, per_model: 1_000, submits_per_second: 1_000, attempts: 3 };
const never = new AbortController().signal;

export interface RatedParts {
  readonly run: RunId;
  readonly account: string;
  readonly journal: Journal;
  readonly admission: Admission;
  readonly dies: () => Promise<void>;
}

export function ratedProcess({ run, account, journal, admission, dies }: RatedParts): RatedProcess {
  const key = (request: string) => `shot ${request}` as InstanceKey;
  const record = async (event: Event) => {
    journal.append(run, journal.numbered(event));
    await journal.commit();
  };
  const nonce = (request: string) => `${run} ${request}`;
  const close = (request: string, event: object) =>
    record({ key: key(request), nonce: nonce(request), fingerprint: request, ...event } as Event);
  return {
    ask: (request, model = 'V-T2V-A') =>
      admission.admit(
        {
          ...{ key: key(request), fingerprint: request, model, demand: NO_DEMAND, shared: true },
          intend: () => {
            const asked = { key: key(request), nonce: nonce(request), fingerprint: request, model, account };
            journal.append(run, journal.numbered({ type: 'submit_intended', ...asked, request: {}, price: 1 }));
            return nonce(request);
          },
        },
        never,
      ),
    accepted: request => close(request, { type: 'submit_accepted', generation_id: `gen ${request}`, found: false }),
    refused: request => close(request, { type: 'submit_refused', reason: 'no', retry_at: null }),
    succeeded: request => close(request, { type: 'succeeded', result: result(request) }),
    failed: request => {
      const generation_id = `gen ${request}` as GenerationId;
      return close(request, { type: 'failed', failure: { code: 'generation_failed', generation_id, message: 'no' } });
    },
    givenUp: async (request, why) => {
      const message = 'nobody can tell';
      if (why === 'lost') await close(request, { type: 'submit_unknown', reason: message });
      const failure =
        why === 'lost' ? { code: 'submit_unknown', message } : { code: 'timed_out', message, goes_on: true };
      await close(request, { type: 'failed', failure });
    },
    dies,
  };
}

const result = (request: string): Result => ({
  ...{ is: 'media', result_url: 'https://house.test/a.mp4', sha256: 'ab'.repeat(32), extension: '.mp4', bytes: 9 },
  ...{ generation_id: `gen ${request}` as GenerationId, request: {}, cost: 1, media: { kind: 'video', duration: 5 } },
});
