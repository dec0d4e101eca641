/** Answers questions from a flag or a setting that was given beforehand: nobody is asked. */
import type { Decider } from '../ports/decider.ts';

/** @param answers what to choose wherever it is among the options, the first that is, and who said so. */
export const presetDecider = (answers: readonly { readonly option: string; readonly by: string }[]): Decider => ({
  choose: async ({ options }, signal) => {
    if (signal.aborted) return undefined;
    for (const { option, by } of answers) {
      const offered = options.find(({ id }) => id === option);
      if (offered) return { option: offered.id, by };
    }
    return undefined;
  },
});
