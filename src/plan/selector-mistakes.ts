/** Why a selector picks nothing, with the nearest right name. */
import { nearest } from '../domain/nearest.ts';
import { parseSelector } from '../domain/selector.ts';
import { messages } from './selector-messages.ts';

/** @param keys instances of the step that it names. */
export function selectorMistake(text: string, steps: readonly string[], keys: readonly string[]): string {
  const selector = parseSelector(text);
  if (!selector) return messages.badSelector(text);
  const { step } = selector;
  if (!steps.includes(step)) {
    const near = nearest(step, steps);
    return messages.unknownStep(step, near && text.replace(step, near), steps);
  }
  return keys.length === 0 ? messages.noInstances(step) : messages.unknownInstance(text, nearest(text, keys), keys);
}
