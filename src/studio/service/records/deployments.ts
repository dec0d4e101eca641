/**
 * Deployments of the custom models, and the only way their status moves:
 *
 *   inactive ──activate──▶ deploying ──after a while──▶ active (or error)
 *      ▲                                                  │
 *      └──after a while── deactivating ◀──deactivate──────┘
 *
 * "Activation applies to an inactive custom deployment; deactivation applies to an active custom deployment" (document, "Model
 * deployment status"). One in `error` may be activated again. Moves that time alone makes are worked out from the clock at each look, so
 * it also moves while no studio runs.
 *
 * The catalog shows the status that it last read from the provider. It reads it again with `deployment_status=live`, and now and then.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { DeploymentStatus } from '../../../api/catalog.ts';
import type { Clock } from '../../../machine/time/clock.ts';

/** Milliseconds. */
export const DEPLOYING = 6_000;
const DEACTIVATING = 2_000;
/** How old the catalog's knowledge may become. */
const STALE = 30_000;

export interface NewDeployment {
  readonly model: string;
  readonly status: DeploymentStatus;
  /** Where deploying leads. */
  readonly becomes: 'active' | 'error';
}

interface Row extends NewDeployment {
  /** Unix milliseconds of its last move. */
  readonly since: number;
  /** The status that the catalog shows, and when it was read. */
  readonly told: DeploymentStatus;
  readonly told_at: number;
}

type Moved = { readonly moved: boolean; readonly status: DeploymentStatus };

export class Deployments {
  readonly #database: DatabaseSync;
  readonly #clock: Clock;

  constructor(database: DatabaseSync, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Makes those that are not on record yet. */
  register(all: readonly NewDeployment[]): void {
    const now = this.#clock.now();
    const insert = this.#database.prepare('INSERT OR IGNORE INTO deployments VALUES (?, ?, ?, ?, ?, ?)');
    for (const { model, status, becomes } of all) insert.run(model, status, becomes, now, status, now);
  }

  /** As the catalog knows it; undefined for a model without a deployment. */
  lastKnown(model: string): DeploymentStatus | undefined {
    const row = this.#row(model);
    if (row === undefined) return undefined;
    return this.#clock.now() - row.told_at >= STALE ? this.live(model) : row.told;
  }

  /** As it is now. */
  live(model: string): DeploymentStatus | undefined {
    const row = this.#row(model);
    if (row === undefined) return undefined;
    const settled = settle(row, this.#clock.now());
    this.#record(model, settled);
    return settled.status;
  }

  activate(model: string): Moved {
    return this.#move(model, ['inactive', 'error'], 'deploying');
  }

  deactivate(model: string): Moved {
    return this.#move(model, ['active'], 'deactivating');
  }

  #move(model: string, from: readonly DeploymentStatus[], to: DeploymentStatus): Moved {
    const status = this.live(model);
    if (status === undefined) throw new Error(`${model} was asked to move and has no deployment`);
    if (!from.includes(status)) return { moved: false, status };
    this.#record(model, { status: to, since: this.#clock.now() });
    return { moved: true, status: to };
  }

  #row(model: string): Row | undefined {
    return this.#database.prepare('SELECT * FROM deployments WHERE model = ?').get(model) as Row | undefined;
  }

  #record(model: string, { status, since }: Pick<Row, 'status' | 'since'>): void {
    this.#database
      .prepare('UPDATE deployments SET status = ?, since = ?, told = ?, told_at = ? WHERE model = ?')
      .run(status, since, status, this.#clock.now(), model);
  }
}

/** Where time alone has brought it. */
function settle({ status, becomes, since }: Row, now: number): Pick<Row, 'status' | 'since'> {
  if (status === 'deploying' && now - since >= DEPLOYING) return { status: becomes, since: since + DEPLOYING };
  if (status === 'deactivating' && now - since >= DEACTIVATING)
    return { status: 'inactive', since: since + DEACTIVATING };
  return { status, since };
}
