/** `shotlist why FILE SELECTOR…`: why an instance is owned, or would be made again, field by field. Nothing is sent but the question for prices. */

import type { Plan } from '../../model/plan.ts';
import type { InstanceKey, StepName } from '../../model/run/key.ts';
import { parseSelector, selectorsIn, selects } from '../../model/selector.ts';
import { nearest } from '../../model/text/nearest.ts';
import { whyOf } from '../../plan/why/explain.ts';
import { messages } from '../../plan/why/why-messages.ts';
import { historyOf } from '../../run/local/local-history.ts';
import { formatWhy, whyJson } from '../../show/plan/why-text.ts';
import { UsageError } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { jsonText, printPainted, stdoutLook } from '../outlets.ts';
import { leaveParamsOutOfTitle } from '../session/film-options.ts';
import { filmAtService } from '../session/session.ts';

export const main = command('why', async ({ values, positionals }) => {
  const [file, ...selectors] = positionals;
  if (file === undefined) throw new UsageError('which file? shotlist why FILE shot[beat=3]');
  leaveParamsOutOfTitle('why', file, values.param);
  await using film = await filmAtService(file, values, { to: 'look' });
  const { choice, session } = film;
  const { plan, context, journal, lock, secrets } = session;
  const keys =
    selectors.length === 0 ? [...plan.instances].map(({ key }) => key) : chosenBy(selectors.flatMap(selectorsIn), plan);
  const history = historyOf(journal, lock, choice.name, asked => secrets.redactIn(asked));
  const all = keys.map(key => whyOf(key, plan, context, history));
  const text = values.json ? jsonText(whyJson(all, plan)) : `${formatWhy(all, plan, stdoutLook())}\n`;
  printPainted(text);
  return 0;
});

/** In the order of the plan, each once. @throws UsageError for a selector that picks nothing. */
function chosenBy(selectors: readonly string[], plan: Plan): readonly InstanceKey[] {
  const chosen = new Set(selectors.flatMap(text => keysFor(text, plan)));
  return [...plan.instances].map(({ key }) => key).filter(key => chosen.has(key));
}

function keysFor(text: string, { instances, open }: Plan): readonly InstanceKey[] {
  const selector = parseSelector(text);
  if (!selector) throw new UsageError(messages.badSelector(text));
  const steps = [...instances.steps];
  const { step } = selector;
  if (!steps.includes(step)) {
    const near = nearest(step, steps);
    throw new UsageError(messages.unknownStep(step, near && text.replace(step, near), steps));
  }
  const ofStep = instances.of(step).map(({ key }) => key);
  const keys = ofStep.filter(key => selects(selector, key));
  if (keys.length > 0) return keys;
  if (instances.isOpen(step)) throw new UsageError(messages.openInstances(step, whyOpen(step, open)));
  if (ofStep.length === 0) throw new UsageError(messages.noInstances(step));
  throw new UsageError(messages.unknownInstance(text, nearest(text, ofStep), ofStep));
}

const whyOpen = (step: StepName, open: Plan['open']): string => open.find(one => one.step === step)?.why ?? 'is open';
