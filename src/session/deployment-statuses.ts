/** What the service says of the deployments that a plan's requests would need. */
import type { CatalogModel, DeploymentStatus } from '../api/catalog.ts';
import { modelLibrary } from '../api/model-library.ts';
import type { Service } from '../api/service.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { Plan } from '../domain/plan.ts';
import { Refusal } from '../domain/refusal.ts';
import { inactiveModels, modelsToBeUp } from '../plan/inactive-models.ts';

/** Milliseconds: a plan is not held up for long by a service that is slow to tell. */
const PATIENCE = 10_000;

/**
 * Mistakes about custom models that nobody has activated. The list of models may be older than the deployment, so each custom one is
 * asked for as it is now.
 * @param catalog the service's models; undefined where it was not asked for them.
 */
export async function deploymentMistakes(
  plan: Plan,
  service: Pick<Service, 'model'>,
  catalog: readonly CatalogModel[] | undefined,
): Promise<readonly Diagnostic[]> {
  const listed = new Map(catalog?.map(model => [model.id, model]));
  // The interface document's own models are base models, which are always active.
  const custom = modelsToBeUp(plan).filter(
    id => modelLibrary.get(id) === undefined && (catalog === undefined || listed.get(id)?.model_type === 'custom'),
  );
  const statuses = await Promise.all(
    custom.map(async id => [id, (await liveStatus(id, service)) ?? statusOf(listed.get(id))] as const),
  );
  const known = new Map(statuses);
  return inactiveModels(plan, id => known.get(id));
}

/** Undefined where the service does not answer, or does not offer it: nothing is refused for that. */
async function liveStatus(id: string, service: Pick<Service, 'model'>): Promise<DeploymentStatus | undefined> {
  try {
    const answer = await service.model(id, AbortSignal.timeout(PATIENCE), { live: true });
    return answer.is === 'ok' ? statusOf(answer.value) : undefined;
  } catch (error) {
    // The built-in studio cannot be started twice: a run of this film has it.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

const statusOf = (model: CatalogModel | undefined): DeploymentStatus | undefined => model?.deployments[0]?.status;
