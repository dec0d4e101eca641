/**
 * One worker's turn at a run of the team: the film is opened like any other, with the team's journal in the place of this machine's, and
 * carried out by the same code. Taking over from a machine that died is resuming: what it sent is followed, what it made is owned.
 */
import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import { attach } from '../../app/choices/attach.ts';
import { notePromotion } from '../../app/film/film-notes.ts';
import { type Film, openFilm } from '../../app/film/open-film.ts';
import { budgetsOf } from '../../app/film-budgets.ts';
import { filmEnvironment } from '../../app/local-environment.ts';
import { lockKeeper } from '../../app/results/keep-lock.ts';
import type { ServiceChoice } from '../../app/service/service-choice.ts';
import { formatDiagnostics } from '../../language/yaml/excerpt.ts';
import type { Project } from '../../machine/files/project.ts';
import type { CommandRunner } from '../../machine/process/command-runner.ts';
import { backoff } from '../../machine/time/backoff.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { addUsd } from '../../model/money.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import type { Reporter, RunOutcome } from '../../model/run/event.ts';
import { unreachable } from '../../model/run/failure.ts';
import type { GenerationId, InstanceKey } from '../../model/run/key.ts';
import { promotionIn } from '../../model/run/promotion.ts';
import { amountOf, billedBy, moneyOf, type RunMoney } from '../../model/run/run-money.ts';
import type { Selection } from '../../model/selector.ts';
import { asTyped } from '../../model/text/clean.ts';
import type { JsonObject } from '../../model/text/json.ts';
import type { VariableAccess } from '../../model/variable-access.ts';
import { overBudgetText } from '../../plan/cost/budget-plan.ts';
import { JournalFailed } from '../../records/journal/journal.ts';
import { PlaceSilent } from '../../records/store/shared/shared-store.ts';
import type { Store } from '../../records/store/store.ts';
import { type Outcome, type Run, start } from '../../run/engine/run.ts';
import type { Executor } from '../../run/ports/executor.ts';
import type { Watcher } from '../../run/requests/watcher.ts';
import { teamMessages } from '../client/team-messages.ts';
import { takeUp, unpackProject, type WorkerFolders } from '../client/team-project.ts';
import { isConnectionLost, type TeamDatabase } from '../database/team-database.ts';
import { TeamJournal } from '../journal/team-journal.ts';
import { ratesAsked } from '../journal/team-rows.ts';
import type { TeamQueue } from '../queue/team-queue.ts';
import { BroadcastEvents } from '../runs/broadcast-events.ts';
import { beginLead, countCutOff, type EndOfLead, endLead, noteRefusal } from '../runs/lead-rows.ts';
import { dropAttached, type RunEnd, type RunRow, type RunStatus, runRow } from '../runs/run-rows.ts';
import { TallyKeeper } from '../runs/tally-rows.ts';

export interface Leading {
  /** As people call the team: behind `--on`. */
  readonly on: string;
  readonly team: TeamDatabase;
  readonly queue: TeamQueue;
  readonly folders: WorkerFolders;
  /** Of this worker; shown to people, and no decision depends on it. */
  readonly worker: string;
  readonly clock: Clock;
  /** The store of this worker for a project, in front of the team's. */
  readonly storeFor: (run: RunRow) => Promise<Store>;
  /** How this worker uses that service; throws the message to show where its settings do not know it. */
  readonly serviceFor: (run: RunRow, project: Project) => Promise<ServiceChoice>;
  readonly commandsFor: (film: Film, choice: ServiceChoice) => CommandRunner;
  /** Why this worker cannot lead it, though another may; absent: it can lead all. */
  readonly refuses?: (run: RunRow) => Promise<string | undefined>;
  /** Follows what all runs of this worker have at a service; absent: each follows its own. */
  readonly watcherFor?: (service: Connected, choice: ServiceChoice) => Watcher | undefined;
  /** Heavy work goes elsewhere; absent: it is done here, and no other worker hears of its results in time. */
  readonly executorFor?: (lead: {
    readonly film: Film;
    readonly run: RunRow;
    readonly epoch: number;
    readonly here: Executor;
    readonly leaving: AbortSignal;
  }) => Executor & { close(): Promise<void> };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly access: VariableAccess;
  /** Reporters beside the run's watchers; absent: none. */
  readonly reporters?: (run: RunRow) => readonly Reporter[];
  /** Waits until so many places at a service may have been left, for this many milliseconds at most. */
  readonly changed: (ms: number, signal: AbortSignal, places?: number) => Promise<void>;
  /** Calls back when a choice about this film was made, or an order about this run was given. Returns how to stop that. */
  readonly onBroadcast: (broadcast: { readonly run: string; readonly film: string }, onNews: () => void) => () => void;
  readonly trouble: (message: string | undefined) => void;
  /** Before each decision about a paid request. */
  readonly beforePaying?: () => Promise<void>;
  readonly began?: () => void;
}

type Connected = Awaited<ReturnType<ServiceChoice['connect']>>;

/** Seconds until a service that could not be reached is tried again, and how often. */
const AGAIN_AFTER = 60;
const MOST_UNREACHABLE = 3;
/** Leads in a row that may vanish early: whatever ended each of them would end the next one as well. */
const MAX_CUT_OFF = 20;
/** Milliseconds between two tries of a store that is out of reach. */
const LONGEST_PAUSE = 10_000;

export type Led =
  /** It is at its end, another worker leads it, or it waits for another run of the same film, and the end of that one brings its turn again. */
  | { readonly is: 'nothing to do' }
  /** Another worker may lead it, and is to be offered it. */
  | { readonly is: 'left to others'; readonly run: RunRow; readonly why: string }
  | { readonly is: 'superseded'; readonly run: RunRow }
  | {
      readonly is: 'ended';
      readonly run: RunRow;
      readonly status: Exclude<RunStatus, 'led'>;
      readonly outcome: JsonObject;
    };

/**
 * Resolves when the turn is over, with any outcome: the team's tables have it. Rejects where the database is unreachable. @param job of the queue,
 * that this turn comes from. @param signal aborts when this worker shall have no more turns: the run goes on elsewhere.
 */
export async function leadRun(id: string, job: string, signal: AbortSignal, leading: Leading): Promise<Led> {
  const { team, queue, worker, refuses } = leading;
  const run = await runRow(team, id);
  if (!run) return { is: 'nothing to do' };
  const why = await refuses?.(run);
  if (why !== undefined) {
    await noteRefusal(team, id, `${worker}: ${why}`);
    return { is: 'left to others', run, why };
  }
  const { leadJob } = run;
  const isGone = leadJob !== null && !(await queue.live([leadJob])).has(leadJob);
  const epoch = await beginLead(team, { run: id, worker, job, gone: isGone ? leadJob : undefined });
  if (epoch === undefined) return { is: 'nothing to do' };
  leading.began?.();
  const cutOff = await countCutOff(team, run, leading.clock.now());
  const turn = new Turn(run, epoch, leading);
  const end = cutOff < MAX_CUT_OFF ? await turn.toEnd(signal) : turn.failed(teamMessages.cutOff(cutOff));
  if (end === 'somebody else leads it') {
    // A database that counts as restored has requeued the run without a job in the queue.
    if ((await runRow(team, id))?.status === 'queued') await queue.lead(id, { priority: run.priority });
    return { is: 'superseded', run };
  }
  const status = await endLead(team, queue, { run: id, epoch, ...end });
  if (status === undefined) return { is: 'superseded', run };
  if (status !== 'queued' && status !== 'waiting') await takeUp(leading.folders, run);
  return { is: 'ended', run, status: status as Exclude<RunStatus, 'led'>, outcome: end.outcome };
}

type End = 'somebody else leads it' | Ended;

type Ended = Omit<EndOfLead, 'run' | 'epoch'>;

/** After any other outcome it has failed, or is cancelled where a person asked for that. */
const STATUS_AFTER: Readonly<Partial<Record<RunOutcome, Ended['status']>>> = {
  ...{ done: 'done', waiting: 'waiting', interrupted: 'cancelled' },
};

class Turn {
  readonly #run: RunRow;
  readonly #epoch: number;
  readonly #leading: Leading;
  #journal: TeamJournal | undefined;
  #tally: TallyKeeper | undefined;
  #stop: RunRow['stop'];

  constructor(run: RunRow, epoch: number, leading: Leading) {
    this.#run = run;
    this.#epoch = epoch;
    this.#leading = leading;
    this.#stop = run.stop;
  }

  /** Rejects where the database is unreachable: the next worker with the job resumes the run. */
  async toEnd(signal: AbortSignal): Promise<End> {
    try {
      return await this.#carriedOut(signal);
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      if (this.#journal?.isSuperseded) return 'somebody else leads it';
      if (error instanceof JournalFailed) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (signal.aborted) return this.#handedOver();
      // What is wrong with the film is wrong everywhere; with this machine, or what it reaches, it may be better later.
      return error instanceof Refusal ? this.failed(reason) : this.#end({ is: 'unreachable', usd: 0, reason });
    }
  }

  async #carriedOut(signal: AbortSignal): Promise<End> {
    await using after = new AsyncDisposableStack();
    const { serviceFor } = this.#leading;
    const run = this.#run;
    const project = await this.#unpackProject(signal);
    const choice = await serviceFor(run, project);
    const service = await choice.connect();
    after.defer(() => service.close());
    const opened = await this.#open(project, choice, service, signal);
    if ('reason' in opened) {
      const { is, reason } = opened;
      if (is === 'mistaken') return this.failed(reason);
      // The same as when the service is out of reach later in the run.
      return signal.aborted ? this.#handedOver() : this.#end({ is, usd: 0, reason });
    }
    after.defer(() => opened.film.close());
    return await this.#made(opened.film, choice, service, signal);
  }

  /** A store of the team's that is out of reach is waited for, however long: nothing is wrong with the run. */
  async #unpackProject(signal: AbortSignal): Promise<Project> {
    const { team, folders, storeFor, clock, trouble } = this.#leading;
    for (let attempt = 0; ; attempt++) {
      try {
        const project = await unpackProject(folders, this.#run, await storeFor(this.#run));
        if (attempt > 0) trouble(undefined);
        return project;
      } catch (error) {
        if (!(error instanceof PlaceSilent) || signal.aborted || this.#stop) throw error;
        trouble(error.message);
        await clock.sleep(backoff(attempt, { longest: LONGEST_PAUSE }), signal);
        this.#stop ??= (await runRow(team, this.#run.id))?.stop ?? null;
      }
    }
  }

  async #open(
    project: Project,
    choice: ServiceChoice,
    service: Connected,
    signal: AbortSignal,
  ): Promise<{ readonly film: Film } | { readonly is: 'mistaken' | 'unreachable'; readonly reason: string }> {
    const { team, environment, access, clock, changed, trouble, beforePaying } = this.#leading;
    const { id, filmId, source, path, params, options, profile } = this.#run;
    const promotion = options.promotion && promotionIn(JSON.stringify(options.promotion));
    const found: Diagnostic[] = [];
    let isWaiting = false;
    const waiting = (message: string) => {
      isWaiting = true;
      trouble(message);
    };
    const opened = await openFilm({
      ...{ waiting, signal },
      ...{ source: { path, text: source }, project, params, environment, access, to: 'run' },
      ...(options.data && { data: options.data }),
      ...{ hosted: choice.hosted ? service : undefined, service: choice.name, draft: choice.draft, key: choice.key },
      ...{ elsewhere: choice.elsewhere, store: choice.store, deployments: service, chatBy: choice.chatBy },
      attempts: choice.limits.attempts,
      profile: profile ?? undefined,
      ...(options.selection && { selection: options.selection as unknown as Selection }),
      ...(promotion && { promotion }),
      found: diagnostics => void found.push(...diagnostics),
      journal: async () => {
        this.#journal = await TeamJournal.open({
          ...{ team, film: filmId, submitted: id, epoch: this.#epoch, account: service.account, clock },
          ...{ rates: ratesAsked(choice.rates ?? {}), newId: randomUUID, changed, trouble, beforePaying },
        });
        return this.#journal;
      },
    });
    if (isWaiting) trouble(undefined);
    switch (opened.is) {
      case 'open':
        // Submitting the same again, before a run of it is done, means the same picks.
        if (promotion) await notePromotion(promotion, opened.film.journal);
        return { film: opened.film };
      case 'mistaken':
        return { is: 'mistaken', reason: formatDiagnostics(found) };
      case 'unselectable':
        return { is: 'mistaken', reason: opened.messages.join('\n') };
      case 'unreachable':
        return { is: 'unreachable', reason: opened.message };
      default:
        return unreachable(opened);
    }
  }

  async #made(film: Film, choice: ServiceChoice, service: Connected, signal: AbortSignal): Promise<End> {
    await using after = new AsyncDisposableStack();
    const { on, team, clock, commandsFor, executorFor, reporters, onBroadcast, watcherFor } = this.#leading;
    const { id, filmId, path, options } = this.#run;
    const { maxUsd, failFast, budget = choice.budget } = options;
    const onUnknown = options.resumed?.onUnknown ?? options.onUnknown;
    const budgets = budgetsOf(film, service.account, { project: budget, maxUsd });
    const over = overBudgetText(film.plan, budgets.status());
    if (over !== undefined) return this.failed(over);
    const refused = await this.#attach(film, service, signal);
    if (refused !== undefined) return this.failed(refused);
    const commands = commandsFor(film, choice);
    after.defer(() => commands.close());
    const broadcast = new BroadcastEvents({ tell: events => this.#journal?.tell(events) }, clock);
    after.defer(() => broadcast.close());
    const tally = await TallyKeeper.open(team, { run: id, film: filmId, epoch: this.#epoch }, film.journal, clock);
    this.#tally = tally;
    after.defer(() => tally.close());
    const lock = lockKeeper(film);
    after.defer(() => lock.close());
    const reserved = [path, relative(film.root, film.lockPath)];
    const resume = `shotlist team resume ${id} --on ${asTyped(on)}`;
    const common = { root: film.root, keptIn: film.keptIn, reserved, resume, attach: `${resume} --attach` };
    const here = filmEnvironment(film, {
      ...{ choice, service, clock, watcher: watcherFor?.(service, choice), commands, lock, budgets, onUnknown },
      reporters: [broadcast, tally, ...(reporters?.(this.#run) ?? [])],
      settings: { ...common, onFailure: failFast ? 'hold' : 'go_on' },
    });
    const executor = executorFor?.({ film, run: this.#run, epoch: this.#epoch, here: here.executor, leaving: signal });
    after.defer(async () => executor?.close());
    const stopAsked = () => this.#stop;
    const made = start(film.plan, {
      ...here,
      ...(executor && { executor }),
      // Asked at the end, when a person may have set it.
      settings: {
        ...here.settings,
        get onInterrupt() {
          return stopAsked() === 'cancel' ? 'cancel' : 'detach';
        },
        isHandedOver: is =>
          this.#stop === null && (is === 'interrupted' ? signal.aborted : is === 'unreachable' && this.#isTriedAgain),
      },
    });
    const leave = () => made.detach();
    signal.addEventListener('abort', leave, { once: true });
    after.defer(() => signal.removeEventListener('abort', leave));
    after.defer(onBroadcast({ run: id, film: filmId }, () => void this.#hear(made)));
    if (signal.aborted || this.#stop) made.detach();
    await this.#hear(made);
    const outcome = await made.done;
    const isWhole = outcome.is === 'done';
    if (isWhole) await film.ended();
    await lock.close();
    await film.shared?.end({ wait: outcome.is === 'interrupted' ? 'for nothing' : 'for all' });
    if (this.#journal?.isSuperseded) return 'somebody else leads it';
    // A deployment that is still up was left to the next turn, which also does what was asked of the run since.
    const isLeft = this.#stop === null || made.billing().length > 0;
    const isHandedOver = signal.aborted && isLeft && outcome.is === 'interrupted';
    return { ...(isHandedOver ? this.#handedOver() : this.#endOf(outcome)), told: broadcast.last };
  }

  /** A generation that a person has attached. A sentence where that cannot be. */
  async #attach(film: Film, service: Connected, signal: AbortSignal): Promise<string | undefined> {
    const { id: run, options } = this.#run;
    for (const [name, attached] of Object.entries(options.attach ?? {})) {
      const { generation, accept } = attached;
      const [key, id] = [name as InstanceKey, generation as GenerationId];
      // By an earlier turn.
      if (film.journal.views.sent.isClaimed(id, service.account)) continue;
      const isKnown = film.plan.instances.has(key);
      const attaching = isKnown ? await attach(film, { key, id, accept }, service, signal) : undefined;
      if (attaching?.is === 'attached') continue;
      // A reader of that message learns what else is to be done, and not that once more.
      if (attaching?.is !== 'unreachable') await dropAttached(this.#leading.team, run, name, attached);
      if (!attaching) return `${name} is no instance of this film, or is not known yet: nothing is attached to it`;
      return attaching.message;
    }
    return undefined;
  }

  /** A person has chosen something, or given an order about this run. */
  async #hear(made: Run): Promise<void> {
    try {
      const row = await runRow(this.#leading.team, this.#run.id);
      if (row?.stop && !this.#stop) {
        this.#stop = row.stop;
        made.detach();
      }
      await this.#journal?.look({ fingerprint: '' });
    } catch {
      // It is asked again soon, and the journal refuses where another worker leads the run by now.
    }
  }

  /** It goes on at another worker at once. */
  #handedOver(): Ended {
    return this.#ended('queued', { is: 'interrupted', usd: 0 });
  }

  #end({ is, reason, ...money }: RunMoney & { readonly is: RunOutcome; readonly reason?: string }): Ended {
    const outcome: RunEnd = { is, ...moneyOf(money), ...(reason !== undefined && { reason }) };
    if (is === 'unreachable' && this.#stop === null && this.#isTriedAgain)
      return { ...this.#ended('queued', outcome), after: AGAIN_AFTER };
    return this.#ended(STATUS_AFTER[is] ?? this.#givenUp, outcome);
  }

  /** Requeues a run that is done, or waits, if a decision came after it had acted on an older one. */
  #endOf(outcome: Outcome): Ended {
    const { to: lastChoice, later } = outcome.actedOn;
    const end = { ...this.#end(outcome), lastChoice };
    const isOver = end.status === 'done' || end.status === 'waiting';
    return isOver && later.length > 0 && this.#stop === null ? { ...end, status: 'queued' } : end;
  }

  /** The run ends as failed: no worker leads it until a person resumes it. */
  failed(reason: string): Ended {
    return this.#ended(this.#givenUp, { is: 'failed', usd: 0, reason, untold: true });
  }

  /** The outcome has the money of all turns of the run: `team list` shows it as what the run has cost. */
  #ended(status: Ended['status'], end: RunEnd): Ended {
    const before = amountOf(moneyOf(this.#run.outcome ?? { usd: 0 }));
    const outcome = { ...end, ...billedBy(this.#run, this.#tally?.spent ?? addUsd(before, amountOf(end))) };
    return { status, outcome: outcome as unknown as JsonObject, lastChoice: this.#journal?.choices.newest() ?? 0 };
  }

  get #isTriedAgain(): boolean {
    return this.#run.failures + 1 < MOST_UNREACHABLE;
  }

  /** Who wanted it stopped has that, however it came. */
  get #givenUp(): 'failed' | 'cancelled' {
    return this.#stop === null ? 'failed' : 'cancelled';
  }
}
