/** Messages about a selection: on the command line, so that there is no place in a file to point at. */

import { parseSelector } from '../model/selector.ts';
import { asTyped, cleanText } from '../model/text/clean.ts';
import { nearest } from '../model/text/nearest.ts';

export const messages = {
  badSelector: (text: string, keys: readonly string[] = []) => {
    const [step = 'shot'] = /^\w+/.exec(text) ?? [];
    const like = keys.length > 0 ? keys.find(key => key.startsWith(`${step}[`)) : `${step}[beat=3]`;
    const instances = like === undefined ? '' : `, or instances of it, ${asTyped(like)}`;
    return `${asTyped(text)} is not written like a selector; write a step, \`${step}\`${instances}`;
  },
  unknownStep: (name: string, near: string | undefined, steps: readonly string[]) =>
    `there is no step \`${name}\`; ${
      /^\w+=/.test(name)
        ? `a param is given by ${asTyped(`--param ${name}`)}`
        : near === undefined
          ? `there are ${some(steps)}`
          : `did you mean ${asTyped(near)}?`
    }`,
  unknownInstance: (text: string, near: string | undefined, keys: readonly string[]) =>
    `${asTyped(text)} matches no instance; ${near === undefined ? `there are ${some(keys)}` : `did you mean ${asTyped(near)}?`}`,
  noInstances: (step: string) => `\`${step}\` has no instances: the step that writes its list is skipped`,

  several: (text: string, keys: readonly string[]) => `${asTyped(text)} matches ${some(keys)}; name one of them`,
  stillOpen: (step: string, why: string) => `the instances of \`${step}\` are not known yet: it ${why}`,
  noCandidate: (word: string, pick: string, near: string | undefined, candidates: readonly string[]) =>
    `${asTyped(word)} is none of the candidates of ${asTyped(pick)}; ${near === undefined ? `there are ${some(candidates)}, numbered from 1 to ${candidates.length}` : `did you mean ${asTyped(near)}?`}`,
  howMany: (pick: string, wanted: number, given: number) =>
    `${asTyped(pick)} takes ${wanted === 1 ? 'one candidate' : `${wanted} different candidates`}, and ${given === 1 ? 'one is' : `${given} are`} named`,
  refusedBefore: (key: string, who: string) =>
    `${asTyped(key)} was not approved by ${cleanText(who)}, who has seen this very content: --approve does not overrule that; \`shotlist approve\` does`,
  notYetAsked: (key: string, why: string) =>
    `there is nothing to decide about ${asTyped(key)} yet${why === '' ? '' : `: it ${why}`}`,
  noQuestion: (step: string, is: 'pick' | 'approve', near: string | undefined, steps: readonly string[]) =>
    `\`${step}\` is no step that says \`${is}\`; ${near !== undefined ? `did you mean ${asTyped(near)}?` : steps.length > 0 ? `there ${steps.length === 1 ? 'is' : 'are'} ${some(steps)}` : 'this film has none'}`,

  notSelected: () => 'not selected',
  excluded: () => 'excluded',
  redoneLeftOut: (keys: readonly string[]) =>
    `${some(keys)} would be made again, and ${keys.length === 1 ? 'is' : 'are'} no part of what is selected; select ${keys.length === 1 ? 'it' : 'them'} as well`,
  needsFirst: (key: string, needs: readonly string[]) =>
    `${key} needs ${some(needs)}, which ${needs.length === 1 ? 'is' : 'are'} not here yet; without --only, ${asTyped(key)} is made with all that it needs`,
} as const;

const some = (names: readonly string[]): string => {
  const [first = '', ...rest] = names.slice(0, MOST);
  const more = names.length - MOST;
  if (more > 0) return `${[first, ...rest].join(', ')} and ${more} more`;
  return rest.length === 0 ? first : `${[first, ...rest.slice(0, -1)].join(', ')} and ${rest.at(-1)}`;
};

const MOST = 6;

/** @param keys instances of the step that it names. */
export function selectorMistake(text: string, steps: readonly string[], keys: readonly string[]): string {
  const selector = parseSelector(text);
  if (!selector) return messages.badSelector(text, keys);
  const { step } = selector;
  if (!steps.includes(step)) {
    const near = nearest(step, steps);
    return messages.unknownStep(step, near && text.replace(step, near), steps);
  }
  return keys.length === 0 ? messages.noInstances(step) : messages.unknownInstance(text, nearest(text, keys), keys);
}
