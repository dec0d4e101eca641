/**
 * Carries a plan out. The loop asks the state what may start, starts it, and is called again whenever something happened;
 * it ends when nothing runs and nothing may start. Which of the ready ones goes first is the pools' business: the longest
 * remaining path.
 */
import type { Failure } from '../domain/failure.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { Instance } from '../domain/plan.ts';
import type { Result } from '../domain/result.ts';
import { unreachable } from '../domain/unreachable.ts';
import { localFile } from '../plan/reach.ts';
import { type Resolved, resolve } from '../plan/resolve.ts';
import type { Via } from '../plan/resolved.ts';
import type { Addresses } from './addresses.ts';
import type { Cancellations } from './cancel.ts';
import { converse } from './chat.ts';
import { bringHome, follow } from './collect.ts';
import { runLocally } from './command.ts';
import type { Context } from './context.ts';
import type { Deployments } from './deployments.ts';
import type { Desks } from './desks.ts';
import type { Expectations } from './expectations.ts';
import type { Health } from './health.ts';
import { makeNow, type Submission, submit, takeUp } from './submit.ts';
import { tokenize } from './tokenize.ts';
import type { Watcher } from './watch.ts';

export interface Crew {
  readonly context: Context;
  readonly watcher: Watcher;
  readonly health: Health;
  readonly addresses: Addresses;
  readonly expectations: Expectations;
  readonly desks: Desks;
  readonly deployments: Deployments;
  readonly cancellations: Cancellations;
}

/** Resolves when everything that could be done is done, or has really stopped. */
export async function carryOut(crew: Crew): Promise<void> {
  const { context } = crew;
  const running = new Set<Promise<void>>();
  const bugs: unknown[] = [];
  let wake: () => void = () => {};
  context.onChange(() => wake());
  for (;;) {
    const changed = new Promise<void>(resolve => {
      wake = resolve;
    });
    for (const { key, by } of takeAllDoomed(context)) context.emit({ type: 'blocked', key, by });
    if (!context.stopped) {
      for (const instance of context.state.takeReady()) {
        const work = carryOutOne(instance, crew)
          .catch(bug => void bugs.push(bug))
          .finally(() => {
            running.delete(work);
            wake();
          });
        running.add(work);
      }
    }
    crew.deployments.letGo();
    // A service's or an author's trouble never throws: this is ours, and with money it is better to stop.
    if (bugs.length > 0) throw bugs[0];
    if (running.size === 0) return;
    await changed;
  }
}

/** Blocking one instance dooms those behind it: until nobody is left. */
function* takeAllDoomed(context: Context): Iterable<{ readonly key: InstanceKey; readonly by: InstanceKey }> {
  for (;;) {
    const doomed = context.state.takeDoomed();
    if (doomed.length === 0) return;
    for (const one of doomed) if (context.state.get(one.key).is === 'waiting') yield one;
  }
}

async function carryOutOne(instance: Instance, crew: Crew): Promise<void> {
  const { context } = crew;
  const { key } = instance;
  const resolved: Resolved = resolve(
    context.plan,
    instance,
    need => context.state.result(need),
    context.world.planContext,
  );
  switch (resolved.is) {
    case 'skip':
      return context.emit({ type: 'skipped', key, why: resolved.why });
    case 'invalid':
      return context.emit({ type: 'failed', key, failure: resolved.failure });
    case 'pending':
      throw new Error(`${key} was started while it still waits for ${resolved.on.join(', ')}`);
    case 'command':
    case 'tokenize':
    case 'request': {
      const owned = ownedAlready(instance, resolved.fingerprint, crew);
      if (owned) return context.emit({ type: 'reused', key, fingerprint: resolved.fingerprint, result: owned });
      if (resolved.is === 'command') {
        return context.pools.command(instance.remaining, () => runLocally(instance, resolved, crew));
      }
      if (resolved.is === 'tokenize') {
        const { fingerprint } = resolved;
        return finish(key, fingerprint, await tokenize(key, resolved, context, crew.health), context);
      }
      const rising = crew.deployments.ready(resolved.model, resolved.fingerprint);
      const barred = rising && (await rising);
      if (barred) return fail(key, barred, context);
      return generate(instance, resolved, crew);
    }
    default:
      return unreachable(resolved);
  }
}

function ownedAlready(instance: Instance, fingerprint: string, { context, addresses }: Crew): Result | undefined {
  if (!instance.step.cache) return undefined;
  const mine = context.owned.get(fingerprint);
  if (mine) return mine;
  const earlier = context.world.planContext.owned.find(fingerprint);
  if (earlier) addresses.remember(earlier);
  return earlier;
}

async function generate(instance: Instance, resolved: Resolved & { is: 'request' }, crew: Crew): Promise<void> {
  const { context } = crew;
  const { fingerprint } = resolved;
  if (instance.step.cache) {
    const twin = context.twins.get(fingerprint);
    if (twin) return joinTwin(instance, twin, resolved, crew);
  }
  const done =
    resolved.via.is === 'chat' ? converseOnce(instance, resolved, resolved.via, crew) : film(instance, resolved, crew);
  context.twins.set(fingerprint, done);
  await done;
}

async function converseOnce(
  instance: Instance,
  resolved: Resolved & { is: 'request' },
  via: Extract<Via, { is: 'chat' }>,
  crew: Crew,
): Promise<void> {
  const { context, health, addresses } = crew;
  const { key, remaining } = instance;
  const { fingerprint, model } = resolved;
  await context.pools.generation(model, remaining, async () => {
    if (context.signal.aborted) return;
    const open = context.takeLeftOver(fingerprint);
    const taken = open && (await takeUp(open, key, context, health));
    if (taken?.is === 'stopped') return;
    if (taken?.is === 'failed') return fail(key, taken.failure, context);
    const renewed = await addresses.refresh(resolved.request);
    if (context.signal.aborted) return;
    if (renewed.is === 'gone') return fail(key, { code: 'request_invalid', message: renewed.message }, context);
    const asked = { ...resolved, request: renewed.request };
    const work = { instance, resolved: asked, via, limit: timeLimit(instance) };
    finish(key, fingerprint, await converse(work, context, health), context);
    // Nobody else keeps what was written.
    context.world.journal.commit();
  });
}

/** The result is ours: those behind may start, and whoever asks for the same has it already. */
function finish(
  key: InstanceKey,
  fingerprint: string,
  ended:
    | { readonly is: 'ok'; readonly result: Result }
    | { readonly is: 'failed'; readonly failure: Failure }
    | { readonly is: 'stopped' },
  context: Context,
): void {
  if (ended.is === 'stopped') return;
  if (ended.is === 'failed') {
    context.emit({ type: 'failed', key, failure: ended.failure });
    return;
  }
  context.owned.set(fingerprint, ended.result);
  context.emit({ type: 'succeeded', key, fingerprint, result: ended.result });
}

/** Media: through the queue and followed, or by a call that waits for it; then brought home. */
async function film(instance: Instance, resolved: Resolved & { is: 'request' }, crew: Crew): Promise<void> {
  const { context, watcher } = crew;
  const { key, remaining } = instance;
  const { fingerprint, model, via } = resolved;
  const work = context.pools.generation(model, remaining, async () => {
    if (context.signal.aborted) return;
    if (via.is === 'queue') await watcher.listen(LISTEN_FIRST, context.signal);
    const submission = await submitOnce(instance, resolved, crew);
    if (!submission) return;
    const { submitted, sent } = submission;
    if (submitted.is === 'stopped') return;
    if (submitted.is === 'failed') return fail(key, submitted.failure, context);
    const accepted = {
      ...sent,
      key,
      id: submitted.is === 'accepted' ? submitted.id : null,
      expected: crew.expectations.of(model),
      limit: timeLimit(instance),
    };
    if (submitted.is === 'made') return { accepted, url: submitted.url };
    await watcher.listen(LISTEN_FIRST, context.signal);
    const followed = await follow({ ...accepted, id: submitted.id }, context, watcher);
    if (followed.is === 'stopped') return;
    if (followed.is === 'failed') return fail(key, followed.failure, context);
    crew.expectations.learn(model, followed.took);
    return { accepted, url: followed.url };
  });
  const done = work.then(async made => {
    if (!made) return;
    // The service's slot is free again; the download has a pool of its own.
    const home = await context.pools.download(() => bringHome(made.accepted, made.url, context));
    finish(key, fingerprint, home, context);
  });
  await done;
}

/** The times an author gives for queueing and for running bound the time at the service together. */
function timeLimit({ step: { timeout } }: Instance): number | undefined {
  if (!timeout) return undefined;
  if (timeout.total !== undefined) return timeout.total;
  return timeout.queue === undefined && timeout.run === undefined
    ? undefined
    : (timeout.queue ?? 0) + (timeout.run ?? 0);
}

/** How long the first POST waits for the event stream, so that no completion is missed for want of a listener. */
const LISTEN_FIRST = 1_000;

/** Another instance is asking for the very same thing: its result is ours too, and only one is paid for. */
async function joinTwin(
  instance: Instance,
  twin: Promise<void>,
  resolved: Resolved & { is: 'request' },
  crew: Crew,
): Promise<void> {
  const { context } = crew;
  await twin;
  if (context.signal.aborted) return;
  const result = context.owned.get(resolved.fingerprint);
  if (result) {
    context.emit({ type: 'reused', key: instance.key, fingerprint: resolved.fingerprint, result });
    return;
  }
  context.twins.delete(resolved.fingerprint);
  await generate(instance, resolved, crew);
}

async function submitOnce(instance: Instance, resolved: Resolved & { is: 'request' }, crew: Crew) {
  const { context, health, addresses } = crew;
  const { key, price } = instance;
  const { fingerprint, model, via } = resolved;
  const open = context.takeLeftOver(fingerprint);
  if (open) {
    const submitted = await takeUp(open, key, context, health);
    if (submitted.is !== 'absent') return { submitted, sent: { ...open, key } };
  }
  const renewed = await addresses.refresh(resolved.request);
  if (context.signal.aborted) return undefined;
  if (renewed.is === 'gone') {
    fail(key, { code: 'request_invalid', message: renewed.message }, context);
    return undefined;
  }
  const file = context.world.settings.elsewhere && localFile(renewed.request);
  if (file) {
    const message = `${file.field} is a file of this machine (${file.url}), which ${context.plan.service} cannot reach; put it where it has an https:// address, and name that`;
    fail(key, { code: 'request_invalid', message }, context);
    return undefined;
  }
  const work = { key, fingerprint, model, request: renewed.request, price };
  if (via.is !== 'sync') return { submitted: await submit(work, context, health), sent: work };
  const sent: Submission = { ...work, via: 'sync' };
  return { submitted: await makeNow(sent, via.endpoint, timeLimit(instance), context, health), sent };
}

function fail(key: InstanceKey, failure: Failure, context: Context): undefined {
  context.emit({ type: 'failed', key, failure });
  return undefined;
}
