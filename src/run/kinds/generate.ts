/** One request to a model, from the moment it is complete to its result: asked once, followed, brought home. */
import type { JsonObject } from '../../domain/json.ts';
import type { Instance } from '../../domain/plan.ts';
import type { Result } from '../../domain/result.ts';
import { localFileIn } from '../../plan/local-file-check.ts';
import type { Resolved } from '../../plan/resolve.ts';
import type { RequestOutcome } from '../ports/admission.ts';
import { askChat } from '../requests/chat-call.ts';
import { type Accepted, downloadResult, follow } from '../requests/follow.ts';
import { idDoubt, type PaidRequest, type Sent, send } from '../requests/submit.ts';
import type { RunServices } from '../scheduler.ts';

type Request = Resolved & { readonly is: 'request' };

/** What comes of the time a slot of the service's pool is held. */
type AtService =
  | RequestOutcome
  | { readonly is: 'owned'; readonly result: Result }
  | { readonly is: 'twin'; readonly fate: Promise<RequestOutcome> }
  /** Made at the service, and still to be brought home. */
  | { readonly is: 'made'; readonly accepted: Accepted; readonly url: string };

export async function executeGenerate(instance: Instance, resolved: Request, crew: RunServices): Promise<void> {
  const { context } = crew;
  const { key, remaining } = instance;
  const { fingerprint, model } = resolved;
  const { admission } = context.world;
  let fate: RequestOutcome = { is: 'stopped' };
  let ours = true;
  try {
    const work = () => atService(instance, resolved, crew);
    const come = await context.pools.generation(model, remaining, work);
    ours = come.is !== 'twin' && come.is !== 'owned';
    if (come.is === 'owned') return context.emit({ type: 'reused', key, fingerprint, result: come.result });
    if (come.is === 'twin') return follows(await come.fate, instance, fingerprint, crew);
    // The service's slot is free again; the download has a pool of its own.
    fate =
      come.is === 'made' ? await context.pools.download(() => downloadResult(come.accepted, come.url, context)) : come;
    context.finish(key, fingerprint, fate);
    context.world.failpoint?.('succeeded-kept');
  } finally {
    // Whoever waits for the same is told, whatever happened.
    if (ours) admission.settle(fingerprint, fate);
  }
}

/** Another instance has asked for the very same thing: its fate is ours too, and only one is paid for. */
function follows(fate: RequestOutcome, { key }: Instance, fingerprint: string, { context }: RunServices): void {
  if (fate.is === 'ok') context.emit({ type: 'reused', key, fingerprint, result: fate.result });
  if (fate.is === 'failed') context.fail(key, fate.failure);
}

async function atService(instance: Instance, resolved: Request, crew: RunServices): Promise<AtService> {
  const { context, watcher } = crew;
  if (context.signal.aborted) return { is: 'stopped' };
  const { via } = resolved;
  if (via.is === 'queue') await watcher.listen(LISTEN_FIRST, context.signal);
  const ready = await withFreshAddresses(resolved, crew);
  if (ready.is !== 'ok') return ready;
  const { fingerprint, model, price } = resolved;
  const errand: PaidRequest = {
    ...{ key: instance.key, fingerprint, model, price, request: ready.request, shared: instance.step.cache },
    ...(via.is !== 'queue' && { via: via.is }),
  };
  if (via.is === 'chat') {
    const talk = { errand, via, limit: timeLimit(instance) };
    return askChat(talk, context, crew.health);
  }
  return via.is === 'sync' ? called(errand, via.endpoint, instance, crew) : queued(errand, instance, crew);
}

async function queued(errand: PaidRequest, instance: Instance, crew: RunServices): Promise<AtService> {
  const { context, health } = crew;
  const { service } = context.world;
  const { key, model, request } = errand;
  const once = (nonce: string) => service.enqueue({ ...request, model }, NEVER, nonce);
  const sent = await send(errand, { once, doubt: idDoubt(context) }, context, health);
  if (sent.is !== 'taken') return followed(sent, errand, instance, crew);
  const id = sent.answer.id as NonNullable<Accepted['id']>;
  context.emit({ type: 'submit_accepted', key, nonce: sent.nonce, generation_id: id, found: false });
  context.world.failpoint?.('id-kept');
  if (!(await context.durable())) return { is: 'stopped' };
  context.world.failpoint?.('id-durable');
  return followed({ is: 'accepted', id }, errand, instance, crew);
}

/** The endpoint that answers when the media is there: 5 to 15 minutes for a video, and waited for to the end. */
async function called(
  errand: PaidRequest,
  endpoint: Parameters<RunServices['context']['world']['service']['generateNow']>[0],
  instance: Instance,
  crew: RunServices,
): Promise<AtService> {
  const { context, health } = crew;
  const { service } = context.world;
  const { key, model, request, price: cost } = errand;
  const limit = timeLimit(instance);
  const once = (nonce: string, late: AbortSignal) => service.generateNow(endpoint, { ...request, model }, late, nonce);
  const sent = await send(errand, { once, limit }, context, health);
  if (sent.is !== 'taken') return followed(sent, errand, instance, crew);
  // One step is one piece of media: of several, the first.
  const [url] = sent.answer.urls;
  context.emit({ type: 'generated', key, generation_id: null, result_url: url, cost });
  if (!(await context.durable())) return { is: 'stopped' };
  return { is: 'made', accepted: acceptedOf(errand, null, instance, crew), url };
}

/** From an id to the service's last word. */
async function followed(
  sent: Exclude<Sent<never>, { readonly is: 'taken' }>,
  errand: PaidRequest,
  instance: Instance,
  crew: RunServices,
): Promise<AtService> {
  const { context, watcher } = crew;
  if (sent.is === 'made') {
    const { request, price } = sent.from;
    return { is: 'made', accepted: acceptedOf({ ...errand, request, price }, null, instance, crew), url: sent.url };
  }
  if (sent.is !== 'accepted') return sent;
  const { id, from } = sent;
  const asSent = from ? { ...errand, request: from.request, price: from.price ?? errand.price } : errand;
  const accepted = { ...acceptedOf(asSent, id, instance, crew), id };
  await watcher.listen(LISTEN_FIRST, context.signal);
  const ended = await follow({ ...accepted, isOld: from !== undefined }, context, watcher);
  if (ended.is !== 'generated') return ended;
  crew.expectations.learn(errand.model, ended.took);
  return { is: 'made', accepted, url: ended.url };
}

function acceptedOf(
  errand: PaidRequest,
  id: Accepted['id'],
  instance: Instance,
  { expectations }: RunServices,
): Accepted {
  const { key, fingerprint, model, request, price } = errand;
  return { key, fingerprint, model, request, price, id, expected: expectations.of(model), limit: timeLimit(instance) };
}

type Ready = { readonly is: 'ok'; readonly request: JsonObject } | Exclude<RequestOutcome, { readonly is: 'ok' }>;

/** What was asked for before needs no addresses any more. */
async function withFreshAddresses(resolved: Request, { context, addresses }: RunServices): Promise<Ready> {
  const { admission, settings } = context.world;
  if (admission.knows(resolved.fingerprint)) return { is: 'ok', request: resolved.request };
  const renewed = await addresses.refresh(resolved.request);
  if (context.signal.aborted) return { is: 'stopped' };
  if (renewed.is === 'gone') return invalid(renewed.message);
  const file = settings.elsewhere && localFileIn(renewed.request);
  if (!file) return renewed;
  return invalid(
    `${file.field} is a file of this machine (${file.url}), which ${context.plan.service} cannot reach; put it where it has an https:// address, and name that`,
  );
}

const invalid = (message: string): Ready => ({ is: 'failed', failure: { code: 'request_invalid', message } });

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

/** A POST through the queue has a deadline of its own, in the client. */
const NEVER = new AbortController().signal;
