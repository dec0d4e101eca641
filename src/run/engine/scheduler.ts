/**
 * Starts the instances of a plan. The loop asks the state what may start, starts it, and goes on whenever something happened;
 * it ends when nothing runs and nothing may start. The queue decides which ready instance goes first: the one with the longest
 * remaining path.
 */

import type { Instance } from '../../model/plan.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { Result } from '../../model/run/result.ts';
import { labelOf } from '../../plan/kinds/index.ts';
import { flatten } from '../../plan/owned/asked-fields.ts';
import { isRedone, mayBeAway, ownedResult } from '../../plan/owned/owned-result.ts';
import { messages } from '../../plan/plan-messages.ts';
import { resolve } from '../../plan/values/resolve.ts';
import type { Skipped } from '../../plan/values/resolved.ts';
import { DamagedResult } from '../../records/store/store.ts';
import { executeWork } from '../kinds/index.ts';
import type { OutputPlacing } from '../outputs/place-outputs.ts';
import { expandOpenSteps } from './plan-growth.ts';
import type { RunCore } from './run-core.ts';
import type { RunServices } from './run-services.ts';

/** Resolves when everything that could be done is done, or has really stopped. */
export async function execute(services: RunServices, placing: OutputPlacing): Promise<void> {
  const { run } = services;
  const running = new Set<Promise<void>>();
  let wake: () => void = () => {};
  run.stopping.onChange(() => wake());
  const begin = (instance: Instance, over: () => void) => {
    const work = executeInstance(instance, services)
      // Failures of a service or of the author's file never throw, so any other exception is a bug of ours.
      .catch(error => (error instanceof DamagedResult ? failFor(error, instance, run) : run.stopping.reportBug(error)))
      .finally(() => {
        running.delete(work);
        over();
        wake();
      });
    running.add(work);
  };
  const ready = new ReadyLines(run, begin);
  for (;;) {
    const changed = new Promise<void>(resolve => {
      wake = resolve;
    });
    try {
      recordStuck(run);
      if (!run.stopping.beginning.aborted) {
        expandOpenSteps(services, placing);
        ready.add(run.state.takeReady());
      }
      services.deployments.releaseUnneeded();
    } catch (bug) {
      run.stopping.reportBug(bug);
    }
    if (running.size > 0 || (services.questions.isAttended && !run.stopping.beginning.aborted)) await changed;
    else if (run.stopping.beginning.aborted) break;
    // What was decided since the last look still moves this run; what comes later is for the next one.
    else if (!services.questions.look() && !run.state.hasNews) break;
  }
  services.questions.close();
}

interface LineRun {
  readonly state: Pick<RunCore['state'], 'isWaiting'>;
  readonly stopping: Pick<RunCore['stopping'], 'beginning'>;
  readonly settings: Pick<RunCore['settings'], 'limits'>;
}

/**
 * Ready instances on their way into the work queue. What has begun and waits there holds its request and some promises, 3 kB, so of those that
 * need the same places and have the same priority only as many begin as could start soon.
 */
export class ReadyLines {
  readonly #run: LineRun;
  readonly #begin: (instance: Instance, over: () => void) => void;
  readonly #lines = new Map<string, { begun: number; readonly held: Set<Instance> }>();
  readonly #most: number;

  constructor(run: LineRun, begin: (instance: Instance, over: () => void) => void) {
    this.#run = run;
    this.#begin = begin;
    const { in_flight, commands, downloads } = run.settings.limits;
    this.#most = 2 * Math.max(MIN_BEGUN, in_flight, commands, downloads);
  }

  add(instances: readonly Instance[]): void {
    for (const instance of instances) {
      const { step, remaining } = instance;
      const name = `${step.name} ${labelOf(step)} ${remaining}`;
      const line = this.#lines.get(name) ?? { begun: 0, held: new Set() };
      this.#lines.set(name, line);
      line.held.add(instance);
      this.#beginIn(line);
    }
  }

  #beginIn(line: { begun: number; readonly held: Set<Instance> }): void {
    const { state, stopping } = this.#run;
    for (const instance of line.held) {
      if (line.begun >= this.#most || stopping.beginning.aborted) return;
      line.held.delete(instance);
      // It may have lost a pick while it was held.
      if (!state.isWaiting(instance.key)) continue;
      line.begun++;
      this.#begin(instance, () => {
        line.begun--;
        if (line.begun <= this.#most / 2) this.#beginIn(line);
      });
    }
  }
}

const MIN_BEGUN = 500;

/** Nothing was sent: a file that it reads is no longer what it was, and the next run plans without it. */
const failFor = ({ message }: DamagedResult, { key }: Instance, { recorder }: RunCore): void =>
  recorder.fail(key, { code: 'input_changed', message: `${message}, then run again: it is downloaded or made again` });

/** Until none is left, because an instance that waits for a stuck one is stuck too. */
function recordStuck({ state, recorder }: RunCore): void {
  for (let stuck = state.takeStuck(); stuck.length > 0; stuck = state.takeStuck())
    for (const { key, is, by } of stuck) {
      if (!state.isWaiting(key)) continue;
      if (is === 'blocked') recorder.record({ type: 'blocked', key, by });
      else recorder.record({ type: 'left_out', key, why: messages.needsLeftOut(by) });
    }
}

async function executeInstance(instance: Instance, services: RunServices): Promise<void> {
  const { run } = services;
  const { key } = instance;
  let resolved = resolve(run.plan, instance, run.state.lookup, run.planContext);
  // A path that a result gave names a file that has not been read yet.
  if (resolved.is === 'invalid' && (await run.authorFiles?.load()))
    resolved = resolve(run.plan, instance, run.state.lookup, run.planContext);
  switch (resolved.is) {
    case 'skip': {
      const { standIn } = resolved;
      if (standIn !== undefined && run.state.lookup(standIn) === undefined)
        return run.state.waitOn(key, { instances: [standIn], steps: [] });
      return run.recorder.record(skippedEvent(key, resolved));
    }
    case 'invalid':
      return run.recorder.fail(key, resolved.failure);
    case 'pending':
      // What it has waited for shows what else it needs.
      return run.state.waitOn(key, resolved.waits);
    default: {
      const { fingerprint } = resolved;
      const owned = ownedAlready(instance, fingerprint, services);
      if (owned && !mayBeAway(instance.step, owned))
        return run.recorder.record({ type: 'reused', key, fingerprint, result: owned });
      const shared = await services.team.downloadFromTeam(instance, fingerprint);
      // It may have lost a pick meanwhile.
      if (shared === 'stopped' || run.state.get(key).is === 'left_out') return;
      if (shared) {
        services.addresses.remember(shared);
        return run.recorder.record({ type: 'reused', key, fingerprint, result: shared, fetched: true });
      }
      if (owned) return run.recorder.record({ type: 'reused', key, fingerprint, result: owned });
      const { asks, shown: _, ...work } = resolved;
      run.recorder.begin(key, flatten(asks));
      return executeWork(instance, work, services);
    }
  }
}

const skippedEvent = (key: InstanceKey, { why, by, standIn, needless }: Skipped) =>
  ({
    type: 'skipped',
    key,
    why,
    ...(by !== undefined && { by }),
    ...(standIn !== undefined && { stands_in: standIn }),
    ...(needless && { needless }),
  }) as const;

function ownedAlready(instance: Instance, fingerprint: string, { run, addresses }: RunServices): Result | undefined {
  if (isRedone(instance.key, fingerprint, run.planContext)) return undefined;
  const earlier = ownedResult(instance.step, fingerprint, run.planContext.owned);
  if (earlier) addresses.remember(earlier);
  return earlier;
}
