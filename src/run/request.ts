/** One request to a model, from the moment it is complete to its result: asked once, followed, brought home. */

import type { Instance } from '../domain/plan.ts';
import { localFile } from '../plan/reach.ts';
import type { Resolved } from '../plan/resolve.ts';
import type { Via } from '../plan/resolved.ts';
import { converse } from './chat.ts';
import { bringHome, follow } from './collect.ts';
import type { Crew } from './scheduler.ts';
import { makeNow, type Submission, submit, takeUp } from './submit.ts';

/** Only one is paid for, however many ask for the very same thing. */
export async function generate(instance: Instance, resolved: Resolved & { is: 'request' }, crew: Crew): Promise<void> {
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
    if (taken?.is === 'failed') return context.fail(key, taken.failure);
    const renewed = await addresses.refresh(resolved.request);
    if (context.signal.aborted) return;
    if (renewed.is === 'gone') return context.fail(key, { code: 'request_invalid', message: renewed.message });
    const asked = { ...resolved, request: renewed.request };
    const work = { instance, resolved: asked, via, limit: timeLimit(instance) };
    context.finish(key, fingerprint, await converse(work, context, health));
    // Nobody else keeps what was written.
    context.world.journal.commit();
  });
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
    if (submitted.is === 'failed') return context.fail(key, submitted.failure);
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
    if (followed.is === 'failed') return context.fail(key, followed.failure);
    crew.expectations.learn(model, followed.took);
    return { accepted, url: followed.url };
  });
  const done = work.then(async made => {
    if (!made) return;
    // The service's slot is free again; the download has a pool of its own.
    const home = await context.pools.download(() => bringHome(made.accepted, made.url, context));
    context.finish(key, fingerprint, home);
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
    context.fail(key, { code: 'request_invalid', message: renewed.message });
    return undefined;
  }
  const file = context.world.settings.elsewhere && localFile(renewed.request);
  if (file) {
    const message = `${file.field} is a file of this machine (${file.url}), which ${context.plan.service} cannot reach; put it where it has an https:// address, and name that`;
    context.fail(key, { code: 'request_invalid', message });
    return undefined;
  }
  const work = { key, fingerprint, model, request: renewed.request, price };
  if (via.is !== 'sync') return { submitted: await submit(work, context, health), sent: work };
  const sent: Submission = { ...work, via: 'sync' };
  return { submitted: await makeNow(sent, via.endpoint, timeLimit(instance), context, health), sent };
}
