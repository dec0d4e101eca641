/** `shotlist plan FILE`: what would run, why, and what it costs. Nothing is sent to the service but the question for its prices. */
import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { Plan } from '../../domain/plan.ts';
import { systemClock } from '../../host/clock.ts';
import { diagnosticsJson } from '../../language/diagnostic-json.ts';
import { formatPlan, type PlanTextOptions, planJson } from '../../plan/plan-text.ts';
import { budgetsOf } from '../../session/film-budgets.ts';
import { planFinal } from '../../session/plan-final.ts';
import { planWithoutSecrets } from '../../session/plan-without-secrets.ts';
import { publishedFiles } from '../../session/published-files.ts';
import { publishedTo } from '../../session/publisher.ts';
import { ratesInUse } from '../../session/rates-in-use.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { printPainted } from '../outlets.ts';
import { filmAtService } from '../session/film-at-service.ts';
import { saidBeforehand } from '../session/said-options.ts';
import { fileAndSteps, givenSelection } from '../session/selection-options.ts';
import { filmToOpen } from '../session/session.ts';
import { mayPay, stopIfPaid } from '../session/stop-if-paid.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { leaveParamsOutOfTitle } from '../terminal/process-title.ts';

const WIDTH_OF_A_PAGE = 100;

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('plan', args);
  const { file, steps } = fileAndSteps(positionals, 'plan');
  const selection = givenSelection(steps, values);
  leaveParamsOutOfTitle('plan', file, values.param);
  const said = await saidBeforehand(file, values);
  const found: Diagnostic[] = [];
  await using film = await filmAtService(file, values, {
    ...{ to: 'look', deployments: 'checked', selection, said },
    found: diagnostics => void found.push(...diagnostics),
  });
  const { choice, service, session, asked } = film;
  const final = session.pipeline.profile === undefined ? undefined : await planFinal(await filmToOpen(asked));
  const budget = budgetsOf(session, service.account, { project: choice.budget }).status();
  const { publish } = choice.elsewhere || {};
  const published = publish && (await publishedFiles(session, publishedTo(publish.settings)));
  const rates = ratesInUse(session, service.account, choice.rates, systemClock.now());
  const shown = planWithoutSecrets(session.plan, session.secrets);
  const text = values.json
    ? indentedJson({ ...planJson(shown, { budget, final, published, rates }), diagnostics: diagnosticsJson(found) })
    : textOf(shown, { budget, final, published, rates }, values);
  printPainted(`${text}\n`);
  if (values.frozen) stopIfPaid(session.plan);
  return values['exit-code'] && mayPay(session.plan) ? 3 : 0;
});

function textOf(
  plan: Plan,
  beside: Pick<PlanTextOptions, 'budget' | 'final' | 'published' | 'rates'>,
  { all }: { readonly all: boolean },
): string {
  const color = process.stdout.isTTY === true && !process.env.NO_COLOR;
  return formatPlan(plan, { width: process.stdout.columns ?? WIDTH_OF_A_PAGE, color, all, ...beside });
}
