/** The models of a service, and what they cost: the studio's are known, a hosted service's are asked for. */
import type { CatalogModel, Pricing } from '../../api/catalog.ts';
import type { Answer, Service } from '../../api/service.ts';
import { backoff } from '../../machine/time/backoff.ts';
import { type Clock, systemClock } from '../../machine/time/clock.ts';
import { deadline } from '../../machine/time/deadline.ts';
import type { ModelLibrary } from '../../model/model.ts';
import { catalogLibrary, studioLibrary } from './model-from-catalog.ts';

/** Which models a film may name, and what they cost. */
export interface ModelsInUse {
  readonly is: 'known';
  readonly library: ModelLibrary;
  readonly pricing: ReadonlyMap<string, Pricing>;
  /** Undefined for the studio, which is not asked. */
  readonly catalog: readonly CatalogModel[] | undefined;
}

type Unreachable = { readonly is: 'unreachable'; readonly message: string };

/** What planning asks of a hosted service. */
export type HostedCatalog = Pick<Service, 'name' | 'account' | 'keyFrom' | 'models'>;

interface CatalogPatience {
  /**
   * `run`: the first question of a run is as patient as any later one. `look`: a person waits for a plan, so the catalog is asked
   * four times, within some seconds.
   */
  readonly to: 'run' | 'look';
  /** Called with the reason of a wait: at once if the service cannot be reached or is asked too often, after ten seconds if it does not answer. */
  readonly waiting?: ((message: string) => void) | undefined;
  readonly clock?: Clock;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** How long a service may be out of reach before a run gives up on it, in milliseconds. */
export const SERVICE_PATIENCE = 120_000;

export async function modelsOf(
  hosted: HostedCatalog | undefined,
  patience: CatalogPatience,
): Promise<ModelsInUse | Unreachable> {
  if (!hosted) {
    const price = (label: string) => studioLibrary.get(label)?.pricing as unknown as Pricing;
    const pricing = new Map(studioLibrary.labels.map(label => [label, price(label)]));
    return { is: 'known', library: studioLibrary, pricing, catalog: undefined };
  }
  const answer = await patientModels(hosted, patience);
  if (answer.is === 'ok')
    return {
      is: 'known',
      library: catalogLibrary(answer.value),
      pricing: new Map(answer.value.map(model => [model.id, model.pricing])),
      catalog: answer.value,
    };
  return { is: 'unreachable', message: whyNoPrices(hosted, answer) };
}

/** How often a command that only looks asks for the catalog. */
const TRIES = 4;
/** Milliseconds of one question. */
const ANSWER = 30_000;
/** Milliseconds that a busy service is waited for between two tries. */
const LONGEST_WAIT = 10_000;
const NEVER = new AbortController().signal;
/** Milliseconds without an answer after which the wait is reported. */
const SILENCE = 10_000;

async function patientModels(
  hosted: HostedCatalog,
  { to, waiting, clock = systemClock, signal = NEVER }: CatalogPatience,
): ReturnType<Service['models']> {
  using patience = deadline(SERVICE_PATIENCE, { clock, where: 'in the background' });
  using silence = deadline(SILENCE, { clock, where: 'in the background' });
  let isReported = false;
  const report = (why: string) => {
    if (!isReported) waiting?.(`${why}; the models are asked for again for up to two minutes`);
    isReported = true;
  };
  silence.signal.addEventListener('abort', () => report(`${hosted.name} has not answered for ten seconds`));
  for (let attempt = 0; ; attempt++) {
    using late = deadline(ANSWER, { clock });
    const answer = await hosted.models(AbortSignal.any([late.signal, signal]));
    const isOver = to === 'run' ? patience.signal.aborted : attempt + 1 === TRIES;
    if (answer.is !== 'unavailable' || isOver || signal.aborted) return answer;
    const why = answer.busy ? 'is asked too often' : 'cannot be reached';
    if (to === 'run') report(`${hosted.name} ${why} (${answer.message})`);
    await clock.sleep(Math.min(backoff(attempt, answer), LONGEST_WAIT), signal);
  }
}

function whyNoPrices({ name, keyFrom }: HostedCatalog, answer: Exclude<Answer<unknown>, { is: 'ok' }>): string {
  const { message } = answer;
  // The client's messages begin with the host, which may be all the name there is.
  const what = message.startsWith(name) ? message : `${name}: ${message}`;
  switch (answer.is) {
    case 'unauthenticated':
      return `${what}: the key is missing or wrong; ${keyFrom === undefined ? 'give' : `set ${keyFrom} to`} a key of this service`;
    case 'absent':
      return `${what}: it has no catalog of models; check the base address`;
    case 'unavailable':
      return answer.busy ? what : `${what}; check the base address, and that the service is up`;
  }
}

/** Milliseconds. */
const FRESH = 10 * 60_000;

type Models = Awaited<ReturnType<HostedCatalog['models']>>;

export function catalogNowAndThen(service: HostedCatalog, clock: Clock): HostedCatalog {
  let known: { readonly at: number; readonly answer: Models } | undefined;
  return {
    ...service,
    models: async signal => {
      if (known && clock.now() - known.at < FRESH) return known.answer;
      const answer = await service.models(signal);
      // A catalog of before is better than none.
      if (answer.is !== 'ok') return known?.answer ?? answer;
      known = { at: clock.now(), answer };
      return answer;
    },
  };
}
