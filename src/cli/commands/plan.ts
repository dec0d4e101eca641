/** `shotlist plan FILE`: what would run, why, and what it costs. Nothing is sent to the service but the question for its prices. */
import type { Plan } from '../../domain/plan.ts';
import { formatPlan, planJson } from '../../plan/text.ts';
import { oneFile, parse } from '../arguments.ts';
import { guarded } from '../guarded.ts';
import { givenParams, PARAM_OPTIONS } from '../params.ts';
import { chooseService } from '../service.ts';
import { openSession } from '../session.ts';

const WIDTH_OF_A_PAGE = 100;

export const main = guarded(async args => {
  const { values, positionals } = parse(args, {
    ...PARAM_OPTIONS,
    service: { type: 'string' },
    draft: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  });
  const file = oneFile(positionals, 'plan');
  const choice = await chooseService(file, values);
  const service = choice.hosted ? await choice.connect() : undefined;
  try {
    const { name, elsewhere, chatBy } = choice;
    const params = givenParams(values);
    const session = await openSession({ file, params, to: 'look', service: name, hosted: service, elsewhere, chatBy });
    process.stdout.write(`${textOf(session.plan, values)}\n`);
    await session.close();
    return 0;
  } finally {
    await service?.close();
  }
});

function textOf(plan: Plan, { json, all }: { readonly json: boolean; readonly all: boolean }): string {
  if (json) return JSON.stringify(planJson(plan), null, 2);
  const color = process.stdout.isTTY === true && !process.env.NO_COLOR;
  return formatPlan(plan, { width: process.stdout.columns ?? WIDTH_OF_A_PAGE, color, all });
}
