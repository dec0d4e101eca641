/** One request to a model, from the moment it is complete to its result: asked once, followed, brought home. */
import type { MediaEndpoint } from '../../api/routes.ts';
import { NO_DEMAND } from '../../model/budget.ts';
import type { Instance } from '../../model/plan.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { JsonObject } from '../../model/text/json.ts';
import { localFileIn } from '../../plan/media/local-file-check.ts';
import { readsOfStep } from '../../plan/values/step-reads.ts';
import { endsIt } from '../../records/views/ledger.ts';
import { LONGEST_GENERATION } from '../admission/under-way.ts';
import { withDerived } from '../derived-inputs.ts';
import { outcomeOfEqual, ReportedWait, reportWhileWaiting } from '../engine/report-waits.ts';
import { resumeRetry, retryAfter } from '../engine/retry-failed.ts';
import type { Execute, RunServices, WorkToDo } from '../engine/run-services.ts';
import { timeLimit } from '../engine/time-limit.ts';
import type { RequestOutcome } from '../ports/admission.ts';
import { changedFile } from '../ports/author-files.ts';
import { askChat } from '../requests/chat-call.ts';
import { downloadResult } from '../requests/download-result.ts';
import { fetchAgain, fetchFromElsewhere } from '../requests/fetch-again.ts';
import { type Accepted, follow } from '../requests/follow.ts';
import {
  attemptsSpent,
  idDoubt,
  type NotSent,
  type PaidRequest,
  refuseFrozen,
  type Sent,
  send,
} from '../requests/submit.ts';
import { recordShared, sharesResult } from './made-once.ts';

/** What comes of the time a slot of the service's pool is held. */
type AtService =
  | RequestOutcome
  | NotSent
  /** Made at the service, and still to be brought home. */
  | { readonly is: 'made'; readonly accepted: Accepted; readonly url: string };

export const executeGenerate: Execute<'generate'> = async (instance, resolved, services) => {
  const { run, deployments } = services;
  const { key } = instance;
  const { fingerprint, model } = resolved;
  const fetched = await fetchAgain(instance, resolved, services);
  if (!isWanted(instance, services)) return;
  if (fetched.is === 'ok') {
    services.team.share(fetched.result);
    return run.recorder.record({ type: 'reused', key, fingerprint, result: fetched.result, fetched: true });
  }
  if (fetched.is === 'failed') return run.recorder.fail(key, fetched.failure);
  if (fetched.is === 'stopped' || run.stopping.signal.aborted) return;
  const { isDrawnAgain = false } = fetched;
  const withheld = mayBeHere(instance, fingerprint, run) ? undefined : services.team.withheld(fingerprint);
  if (withheld) return run.recorder.fail(key, withheld);
  // Of one that is open nothing is waited for.
  if (!mayBeHere(instance, fingerprint, run) && (await resumeRetry(instance, fingerprint, run)) === 'stopped') return;
  // A deployment is brought up, and bills, before admission is asked.
  if (!mayBeHere(instance, fingerprint, run)) {
    if (run.stopping.beginning.aborted) return;
    if (run.admission.isFrozen && !isDrawnAgain && run.plan.pipeline.deployments.includes(model)) {
      const refused = refuseFrozen(key, run);
      return run.recorder.settle(key, fingerprint, refused);
    }
    if (!(await mayActivate(model, key, services))) return;
  }
  const activating = deployments.activate(model, fingerprint);
  const barred = activating && (await activating);
  if (!isWanted(instance, services)) return;
  if (barred) return run.recorder.fail(key, barred);
  return request(instance, resolved, services, isDrawnAgain);
};

/** Whether the budgets allow an activation: a deployment bills by the second, for an unknown time. Emits `over_budget` if they do not. */
async function mayActivate(model: string, key: InstanceKey, { run, deployments }: RunServices): Promise<boolean> {
  if (!deployments.wouldActivate(model)) return true;
  const stop = await run.admission.stopsActivation();
  if (stop) run.recorder.emit({ type: 'over_budget', key, ...stop });
  return stop === undefined;
}

async function request(
  instance: Instance,
  given: WorkToDo<'generate'>,
  services: RunServices,
  isDrawnAgain: boolean,
): Promise<void> {
  // A budget has counted it since it was made first.
  const resolved = isDrawnAgain ? { ...given, demand: NO_DEMAND } : given;
  const { run, deployments } = services;
  const { key } = instance;
  const { fingerprint, model } = resolved;
  const ready = await readyToSend(instance, resolved, services);
  if (!ready) return;
  let outcome: RequestOutcome = { is: 'stopped' };
  let ours = true;
  let reason: string | undefined;
  using wait = new ReportedWait({ key, what: 'admission', reason: () => reason ?? '' }, run);
  try {
    for (let again = false, wasHeldBack = false; ; ) {
      const isNew: boolean = again || wasHeldBack || !run.admission.knows(fingerprint);
      const come: AtService = await run.queue.atService(instance, model, isNew, async () => {
        const came = await atService(instance, ready, { again, admitted: () => wait.end() }, services);
        if (came.is === 'failed' && !endsIt(came.failure)) staysInGroup(instance, fingerprint, run);
        return came;
      });
      if (come.is === 'held_back') {
        // Nothing new begins any more, and the gates are open to say so.
        if (run.stopping.beginning.aborted) break;
        // One that wants an answer of its own is new, whatever is known of its request.
        wasHeldBack = true;
        ({ again, reason } = come);
        if (reason === undefined) wait.end();
        else wait.begin();
        await come.over;
        continue;
      }
      ours = come.is !== 'in_flight' && come.is !== 'owned';
      if (!isWanted(instance, services)) return;
      if (come.is === 'owned') return run.recorder.record({ type: 'reused', key, fingerprint, result: come.result });
      if (come.is === 'in_flight')
        return recordShared(await outcomeOfEqual(key, come.outcome, run), key, fingerprint, run);
      if (come.is === 'elsewhere') {
        const found = await fetchFromElsewhere(instance, resolved, services);
        ({ again } = come);
        if (found.is === 'gone') continue;
        outcome = found;
        if (found.is !== 'ok') break;
        return run.recorder.record({ type: 'reused', key, fingerprint, result: found.result, fetched: true });
      }
      // The service's slot is free again; downloads have a limit of their own.
      outcome = come.is === 'made' ? await downloadMade(come, instance, fingerprint, run) : come;
      // What the service has made and does not give is asked for in the next run: another request would be paid for beside it.
      const isOver = come.is === 'made' || (outcome.is === 'failed' && !endsIt(outcome.failure));
      const next = isOver ? 'final' : await retryAfter(instance, fingerprint, outcome, run);
      if (next === 'stopped') outcome = { is: 'stopped' };
      if (next !== 'again') break;
      // The first request may have been sent by an earlier run, which ended its deployment.
      if (!(await mayActivate(model, key, services))) return;
      const barred = await deployments.activate(model, fingerprint);
      if (barred) outcome = { is: 'failed', failure: barred };
      if (barred) break;
      again = true;
    }
    if (isWanted(instance, services)) run.recorder.settle(key, fingerprint, outcome, isDrawnAgain);
    run.failpoint?.('succeeded-kept');
  } finally {
    // Requests that wait for the same content are settled, whatever happened.
    if (ours) run.admission.settle(fingerprint, outcome);
  }
}

/** The request with its frames and its published files; undefined: it is not sent, and that is recorded. */
async function readyToSend(
  instance: Instance,
  resolved: WorkToDo<'generate'>,
  services: RunServices,
): Promise<WorkToDo<'generate'> | undefined> {
  const { run } = services;
  const { key } = instance;
  const { fingerprint } = resolved;
  // Before a place at the service is held: what was asked for already is not asked again for want of a frame.
  const frames = await withDerived(resolved.request, 'address', key, run);
  if (frames.is === 'stopped') return undefined;
  if (frames.is === 'failed' && !run.admission.knows(fingerprint)) {
    const { message, here } = frames;
    run.recorder.fail(key, { code: 'request_invalid', message, ...(here && { here }) });
    return undefined;
  }
  const complete = frames.is === 'ok' ? { ...resolved, request: frames.value } : resolved;
  if ((await mayBePublished(instance, complete, services)) === 'not sent') return undefined;
  const published = await withPublished(complete, key, services);
  if (published.is === 'stopped') return undefined;
  if (published.is === 'failed' && !run.admission.knows(fingerprint)) {
    run.recorder.fail(key, published.failure);
    return undefined;
  }
  return published.is === 'ok' ? { ...complete, request: published.request } : complete;
}

/** The service may still be working on the request, so the request keeps its place in the group. */
function staysInGroup(instance: Instance, fingerprint: string, run: RunServices['run']): void {
  const open = run.journal.views.ledger.withFingerprint(fingerprint);
  if (!open) return;
  // A clock that was set back meanwhile makes it a thing of the future.
  const age = Math.max(0, run.clock.now() - open.at);
  void reportWhileWaiting(
    {
      // Any that could take the place: one report for the whole group.
      get key() {
        return waitingInGroup(instance, run);
      },
      what: 'admission',
      reason: () => `${instance.step.concurrency?.name} is held: the service may still be at ${instance.key}`,
    },
    run,
    () => run.queue.staysInGroup(instance, LONGEST_GENERATION - age),
  );
}

function waitingInGroup({ step }: Instance, { state }: RunServices['run']): InstanceKey | undefined {
  const group = step.concurrency?.name;
  if (group === undefined) return undefined;
  for (const other of state.instances)
    if (other.step.concurrency?.name === group && state.isWaiting(other.key)) return other.key;
  return undefined;
}

/** Whether there is something that admission may answer with beside `go`. */
const mayBeHere = (instance: Instance, fingerprint: string, run: RunServices['run']): boolean =>
  sharesResult(instance, fingerprint, run)
    ? run.admission.knows(fingerprint)
    : run.admission.openSubmissions.some(open => open.fingerprint === fingerprint);

async function atService(
  instance: Instance,
  resolved: WorkToDo<'generate'>,
  asked: Pick<PaidRequest, 'again' | 'admitted'>,
  services: RunServices,
): Promise<AtService> {
  const { run, watched } = services;
  if (run.stopping.signal.aborted || !isWanted(instance, services)) return { is: 'stopped' };
  const { via } = resolved;
  if (via.is === 'queue') await watched.listen(LISTEN_FIRST, run.stopping.signal);
  const ready = await withFreshAddresses(resolved, services);
  if (ready.is !== 'ok') return ready;
  const { fingerprint, model, price, demand } = resolved;
  const paid: PaidRequest = {
    ...{ key: instance.key, fingerprint, model, price, demand, request: ready.request },
    ...{ shared: sharesResult(instance, fingerprint, run), ...asked },
    ...(via.is !== 'queue' && { via: via.is }),
    isWanted: () => isWanted(instance, services),
  };
  if (via.is === 'chat') {
    const repeatsSecrets = readsOfStep(instance.step).secret;
    const { retry } = instance.step;
    const work = { paid, via, limit: timeLimit(instance.step), repeatsSecrets, ...(retry && { retry }) };
    return askChat(work, run, services.health);
  }
  return via.is === 'sync' ? called(paid, via.endpoint, instance, services) : queued(paid, instance, services);
}

/** It is made: whatever becomes of its download, it is not asked for anew. */
async function downloadMade(
  { accepted, url }: Extract<AtService, { readonly is: 'made' }>,
  instance: Instance,
  fingerprint: string,
  run: RunServices['run'],
): Promise<RequestOutcome> {
  for (;;) {
    const came = await downloadResult(accepted, url, run);
    const next = await retryAfter(instance, fingerprint, came, run);
    if (next !== 'again') return next === 'stopped' ? { is: 'stopped' } : came;
  }
}

/** It may have lost a pick while it waited for its turn. */
const isWanted = ({ key }: Instance, { run }: RunServices): boolean => run.state.get(key).is !== 'left_out';

async function queued(paid: PaidRequest, instance: Instance, services: RunServices): Promise<AtService> {
  const { run, health } = services;
  const { service } = run;
  const { key, model, request } = paid;
  const once = (nonce: string) => service.enqueue({ ...request, model }, NEVER, nonce);
  const sent = await send(paid, { once, doubt: idDoubt(run) }, run, health);
  if (sent.is !== 'taken') return followed(sent, paid, instance, services);
  const id = sent.answer.id as NonNullable<Accepted['id']>;
  run.recorder.record({ type: 'submit_accepted', key, nonce: sent.nonce, generation_id: id, found: false });
  run.failpoint?.('id-kept');
  if (!(await run.recorder.durable())) return { is: 'stopped' };
  run.failpoint?.('id-durable');
  return followed({ is: 'accepted', id }, paid, instance, services);
}

/** The endpoint that answers when the media is there: 5 to 15 minutes for a video, and waited for to the end. */
async function called(
  paid: PaidRequest,
  endpoint: MediaEndpoint,
  instance: Instance,
  services: RunServices,
): Promise<AtService> {
  const { run, health } = services;
  const { service } = run;
  const { key, model, request, price: cost } = paid;
  const limit = timeLimit(instance.step);
  const once = (nonce: string, late: AbortSignal) => service.generateNow(endpoint, { ...request, model }, late, nonce);
  const sent = await send(paid, { once, limit }, run, health);
  if (sent.is !== 'taken') return followed(sent, paid, instance, services);
  // One step is one piece of media: of several, the first.
  const [url] = sent.answer.urls;
  run.recorder.record({ type: 'generated', key, generation_id: null, result_url: url, cost });
  if (!(await run.recorder.durable())) return { is: 'stopped' };
  return { is: 'made', accepted: acceptedOf(paid, null, instance, services), url };
}

/** From an id to the service's last word. */
async function followed(
  sent: Exclude<Sent<never>, { readonly is: 'taken' }>,
  paid: PaidRequest,
  instance: Instance,
  services: RunServices,
): Promise<AtService> {
  const { run, watched } = services;
  if (sent.is === 'made') {
    const { request, price } = sent.from;
    return { is: 'made', accepted: acceptedOf({ ...paid, request, price }, null, instance, services), url: sent.url };
  }
  if (sent.is !== 'accepted') return sent;
  const { id, from } = sent;
  const asSent = from ? { ...paid, request: from.request, price: from.price ?? paid.price } : paid;
  const accepted = { ...acceptedOf(asSent, id, instance, services), id };
  await watched.listen(LISTEN_FIRST, run.stopping.signal);
  const ended = await follow({ ...accepted, isOld: from !== undefined }, run, watched);
  if (ended.is !== 'generated') return ended;
  services.estimates.learn(paid.model, ended.took);
  return { is: 'made', accepted, url: ended.url };
}

function acceptedOf(paid: PaidRequest, id: Accepted['id'], { step }: Instance, { estimates }: RunServices): Accepted {
  const { key, fingerprint, model, request, price } = paid;
  const { timeout } = step;
  const onTimeout = step.kind === 'generate' ? step.onTimeout : undefined;
  return { key, fingerprint, model, request, price, id, expected: estimates.of(model), timeout, onTimeout };
}

type Ready = { readonly is: 'ok'; readonly request: JsonObject } | Exclude<RequestOutcome, { readonly is: 'ok' }>;

/**
 * No file leaves this machine for a request that is refused for certain, and none early for one that a rate holds back: an upload costs little, but
 * any holder of its address can read it. For a request that only may be refused, files are published: asking after the upload would leave the place
 * at the service empty for as long as that takes.
 */
async function mayBePublished(
  instance: Instance,
  { request, fingerprint, model, demand }: WorkToDo<'generate'>,
  { run, published }: RunServices,
): Promise<'go on' | 'not sent'> {
  const { key } = instance;
  if (!published?.isNeededBy(request)) return 'go on';
  for (;;) {
    if (run.admission.knows(fingerprint)) return 'go on';
    if (run.stopping.beginning.aborted) return 'not sent';
    const foreseen = await run.admission.foresee({ fingerprint, model, demand });
    if (foreseen?.is === 'held_back') run.pace.reached(key, foreseen.reached, foreseen.until);
    else if (foreseen) {
      if (foreseen.is === 'over_budget') run.recorder.emit({ type: 'over_budget', key, ...foreseen.stop });
      else if (foreseen.is === 'frozen') run.recorder.settle(key, fingerprint, refuseFrozen(key, run));
      else run.recorder.fail(key, attemptsSpent(foreseen.times, key, run));
      return 'not sent';
    }
    if (run.queue.closedFor(model) === 0) return 'go on';
    // Nothing is done there: getting a place means that the gates are open.
    await run.queue.atService(instance, model, true, async () => {});
  }
}

async function withPublished(
  resolved: WorkToDo<'generate'>,
  key: Instance['key'],
  { run, published }: RunServices,
): Promise<Ready> {
  const { request, known } = resolved;
  if (!published) return { is: 'ok', request };
  const changed = await changedFile(resolved, run);
  if (changed) return { is: 'failed', failure: changed };
  const placed = await published.place(request, known, key);
  if (placed.is === 'failed') return invalid(`its media could not be published: ${placed.message}`);
  return placed.is === 'ok' ? { is: 'ok', request: placed.value } : placed;
}

/** What was asked for before needs no fresh addresses. */
async function withFreshAddresses(resolved: WorkToDo<'generate'>, { run, addresses }: RunServices): Promise<Ready> {
  const { admission, settings } = run;
  const request = await addresses.withRealPaths(resolved.request);
  if (admission.knows(resolved.fingerprint)) return { is: 'ok', request };
  const changed = await changedFile(resolved, run);
  if (changed) return { is: 'failed', failure: changed };
  const renewed = await addresses.refresh(request);
  if (run.stopping.signal.aborted) return { is: 'stopped' };
  if (renewed.is === 'gone') return invalid(renewed.message);
  const file = settings.elsewhere && localFileIn(renewed.request);
  if (!file) return renewed;
  const isHere = `${file.field} is a file of this machine (${file.url})`;
  return invalid(
    run.publisher
      ? `${isHere} that is no input of this film, and is not published; name it by its path from the pipeline file`
      : `${isHere}, which ${run.plan.service} cannot reach; put it where it has an https:// address, and name that, or set \`publish\``,
  );
}

const invalid = (message: string): Ready => ({ is: 'failed', failure: { code: 'request_invalid', message } });

/** How long the first POST waits for the event stream, so that no completion is missed for want of a listener. */
const LISTEN_FIRST = 1_000;

/** A POST through the queue has a deadline of its own, in the client. */
const NEVER = new AbortController().signal;
