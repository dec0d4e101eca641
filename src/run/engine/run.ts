/**
 * Runs a plan to its end. Resuming a run is the same thing: planning again over the journal, the store and the lock, and following
 * whatever is still open at the service.
 */

import type { BudgetStatus } from '../../model/budget.ts';
import type { Instance, Plan } from '../../model/plan.ts';
import { FINAL } from '../../model/profile.ts';
import type { Counts, Event, RunOutcome } from '../../model/run/event.ts';
import type { InstanceKey, RunId } from '../../model/run/key.ts';
import type { Asked } from '../../model/run/result.ts';
import { billedBy, type RunMoney, unsettledMoney } from '../../model/run/run-money.ts';
import { estimateOf } from '../../plan/cost/budget-plan.ts';
import { budgetStopText } from '../../plan/cost/budget-text.ts';
import { actsOutside } from '../../plan/kinds/index.ts';
import { flatten } from '../../plan/owned/asked-fields.ts';
import { keptPlan } from '../../plan/owned/keep-plan.ts';
import { resolve } from '../../plan/values/resolve.ts';
import { openRequest } from '../../records/views/ledger.ts';
import { Questions } from '../choices/open-questions.ts';
import type { Placed } from '../outputs/outputs.ts';
import { leftOutOutputs, OutputPlacing } from '../outputs/place-outputs.ts';
import { Cancellations } from '../requests/cancel.ts';
import { Deployments } from '../requests/deployments.ts';
import { downloadResult } from '../requests/download-result.ts';
import { DurationEstimates } from '../requests/follow.ts';
import { PublishedMedia, withSignedMedia } from '../requests/published-media.ts';
import { readBills } from '../requests/real-cost.ts';
import { RequestPace } from '../requests/request-pace.ts';
import { ResultAddresses } from '../requests/result-addresses.ts';
import { ServiceHealth } from '../requests/service-health.ts';
import { TeamResults } from '../requests/team-results.ts';
import {
  emitRoundEvents,
  leaveOutOpenSteps,
  openPrices,
  plannedInstance,
  sentBefore,
  settleIfKnown,
} from './plan-growth.ts';
import { reportingExecutor } from './report-waits.ts';
import type { RunCore, RunEnvironment } from './run-core.ts';
import { RunRecorder } from './run-recorder.ts';
import type { RunServices } from './run-services.ts';
import { execute } from './scheduler.ts';
import { RunState } from './state.ts';
import { type StopReason, StopSwitch } from './stop-switch.ts';
import { WorkQueue } from './work-queue.ts';

export interface Run {
  /** Resolves when nothing of this run is at work any more on this machine. */
  readonly done: Promise<Outcome>;
  /** Starts nothing new and ends every wait; generations go on at the service, and the next run resumes them. */
  detach(): void;
  /** Custom models that this film's runs brought up and have not ended: they bill at this moment. */
  billing(): readonly string[];
  /** Instances with open requests at the service: it goes on with them, and bills them. */
  open(): readonly InstanceKey[];
  /** Commands that act outside at this moment: ending the process now leaves their outcome unknown. */
  acting(): readonly InstanceKey[];
}

export interface Outcome extends RunMoney {
  readonly is: RunOutcome;
  readonly counts: Counts;
  readonly results: RunRecorder['results'];
  readonly outputs: readonly Placed[];
  /** Which choices it has acted on: see `Questions.actedOn`. */
  readonly actedOn: Questions['actedOn'];
  /** Why the run was given up, with `unreachable`, `unwritable` and `frozen`; what stops it, with `budget`. */
  readonly reason?: string;
}

export function start(plan: Plan, environment: RunEnvironment): Run {
  const { journal, settings, publisher } = environment;
  const core = coreOf(environment.newId() as RunId, plan, environment);
  const { recorder, stopping, pace } = core;
  const published = publisher && settings.elsewhere ? new PublishedMedia(publisher, core) : undefined;
  const run = published ? { ...core, service: withSignedMedia(core.service, published) } : core;
  const health = new ServiceHealth(run);
  const cancellations = new Cancellations(run);
  const services: RunServices = {
    run,
    health,
    cancellations,
    watched: environment.watcher.join({
      stream: (up, reason) => recorder.emit({ type: 'stream_changed', up, reason }),
      well: () => health.well(),
      trouble: reason => health.trouble(reason),
      refused: reason => health.refused(reason),
      busy: answer => {
        // It does answer.
        health.well();
        pace.busy(answer);
      },
    }),
    addresses: new ResultAddresses(run, published),
    published,
    estimates: new DurationEstimates(journal.views.durations()),
    deployments: new Deployments(run, health, cancellations),
    questions: new Questions(run),
    team: new TeamResults(run),
    inTheMaking: new Map(),
  };
  recorder.open();
  return {
    done: toTheEnd(services),
    billing: () => services.deployments.open,
    open: () => openIn(run),
    acting: () => actingIn(run),
    detach: () => {
      if (stopping.reason) return;
      stopping.stop({ is: 'interrupted' });
      // Recorded at once, because a request that is being sent or a command that is slow to stop may delay the end.
      recordDetached(run);
    },
  };
}

function coreOf(id: RunId, plan: Plan, environment: RunEnvironment): RunCore {
  const { journal, settings, reporters, lock, secrets, planContext, clock, executor } = environment;
  const state = new RunState(plan);
  const stopping = new StopSwitch();
  const askedBy = (instance: Instance): Asked | undefined => {
    const resolved = resolve(plan, instance, state.lookup, planContext);
    return 'asks' in resolved ? flatten(resolved.asks) : undefined;
  };
  const { resume: command, options, shotlist } = settings;
  const metadata = {
    command,
    ...(options !== undefined && { options }),
    ...(shotlist !== undefined && { shotlist }),
  };
  const recorder = new RunRecorder({
    ...{ run: id, state, journal, stopping, reporters, lock, secrets, askedBy },
    opening: openingOf(id, plan, environment),
    plan: {
      [Symbol.iterator]: () => keptPlan(plan, planContext, metadata)[Symbol.iterator](),
    },
    onFailure: settings.onFailure,
  });
  const queue = new WorkQueue({
    ...(executor.most && { most: executor.most }),
    ...{ limits: settings.limits, rates: settings.rates, pipeline: plan.pipeline, clock, signal: stopping.beginning },
  });
  const pace = new RequestPace({ clock, recorder, queue });
  return {
    ...{ ...environment, plan, state, stopping, recorder, queue, pace },
    executor: reportingExecutor(executor, { clock, recorder, state }),
  };
}

function openingOf(id: RunId, plan: Plan, environment: RunEnvironment): Event {
  const { journal, settings } = environment;
  return {
    type: 'run_started',
    run: id,
    pipeline: plan.pipeline.source.path,
    name: plan.pipeline.name,
    service: plan.service,
    ...(plan.pipeline.profiles.length > 0 && { profile: plan.pipeline.profile ?? FINAL }),
    resumed: journal.views.ledger.open.length > 0,
    instances: [...plan.instances].map(instance => plannedInstance(instance, plan)),
    ...estimateOf(plan),
    ...openPrices(plan),
    ...sentBefore(plan),
    ...budgetOf(environment),
    ...(settings.onInterrupt === 'cancel' && { on_interrupt: 'cancel' }),
    ...(settings.keptIn !== undefined && plan.pipeline.outputs.length === 0 && { kept_in: settings.keptIn }),
  };
}

const openIn = (run: RunCore): readonly InstanceKey[] =>
  [...run.state.instances].map(({ key }) => key).filter(key => isOpen(key, run));

/** Records it again only if the answer to a request that was being sent has changed the list. */
function recordDetached(run: RunCore): void {
  const running = openIn(run);
  if (run.recorder.detached?.join() === running.join()) return;
  run.recorder.record({ type: 'run_detached', running, resume: run.settings.resume });
}

async function toTheEnd(services: RunServices): Promise<Outcome> {
  const { run, watched } = services;
  const { recorder, stopping } = run;
  const placing = new OutputPlacing(services);
  emitRoundEvents(run);
  try {
    const { instances } = run.state;
    run.journal.views.atOneMoment(
      () => {
        for (const instance of instances) settleIfKnown(instance, services);
      },
      () => [...instances].flatMap(({ decision, fingerprint }) => (decision.is === 'hit' && fingerprint) || []),
    );
    leaveOutOpenSteps(services);
    await execute(services, placing);
    const cancels = stopping.reason?.is === 'interrupted' && run.settings.onInterrupt === 'cancel';
    if (cancels) await services.cancellations.all();
    await downloadLeftovers(run);
  } catch (bug) {
    stopping.reportBug(bug);
  } finally {
    services.questions.close();
    run.queue.close();
    watched.leave();
    await services.deployments.close();
    await run.publisher?.close();
    await placing.settled();
  }
  stopping.throwReportedBug();
  const outputs = await placing.rest();
  const uncertainCost = await readBills(run);
  const counts = run.state.counts();
  if (stopping.reason) recordDetached(run);
  // The last events may find no room either.
  if (recorder.wrote) await reportUnwritten(run);
  const stopped = stopping.reason;
  const failed = counts.failed + counts.blocked > 0 || outputs.some(output => output.is === 'failed');
  const [overBudget] = run.recorder.overBudget;
  const is =
    outcomeOf(stopped) ??
    (overBudget ? 'budget' : failed ? 'failed' : services.questions.open.length > 0 ? 'waiting' : 'done');
  const reason = reasonOf(stopped, overBudget);
  const money = billedBy(run.plan, run.state.usd);
  const unsettled = unsettledMoney(run.journal.views.ledger.open.map(openRequest));
  // It was shown when it happened; the report reads why nothing was sent. A run that changes nothing leaves no trace of it either.
  if (recorder.wrote) for (const stop of recorder.overBudget.values()) recorder.append(stop);
  const { actedOn } = services.questions;
  const finished = {
    ...({ type: 'run_finished', outcome: is, counts, ...money } as const),
    ...{ ...uncertainCost, ...unsettled, ...leftOutOf(run), ...budgetOf(run), ...reason },
    ...((is === 'done' || is === 'waiting') && actedOn.later.length > 0 && { decided_later: actedOn.later }),
  };
  if (recorder.wrote || (is === 'done' && isLeftUndone(run))) recorder.record(finished);
  else recorder.emit(finished);
  await recorder.durable();
  recorder.close();
  // A reporter may have thrown over the last events.
  stopping.throwReportedBug();
  return { is, counts, ...money, ...unsettled, results: recorder.results, outputs, actedOn, ...reason };
}

/** The last run that left a trace did not come to its end: a later one that finds everything there leaves one too. */
function isLeftUndone({ journal: { views } }: Pick<RunCore, 'journal'>): boolean {
  const [last] = views.runs.of(views.film, 'this');
  return last !== undefined && last.finished?.outcome !== 'done';
}

function reasonOf(
  stopped: StopReason | undefined,
  overBudget: Parameters<typeof budgetStopText> | undefined,
): { readonly reason?: string } {
  if (stopped) return 'reason' in stopped ? { reason: stopped.reason } : {};
  return overBudget ? { reason: budgetStopText(...overBudget) } : {};
}

/** Outputs that the selection of this run left out: reported, and no failure. */
function leftOutOf(run: RunCore): { readonly outputs_left_out?: readonly string[] } {
  const paths = leftOutOutputs(run);
  return paths.length > 0 ? { outputs_left_out: paths } : {};
}

function outcomeOf(stop: StopReason | undefined): Outcome['is'] | undefined {
  // A bug is thrown where it happened.
  if (stop === undefined || stop.is === 'bug') return undefined;
  return stop.is === 'superseded' ? 'unwritable' : stop.is;
}

function budgetOf({ admission }: Pick<RunCore, 'admission'>): { readonly budget?: readonly BudgetStatus[] } {
  const budget = admission.budget();
  return budget.length > 0 ? { budget } : {};
}

/** Each try waits five seconds for another process that holds the journal: about a minute in all. */
const TRIES = 12;

/** Reports the ids that exist only in this process: without them, paid generations could not be found again. */
async function reportUnwritten(run: RunCore): Promise<void> {
  const hasId = () => run.journal.pending.some(({ type }) => type === 'submit_accepted');
  for (let tries = 0; tries === 0 || (tries < TRIES && hasId()); tries++) if (await run.recorder.durable()) return;
  const unwritten = run.journal.pending.flatMap(event =>
    event.type === 'submit_accepted' ? [{ key: event.key, generation_id: event.generation_id }] : [],
  );
  const reason =
    run.stopping.reason?.is === 'unwritable' || run.stopping.reason?.is === 'superseded'
      ? run.stopping.reason.reason
      : 'the journal cannot be written';
  run.recorder.emit({ type: 'journal_failed', reason, unwritten });
}

/** Downloads paid results that the edited file asks for no more. A finished generation is owned; an unfinished one stays open for the next run. */
async function downloadLeftovers(run: RunCore): Promise<void> {
  for (const { key, nonce, fingerprint, model, id = null, url, request, price } of run.admission.openSubmissions) {
    if (run.stopping.signal.aborted) return;
    let address = url;
    if (id !== null) {
      const answer = await run.service.generation(id, run.stopping.signal);
      if (answer.is !== 'ok') continue;
      const { status, result_url, error_message } = answer.value;
      if (status === 'failed' || status === 'cancelled') {
        const message = error_message ?? 'the service gave no reason';
        run.recorder.append({ type: 'taken_up', key, nonce, fingerprint, generation_id: id, leftover: true });
        const failure = { code: 'generation_failed', generation_id: id, message } as const;
        run.recorder.append({ type: 'failed', key, failure, leftover: true });
        continue;
      }
      address = status === 'succeeded' && result_url ? result_url : undefined;
    }
    if (id === null && address === undefined) continue;
    run.recorder.append({ type: 'taken_up', key, nonce, fingerprint, generation_id: id, leftover: true });
    if (address === undefined) continue;
    const work = { key, id, fingerprint, model, request, price, expected: undefined };
    const downloaded = await downloadResult(work, address, run);
    if (downloaded.is === 'ok')
      run.recorder.append({ type: 'succeeded', key, fingerprint, result: downloaded.result, leftover: true });
  }
}

const actingIn = ({ state }: RunCore): readonly InstanceKey[] =>
  [...state.instances]
    .filter(({ key, step }) => actsOutside(step) && state.get(key).stage === 'running')
    .map(({ key }) => key);

function isOpen(key: InstanceKey, run: RunCore): boolean {
  const { stage } = run.state.get(key);
  return stage === 'generating' || stage === 'generated' || stage === 'unknown';
}
