/** Runs a film for a program, to its end. */
import { relative } from 'node:path';
import { type Diagnostic, isError } from '../domain/diagnostic.ts';
import type { Reporter } from '../domain/event.ts';
import { CommandRunner } from '../host/command-runner.ts';
import { heldAgainst, overBudgetText } from '../plan/budget-plan.ts';
import { type Outcome, start } from '../run/run.ts';
import { budgetsOf } from '../session/film-budgets.ts';
import { runEnvironment } from '../session/local-environment.ts';
import { lockKeeper } from '../session/lock-of-film.ts';
import { type Film, type FilmToOpen, openFilm } from '../session/open-film.ts';
import { notePromotion } from '../session/promoted.ts';
import type { ServiceChoice } from '../session/service-choice.ts';
import { stopUnlessCut, stopUnlessDrawable } from '../session/stop-unless-drawable.ts';
import type { RunOptions } from './film-options.ts';
import type { FilmOutcome } from './film-outcome.ts';
import type { PipelineInput } from './pipeline-input.ts';
import { makeFolder, readPipeline } from './pipeline-source.ts';
import { promotedPicks } from './promoted-picks.ts';
import { selectionOf, unselectable } from './selection-of.ts';
import { serviceOf } from './service-of.ts';

/** Resolves when everything is ended and written. */
export async function carryOut(
  pipeline: PipelineInput,
  options: RunOptions,
  reporter: Reporter,
  signal: AbortSignal,
): Promise<FilmOutcome> {
  const { source, project, mistake } = await readPipeline(pipeline, options.folder);
  const choice = await serviceOf(options, project);
  await using after = new AsyncDisposableStack();
  const service = await choice.connect();
  after.defer(() => service.close());
  const found: Diagnostic[] = [];
  const { params = {}, data = {}, environment = {} } = options;
  const asked: FilmToOpen = {
    ...{ source, project, params, data, environment, to: 'run', hosted: choice.hosted ? service : undefined },
    ...{ service: choice.name, draft: choice.draft, key: choice.key, elsewhere: choice.elsewhere },
    deployments: service,
    profile: options.profile,
    selection: selectionOf(options),
    found: diagnostics => void found.push(...diagnostics),
    compiled: () => makeFolder(project),
  };
  const promoted = await promotedPicks(options, asked, service.account);
  if (promoted.is === 'unreachable') return { ...NOTHING, is: 'unreachable', reason: promoted.message, warnings: [] };
  if (promoted.is === 'mistaken')
    return { is: 'mistaken', mistakes: [mistake(unselectable(promoted.message, source))] };
  const { promotion } = promoted;
  const opened = await openFilm({ ...asked, promotion });
  if (opened.is === 'mistaken') return { is: 'mistaken', mistakes: found.map(mistake) };
  if (opened.is === 'unselectable')
    return { is: 'mistaken', mistakes: opened.messages.map(message => mistake(unselectable(message, source))) };
  const warnings = found.filter(one => !isError(one)).map(mistake);
  if (opened.is === 'unreachable') return { ...NOTHING, is: 'unreachable', reason: opened.message, warnings };
  const { film } = opened;
  after.defer(() => film.close());
  // However often this run is interrupted, the next one goes on with it.
  if (promotion) await notePromotion(promotion, film.journal);
  if (!choice.hosted) stopUnlessDrawable(film.plan, film.context.library);
  stopUnlessCut(film.plan);
  const budgets = budgetsOf(film, service.account, { maxUsd: options.maxUsd });
  const over = overBudgetText(heldAgainst(film.plan, budgets.status()));
  if (over !== undefined) return { ...NOTHING, is: 'budget', reason: over, warnings };
  const { secrets } = film;
  const commands = new CommandRunner({ environment, atOnce: choice.limits.commands, secrets });
  after.defer(() => commands.close());
  const lock = lockKeeper(film);
  after.defer(() => lock.close());
  const run = start(
    film.plan,
    runEnvironment({
      ...{ choice, service, commands, secrets, lock, budgets, reporters: [reporter], work: film.runs },
      ...{
        journal: film.journal,
        store: film.store,
        context: film.context,
        choices: film.choices,
        authorFiles: film.files,
      },
      isRunning: film.isRunning,
      ...(options.frozen !== undefined && { frozen: options.frozen }),
      settings: { ...settingsOf(film, choice), onFailure: options.onFailure ?? 'go_on' },
    }),
  );
  const detach = () => run.detach();
  signal.addEventListener('abort', detach, { once: true });
  if (signal.aborted) detach();
  try {
    const outcome = await run.done;
    if (outcome.is === 'done') await film.ended();
    await lock.close(outcome.is === 'done' ? { instances: [...film.plan.instances].map(({ key }) => key) } : undefined);
    const lockProblem = lock.problem();
    return { ...outcome, warnings, ...(lockProblem !== undefined && { lockProblem }) };
  } finally {
    signal.removeEventListener('abort', detach);
  }
}

const settingsOf = ({ root, keptIn, pipeline, lockPath }: Film, { onInterrupt }: ServiceChoice) => ({
  ...{ onInterrupt, root, keptIn },
  reserved: [pipeline.source.path, relative(root, lockPath)],
  resume: 'run(pipeline, options) with the same folder',
});

/** Nothing was begun. */
const NOTHING = {
  counts: { succeeded: 0, reused: 0, failed: 0, blocked: 0, skipped: 0, unfinished: 0 },
  usd: 0,
  results: new Map(),
  outputs: [],
} satisfies Omit<Outcome, 'is'>;
