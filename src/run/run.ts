/**
 * A plan, carried out to the end, or resumed: which is the same thing. Resume is planning again over the journal, the
 * store and the lock, and taking up whatever is still open at the service.
 */
import { join } from 'node:path';
import type { Counts, PlannedInstance } from '../domain/event.ts';
import type { InstanceKey, RunId } from '../domain/key.ts';
import { addUsd } from '../domain/money.ts';
import type { Instance, Plan } from '../domain/plan.ts';
import { Context, type Stop, type World } from './context.ts';
import { ScratchFolders } from './local/scratch-folders.ts';
import { OutputPlacing } from './outputs/output-placing.ts';
import type { Placed } from './outputs/outputs.ts';
import { Pools } from './pools.ts';
import { Cancellations } from './requests/cancel.ts';
import { Deployments } from './requests/deployments.ts';
import { DurationEstimates } from './requests/duration-estimates.ts';
import { downloadResult } from './requests/follow.ts';
import { readBills } from './requests/real-cost.ts';
import { ResultAddresses } from './requests/result-addresses.ts';
import { ServiceHealth } from './requests/service-health.ts';
import { Watcher } from './requests/watcher.ts';
import { execute, type RunServices } from './scheduler.ts';

export interface Run {
  /** Resolves when nothing of this run is at work any more on this machine. */
  readonly done: Promise<Outcome>;
  /** Starts nothing new and lets go of what waits; generations go on at the service and are taken up by the next run. */
  detach(): void;
  /** Custom models that this film's runs brought up and have not ended: they bill at this moment. */
  billing(): readonly string[];
}

export interface Outcome {
  readonly is: 'done' | 'failed' | 'interrupted' | 'unreachable' | 'unwritable' | 'frozen';
  readonly counts: Counts;
  readonly usd: number;
  readonly results: Context['results'];
  /** The last word on each. */
  readonly outputs: readonly Placed[];
  /** Why the run was given up, with `unreachable`, `unwritable` and `frozen`. */
  readonly reason?: string;
}

export function start(plan: Plan, world: World): Run {
  const { journal, newId, settings, service, clock } = world;
  const resumed = journal.ledger.open.length > 0;
  const run = newId() as RunId;
  const opening = journal.stamp({
    type: 'run_started',
    run,
    pipeline: plan.pipeline.source.path,
    name: plan.pipeline.name,
    service: plan.service,
    resumed,
    instances: [...plan.instances].map(instance => plannedInstance(instance, plan)),
    // Nothing known is not nothing to pay.
    usd: plan.totals.usd === 0 && plan.totals.unpriced > 0 ? null : plan.totals.usd,
    ...(settings.onInterrupt === 'cancel' && { on_interrupt: 'cancel' }),
  });
  const context = new Context(plan, world, run, new Pools(settings.limits), opening);
  const health = new ServiceHealth(context);
  const cancellations = new Cancellations(context);
  const watcher = new Watcher(service, clock, settings.pace, {
    stream: (up, reason) => context.emit({ type: 'stream_changed', up, reason }),
    well: () => health.well(),
    trouble: reason => health.trouble(reason),
    refused: reason => health.refused(reason),
  });
  const crew: RunServices = {
    context,
    watcher,
    health,
    addresses: new ResultAddresses(context),
    expectations: new DurationEstimates(journal.durations()),
    desks: new ScratchFolders(join(settings.work, 'commands'), newId),
    deployments: new Deployments(context, health, cancellations),
    cancellations,
  };
  context.open();
  return {
    done: toTheEnd(crew),
    billing: () => crew.deployments.open,
    detach: () => {
      if (context.stopped) return;
      context.stop({ is: 'interrupted' });
      // Said at once: what is being sent, or a command that is slow to stop, may hold the end back.
      sayDetached(context);
    },
  };
}

/** A second time only where the answer to what was being sent has changed the list. */
function sayDetached(context: Context): void {
  const running = [...context.plan.instances].map(instance => instance.key).filter(key => isOpen(key, context));
  if (context.detached?.join() === running.join()) return;
  context.emit({ type: 'run_detached', running, resume: context.world.settings.resume });
}

async function toTheEnd(crew: RunServices): Promise<Outcome> {
  const { context, watcher } = crew;
  const placing = new OutputPlacing(crew);
  try {
    for (const { key, decision, fingerprint } of context.plan.instances) {
      if (decision.is !== 'hit') continue;
      crew.addresses.remember(decision.result);
      const reused = { type: 'reused', key, fingerprint: fingerprint ?? '', result: decision.result } as const;
      // What only a lock file knew is known to every film of the project from now on.
      if (context.world.journal.knows(reused.fingerprint)) context.tell(reused);
      else context.emit(reused);
    }
    await execute(crew);
    const cancels = context.stopped?.is === 'interrupted' && context.world.settings.onInterrupt === 'cancel';
    if (cancels) await crew.cancellations.all();
    await bringHomeLeftOvers(crew);
  } catch (bug) {
    context.broke(bug);
  } finally {
    watcher.close();
    await crew.deployments.close();
    await placing.settled();
  }
  context.throwWhatBroke();
  const outputs = await placing.rest();
  const notTold = await readBills(context);
  const stopped = context.stopped;
  const counts = context.state.counts();
  if (stopped) sayDetached(context);
  if (context.wrote) await sayWhatIsUnwritten(context);
  const failed = counts.failed + counts.blocked > 0 || outputs.some(output => output.is === 'failed');
  const is = outcomeOf(context.stopped) ?? (failed ? 'failed' : 'done');
  const reason = stopped && 'reason' in stopped ? { reason: stopped.reason } : {};
  const spent = { usd: context.state.usd, ...notTold, ...perhapsSpent(context) };
  const finished = { type: 'run_finished', outcome: is, counts, ...spent, ...reason } as const;
  if (context.wrote) context.emit(finished);
  else context.tell(finished);
  await context.durable();
  context.tellTheRest();
  // A reporter may have broken over the last words.
  context.throwWhatBroke();
  return { is, counts, usd: context.state.usd, results: context.results, outputs, ...reason };
}

function outcomeOf(stop: Stop | undefined): Outcome['is'] | undefined {
  // A bug is thrown where it happened.
  return stop === undefined || stop.is === 'bug' ? undefined : stop.is;
}

/** Ids that exist nowhere but in this process are printed: they are all there is of what was paid for. */
async function sayWhatIsUnwritten(context: Context): Promise<void> {
  if (await context.durable()) return;
  const unwritten = context.world.journal.waiting.flatMap(event =>
    event.type === 'submit_accepted' ? [{ key: event.key, generation_id: event.generation_id }] : [],
  );
  const reason = context.stopped?.is === 'unwritable' ? context.stopped.reason : 'the journal cannot be written';
  context.tell({ type: 'journal_failed', reason, unwritten });
}

/** What may have been taken and billed, though nobody can tell. */
function perhapsSpent({ ledger }: Context): { readonly perhaps?: { requests: number; usd: number | null } } {
  const lost = ledger.open.filter(({ state, id, url }) => state === 'unknown' && id === undefined && url === undefined);
  if (lost.length === 0) return {};
  const usd = lost.reduce<number | null>(
    (sum, { price }) => (sum === null || price === null ? null : addUsd(sum, price)),
    0,
  );
  return { perhaps: { requests: lost.length, usd } };
}

/** Paid for, but the file was edited since: what is finished is owned, what is not stays open for the next run. */
async function bringHomeLeftOvers({ context }: RunServices): Promise<void> {
  for (const { key, nonce, fingerprint, model, id, url, request, price } of context.world.admission.openSubmissions) {
    if (context.signal.aborted) continue;
    const work = { key, fingerprint, model, request, price, expected: undefined, limit: undefined };
    if (url !== undefined && id === undefined) {
      context.note({ type: 'taken_up', key, nonce, fingerprint, generation_id: null });
      const home = await downloadResult({ ...work, id: null }, url, context);
      if (home.is === 'ok') context.note({ type: 'succeeded', key, fingerprint, result: home.result });
    }
    if (id === undefined) continue;
    const answer = await context.world.service.generation(id, context.signal);
    if (answer.is !== 'ok') continue;
    const { status, result_url, error_message } = answer.value;
    context.note({ type: 'taken_up', key, nonce, fingerprint, generation_id: id });
    if (status === 'succeeded' && result_url) {
      const home = await downloadResult({ ...work, id }, result_url, context);
      if (home.is === 'ok') context.note({ type: 'succeeded', key, fingerprint, result: home.result });
    } else if (status === 'failed' || status === 'cancelled') {
      const message = error_message ?? 'the service gave no reason';
      context.note({ type: 'failed', key, failure: { code: 'generation_failed', generation_id: id, message } });
    }
  }
}

function isOpen(key: InstanceKey, context: Context): boolean {
  const { is } = context.state.get(key);
  return is === 'generating' || is === 'generated' || is === 'unknown';
}

function plannedInstance({ key, step, needs, needsAll, price }: Instance, plan: Plan): PlannedInstance {
  const whole = needsAll.flatMap(name =>
    plan.instances
      .of(name)
      .slice(0, 20)
      .map(instance => instance.key),
  );
  return {
    key,
    model: step.kind === 'generate' ? step.model : step.kind,
    needs: whole.length ? [...needs, ...whole] : needs,
    price,
  };
}
