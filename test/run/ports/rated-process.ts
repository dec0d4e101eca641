/** A film's process as the cases of admission drive it, over any journal. */
import { NO_DEMAND } from '../../../src/model/budget.ts';
import type { ServiceRates } from '../../../src/model/request-rates.ts';
import type { Event } from '../../../src/model/run/event.ts';
import type { GenerationId, InstanceKey } from '../../../src/model/run/key.ts';
import type { Result } from '../../../src/model/run/result.ts';
import { JournalAdmission } from '../../../src/run/admission/journal-admission.ts';
import type { Admission, Admitted } from '../../../src/run/ports/admission.ts';
import { admitted } from '../../support/admitted.ts';
import type { FilmProcess, FilmWorld } from './film-world.ts';

/** A project at a service, and the machine's time. */
export interface RatedWorld {
  /** A process that runs this film, with what its settings allow. The same film again: a later run of it. */
  process(film: string, rates: ServiceRates, account?: string): Promise<RatedProcess>;
  /** Unix milliseconds. */
  now(): number;
  passes(ms: number): Promise<void>;
  /** Somebody sets the clock. */
  setClock(ms: number): Promise<void>;
}

export interface RatedProcess {
  ask(request: string, model?: string): Promise<Admitted>;
  accepted(request: string): Promise<void>;
  /** The service provably did not take it. */
  refused(request: string): Promise<void>;
  succeeded(request: string): Promise<void>;
  failed(request: string): Promise<void>;
  /** Its answer was lost, and the run has given it up; or it takes too long, and is left to the next run. */
  givenUp(request: string, why: 'lost' | 'late'): Promise<void>;
  /** Killed: nothing more comes of it. */
  dies(): Promise<void>;
}

/** None of its own: the rates are what bounds. */
const LIMITS = { in_flight: 1_000, per_model: 1_000, submits_per_second: 1_000, attempts: 3 };
const never = new AbortController().signal;

export const rated = (world: FilmWorld): RatedWorld => ({
  now: () => world.clock.now(),
  passes: ms => world.passes(ms),
  setClock: ms => world.setClock(ms),
  async process(film, rates, account = 'house') {
    const process = await world.process(film, { account, rates });
    const { journal, isRunning } = process;
    const admission = new JournalAdmission({
      ...{ journal, clock: world.clock, account, limits: LIMITS, rates, owned: () => undefined, isRunning },
    });
    return ratedProcess(process, admission);
  },
});

function ratedProcess({ run, account, journal, dies }: FilmProcess, admission: Admission): RatedProcess {
  const key = (request: string) => `shot ${request}` as InstanceKey;
  const record = async (event: Event) => {
    journal.append(run, [event]);
    await journal.durable();
  };
  const nonce = (request: string) => `${run} ${request}`;
  const close = (request: string, event: object) =>
    record({ key: key(request), nonce: nonce(request), fingerprint: request, ...event } as Event);
  return {
    ask: (request, model = 'V-T2V-A') =>
      admitted(
        admission,
        {
          ...{ key: key(request), fingerprint: request, model, demand: NO_DEMAND, shared: true },
          intend: () => {
            const asked = { key: key(request), nonce: nonce(request), fingerprint: request, model, account };
            journal.append(run, [{ type: 'submit_intended', ...asked, request: {}, price: 1 }]);
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
