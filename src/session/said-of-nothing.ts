/** `--pick` and `--approve` that name no question of the film: a slip of the pen must not be paid for. */
import { nearest } from '../domain/nearest.ts';
import type { Plan } from '../domain/plan.ts';
import { selects } from '../domain/selector.ts';
import { decides } from '../plan/kinds/index.ts';
import { messages } from '../plan/selector-messages.ts';
import { selectorMistake } from '../plan/selector-mistakes.ts';
import type { Said, SaidBeforehand } from '../run/choices/said-choices.ts';

export const saidOfNothing = (said: SaidBeforehand | undefined, plan: Plan): readonly string[] =>
  (said?.all ?? []).flatMap(one => mistakeIn(one, plan) ?? []);

function mistakeIn({ is, of, text }: Said, { instances, pipeline, open }: Plan): string | undefined {
  const steps = pipeline.steps.filter(step => decides(step) === is).map(({ name }) => name as string);
  if (!steps.includes(of.step)) return messages.noQuestion(of.step, is, nearest(of.step, steps));
  if (open.some(({ step }) => step === of.step) && instances.isOpen(of.step)) return undefined;
  const keys = instances.of(of.step).map(({ key }) => key);
  return keys.some(key => selects(of, key)) ? undefined : selectorMistake(text, steps, keys);
}
