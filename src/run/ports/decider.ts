/**
 * Decides what no rule can: a person at a terminal or on a page, or an answer that was given beforehand. A port: a run asks and goes on
 * with what does not depend on the answer; a question may stay open for days and holds no slot.
 */
import type { ChosenBy } from '../../model/run/choice.ts';
import type { Option as ResultOption } from '../../model/run/event.ts';
import type { InstanceKey } from '../../model/run/key.ts';

export interface Question<Option extends string = string> {
  /** The same question has the same id in every run: an answer that was recorded is found by it. */
  readonly id: string;
  readonly key: InstanceKey;
  /** What is to be decided, as a sentence. */
  readonly ask: string;
  readonly options: readonly { readonly id: Option; readonly label: string }[];
}

interface Choice<Option extends string = string> {
  readonly option: Option;
  /** Who decided: a person's name, or the flag or setting that answered beforehand. */
  readonly by: string;
  readonly note?: string;
}

/** A pick or an approval that is open: it may be answered while the rest of it is still made. */
export interface OpenQuestion {
  readonly key: InstanceKey;
  readonly is: 'pick' | 'approve';
  readonly ask: string;
  readonly count: number;
  /** What is there at this moment; more may come. */
  readonly options: readonly ResultOption[];
  /** Still to come. An early choice decides against them. */
  readonly awaited: readonly InstanceKey[];
  /** Calls back when there is more to choose from. Returns how to stop that. */
  onChange(listener: () => void): () => void;
}

export interface Verdict {
  /** Ids of options, best first; none: not approved. */
  readonly chosen: readonly string[];
  readonly by: Extract<ChosenBy, 'person' | 'flag'>;
  readonly who: string;
  readonly note?: string;
}

export interface Decider {
  /**
   * Asks which of several results goes on, or whether one may. Undefined where no person is there to decide, or the signal aborted first: then it
   * was decided elsewhere, or the run ends. No timeout decides. Absent: no person is ever there.
   */
  decide?(question: OpenQuestion, signal: AbortSignal): Promise<Verdict | undefined>;
  /** Undefined where no person is there to decide, or the signal aborted first. A timeout never decides. */
  choose<Option extends string>(question: Question<Option>, signal: AbortSignal): Promise<Choice<Option> | undefined>;
}

/** @param answers what to choose wherever it is among the options, the first that is, and the flag or setting it comes from. */
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
