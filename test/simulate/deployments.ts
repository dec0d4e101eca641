/** Deployments of models of one's own at the simulated service: each comes up and goes down in its time, and the door sees when. */
import type { CatalogModel, DeploymentStatus } from '../../src/api/catalog.ts';
import type { Answer, Changed } from '../../src/api/service.ts';
import type { DoorRow } from '../checker/check.ts';
import type { Dice } from './dice.ts';
import type { Time } from './time.ts';

export class Deployments {
  /** For the checker. */
  readonly door: DoorRow[] = [];
  readonly #time: Time;
  readonly #dice: Dice;
  readonly #endsGenerations: (model: string) => void;
  /** When each is active: milliseconds; absent: inactive. */
  readonly #activeFrom = new Map<string, number>();

  /** @param endsGenerations what is in the making of a model gives nothing any more. */
  constructor(time: Time, dice: Dice, endsGenerations: (model: string) => void) {
    this.#time = time;
    this.#dice = dice;
    this.#endsGenerations = endsGenerations;
  }

  /** Undefined: a base model, which is always there. */
  statusOf(model: string): DeploymentStatus | undefined {
    if (!model.endsWith('-look')) return undefined;
    const from = this.#activeFrom.get(model);
    if (from === undefined) return 'inactive';
    return this.#time.now < from ? 'deploying' : 'active';
  }

  /** Whether a request to this model can be taken. */
  serves(model: string): boolean {
    return (this.statusOf(model) ?? 'active') === 'active';
  }

  look(model: string): Answer<CatalogModel> {
    const status = this.statusOf(model);
    if (status === undefined) return { is: 'absent', message: `no model ${model}` };
    return { is: 'ok', value: { id: model, deployments: [{ status }] } as unknown as CatalogModel };
  }

  change(model: string, to: 'up' | 'down'): Changed<CatalogModel> {
    const status = this.statusOf(model);
    if (status !== (to === 'up' ? 'inactive' : 'active'))
      return { is: 'refused', status: 409, message: `the deployment is ${status}` };
    this.door.push({ is: to, at: this.#time.now, model });
    if (to === 'up') this.#activeFrom.set(model, this.#time.now + this.#dice.between(1_000, 60_000));
    else {
      this.#activeFrom.delete(model);
      this.#endsGenerations(model);
    }
    return this.look(model);
  }
}
