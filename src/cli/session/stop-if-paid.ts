/** Refusals about money before anything runs: a plan over its budget, and with `--frozen` all that would be paid for. */

import { budgetsOf } from '../../app/film-budgets.ts';
import { addUsd } from '../../model/money.ts';
import { type Decision, type Instance, isKnown, type Plan } from '../../model/plan.ts';
import { moreAt } from '../../model/run/decision-page.ts';
import { isFree } from '../../model/run/run-money.ts';
import { formatUsd } from '../../model/text/format.ts';
import { overBudgetText } from '../../plan/cost/budget-plan.ts';
import { isPaid } from '../../plan/kinds/index.ts';
import { CommandError } from '../errors/command-error.ts';
import type { FilmAtService } from './session.ts';

/** The budgets that bound a run. @throws CommandError (4) where the plan goes over one of them. */
export function budgetsWithin({ choice, service, session }: FilmAtService, maxUsd: number | undefined) {
  const budgets = budgetsOf(session, service.account, { project: choice.budget, maxUsd });
  const over = overBudgetText(session.plan, budgets.status());
  if (over !== undefined) throw new CommandError(4, over);
  return budgets;
}

/** Whether a run would pay for something, or may: what depends on results is counted, as it may not be free. */
export function mayPay({ instances, open, pipeline }: Plan): boolean {
  const paid = new Set(pipeline.steps.filter(isPaid).map(({ name }) => name));
  return (
    [...instances].some(({ step, decision }) => isPaid(step) && (isMade(decision) || decision.is === 'maybe')) ||
    open.some(one => one.leftOut === undefined && !one.isOff && paid.has(one.step))
  );
}

/** What depends on results is found during the run: admission refuses it there. @throws CommandError (3) */
export function stopIfPaid(plan: Plan): void {
  const { instances, open, pipeline } = plan;
  const at = isFree(plan) ? ' at list price' : '';
  const all = [...instances].filter(({ step }) => isPaid(step));
  const certain = all.filter(({ decision }) => isMade(decision));
  if (certain.length === 0) return;
  const paid = new Set(pipeline.steps.filter(isPaid).map(({ name }) => name));
  const perhaps = all.filter(({ decision }) => decision.is === 'maybe');
  const later = open.filter(one => one.leftOut === undefined && !one.isOff && paid.has(one.step));
  const names = [...perhaps.map(({ key }) => key as string), ...later.map(({ step }) => `${step} ×?`)];
  const lines = [
    `--frozen, and ${certain.length} would have to be paid for${sumOf(certain, at)}:`,
    ...certain.map(
      ({ key, decision, price }) => `  ${key}: ${decision.is === 'run' ? decision.why : ''}${priced(price, at)}`,
    ),
    ...(names.length > 0 ? [`and perhaps what depends on them: ${names.join(', ')}`] : []),
    moreAt('frozen'),
  ];
  throw new CommandError(3, lines);
}

const isMade = (decision: Decision): boolean => decision.is === 'run' && !isKnown(decision);

const priced = (price: number | null, at: string): string => (price === null ? '' : `, ${formatUsd(price)}${at}`);

function sumOf(instances: readonly Instance[], at: string): string {
  const known = instances.flatMap(({ price }) => price ?? []);
  const sum = known.reduce((usd, price) => addUsd(usd, price), 0);
  const more = instances.length - known.length;
  if (known.length === 0) return '';
  return ` (${formatUsd(sum)}${at}${more > 0 ? `, and ${more} without a known price` : ''})`;
}
