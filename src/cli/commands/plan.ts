/** `shotlist plan FILE`: what would run, why, and what it costs. Nothing is sent to the service but the question for its prices. */
import { Instances } from '../../domain/instances.ts';
import type { Instance, Plan } from '../../domain/plan.ts';
import type { Redactor } from '../../host/redactor.ts';
import { formatPlan, planJson } from '../../plan/plan-text.ts';
import { oneFile, parse } from '../arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { neverWrite, printPainted } from '../outlets.ts';
import { chooseService } from '../service/choose-service.ts';
import { givenParams, PARAM_OPTIONS } from '../session/param-options.ts';
import { secretTexts } from '../session/secret-texts.ts';
import { openSession } from '../session/session.ts';
import { indentedJson } from '../terminal/indented-json.ts';

const WIDTH_OF_A_PAGE = 100;

export const main = withExitCode(async args => {
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
    const { name, elsewhere, chatBy, draft } = choice;
    const params = givenParams(values);
    const session = await openSession({
      file,
      params,
      to: 'look',
      service: name,
      hosted: service,
      elsewhere,
      chatBy,
      draft,
    });
    const secrets = secretTexts(choice.key, session.pipeline, process.env);
    neverWrite(secrets);
    printPainted(`${textOf(withoutSecrets(session.plan, secrets), values)}\n`);
    await session.close();
    return 0;
  } finally {
    await service?.close();
  }
});

function textOf(plan: Plan, { json, all }: { readonly json: boolean; readonly all: boolean }): string {
  if (json) return indentedJson(planJson(plan));
  const color = process.stdout.isTTY === true && !process.env.NO_COLOR;
  return formatPlan(plan, { width: process.stdout.columns ?? WIDTH_OF_A_PAGE, color, all });
}

/** Secrets are hidden before requests are clipped to a line: half a secret would not be found any more. */
function withoutSecrets(plan: Plan, secrets: Redactor): Plan {
  const hidden = (instance: Instance): Instance =>
    instance.request === undefined ? instance : { ...instance, request: secrets.redactIn(instance.request) };
  return {
    ...plan,
    instances: new Instances(
      [...plan.instances.steps].map(step => [
        step,
        plan.instances.isOpen(step) ? null : plan.instances.of(step).map(hidden),
      ]),
    ),
  };
}
