/** What the rig's service offers beyond the document's queue when a test asks for it: deployments and cancelling. */
import type { CatalogModel, DeploymentStatus } from '../../src/api/catalog.ts';
import type { Answer, Changed } from '../../src/api/service.ts';
import type { RunRig } from './rig.ts';

/** Deployments whose strings the test holds. */
export class Deployments {
  readonly status = new Map<string, DeploymentStatus>();
  /** Every question, in order: `fox-look live`, `activate fox-look`. */
  readonly asked: string[] = [];
  /** What the next activations and deactivations meet instead: `take` tells whether they happen all the same. */
  readonly trouble: { readonly answer: Changed<CatalogModel> | 'never'; readonly take: boolean }[] = [];
  /** Nothing of it answers. */
  down = false;
  /** Where deploying leads at once; `deploying` waits for the test. */
  becomes: DeploymentStatus = 'deploying';
  readonly #heard: { readonly what: string; readonly tell: () => void }[] = [];

  constructor(rig: RunRig, status: Readonly<Record<string, DeploymentStatus>>) {
    for (const [model, now] of Object.entries(status)) this.status.set(model, now);
    Object.assign(rig.service, {
      model: async (id: string) => this.#look(id),
      activate: async (id: string) => this.#move(id, 'activate', ['inactive', 'error']),
      deactivate: async (id: string) => this.#move(id, 'deactivate', ['active']),
    });
  }

  /** What was asked, other than how a model is. */
  get moves(): readonly string[] {
    return this.asked.filter(what => !what.startsWith('look at'));
  }

  /** Resolves when this has been asked (again, if it was before). */
  heard(what: string): Promise<void> {
    return new Promise(tell => this.#heard.push({ what, tell }));
  }

  #hear(what: string): void {
    this.asked.push(what);
    for (const one of this.#heard.splice(0)) {
      if (one.what === what) one.tell();
      else this.#heard.push(one);
    }
  }

  #look(id: string): Answer<CatalogModel> {
    this.#hear(`look at ${id}`);
    if (this.down) return { is: 'unavailable', message: 'house does not answer' };
    const status = this.status.get(id);
    return status === undefined
      ? { is: 'absent', message: `Model not found: ${id}` }
      : { is: 'ok', value: { id, deployments: [{ status }] } as unknown as CatalogModel };
  }

  async #move(
    id: string,
    verb: 'activate' | 'deactivate',
    from: readonly DeploymentStatus[],
  ): Promise<Changed<CatalogModel>> {
    this.#hear(`${verb} ${id}`);
    const trouble = this.trouble.shift();
    const now = this.status.get(id);
    const possible = now !== undefined && from.includes(now) && !this.down;
    if (possible && trouble?.take !== false) this.status.set(id, verb === 'activate' ? this.becomes : 'inactive');
    if (trouble?.answer === 'never') return new Promise(() => {});
    if (trouble) return trouble.answer;
    if (this.down) return { is: 'unavailable', message: 'house does not answer' };
    if (now === undefined) return { is: 'absent', message: `Model not found: ${id}` };
    if (!possible) return { is: 'refused', status: 409, message: `the deployment of ${id} is ${now}` };
    return this.#look(id);
  }
}

/** `fox-look` is inactive, and active as soon as it is asked for. */
export function comingUp(rig: RunRig): Deployments {
  const models = new Deployments(rig, { 'fox-look': 'inactive' });
  models.becomes = 'active';
  return models;
}

/** Ids that the service was asked to cancel, in order. `stops` false: it says yes, and carries it out when the test says. */
export function offerCancelling(rig: RunRig, { stops = true } = {}): string[] {
  const asked: string[] = [];
  Object.assign(rig.service, {
    cancel: async (id: string): Promise<Answer<null>> => {
      asked.push(id);
      const record = rig.service.records.get(id);
      if (!record) return { is: 'absent', message: `no generation ${id}` };
      if (record.status !== 'processing')
        return { is: 'unavailable', message: `generation ${id} has already ${record.status} (409)` };
      const end = { status: 'cancelled', error_message: 'cancelled on request' };
      if (stops) rig.service.records.set(id, { ...record, ...end });
      return { is: 'ok', value: null };
    },
  });
  return asked;
}
