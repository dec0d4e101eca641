/**
 * Carries a plan out. The loop asks the state what may start, starts it, and is called again whenever something happened;
 * it ends when nothing runs and nothing may start. Which of the ready ones goes first is the pools' business: the longest
 * remaining path.
 */
import type { InstanceKey } from '../domain/key.ts';
import type { Instance } from '../domain/plan.ts';
import type { Result } from '../domain/result.ts';
import { unreachable } from '../domain/unreachable.ts';
import { type Resolved, resolve } from '../plan/resolve.ts';
import type { Context } from './context.ts';
import { executeCommand } from './kinds/command.ts';
import { executeGenerate } from './kinds/generate.ts';
import { executeTokenize } from './kinds/tokenize.ts';
import type { ScratchFolders } from './local/scratch-folders.ts';
import type { Cancellations } from './requests/cancel.ts';
import type { Deployments } from './requests/deployments.ts';
import type { DurationEstimates } from './requests/duration-estimates.ts';
import { fetchAgain } from './requests/fetch-again.ts';
import type { ResultAddresses } from './requests/result-addresses.ts';
import type { ServiceHealth } from './requests/service-health.ts';
import type { Watcher } from './requests/watcher.ts';

export interface RunServices {
  readonly context: Context;
  readonly watcher: Watcher;
  readonly health: ServiceHealth;
  readonly addresses: ResultAddresses;
  readonly expectations: DurationEstimates;
  readonly desks: ScratchFolders;
  readonly deployments: Deployments;
  readonly cancellations: Cancellations;
}

/** Resolves when everything that could be done is done, or has really stopped. */
export async function execute(crew: RunServices): Promise<void> {
  const { context } = crew;
  const running = new Set<Promise<void>>();
  let wake: () => void = () => {};
  context.onChange(() => wake());
  const begin = (instance: Instance) => {
    const work = executeInstance(instance, crew)
      // A service's or an author's trouble never throws: this is ours.
      .catch(bug => context.broke(bug))
      .finally(() => {
        running.delete(work);
        wake();
      });
    running.add(work);
  };
  for (;;) {
    const changed = new Promise<void>(resolve => {
      wake = resolve;
    });
    try {
      for (const { key, by } of takeAllBlocked(context)) context.emit({ type: 'blocked', key, by });
      if (!context.stopped) for (const instance of context.state.takeReady()) begin(instance);
      crew.deployments.releaseUnneeded();
    } catch (bug) {
      context.broke(bug);
    }
    if (running.size === 0) break;
    await changed;
  }
}

/** Blocking one instance dooms those behind it: until nobody is left. */
function* takeAllBlocked(context: Context): Iterable<{ readonly key: InstanceKey; readonly by: InstanceKey }> {
  for (;;) {
    const doomed = context.state.takeBlocked();
    if (doomed.length === 0) return;
    for (const one of doomed) if (context.state.get(one.key).is === 'waiting') yield one;
  }
}

async function executeInstance(instance: Instance, crew: RunServices): Promise<void> {
  const { context } = crew;
  const { key } = instance;
  const resolved: Resolved = resolve(context.plan, instance, context.lookup, context.world.planContext);
  switch (resolved.is) {
    case 'skip':
      return context.emit({ type: 'skipped', key, why: resolved.why });
    case 'invalid':
      return context.emit({ type: 'failed', key, failure: resolved.failure });
    case 'pending':
      throw new Error(`${key} was started while it still waits for ${resolved.on.join(', ')}`);
    case 'command': {
      const { fingerprint } = resolved;
      const owned = ownedAlready(instance, fingerprint, crew);
      if (owned) return context.emit({ type: 'reused', key, fingerprint, result: owned });
      return context.pools.command(instance.remaining, () => executeCommand(instance, resolved, crew));
    }
    case 'tokenize': {
      const { fingerprint } = resolved;
      const owned = ownedAlready(instance, fingerprint, crew);
      if (owned) return context.emit({ type: 'reused', key, fingerprint, result: owned });
      return context.finish(key, fingerprint, await executeTokenize(key, resolved, context, crew.health));
    }
    case 'request': {
      const { fingerprint, model } = resolved;
      // No deployment is brought up for what is here already.
      const owned = ownedAlready(instance, fingerprint, crew);
      if (owned) return context.emit({ type: 'reused', key, fingerprint, result: owned });
      const fetched = await fetchAgain(instance, fingerprint, crew);
      if (fetched.is === 'ok') return context.emit({ type: 'reused', key, fingerprint, result: fetched.result });
      if (fetched.is === 'failed') return context.fail(key, fetched.failure);
      if (fetched.is === 'stopped' || context.signal.aborted) return;
      const rising = crew.deployments.activate(model, fingerprint);
      const barred = rising && (await rising);
      if (barred) return context.fail(key, barred);
      return executeGenerate(instance, resolved, crew);
    }
    default:
      return unreachable(resolved);
  }
}

function ownedAlready(
  instance: Instance,
  fingerprint: string,
  { context, addresses }: RunServices,
): Result | undefined {
  if (!instance.step.cache) return undefined;
  const earlier = context.world.planContext.owned.find(fingerprint);
  if (earlier) addresses.remember(earlier);
  return earlier;
}
