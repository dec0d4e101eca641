/** `shotlist run FILE`: makes the film. The same command goes on after any interruption. */
import { join, relative, resolve } from 'node:path';
import { whoDecides } from '../../app/choices/who-decides.ts';
import { filmEnvironment } from '../../app/local-environment.ts';
import { extraReporters, sidecarReporter, stopUnlessReportable } from '../../app/reports/extra-reporters.ts';
import { annotateMistakes } from '../../app/reports/github-job.ts';
import { type ReportTarget, reportTargets } from '../../app/reports/report-targets.ts';
import { hooksOf } from '../../app/reports/run-hooks.ts';
import { lockKeeper } from '../../app/results/keep-lock.ts';
import { stopUnlessPublishable } from '../../app/results/result-publisher.ts';
import { stopUnlessDrawable } from '../../app/service/stop-unless-drawable.ts';
import { numberMeant } from '../../language/messages/foreign/meant-values.ts';
import { findProject } from '../../machine/files/project.ts';
import { CommandRunner } from '../../machine/process/command-runner.ts';
import type { Reporter } from '../../model/run/event.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { asTyped } from '../../model/text/clean.ts';
import type { LockKeeper } from '../../records/lock/lock-keeper.ts';
import { type Outcome, type Run, start } from '../../run/engine/run.ts';
import { closeReporters } from '../../show/reporters/extra-reporter.ts';
import { leftActingText, leftBillingText, leftOpenLines } from '../../show/text/left-at-service-text.ts';
import { UsageError, uiAsked } from '../arguments.ts';
import { command, type Read } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { EXIT_OF_OUTCOME, type ExitCode } from '../errors/exit-codes.ts';
import { print, say, sayLine } from '../outlets.ts';
import { reportedIfNotBegun } from '../report/report-not-begun.ts';
import { reviewKey } from '../review/review-key.ts';
import type { ServiceChoice } from '../service/choose-service.ts';
import { failpointFrom } from '../session/failpoint-setting.ts';
import {
  type FilmValues,
  fileAndSteps,
  filmOptions,
  givenSelection,
  isGiven,
  leaveParamsOutOfTitle,
  presetAnswers,
  withoutSecretParams,
} from '../session/film-options.ts';
import { type FilmAtService, filmAtService, type Session } from '../session/session.ts';
import { budgetsWithin, stopIfPaid } from '../session/stop-if-paid.ts';
import { chooseReporters } from '../terminal/choose-reporters.ts';
import { onInterruptOrClosedOutput } from '../terminal/signals.ts';

export const main = command('run', async (asked, args) => {
  const { values, positionals } = asked;
  const targets = reportTargets(values.report);
  await stopUnlessReportable(targets);
  const wanted = { targets, file: positionals[0] ?? '', environment: process.env };
  return reportedIfNotBegun(wanted, beginning => runFilm({ args, ...asked, targets, beginning }));
});

interface Asked extends Read<'run'> {
  readonly args: readonly string[];
  readonly targets: readonly ReportTarget[];
  /** Hears that the run has begun. */
  readonly beginning: Reporter;
}

async function runFilm(asked: Asked): Promise<ExitCode> {
  const { values, positionals, targets } = asked;
  const failpoint = failpointFrom(process.env);
  const { file, steps } = fileAndSteps(positionals, 'run');
  const selection = givenSelection(steps, values);
  leaveParamsOutOfTitle('run', file, values.param);
  const ui = uiAsked(values);
  if (values.watch) {
    stopUnlessWatchable(values);
    return (await import('../watch/watch-run.ts')).watchRun(positionals, { ...values, ui });
  }
  stopIfOnlyWatched(values);
  const maxUsd = values['max-usd'] === undefined ? undefined : dollarsIn(values['max-usd']);
  const decisions = await presetAnswers(file, values);
  await using after = new AsyncDisposableStack();
  const film = await filmAtService(file, values, {
    ...{ to: 'run', deployments: 'checked', selection, presets: decisions },
    alsoFound: diagnostics => {
      if (targets.some(({ is }) => is === 'github'))
        annotateMistakes(diagnostics, { environment: process.env, say: sayLine });
    },
    committing: () => failpoint('journal-committing'),
  });
  const { choice, session } = after.use(film);
  if (values.frozen) stopIfPaid(session.plan);
  const budgets = budgetsWithin(film, maxUsd);
  stopUnlessDrawable(session.plan, session.context.library, choice.hosted);
  return await carryOut({ ...asked, file, screen: ui ?? choice.ui, budgets, failpoint }, film, after);
}

interface ReadyRun extends Asked {
  readonly file: string;
  readonly screen: ServiceChoice['ui'];
  readonly budgets: ReturnType<typeof budgetsWithin>;
  readonly failpoint: ReturnType<typeof failpointFrom>;
}

async function carryOut(ready: ReadyRun, film: FilmAtService, after: AsyncDisposableStack): Promise<ExitCode> {
  const { args, values, targets, beginning, file, screen, budgets, failpoint } = ready;
  const { choice, service, session } = film;
  const { secrets } = session;
  const commands = new CommandRunner({ environment: process.env, atOnce: choice.limits.commands, secrets });
  after.defer(() => commands.close());
  if (!values.frozen) await stopUnlessPublishable(session.plan, choice, { root: session.root, commands });
  const lock = lockKeeper(session, () => failpoint('lock-writing'));
  after.defer(() => {
    const problem = lock.problem();
    if (problem !== undefined) say(problem);
  });
  const again = ['shotlist', 'run', ...withoutSecretParams(args, session.pipeline)].map(asTyped).join(' ');
  const cancel = ['shotlist', 'cancel', ...flagsOf(values), file].map(asTyped).join(' ');
  const options = filmOptions(values, session.pipeline);
  const { reporters, decide } = await screenOf({ screen, file, again, options, values }, film, after);
  const extra = await openExtraReporters({ args, targets, file }, film, after);
  let isWhole = false;
  after.defer(async () => {
    const ended = await session.shared?.end({ wait: isWhole ? 'for all' : 'for nothing', say });
    for (const line of ended?.reported ?? []) say(line);
  });
  after.defer(async () => {
    for (const reporter of reporters) await reporter.close();
  });
  const environment = filmEnvironment(session, {
    ...{ choice, service, commands, failpoint, lock, frozen: values.frozen, budgets },
    onUnknown: values['on-unknown'],
    reporters: [beginning, ...reporters, ...extra],
    ...(decide && { decide }),
    settings: {
      onInterrupt: values['on-interrupt'] ?? choice.onInterrupt,
      onFailure: values['fail-fast'] ? 'hold' : 'go_on',
      root: session.root,
      keptIn: relative(process.cwd(), session.keptIn),
      reserved: [file, session.lockPath].map(path => relative(session.root, resolve(path))),
      resume: again,
      options,
      cancel,
    },
  });
  // The lock is written however the run ends.
  after.defer(() => lock.close());
  await keepDecisions(session, lock);
  after.defer(() => {
    for (const mistake of session.presets?.mistakes ?? []) say(mistake);
  });
  const outcome = await untilDone(start(session.plan, environment), choice, { again, cancel });
  isWhole = outcome.is !== 'interrupted';
  if (outcome.is === 'done') await session.ended();
  if (outcome.is === 'done') await lock.close({ instances: [...session.plan.instances].map(({ key }) => key) });
  if (screen !== 'json' && !process.stdout.isTTY) printFilms(session, outcome);
  return EXIT_OF_OUTCOME[outcome.is];
}

interface ShownRun {
  readonly screen: ServiceChoice['ui'];
  readonly file: string;
  /** The command that goes on. */
  readonly again: string;
  readonly options: string;
  readonly values: Asked['values'];
}

/** The screen, or the lines, that show the run, with the review page that opens from there. */
function screenOf(
  { screen, file, again, options, values }: ShownRun,
  { choice, service, session }: FilmAtService,
  after: AsyncDisposableStack,
) {
  const who = () => whoDecides({ given: values.as, environment: process.env, folder: session.root });
  const page = reviewKey(async () => {
    const { reviewOfFilm } = await import('../review/open-review.ts');
    return reviewOfFilm({ file, values, choice, catalog: choice.hosted ? service : undefined, who: await who() });
  });
  after.defer(() => page.close());
  return chooseReporters(screen, {
    ...{ command: again, film: options, who, review: page.press },
    fileOf: sha256 => session.store.file(sha256),
    limits: choice.limits,
    deciding: ['shotlist', 'review', ...flagsOf(values), file].map(asTyped).join(' '),
    planned: plannedWords(session),
    extras: !values['no-extras'],
  });
}

/** Sidecars, the reporters of `--report` and the hooks. The screen ends before them, and their problems follow below it. */
async function openExtraReporters(
  { args, targets, file }: Pick<Asked, 'args' | 'targets'> & { readonly file: string },
  { choice, session }: FilmAtService,
  after: AsyncDisposableStack,
): Promise<readonly Reporter[]> {
  const { pipeline } = session;
  const project = await findProject(file, resolve());
  const command = ['shotlist', 'run', ...withoutReports(withoutSecretParams(args, pipeline))].map(asTyped).join(' ');
  const all = [
    ...(choice.sidecars ? [sidecarReporter({ project, file, pipeline })] : []),
    ...(await extraReporters(targets, {
      ...{ project, file, pipeline, environment: process.env, say: sayLine, command },
    })),
    ...hooksOf({ hooks: choice.hooks, film: session, environment: process.env, say }),
  ];
  after.defer(() => closeReporters(all, say));
  return all;
}

/** The plan's words about an instance, for its view on the screen. */
const plannedWords =
  ({ plan }: Session) =>
  (key: InstanceKey) => {
    const instance = plan.instances.get(key);
    return (
      instance && { why: instance.decision.why, request: instance.request ?? null, priceBasis: instance.priceBasis }
    );
  };

/** Keeps the decisions of `--pick` and `--approve` before anything follows from them; the rest when the run reaches them. */
async function keepDecisions({ presets }: Session, lock: LockKeeper): Promise<void> {
  const kept = await presets?.keepAll();
  if (presets && !kept)
    throw new CommandError(1, 'the journal cannot be written, so nothing that was chosen is kept: nothing was begun');
  for (const choice of kept ?? []) lock.decided(choice);
}

/** The first signal detaches the run; the second ends this process at once, and the next run goes on from the journal. */
async function untilDone(
  run: Run,
  { hosted }: Pick<ServiceChoice, 'hosted'>,
  { again, cancel }: { readonly again: string; readonly cancel: string },
): Promise<Outcome> {
  const stopListening = onInterruptOrClosedOutput(
    () => run.detach(),
    // The studio in this process costs nothing, and ends with it.
    () => [
      ...run.acting().map(leftActingText),
      ...(hosted ? [...leftOpenLines(run.open(), again, cancel), ...run.billing().map(leftBillingText)] : []),
    ],
  );
  try {
    return await run.done;
  } finally {
    stopListening();
  }
}

/** Those that say which film is meant. */
const flagsOf = ({ service, profile }: Pick<FilmValues, 'service' | 'profile'>) => [
  ...(service === undefined ? [] : ['--service', service]),
  ...(profile === undefined ? [] : ['--profile', profile]),
];

function dollarsIn(text: string): number {
  const usd = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(usd)) return usd;
  const meant = numberMeant(text);
  throw new UsageError(
    `--max-usd is ${text === '' ? 'empty' : `\`${text}\``}; write ${meant === undefined || meant < 0 ? 'US dollars, like 5 or 2.50' : `\`--max-usd ${meant}\``}`,
  );
}

/** The run is shown on stderr; a pipe from stdout gets the films' paths, one a line, relative to the current folder. */
function printFilms({ root }: Session, { outputs }: Outcome): void {
  const films = outputs.filter(output => output.is === 'written');
  for (const { path } of films) print(`${relative(process.cwd(), join(root, path))}\n`);
}

/** What a job of CI asked for beside the film: its paths mean nothing to the author, who goes on elsewhere. */
const withoutReports = (args: readonly string[]): readonly string[] =>
  args.filter((word, at) => !/^--(?:ui|report)(?:=|$)/.test(word) && !/^--(?:ui|report)$/.test(args[at - 1] ?? ''));

/** Options about one run, about money, or about requests of unknown outcome at a service that bills. */
const OF_ONE_RUN = ['frozen', 'max-usd', 'fail-fast', 'on-unknown', 'on-interrupt', 'report'] as const;

type Given = { readonly [option: string]: unknown };

/** @throws UsageError */
function stopUnlessWatchable(values: Given): void {
  for (const option of OF_ONE_RUN)
    if (isGiven(values[option]))
      throw new UsageError(
        `--watch draws drafts until Ctrl-C, and --${option} is about one run; leave one of them out`,
      );
}

/** @throws UsageError for an option of `--watch` without it. */
function stopIfOnlyWatched(values: Given): void {
  if (isGiven(values.open)) throw new UsageError('--open is for the page of --watch; add --watch, or leave it out');
}
