/**
 * Custom models with `activate: true` in the file. A deployment bills for as long as it is up, so what this file's runs bring
 * up they bring down: after its last use, and at every end of a run.
 *
 *   not ours ── intent is durable ── POST activate ─┬─ taken, or unknown ─► ours ─ deploying ─ active ─┐
 *      ▲                                            └─ refused: not ours                          │
 *      └──── closed in the journal ◄── POST deactivate is taken, or it is not up ◄── last use, or any end ─────┘
 *
 * - One that is active before we ask is left alone, and the run says so.
 * - Generations that are still open on it when it is brought down are cancelled first, where the service offers that: without their
 *   deployment they may never finish. It is brought down in any case, also when the run is only let go of: it bills by
 *   the second until it is ended, and a generation is paid for once.
 * - What could not be ended is named in the last words, and stays open in the journal: the next run of this file ends it.
 * - A turn of a team's run that another turn follows ends none: deployments, and their bill, belong to the next lead. Where none comes, any
 *   worker of the team ends them (`team/worker/orphaned-deployments.ts`).
 */
import type { CatalogModel, DeploymentStatus } from '../../api/catalog.ts';
import type { Changed, Service } from '../../api/service.ts';
import { backoff } from '../../machine/time/backoff.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { Instance } from '../../model/plan.ts';
import type { Failure } from '../../model/run/failure.ts';
import { unreachable } from '../../model/run/failure.ts';
import { formatSeconds } from '../../model/text/format.ts';
import { modelOf } from '../../plan/kinds/index.ts';
import { isOver } from '../../records/views/instance-state.ts';
import { reportWhileWaiting } from '../engine/report-waits.ts';
import type { RunCore } from '../engine/run-core.ts';
import type { Cancellations } from './cancel.ts';
import type { ServiceHealth } from './service-health.ts';

type Needs = Pick<
  RunCore,
  'admission' | 'clock' | 'journal' | 'plan' | 'recorder' | 'service' | 'settings' | 'state' | 'stopping'
>;

/** Milliseconds that a deployment may take to come up, or be waited for to be brought down again. */
const PATIENCE = 30 * 60_000;
/** Milliseconds between looks, at most: a studio on this machine may be asked as often as one likes. */
export const BEAT = 5_000;
const STUDIO_BEAT = 1_000;
/** Milliseconds for which an answer that this run leads its film is valid. */
const LEAD_VALID = 5_000;
/** Times that a service which does not answer is asked to end a deployment. */
export const TRIES = 4;

export type Deactivated =
  /** Another lead of the film ends it. */
  | { readonly is: 'left' }
  | { readonly is: 'down'; readonly how: 'deactivated' | 'not_up' }
  | { readonly is: 'billing'; readonly reason: string };

/** Asks until it is down, or it is clear that it cannot be brought down now. */
export async function deactivateModel(
  model: string,
  service: Service,
  clock: Clock,
  how: {
    /** Milliseconds between looks. */
    readonly beat: number;
    /** Times that a service which does not answer is asked. */
    readonly tries: number;
    /** Unix milliseconds: what was asked for last may be on its way until then, and "inactive" is not believed. */
    readonly settled: number;
    /** Milliseconds that one which is still on its way up is waited for; absent: half an hour. */
    readonly patience?: number;
    /** It is still on its way up, and has to be there before it can be ended. */
    readonly onDeploying: () => void;
    /** Asked before each request to end it: false leaves the deployment to another lead of the film. */
    readonly isOurs: () => Promise<boolean>;
    /** Aborts where another lead is to end it: no request is repeated then. */
    readonly signal: AbortSignal;
  },
): Promise<Deactivated> {
  const latest = clock.now() + (how.patience ?? PATIENCE);
  let cameUp = false;
  for (let attempt = 0, unheard = 0; ; attempt++) {
    if (how.signal.aborted || !(await how.isOurs())) return { is: 'left' };
    const answer = await service.deactivate(model, never());
    if (answer.is === 'ok') return { is: 'down', how: 'deactivated' };
    if (answer.is === 'unauthenticated') return { is: 'billing', reason: answer.message };
    const live = await service.model(model, never(), { live: true });
    const status = live.is === 'ok' ? statusOf(live.value) : undefined;
    if (status === 'inactive' && clock.now() < how.settled) {
      await clock.sleep(how.settled - clock.now(), how.signal);
      continue;
    }
    const isGone = live.is === 'absent' && answer.is === 'absent';
    if (isGone || status === 'inactive' || status === 'deactivating' || status === 'error')
      return { is: 'down', how: 'not_up' };
    // It came up between the two answers, and can be ended now.
    if (status === 'active' && answer.is === 'refused' && !cameUp) {
      cameUp = true;
      continue;
    }
    if (status === 'deploying') {
      if (attempt === 0) how.onDeploying();
      if (clock.now() >= latest) return { is: 'billing', reason: `it is still deploying: ${answer.message}` };
    } else {
      unheard += 1;
      if (answer.is !== 'unavailable' || unheard >= how.tries) return { is: 'billing', reason: answer.message };
    }
    await clock.sleep(Math.max(pauseAsked(answer), Math.min(how.beat, backoff(attempt))), how.signal);
  }
}

export class Deployments {
  readonly #run: Needs;
  readonly #health: ServiceHealth;
  readonly #cancellations: Cancellations;
  /** The instances that need each of the models with `activate` in the file. */
  readonly #users = new Map<string, Instance[]>();
  /** Deployments that bill because of us, as far as the journal knows, and when an activation was last asked for without an answer (or 0). */
  readonly #ours = new Map<string, number>();
  /** The service's last status of each. */
  readonly #statuses = new Map<string, DeploymentStatus>();
  readonly #activations = new Map<string, Promise<Failure | undefined>>();
  readonly #deactivations = new Map<string, Promise<void>>();
  /** Aborts when this run leaves its deployments to the next lead. */
  readonly #handedOver = new AbortController();

  constructor(run: Needs, health: ServiceHealth, cancellations: Cancellations) {
    this.#run = run;
    this.#health = health;
    this.#cancellations = cancellations;
    const { plan, journal } = run;
    for (const model of plan.pipeline.deployments) this.#users.set(model, []);
    this.add(plan.instances);
    for (const [model, { event }] of journal.views.activations(plan.service)) this.#ours.set(model, event.at);
  }

  add(instances: Iterable<Instance>): void {
    for (const instance of instances) {
      const model = modelOf(instance.step);
      if (model !== undefined) this.#users.get(model)?.push(instance);
    }
  }

  /** Whether it is to be brought up, and was not asked for yet. */
  wouldActivate(model: string): boolean {
    return this.#users.has(model) && !this.#activations.has(model);
  }

  /** Models that may still bill because of us. */
  get open(): readonly string[] {
    return [...this.#ours.keys()];
  }

  /**
   * Resolves when requests to this model may be sent, or with why they cannot; callers then check whether the run has stopped. Undefined, without a
   * wait: the file has no `activate` for it, or an earlier run has sent this very request.
   */
  activate(model: string, fingerprint: string): Promise<Failure | undefined> | undefined {
    if (!this.#users.has(model)) return undefined;
    if (this.#run.admission.openSubmissions.some(open => open.fingerprint === fingerprint && open.id !== undefined))
      return undefined;
    const reason = () => upText(model, this.#statuses.get(model), this.#run);
    const activation =
      this.#activations.get(model) ?? this.#reportWhile(model, reason, () => this.#activateModel(model));
    this.#activations.set(model, activation);
    return activation;
  }

  /** Begins to end those that are unneeded. */
  releaseUnneeded(): void {
    for (const model of this.#ours.keys()) if (!this.#isNeeded(model)) this.#end(model);
  }

  /** Resolves when all of ours are ended, or the rest is reported. The next lead of the film, if there is one, needs them. */
  async close(): Promise<void> {
    const { stopping, settings } = this.#run;
    const reason = stopping.reason?.is;
    if (reason === 'superseded') return;
    if (reason !== undefined && settings.isHandedOver?.(reason)) this.#handedOver.abort();
    else for (const model of this.#ours.keys()) this.#end(model);
    await Promise.all(this.#deactivations.values());
  }

  #end(model: string): void {
    if (this.#deactivations.has(model)) return;
    const deactivation = this.#reportWhile(
      model,
      () => `${model} is not ended yet`,
      () => this.#deactivateModel(model),
    );
    // `close` gets the error, possibly much later.
    deactivation.catch(() => {});
    this.#deactivations.set(model, deactivation);
  }

  /** Reports the wait for one instance, however many need the same deployment. */
  #reportWhile<T>(model: string, reason: () => string, work: () => Promise<T>): Promise<T> {
    const users = this.#users.get(model) ?? [];
    const user = users.find(({ key }) => !isOver(this.#run.state.get(key))) ?? users.at(-1);
    return reportWhileWaiting({ key: user?.key, what: 'deployment', reason }, this.#run, work);
  }

  #isNeeded(model: string): boolean {
    if (this.#isAwaited(model)) return true;
    return (this.#users.get(model) ?? []).some(({ key }) => {
      const state = this.#run.state.get(key);
      return !isOver(state) && state.stage !== 'generated';
    });
  }

  /** A step with unknown instances will run on it. */
  #isAwaited(model: string): boolean {
    const { plan, state } = this.#run;
    return plan.open.some(({ step: name }) => {
      if (!state.awaitsExpansion(name)) return false;
      const step = plan.pipeline.steps.find(one => one.name === name);
      return step !== undefined && modelOf(step) === model;
    });
  }

  async #activateModel(model: string): Promise<Failure | undefined> {
    const { service, clock, stopping } = this.#run;
    const { signal } = stopping;
    const latest = clock.now() + PATIENCE;
    let asked = false;
    let shown: DeploymentStatus | '' = '';
    const show = (status: DeploymentStatus) => {
      if (status !== shown) this.#emit(model, status);
      shown = status;
    };
    for (let look = 0; !signal.aborted; look++) {
      const answer = await service.model(model, signal, { live: true });
      if (signal.aborted) return undefined;
      switch (answer.is) {
        case 'unavailable':
          this.#health.trouble(answer.message);
          break;
        case 'unauthenticated':
          this.#health.refused(answer.message);
          return undefined;
        case 'absent':
          return failure(model, answer.message);
        case 'ok': {
          this.#health.well();
          const status = statusOf(answer.value);
          show(status);
          if (status === 'active') return undefined;
          if (status === 'error' && asked)
            return failure(model, 'its deployment ended in an error; ask the service why');
          if (asked || status === 'deploying' || status === 'deactivating') break;
          const activated = await this.#activate(model);
          if (activated.failure) return activated.failure;
          asked = activated.status !== undefined;
          // The deployment begins to come up only now, however long the wait was until here.
          look = 0;
          if (activated.status) show(activated.status);
          break;
        }
        default:
          return unreachable(answer);
      }
      if (clock.now() >= latest) {
        const seen = shown === '' ? '' : `, but ${shown}`;
        return failure(model, `it was not active after ${formatSeconds(PATIENCE / 1000)}${seen}; run again to go on`);
      }
      await clock.sleep(Math.max(pauseAsked(answer), Math.min(this.#beat, backoff(look))), signal);
    }
    return undefined;
  }

  /**
   * Records the intent durably, then asks. Returns the status where the service took it; neither where that is not known: the next read of the
   * status shows what came of it.
   */
  async #activate(model: string): Promise<{ readonly status?: DeploymentStatus; readonly failure?: Failure }> {
    const { service, clock, recorder, stopping } = this.#run;
    const wasOurs = this.#ours.has(model);
    if (!wasOurs) {
      recorder.record({ type: 'activation_intended', model });
      this.#ours.set(model, clock.now());
      if (!(await recorder.durable()) || stopping.signal.aborted) return {};
    }
    // A POST that costs money is never cut off, because its outcome would be unknown.
    this.#ours.set(model, clock.now());
    const answer = await service.activate(model, never());
    this.#ours.set(model, answer.is === 'unavailable' ? clock.now() : 0);
    if (answer.is === 'ok') return { status: statusOf(answer.value) };
    if (answer.is === 'unavailable') {
      // Asking again costs nothing more.
      this.#health.trouble(answer.message);
      return {};
    }
    const live = answer.is === 'refused' ? await service.model(model, never(), { live: true }) : undefined;
    const status = live?.is === 'ok' ? statusOf(live.value) : 'unknown';
    const isUp = status === 'active' || status === 'deploying';
    if (!wasOurs) this.#close(model, isUp ? 'already_active' : 'not_up');
    if (answer.is === 'unauthenticated') this.#health.refused(answer.message);
    return isUp || answer.is === 'unauthenticated' ? {} : { failure: failure(model, answer.message) };
  }

  async #deactivateModel(model: string): Promise<void> {
    const { service, clock } = this.#run;
    const isOurs = this.#leadCheck();
    if (!(await isOurs())) return;
    await this.#cancellations.ofModel(model);
    const down = await deactivateModel(model, service, clock, {
      isOurs,
      signal: this.#handedOver.signal,
      beat: this.#beat,
      settled: (this.#ours.get(model) ?? 0) + this.#run.settings.settleActivation,
      tries: this.#run.stopping.reason?.is === 'unreachable' ? 1 : TRIES,
      onDeploying: () => this.#emit(model, 'deploying'),
    });
    if (down.is === 'down') this.#close(model, down.how);
    if (down.is === 'billing') this.#run.recorder.emit({ type: 'still_billing', model, reason: down.reason });
  }

  /**
   * Returns a check whether this run still leads the film: a run that lost its film may not know it yet, and would end what its successor
   * needs. An answer is valid for a moment only: a machine that freezes can lose its lead meanwhile.
   */
  #leadCheck(): () => Promise<boolean> {
    const { admission, clock } = this.#run;
    let checkedAt = Number.NEGATIVE_INFINITY;
    return async () => {
      if (clock.now() - checkedAt < LEAD_VALID) return true;
      if (await admission.isSuperseded()) return false;
      checkedAt = clock.now();
      return true;
    };
  }

  get #beat(): number {
    return this.#run.settings.pace.progress === undefined ? BEAT : STUDIO_BEAT;
  }

  #emit(model: string, status: DeploymentStatus): void {
    this.#statuses.set(model, status);
    this.#run.recorder.emit({ type: 'deployment_changed', model, status, ours: this.#ours.has(model) });
  }

  #close(model: string, how: 'deactivated' | 'already_active' | 'not_up'): void {
    this.#ours.delete(model);
    this.#run.recorder.record({ type: 'activation_closed', model, how });
  }
}

const upText = (model: string, status: DeploymentStatus | undefined, { service }: Needs): string =>
  status === undefined ? `${service.name} has not answered how ${model} is` : `${model} is ${status}`;

const statusOf = ({ deployments }: CatalogModel): DeploymentStatus => deployments[0]?.status ?? 'unknown';

/** Milliseconds that a busy service wants to be left alone. */
const pauseAsked = (answer: Changed<unknown>): number => (answer.is === 'unavailable' ? (answer.retryAfter ?? 0) : 0);

/** The end of the run never cuts off the end of a deployment that bills; a person who cannot wait presses Ctrl-C again. */
const never = (): AbortSignal => new AbortController().signal;

const failure = (model: string, message: string): Failure => ({ code: 'deployment_failed', model, message });
