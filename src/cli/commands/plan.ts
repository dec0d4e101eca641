/** `shotlist plan FILE`: what would run, why, and what it costs. Nothing is sent to the service but the question for its prices. */

import { budgetsOf, ratesInUse } from '../../app/film-budgets.ts';
import { annotateMistakes } from '../../app/reports/github-job.ts';
import { planFinal, planWithoutSecrets, publishedFiles } from '../../app/reports/shown-plan.ts';
import type { Base } from '../../app/results/base-lock.ts';
import { diagnosticsJson } from '../../language/diagnostic-json.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { type Diagnostic, isError } from '../../model/diagnostic.ts';
import { asTyped } from '../../model/text/clean.ts';
import { counted } from '../../model/text/format.ts';
import { formatPlan, planJson } from '../../show/plan/plan-text.ts';
import { formAsked, UsageError } from '../arguments.ts';
import { command, type Read } from '../command-line/read-arguments.ts';
import { endingOf } from '../errors/command-error.ts';
import { EXIT_CODES, type ExitCode } from '../errors/exit-codes.ts';
import { jsonText, print, printPainted, sayLine, stdoutLook } from '../outlets.ts';
import {
  fileAndSteps,
  filmOptions,
  givenSelection,
  leaveParamsOutOfTitle,
  presetAnswers,
} from '../session/film-options.ts';
import { filmAtService, filmToOpen } from '../session/session.ts';
import { mayPay, stopIfPaid } from '../session/stop-if-paid.ts';
import type { PlanForTeam } from '../team/plan-for-team.ts';

type Values = Read<'plan'>['values'];

export const main = command('plan', async ({ values, positionals }) => {
  const { on } = values;
  if (on === undefined) return planned(positionals, values, undefined);
  const { file } = fileAndSteps(positionals, 'plan');
  const { planForTeam } = await import('../team/plan-for-team.ts');
  return planForTeam(file, on, forTeam => planned(positionals, values, forTeam));
});

async function planned(
  positionals: readonly string[],
  values: Values,
  forTeam: PlanForTeam | undefined,
): Promise<ExitCode> {
  const form = formOf(values);
  const { file, steps } = fileAndSteps(positionals, 'plan');
  const selection = givenSelection(steps, values);
  leaveParamsOutOfTitle('plan', file, values.param);
  const decisions = await presetAnswers(file, values);
  const found: Diagnostic[] = [];
  // The page goes under a pull request: its mistakes are annotated on their lines as well.
  const isForPull = form.is === 'markdown' && process.env.GITHUB_ACTIONS === 'true';
  const opened = filmAtService(file, values, {
    ...{ to: 'look', deployments: 'checked', selection, presets: decisions },
    ...(forTeam && { team: forTeam.team, looking: forTeam.looking }),
    alsoFound: diagnostics => void found.push(...diagnostics),
  }).finally(() => isForPull && annotateMistakes(found, { environment: process.env, say: sayLine }));
  await using film = await (form.is === 'markdown' ? opened.catch(error => printUnplanned(error, file)) : opened);
  const teamPlan = await forTeam?.check(film);
  const { choice, service, session, asked } = film;
  const final = session.pipeline.profile === undefined ? undefined : await planFinal(await filmToOpen(asked));
  const budget = budgetsOf(session, service.account, { project: choice.budget }).status();
  const published = await publishedFiles(session, choice);
  const rates = [...ratesInUse(session, service.account, choice.rates, systemClock.now()), ...(teamPlan?.rates ?? [])];
  const shown = planWithoutSecrets(session.plan, session.secrets);
  if (form.is === 'markdown') {
    const { baseLock } = await import('../../app/results/base-lock.ts');
    const { planMarkdown } = await import('../../show/plan/plan-markdown.ts');
    const { lockPath, lock } = session;
    const base =
      form.base && (await baseLock(form.base, { lockPath, section: lock.section, environment: process.env }));
    const on = forTeam ? ['--on', forTeam.team.name] : [];
    const profile = values.profile === undefined ? [] : ['--profile', values.profile];
    const typed = ['shotlist', 'plan', file, ...on, ...profile].map(asTyped);
    const command = [...typed, filmOptions(values, session.pipeline), '--all'].filter(word => word !== '').join(' ');
    print(planMarkdown(shown, { base, budget, all: values.all, command }));
  } else {
    const terms = { budget, final, published, rates, team: teamPlan?.team };
    const diagnostics = [...found, ...(teamPlan?.diagnostics ?? [])];
    const text =
      form.is === 'json'
        ? jsonText({ ...planJson(shown, terms), diagnostics: diagnosticsJson(diagnostics) })
        : `${formatPlan(shown, { ...stdoutLook(), all: values.all, ...terms })}\n`;
    printPainted(text);
  }
  if (values.frozen) stopIfPaid(session.plan);
  return values['exit-code'] && mayPay(session.plan) ? 3 : 0;
}

/** Who reads the change reads what is wrong with its film. @throws the same error once more */
async function printUnplanned(error: unknown, file: string): Promise<never> {
  const ending = endingOf(error);
  if (ending) {
    const { markdownMarker } = await import('../../show/plan/plan-markdown.ts');
    const { notBegunMarkdown } = await import('../../show/reporters/not-begun.ts');
    const { exit, message, diagnostics } = ending;
    const { brief } = EXIT_CODES[exit];
    const mistakes = diagnostics.filter(isError);
    const title =
      mistakes.length > 0
        ? `${file} has ${counted(mistakes.length, 'mistake')}`
        : `${file} cannot be planned: ${brief}`;
    print(`${markdownMarker(file)}\n${notBegunMarkdown({ message, mistakes }, title)}\n`);
  }
  throw error;
}

type Form = { readonly is: 'text' | 'json' } | { readonly is: 'markdown'; readonly base: Base | undefined };

/** @throws UsageError */
function formOf({ base, ...asked }: Pick<Values, 'json' | 'format' | 'base'>): Form {
  const is = formAsked(asked) ?? 'text';
  if (is === 'markdown') return { is, base: base === undefined ? undefined : baseOf(base) };
  if (base !== undefined) throw new UsageError('--base is for --format markdown, which shows what a change adds to it');
  return { is };
}

/** No branch is called like a file of YAML. */
const baseOf = (base: string): Base => (/\.ya?ml$/i.test(base) ? { lock: base } : { ref: base });
