/**
 * One worker's turn at a run of the team: the film is opened like any other, with the team's journal in the place of this machine's, and
 * carried out by the same code. Taking over from a machine that died is resuming: what it sent is followed, what it made is owned.
 */
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { Store } from '../../artifacts/store.ts';
import type { TeamDatabase } from '../../cluster/database/team-database.ts';
import { TeamJournal } from '../../cluster/journal/team-journal.ts';
import { ratesAsked } from '../../cluster/journal/team-rows.ts';
import type { TeamQueue } from '../../cluster/queue/team-queue.ts';
import { beginLead, endLead } from '../../cluster/runs/lead-rows.ts';
import { type RunRow, runRow } from '../../cluster/runs/run-rows.ts';
import { ToldEvents } from '../../cluster/runs/told-events.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { Reporter, RunOutcome } from '../../domain/event.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Selection } from '../../domain/selection.ts';
import { unreachable } from '../../domain/unreachable.ts';
import type { Clock } from '../../host/clock.ts';
import type { CommandRunner } from '../../host/command-runner.ts';
import type { Project } from '../../host/project.ts';
import { formatDiagnostics } from '../../language/excerpt.ts';
import { heldAgainst, overBudgetText } from '../../plan/budget-plan.ts';
import type { Hands } from '../../run/ports/hands.ts';
import { type Run, start } from '../../run/run.ts';
import { budgetsOf } from '../film-budgets.ts';
import { runEnvironment } from '../local-environment.ts';
import { lockKeeper } from '../lock-of-film.ts';
import { type Film, openFilm } from '../open-film.ts';
import type { ServiceChoice } from '../service-choice.ts';
import { putDown, takeUp, type WorkerFolders } from './team-project.ts';

export interface Leading {
  readonly team: TeamDatabase;
  readonly queue: TeamQueue;
  readonly folders: WorkerFolders;
  /** Of this worker; told to people, and nothing decides by it. */
  readonly worker: string;
  readonly clock: Clock;
  /** The store of this worker for a project, in front of the team's. */
  readonly storeFor: (run: RunRow) => Promise<Store>;
  /** How this worker uses that service; throws what is to be said where its settings do not know it. */
  readonly serviceFor: (run: RunRow, project: Project) => Promise<ServiceChoice>;
  readonly commandsFor: (film: Film, choice: ServiceChoice) => CommandRunner;
  /** Heavy work goes elsewhere; absent: it is done here, and nobody else is told of its results in time. */
  readonly handsFor?: (lead: {
    readonly film: Film;
    readonly run: RunRow;
    readonly epoch: number;
    readonly here: Hands;
    /** Aborts when this worker leaves. */
    readonly leaving: AbortSignal;
  }) => Hands & { close(): Promise<void> };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Hears events of the run beside whoever watches it; absent: nobody. */
  readonly reporters?: (run: RunRow) => readonly Reporter[];
  /** Waits until something may have changed at the team's, for this many milliseconds at most. */
  readonly changed: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Calls back when somebody has decided something about this film, or has something done with this run. Returns how to stop that. */
  readonly onTold: (told: { readonly run: string; readonly film: string }, hear: () => void) => () => void;
  readonly trouble: (message: string | undefined) => void;
}

/** Seconds until a service that could not be reached is tried again, and how often. */
const AGAIN_AFTER = 60;
const MOST_UNREACHABLE = 3;

/**
 * Resolves when the turn is over, whatever came of it: it stands in the team's tables. Rejects where another worker is to have it.
 * @param signal aborts when this worker shall have no more turns: the run goes on elsewhere.
 */
export async function leadRun(id: string, signal: AbortSignal, leading: Leading): Promise<void> {
  const { team, queue, worker } = leading;
  const run = await runRow(team, id);
  const epoch = run && (await beginLead(team, id, worker));
  // It is at its end, or waits for another run of the same film, whose end brings its turn again.
  if (!run || epoch === undefined) return;
  const turn = new Turn(run, epoch, leading);
  const ended = await turn.carryOut(signal);
  if (ended === 'somebody else leads it') return;
  if (ended === 'to be led elsewhere') throw new Error(`${id} goes on at another worker`);
  const status = await endLead(team, queue, { run: id, epoch, ...ended });
  if (status !== undefined && status !== 'queued' && status !== 'waiting') await takeUp(leading.folders, run);
}

type End =
  | 'somebody else leads it'
  | 'to be led elsewhere'
  | {
      readonly status: 'queued' | 'waiting' | 'done' | 'failed' | 'cancelled';
      readonly outcome: JsonObject;
      readonly lastChoice: number;
      readonly after?: number;
    };

class Turn {
  readonly #run: RunRow;
  readonly #epoch: number;
  readonly #leading: Leading;
  #journal: TeamJournal | undefined;
  #stop: RunRow['stop'];

  constructor(run: RunRow, epoch: number, leading: Leading) {
    this.#run = run;
    this.#epoch = epoch;
    this.#leading = leading;
    this.#stop = run.stop;
  }

  async carryOut(signal: AbortSignal): Promise<End> {
    await using after = new AsyncDisposableStack();
    const { folders, storeFor, serviceFor } = this.#leading;
    const run = this.#run;
    const project = await putDown(folders, run, await storeFor(run));
    const choice = await serviceFor(run, project);
    const service = await choice.connect();
    after.defer(() => service.close());
    const opened = await this.#open(project, choice, service);
    if ('reason' in opened) return this.#failed(opened.reason);
    after.defer(() => opened.film.close());
    return this.#made(opened.film, choice, service, signal);
  }

  async #open(
    project: Project,
    choice: ServiceChoice,
    service: Awaited<ReturnType<ServiceChoice['connect']>>,
  ): Promise<{ readonly film: Film } | { readonly reason: string }> {
    const { team, environment, clock, changed, trouble } = this.#leading;
    const { id, filmId, source, path, params, options, profile } = this.#run;
    const found: Diagnostic[] = [];
    const opened = await openFilm({
      ...{ source: { path: basename(path), text: source }, project, params, environment, to: 'run' },
      ...(options.data && { data: options.data }),
      ...{ hosted: choice.hosted ? service : undefined, service: choice.name, draft: choice.draft, key: choice.key },
      ...{ elsewhere: choice.elsewhere, store: choice.store, deployments: service, chatBy: choice.chatBy },
      profile: profile ?? undefined,
      ...(options.selection && { selection: options.selection as unknown as Selection }),
      found: diagnostics => void found.push(...diagnostics),
      journal: async () => {
        this.#journal = await TeamJournal.open({
          ...{ team, film: filmId, submitted: id, epoch: this.#epoch, account: service.account, clock },
          ...{ rates: ratesAsked(choice.rates ?? {}), newId: randomUUID, changed, trouble },
        });
        return this.#journal;
      },
    });
    switch (opened.is) {
      case 'open':
        return { film: opened.film };
      case 'mistaken':
        return { reason: formatDiagnostics(found) };
      case 'unselectable':
        return { reason: opened.messages.join('\n') };
      case 'unreachable':
        return { reason: opened.message };
      default:
        return unreachable(opened);
    }
  }

  async #made(
    film: Film,
    choice: ServiceChoice,
    service: Awaited<ReturnType<ServiceChoice['connect']>>,
    signal: AbortSignal,
  ): Promise<End> {
    await using after = new AsyncDisposableStack();
    const { team, folders: _, clock, commandsFor, handsFor, reporters, onTold } = this.#leading;
    const { id, filmId, options } = this.#run;
    const { maxUsd, onUnknown, failFast } = options;
    const budgets = budgetsOf(film, service.account, { project: choice.budget, maxUsd });
    const over = overBudgetText(heldAgainst(film.plan, budgets.status()));
    if (over !== undefined) return this.#failed(over);
    const commands = commandsFor(film, choice);
    after.defer(() => commands.close());
    const told = new ToldEvents(team, id, clock);
    after.defer(() => told.close());
    const lock = lockKeeper(film);
    after.defer(() => lock.close());
    const common = { root: film.root, keptIn: film.keptIn, reserved: [], resume: `shotlist resume ${id}` };
    const here = runEnvironment({
      ...{ choice, service, commands, secrets: film.secrets, lock, budgets, onUnknown, work: film.runs },
      ...{ journal: film.journal, store: film.store, shared: film.shared, context: film.context },
      ...{ choices: film.choices, authorFiles: film.files, isRunning: film.isRunning },
      reporters: [told, ...(reporters?.(this.#run) ?? [])],
      settings: { ...common, onFailure: failFast ? 'hold' : 'go_on' },
    });
    const hands = handsFor?.({ film, run: this.#run, epoch: this.#epoch, here: here.hands, leaving: signal });
    after.defer(async () => hands?.close());
    const stopAsked = () => this.#stop;
    const made = start(film.plan, {
      ...here,
      ...(hands && { hands }),
      // Asked at the end, when somebody may have said it.
      settings: {
        ...here.settings,
        get onInterrupt() {
          return stopAsked() === 'cancel' ? 'cancel' : 'detach';
        },
      },
    });
    const leave = () => made.detach();
    signal.addEventListener('abort', leave, { once: true });
    after.defer(() => signal.removeEventListener('abort', leave));
    after.defer(onTold({ run: id, film: filmId }, () => void this.#hear(made)));
    if (signal.aborted || this.#stop) made.detach();
    await this.#hear(made);
    const outcome = await made.done;
    const isWhole = outcome.is === 'done';
    if (isWhole) await film.ended();
    await lock.close();
    await film.shared?.end({ wait: outcome.is === 'interrupted' ? 'for nothing' : 'for all' });
    if (this.#journal?.isSuperseded) return 'somebody else leads it';
    if (signal.aborted && this.#stop === null && outcome.is === 'interrupted') return 'to be led elsewhere';
    return this.#end(outcome);
  }

  /** Somebody has decided something, or has something done with this run. */
  async #hear(made: Run): Promise<void> {
    try {
      const row = await runRow(this.#leading.team, this.#run.id);
      if (row?.stop && !this.#stop) {
        this.#stop = row.stop;
        made.detach();
      }
      await this.#journal?.look({ fingerprint: '' });
    } catch {
      // It is asked again soon, and where somebody else leads the run by now the journal says so.
    }
  }

  #end({ is, usd, reason }: { readonly is: RunOutcome; readonly usd: number; readonly reason?: string }): End {
    const lastChoice = this.#journal?.lastChoice ?? 0;
    const outcome = { is, usd, ...(reason !== undefined && { reason }) };
    switch (is) {
      case 'done':
        return { status: 'done', outcome, lastChoice };
      case 'waiting':
        return { status: 'waiting', outcome, lastChoice };
      case 'interrupted':
        return { status: 'cancelled', outcome, lastChoice };
      case 'unreachable':
        return this.#run.failures + 1 < MOST_UNREACHABLE
          ? { status: 'queued', outcome, lastChoice, after: AGAIN_AFTER }
          : { status: 'failed', outcome, lastChoice };
      case 'failed':
      case 'budget':
      case 'frozen':
      case 'unwritable':
        return { status: 'failed', outcome, lastChoice };
      default:
        return unreachable(is);
    }
  }

  #failed(reason: string): End {
    return { status: 'failed', outcome: { is: 'failed', usd: 0, reason }, lastChoice: this.#journal?.lastChoice ?? 0 };
  }
}
