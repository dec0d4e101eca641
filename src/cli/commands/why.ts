/** `shotlist why FILE SELECTOR…`: why an instance is owned, or would be made again, field by field. Nothing is sent but the question for prices. */

import type { Plan } from '../../model/plan.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { parseSelector, selectorsIn, selects, stepNamedIn } from '../../model/selector.ts';
import { messages, selectorMistake } from '../../plan/selector-messages.ts';
import { whyOf } from '../../plan/why/explain.ts';
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
  const steps = [...instances.steps];
  const step = stepNamedIn(text);
  const ofStep = steps.includes(step) ? instances.of(step).map(({ key }) => key) : [];
  const keys = ofStep.filter(key => selector && selects(selector, key));
  if (keys.length > 0) return keys;
  const waiting = open.find(({ step }) => step === selector?.step);
  throw new UsageError(waiting ? messages.stillOpen(waiting.step, waiting.why) : selectorMistake(text, steps, ofStep));
}
