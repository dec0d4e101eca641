/**
 * Decides what no rule can: a person at a terminal or on a page, or an answer that was given beforehand. A port: a run asks and goes on
 * with what does not depend on the answer; a question may stay open for days and holds no slot.
 */
import type { InstanceKey } from '../../domain/key.ts';

export interface Question<Option extends string = string> {
  /** The same question has the same id in every run: an answer that was recorded is found by it. */
  readonly id: string;
  readonly key: InstanceKey;
  /** What is to be decided, as a sentence. */
  readonly ask: string;
  readonly options: readonly { readonly id: Option; readonly label: string }[];
}

export interface Choice<Option extends string = string> {
  readonly option: Option;
  /** Who decided: a person's name, or the flag or setting that said so beforehand. */
  readonly by: string;
  readonly note?: string;
}

export interface Decider {
  /** Undefined where nobody is there to decide, or the signal aborted first. A time that runs out never decides. */
  choose<Option extends string>(question: Question<Option>, signal: AbortSignal): Promise<Choice<Option> | undefined>;
}
