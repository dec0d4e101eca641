/** `shotlist plan FILE`: what would run, why, and what it costs. Nothing is sent to the service but the question for its prices. */
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
    json: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  });
  const file = oneFile(positionals, 'plan');
  const choice = await chooseService(file, { service: values.service });
  const service = await choice.connect?.();
  const session = await openSession({ file, params: givenParams(values), service: choice.name, hosted: service });
  try {
    const color = process.stdout.isTTY === true && !process.env.NO_COLOR;
    const width = process.stdout.columns ?? WIDTH_OF_A_PAGE;
    const text = values.json
      ? JSON.stringify(planJson(session.plan), null, 2)
      : formatPlan(session.plan, { width, color, all: values.all });
    process.stdout.write(`${text}\n`);
    return 0;
  } finally {
    session.close();
    await service?.close();
  }
});
