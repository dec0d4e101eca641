/**
 * The fold of a run's events into what is shown of it. Every text from outside is cleaned as it enters, so that no reader can forget to.
 *
 * The view is changed in place: a run of ten thousand instances has sixty thousand events, and copying would make that quadratic.
 * It is lenient: an event about an unknown key, or out of its usual order (a resumed run), is simply believed.
 */

import { rateText } from '../../model/request-rates.ts';
import type { EventType, PlannedInstance, RecordedEvent } from '../../model/run/event.ts';
import { unreachable } from '../../model/run/failure.ts';
import { type InstanceKey, stepOf } from '../../model/run/key.ts';
import { amountOf, moneyOf } from '../../model/run/run-money.ts';
import { cleanText, messageText, safeLines } from '../../model/text/clean.ts';
import { isLeftover, isOver, type RecordedInstanceEvent } from './instance-state.ts';
import { type DeploymentView, type EndedInstance, emptyRunView, InstanceView, type RunView } from './run-view.ts';

/** What may happen to many instances of a step for one reason. */
const ENDS_ALIKE: ReadonlySet<EventType> = new Set(['reused', 'skipped', 'left_out', 'blocked']);

/** The view with one more event in it: the same object. */
export function reduce(run: RunView, event: RecordedEvent): RunView {
  run.lastEventAt = Math.max(run.lastEventAt, event.at);
  run.idleSince ??= event.at;
  if (isLeftover(event)) return run;
  if (!ENDS_ALIKE.has(event.type)) flushAlike(run);
  switch (event.type) {
    case 'run_started':
      startRun(run, event);
      break;
    case 'expanded':
      run.openUsd.delete(event.step);
      for (const planned of event.instances) addInstance(run, planned);
      break;
    case 'stream_changed':
      run.stream = { up: event.up, reason: messageText(event.reason) };
      break;
    case 'service_changed':
      run.connection = { reachable: event.reachable, reason: messageText(event.reason) };
      break;
    case 'pace_changed':
      run.slowed = event.slower ? { until: event.until, reason: messageText(event.reason) } : null;
      break;
    case 'submit_refused':
      if (run.slowed && event.busy && event.retry_at !== null)
        run.slowed = { ...run.slowed, until: Math.max(run.slowed.until, event.retry_at) };
      reduceInstance(run, event);
      break;
    case 'held_back':
      noteRate(run, event);
      reduceInstance(run, event);
      break;
    case 'output_written':
    case 'output_failed':
      reduceOutput(run, event);
      break;
    case 'journal_failed':
      run.unjournaled = { reason: messageText(event.reason), ids: event.unwritten.map(unjournaledId) };
      break;
    case 'run_detached':
      // A command is typed as it is: two blanks in a value are two.
      run.detached = { running: event.running, resume: safeLines(event.resume).replace(/[\n\t]/g, ' ') };
      break;
    case 'activation_intended':
    case 'deployment_changed':
    case 'activation_closed':
    case 'still_billing':
      reduceDeployment(run, event);
      break;
    case 'cancel_failed':
      reduceCancelFailed(run, event);
      break;
    case 'run_finished':
      finishRun(run, event);
      break;
    default:
      reduceInstance(run, event);
  }
  return run;
}

function noteRate(run: RunView, event: Extract<RecordedEvent, { readonly type: 'held_back' }>): void {
  const rate = cleanText(rateText(event));
  const model = event.model === undefined ? {} : { model: cleanText(event.model) };
  run.ratesReached.set(rate, { rate, isAtOnce: event.rate === 'in_flight', until: event.until, ...model });
}

function reduceOutput(
  run: RunView,
  event: Extract<RecordedEvent, { readonly type: 'output_written' | 'output_failed' }>,
): void {
  const [output, path] = [cleanText(event.output), cleanText(event.path)];
  if (event.type === 'output_failed') run.failedOutputs.push({ output, path, reason: messageText(event.reason) });
  else run.outputs.push({ output, key: event.key, path, ...(event.media !== undefined && { media: event.media }) });
}

/** What was shown before it, of the connection and of an earlier run, stays. */
function startRun(run: RunView, event: Extract<RecordedEvent, { readonly type: 'run_started' }>): void {
  const { settled, stream, connection, lastEventAt, measured } = run;
  const atService = { made: 0, under_way: 0, lost: 0, drawn_again: 0 };
  for (const { at_service: is } of event.instances) if (is) atService[is] += 1;
  Object.assign(run, emptyRunView(), {
    ...{ settled, stream, connection, lastEventAt, atService, idleSince: event.at },
    measured: { ...measured, instances: 0, axes: new Map() },
    ...{
      id: event.run,
      name: cleanText(event.name),
      pipeline: cleanText(event.pipeline),
      service: cleanText(event.service),
    },
    profile: event.profile === undefined ? null : cleanText(event.profile),
    ...{ resumed: event.resumed, startedAt: event.at, budget: event.budget ?? [] },
    budgetAtStart: event.budget ?? [],
    keptIn: event.kept_in === undefined ? null : cleanText(event.kept_in),
    paidBefore: { usd: event.paid?.usd ?? null, perhaps: event.perhaps?.usd ?? null },
    ...{ plannedInstances: event.instances.length, onInterrupt: event.on_interrupt ?? 'detach' },
  } satisfies Partial<RunView>);
  const { usd, at_most, unpriced, open_unpriced, open = [] } = event;
  run.estimate = {
    usd,
    ...(at_most && { at_most }),
    ...(unpriced && { unpriced }),
    ...(open_unpriced && { open_unpriced }),
  };
  for (const one of open) run.openUsd.set(one.step, one.usd);
  for (const planned of event.instances) addInstance(run, planned);
  run.settled.push({ is: 'started' });
}

function finishRun(run: RunView, event: Extract<RecordedEvent, { readonly type: 'run_finished' }>): void {
  const { usd: _, list_price_usd: __, ...unsettled } = moneyOf(event);
  run.budget = event.budget ?? [];
  run.finished = {
    outcome: event.outcome,
    counts: event.counts,
    ...unsettled,
    usd: amountOf(event),
    estimated: event.estimated ?? 0,
    unpriced: event.unpriced ?? 0,
    reason: messageText(event.reason ?? ''),
  };
  run.outputsLeftOut = (event.outputs_left_out ?? []).map(cleanText);
  run.decidedLater = (event.decided_later ?? []).map(cleanText);
  run.settled.push({ is: 'finished' });
}

function addInstance(run: RunView, planned: PlannedInstance): InstanceView {
  const instance = new InstanceView(planned, run.instances.size);
  run.instances.set(planned.key, instance);
  return instance;
}

function reduceInstance(run: RunView, event: RecordedInstanceEvent): void {
  const price = event.type === 'submit_intended' ? event.price : null;
  const instance = run.instances.get(event.key) ?? addInstance(run, { key: event.key, model: '', needs: [], price });
  const [before, wasAtWork] = [instance.state.is, instance.isAtWork];
  instance.apply(event);
  countPeople(run, event, wasAtWork, instance.isAtWork);
  if (before === instance.state.is || !isOver(instance.state)) return;
  settle(run, Object.assign(instance, { ended: instance.state }));
}

/** Adds up the time in which no instance was at work and a person decided then. */
function countPeople(run: RunView, event: RecordedInstanceEvent, was: boolean, is: boolean): void {
  if (event.type === 'chosen' && event.choice.by === 'person' && run.atWork === 0) {
    run.waitedForPeople += event.at - (run.idleSince ?? event.at);
    run.idleSince = event.at;
  }
  if (was !== is) run.atWork += is ? 1 : -1;
  if (was && run.atWork === 0) run.idleSince = event.at;
}

/** `shot is generation gen_1` */
const unjournaledId = ({ key, generation_id }: { readonly key: InstanceKey; readonly generation_id: string }): string =>
  `${cleanText(key)} is generation ${cleanText(generation_id)}`;

/** So many instances of one step that end alike still have a line each. */
const MOST_ONE_BY_ONE = 4;

function settle(run: RunView, instance: EndedInstance): void {
  const first = run.alike[0];
  if (first !== undefined && sameEnd(first) !== sameEnd(instance)) flushAlike(run);
  if (sameEnd(instance) === null) run.settled.push({ is: 'instance', instance });
  else run.alike.push(instance);
}

/** Shows what ended alike without waiting for the next event: a line each when there are few, one line when there are many. */
export function flushAlike(run: RunView): void {
  const alike = run.alike;
  if (alike.length === 0) return;
  run.alike = [];
  if (alike.length > MOST_ONE_BY_ONE) run.settled.push({ is: 'group', instances: alike });
  else for (const instance of alike) run.settled.push({ is: 'instance', instance });
}

/** Equal for instances of one step that nothing was done for, for the same reason. */
function sameEnd({ key, ended: state }: EndedInstance): string | null {
  const step = stepOf(key);
  if (state.is === 'reused') return `${step} ${state.fetched ? 'fetched' : 'reused'}`;
  if (state.is === 'skipped') return `${step} ${state.needless ? 'needless' : 'skipped'} ${state.why}`;
  if (state.is === 'left_out') return `${step} left out ${state.why}`;
  if (state.is === 'blocked') return `${step} blocked ${state.by}`;
  return null;
}

type RecordedDeploymentEvent = Extract<
  RecordedEvent,
  { readonly type: 'activation_intended' | 'deployment_changed' | 'activation_closed' | 'still_billing' }
>;

function reduceDeployment(run: RunView, event: RecordedDeploymentEvent): void {
  const before = run.deployments.get(event.model) ?? { status: '', reason: '' };
  run.deployments.set(event.model, { ...before, ...deploymentAfter(event), model: cleanText(event.model) });
}

function deploymentAfter(event: RecordedDeploymentEvent): Partial<DeploymentView> & Pick<DeploymentView, 'is'> {
  switch (event.type) {
    case 'activation_intended':
      return { is: 'coming', status: '' };
    case 'deployment_changed':
      return { is: whose(event), status: cleanText(event.status) };
    case 'activation_closed':
      return { is: event.how === 'already_active' ? 'theirs' : 'ended' };
    case 'still_billing':
      return { is: 'left', reason: messageText(event.reason) };
    default:
      return unreachable(event);
  }
}

function whose({
  status,
  ours,
}: Extract<RecordedEvent, { readonly type: 'deployment_changed' }>): DeploymentView['is'] {
  if (ours) return status === 'active' ? 'ours' : 'coming';
  return status === 'active' || status === 'deploying' ? 'theirs' : 'coming';
}

/** It may be a generation of an earlier version of the film, without a row. */
function reduceCancelFailed(run: RunView, event: Extract<RecordedEvent, { readonly type: 'cancel_failed' }>): void {
  const { key, generation_id, why } = event;
  const id = generation_id === null ? null : cleanText(generation_id);
  const instance = run.instances.get(key);
  const index = instance?.index ?? run.instances.size;
  if (instance) reduceInstance(run, event);
  run.uncancelled.set(id ?? key, { index, label: cleanText(key), id, why, message: messageText(event.message) });
}
