/** The models of a service, and what they cost: the studio's are known, a hosted service's are asked for. */
import type { CatalogModel, Pricing } from '../api/catalog.ts';
import type { Answer, Service } from '../api/service.ts';
import type { ModelLibrary } from '../domain/model.ts';
import { backoff } from '../host/backoff.ts';
import { systemClock } from '../host/clock.ts';
import { catalogLibrary, studioLibrary } from './available-models.ts';

/** Which models a film may name, and what they cost. */
interface Models {
  readonly is: 'known';
  readonly library: ModelLibrary;
  readonly pricing: ReadonlyMap<string, Pricing>;
  /** Undefined for the studio, which is not asked. */
  readonly catalog: readonly CatalogModel[] | undefined;
}

type Unreachable = { readonly is: 'unreachable'; readonly message: string };

/** What planning asks of a hosted service. */
export type HostedCatalog = Pick<Service, 'name' | 'account' | 'models'>;

export async function modelsOf(hosted: HostedCatalog | undefined): Promise<Models | Unreachable> {
  if (!hosted) {
    const price = (label: string) => studioLibrary.get(label)?.pricing as unknown as Pricing;
    const pricing = new Map(studioLibrary.labels.map(label => [label, price(label)]));
    return { is: 'known', library: studioLibrary, pricing, catalog: undefined };
  }
  const answer = await patientModels(hosted);
  if (answer.is === 'ok')
    return {
      is: 'known',
      library: catalogLibrary(answer.value),
      pricing: new Map(answer.value.map(model => [model.id, model.pricing])),
      catalog: answer.value,
    };
  return { is: 'unreachable', message: whyNoPrices(hosted.name, answer) };
}

/** How often the catalog is asked for: one bad moment is no reason to end a run before it begins. */
const TRIES = 4;

async function patientModels(hosted: HostedCatalog): ReturnType<Service['models']> {
  for (let attempt = 0; ; attempt++) {
    const answer = await hosted.models(AbortSignal.timeout(30_000));
    if (answer.is !== 'unavailable' || attempt + 1 === TRIES) return answer;
    await systemClock.sleep(Math.min(backoff(attempt, answer), LONGEST_WAIT));
  }
}

/** Milliseconds that a busy service is waited for between two tries. */
const LONGEST_WAIT = 10_000;

function whyNoPrices(name: string, { is, message }: Exclude<Answer<unknown>, { is: 'ok' }>): string {
  // The client's messages begin with the host, which may be all the name there is.
  const what = message.startsWith(name) ? message : `${name}: ${message}`;
  switch (is) {
    case 'unauthenticated':
      return `${what}: the key is missing or wrong; set SHOTLIST_API_KEY to a key of this service`;
    case 'absent':
      return `${what}: it has no catalog of models; check the base address`;
    case 'unavailable':
      return `${what}; check the base address, and that the service is up`;
  }
}
