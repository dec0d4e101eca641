/** Runs a film for a program, to its end. */
import { relative } from 'node:path';
import type { Service } from '../api/service.ts';
import { pickedIn } from '../app/choices/promote.ts';
import { notePromotion } from '../app/film/film-notes.ts';
import type { FilmToOpen } from '../app/film/film-to-open.ts';
import { type Film, openFilm } from '../app/film/open-film.ts';
import { budgetsOf } from '../app/film-budgets.ts';
import { filmEnvironment } from '../app/local-environment.ts';
import type { Stopped } from '../app/reports/extra-reporters.ts';
import { lockKeeper } from '../app/results/keep-lock.ts';
import { keyOf } from '../app/service/secret-texts.ts';
import type { ServiceChoice } from '../app/service/service-choice.ts';
import { stopUnlessDrawable } from '../app/service/stop-unless-drawable.ts';
import { CommandRunner } from '../machine/process/command-runner.ts';
import { Redactor } from '../machine/redactor.ts';
import { type Diagnostic, isError } from '../model/diagnostic.ts';
import { FINAL } from '../model/profile.ts';
import type { RecordedEvent, Reporter } from '../model/run/event.ts';
import type { Promotion } from '../model/run/promotion.ts';
import { overBudgetText } from '../plan/cost/budget-plan.ts';
import { type Outcome, start } from '../run/engine/run.ts';
import { closeReporters } from '../show/reporters/extra-reporter.ts';
import type { PlanOptions, RunOptions } from './film-options.ts';
import type { FilmOutcome } from './film-outcome.ts';
import { makeFolder, type PipelineInput, type ReadPipeline, readPipeline } from './pipeline-source.ts';
import { AGAIN, Reporters } from './reporters-of.ts';
import { accessOf, selectionOf, serviceOf, unselectable } from './settings-of.ts';

/** Resolves when everything is ended and written. */
export async function carryOut(
  pipeline: PipelineInput,
  options: RunOptions,
  events: Reporter,
  signal: AbortSignal,
): Promise<FilmOutcome> {
  const read = await readPipeline(pipeline, options.folder);
  const reporters = await Reporters.of(options, { project: read.project, file: read.source.path });
  let hasBegun = false;
  const report: Reporter['report'] = event => {
    hasBegun = true;
    events.report(event);
  };
  try {
    return await madeOf({ ...read, options, reporters, events: { report, close: () => events.close() }, signal });
  } catch (error) {
    if (!hasBegun) await reporters.reportNotBegun(brokenDown(error));
    throw error;
  }
}

interface Asked extends ReadPipeline {
  readonly options: RunOptions;
  readonly reporters: Reporters;
  readonly events: Reporter;
  readonly signal: AbortSignal;
}

async function madeOf(given: Asked): Promise<FilmOutcome> {
  const { source, project, mistake, options, reporters, signal } = given;
  const choice = await serviceOf(options, project);
  reporters.hide(new Redactor(keyOf(choice.key)));
  await using after = new AsyncDisposableStack();
  const service = await choice.connect();
  after.defer(() => service.close());
  const found: Diagnostic[] = [];
  const { params = {}, data = {}, environment = {} } = options;
  const asked: FilmToOpen = {
    ...{ source, project, params, data, environment, access: accessOf(options) },
    ...{ to: 'run', hosted: choice.hosted ? service : undefined },
    ...{ service: choice.name, draft: choice.draft, key: choice.key, elsewhere: choice.elsewhere },
    attempts: choice.limits.attempts,
    store: choice.store,
    deployments: service,
    profile: options.profile,
    selection: selectionOf(options),
    found: diagnostics => void found.push(...diagnostics),
    ...{ waiting: reporters.say, signal },
    compiled: (_, secrets) => {
      reporters.hide(secrets);
      return makeFolder(project);
    },
  };
  const promoted = await promotedPicks(options, asked, service.account);
  const mistaken = async (diagnostics: readonly Diagnostic[]): Promise<FilmOutcome> => {
    await reporters.reportNotBegun(NOT_BEGUN.mistaken(diagnostics));
    return { is: 'mistaken', mistakes: diagnostics.map(mistake) };
  };
  const warnings = () => found.filter(one => !isError(one)).map(mistake);
  const notBegun = async (is: 'unreachable' | 'budget', reason: string): Promise<FilmOutcome> => {
    // The program ended the wait: whether the service can be reached is not known.
    if (is === 'unreachable' && signal.aborted) return { ...NOTHING, is: 'interrupted', warnings: warnings() };
    await reporters.reportNotBegun(NOT_BEGUN[is](reason));
    return { ...NOTHING, is, reason, warnings: warnings() };
  };
  if (promoted.is === 'unreachable') return notBegun('unreachable', promoted.message);
  if (promoted.is === 'mistaken') return mistaken([unselectable(promoted.message, source)]);
  const { promotion } = promoted;
  const opened = await openFilm({ ...asked, promotion });
  if (opened.is === 'mistaken') return mistaken(found);
  if (opened.is === 'unselectable') return mistaken(opened.messages.map(message => unselectable(message, source)));
  if (opened.is === 'unreachable') return notBegun('unreachable', opened.message);
  const { film } = opened;
  after.defer(() => film.close());
  // However often this run is interrupted, the next one goes on with it.
  if (promotion) await notePromotion(promotion, film.journal);
  stopUnlessDrawable(film.plan, film.context.library, choice.hosted);
  const budgets = budgetsOf(film, service.account, { project: choice.budget, maxUsd: options.maxUsd });
  const over = overBudgetText(film.plan, budgets.status());
  if (over !== undefined) return notBegun('budget', over);
  const outcome = await toItsEnd(film, given, { choice, service, budgets }, after);
  return { ...outcome, warnings: warnings() };
}

interface AtService {
  readonly choice: ServiceChoice;
  readonly service: Service;
  readonly budgets: ReturnType<typeof budgetsOf>;
}

async function toItsEnd(
  film: Film,
  { options, reporters, events, signal }: Asked,
  { choice, service, budgets }: AtService,
  after: AsyncDisposableStack,
): Promise<Outcome & { readonly lockProblem?: string }> {
  const { environment = {} } = options;
  const { secrets } = film;
  const commands = new CommandRunner({ environment, atOnce: choice.limits.commands, secrets });
  after.defer(() => commands.close());
  const extra = await reporters.ofFilm(film);
  after.defer(() => closeReporters(extra, reporters.say));
  let isWhole = false;
  after.defer(async () => {
    const ended = await film.shared?.end({ wait: isWhole ? 'for all' : 'for nothing', say: reporters.say });
    for (const problem of ended?.reported ?? []) reporters.say(problem);
  });
  const lock = lockKeeper(film);
  after.defer(() => lock.close());
  const run = start(
    film.plan,
    filmEnvironment(film, {
      ...{ choice, service, commands, lock, budgets, reporters: [events, ...extra] },
      ...(options.frozen !== undefined && { frozen: options.frozen }),
      settings: { ...settingsOf(film, choice), onFailure: options.onFailure ?? 'go_on' },
    }),
  );
  const detach = () => run.detach();
  signal.addEventListener('abort', detach, { once: true });
  if (signal.aborted) detach();
  try {
    const outcome = await run.done;
    isWhole = outcome.is !== 'interrupted';
    if (outcome.is === 'done') await film.ended();
    await lock.close(outcome.is === 'done' ? { instances: [...film.plan.instances].map(({ key }) => key) } : undefined);
    const lockProblem = lock.problem();
    return { ...outcome, ...(lockProblem !== undefined && { lockProblem }) };
  } finally {
    signal.removeEventListener('abort', detach);
  }
}

const settingsOf = ({ root, keptIn, pipeline, lockPath }: Film, { onInterrupt }: ServiceChoice) => ({
  ...{ onInterrupt, root, keptIn },
  reserved: [pipeline.source.path, relative(root, lockPath)],
  resume: AGAIN,
});

/** Why nothing was begun, for a report. */
const NOT_BEGUN = {
  mistaken: (diagnostics: readonly Diagnostic[]): Stopped => ({
    ...{ type: 'mistake', brief: 'the pipeline is wrong', message: '', diagnostics },
  }),
  unreachable: (message: string): Stopped => ({
    ...{ type: 'unreachable', brief: 'the service cannot be reached, or refuses the key', message, diagnostics: [] },
  }),
  budget: (message: string): Stopped => ({ type: 'budget', brief: 'a budget is reached', message, diagnostics: [] }),
} as const;

const brokenDown = (error: unknown): Stopped => ({
  ...{ type: 'failed', brief: 'something on this machine is in the way', diagnostics: [] },
  message: error instanceof Error ? error.message : String(error),
});

/** Nothing was begun. */
const NOTHING = {
  counts: { succeeded: 0, reused: 0, failed: 0, blocked: 0, skipped: 0, unfinished: 0 },
  usd: 0,
  results: new Map(),
  outputs: [],
  actedOn: { to: 0, later: [] },
} satisfies Omit<Outcome, 'is'>;

export class EventQueue implements Reporter {
  readonly #events: RecordedEvent[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  report(event: RecordedEvent): void {
    this.#events.push(event);
    this.#wake?.();
  }

  async close(): Promise<void> {
    this.end();
  }

  /** Nothing more comes; `error` is thrown to the reader behind the last event. */
  end(error?: { readonly error: unknown }): void {
    this.#end ??= error ?? {};
    this.#wake?.();
  }

  /** @param left called when the reader leaves before the end, and awaited. */
  async *read(left: () => Promise<void>): AsyncGenerator<RecordedEvent, void, undefined> {
    let isOver = false;
    try {
      for (;;) {
        yield* this.#events.splice(0);
        if (this.#events.length > 0) continue;
        if (this.#end) break;
        await new Promise<void>(wake => {
          this.#wake = wake;
        });
      }
      isOver = true;
    } finally {
      if (!isOver) await left();
    }
    if (this.#end && 'error' in this.#end) throw this.#end.error;
  }
}

type PromotedPicks =
  | { readonly is: 'promoted'; readonly promotion: Promotion | undefined }
  /** Why nothing can be promoted, as a sentence. */
  | { readonly is: 'mistaken'; readonly message: string }
  | { readonly is: 'unreachable'; readonly message: string };

/** @param account the service's, for which it was made. */
export async function promotedPicks(
  { promote: from, profile = FINAL }: Pick<PlanOptions, 'promote' | 'profile'>,
  asked: FilmToOpen,
  account: string,
): Promise<PromotedPicks> {
  if (from === undefined) return { is: 'promoted', promotion: undefined };
  if (from === profile) return mistaken(`what is picked in ${from} is made there already: name two profiles`);
  const { selection: _, deployments: __, ...all } = asked;
  const opened = await openFilm({ ...all, profile: from, to: 'look', found: () => {} });
  switch (opened.is) {
    case 'open': {
      const { promotion, open } = pickedIn(opened.film, from, account);
      await opened.film.close();
      if (open.length === 0) return { is: 'promoted', promotion };
      return mistaken(
        `in ${from} it is not decided yet: ${open.join(', ')}; and takes that were not picked are not made`,
      );
    }
    case 'mistaken':
      return mistaken(`in ${from} it has mistakes: plan it there to see them`);
    case 'unselectable':
      return mistaken(opened.messages.join('; '));
    case 'unreachable':
      return { is: 'unreachable', message: opened.message };
  }
}

const mistaken = (message: string): PromotedPicks => ({ is: 'mistaken', message });
