/** The one instance that a selector of the command line stands for. */
import type { InstanceKey } from '../../domain/key.ts';
import type { Plan } from '../../domain/plan.ts';
import { parseSelector, selects } from '../../domain/selector.ts';
import { messages, selectorMistake } from '../../plan/selector-messages.ts';
import { UsageError } from '../arguments.ts';

/** @throws UsageError where it picks none, or several. */
export function oneInstance(text: string, { instances, open }: Plan): InstanceKey {
  const selector = parseSelector(text);
  const keys = selector ? instances.of(selector.step).map(({ key }) => key) : [];
  const chosen = keys.filter(key => selector && selects(selector, key));
  const [only, ...more] = chosen;
  const waiting = open.find(({ step }) => step === selector?.step);
  if (waiting && instances.isOpen(waiting.step)) throw new UsageError(messages.stillOpen(waiting.step, waiting.why));
  if (only === undefined) throw new UsageError(selectorMistake(text, [...instances.steps], keys));
  if (more.length > 0) throw new UsageError(messages.several(text, chosen));
  return only;
}
