/** `shotlist plan FILE`: what would run, why, and what it costs. Nothing is sent to the service but the question for its prices. */
import type { Plan } from '../../domain/plan.ts';
import { systemClock } from '../../host/clock.ts';
import { formatPlan, type PlanTextOptions, planJson } from '../../plan/plan-text.ts';
import { budgetsOf } from '../../session/film-budgets.ts';
import { planFinal } from '../../session/plan-final.ts';
import { planWithoutSecrets } from '../../session/plan-without-secrets.ts';
import { publishedFiles } from '../../session/published-files.ts';
import { publishedTo } from '../../session/publisher.ts';
import { ratesInUse } from '../../session/rates-in-use.ts';
import { parse } from '../arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { printPainted } from '../outlets.ts';
import { filmAtService } from '../session/film-at-service.ts';
import { FILM_OPTIONS } from '../session/film-options.ts';
import { SAID_OPTIONS, saidBeforehand } from '../session/said-options.ts';
import { fileAndSteps, givenSelection, SELECTION_OPTIONS } from '../session/selection-options.ts';
import { filmToOpen } from '../session/session.ts';
import { stopIfPaid } from '../session/stop-if-paid.ts';
import { indentedJson } from '../terminal/indented-json.ts';
import { leaveParamsOutOfTitle } from '../terminal/process-title.ts';

const WIDTH_OF_A_PAGE = 100;

export const main = withExitCode(async args => {
  const { values, positionals } = parse(args, {
    ...FILM_OPTIONS,
    ...SELECTION_OPTIONS,
    ...SAID_OPTIONS,
    json: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    frozen: { type: 'boolean', default: false },
  });
  const { file, steps } = fileAndSteps(positionals, 'plan');
  const selection = givenSelection(steps, values);
  leaveParamsOutOfTitle('plan', file, values.param);
  const said = await saidBeforehand(file, values);
  await using film = await filmAtService(file, values, { to: 'look', deployments: 'checked', selection, said });
  const { choice, service, session, asked } = film;
  const final = session.pipeline.profile === undefined ? undefined : await planFinal(await filmToOpen(asked));
  const budget = budgetsOf(session, service.account, { project: choice.budget }).status();
  const { publish } = choice.elsewhere || {};
  const published = publish && (await publishedFiles(session, publishedTo(publish.settings)));
  const rates = ratesInUse(session, service.account, choice.rates, systemClock.now());
  const shown = planWithoutSecrets(session.plan, session.secrets);
  printPainted(`${textOf(shown, { budget, final, published, rates }, values)}\n`);
  if (values.frozen) stopIfPaid(session.plan);
  return 0;
});

function textOf(
  plan: Plan,
  beside: Pick<PlanTextOptions, 'budget' | 'final' | 'published' | 'rates'>,
  { json, all }: { readonly json: boolean; readonly all: boolean },
): string {
  if (json) return indentedJson(planJson(plan, beside));
  const color = process.stdout.isTTY === true && !process.env.NO_COLOR;
  return formatPlan(plan, { width: process.stdout.columns ?? WIDTH_OF_A_PAGE, color, all, ...beside });
}
