/** What is wrong with a text that is no expression. The words are in `messages/syntax-messages.ts`. */
import type { Place } from './tree.ts';

export type CodeProblem = Place &
  (
    | { readonly kind: 'early-end' }
    /** `what` and `found`: as an author writes them. */
    | { readonly kind: 'expected'; readonly what: string; readonly found: string | undefined }
    | { readonly kind: 'unexpected'; readonly found: string }
    | { readonly kind: 'character'; readonly text: string }
    | { readonly kind: 'open-text' }
    | { readonly kind: 'escape'; readonly text: string }
    | { readonly kind: 'number'; readonly text: string }
    /** A word or sign of another language, and what is written here. */
    | { readonly kind: 'spelling'; readonly text: string; readonly instead: string }
    | { readonly kind: 'reserved'; readonly word: string }
    | { readonly kind: 'not-a-type'; readonly text: string; readonly of: 'bytes' | 'unsigned' }
    | { readonly kind: 'variable'; readonly loop: string }
    | { readonly kind: 'has' }
    | { readonly kind: 'depth'; readonly limit: number }
    | { readonly kind: 'length'; readonly limit: number }
  );

/** Ends the reading of one expression; never leaves `parse.ts`. */
export class Unreadable extends Error {
  readonly problem: CodeProblem;

  constructor(problem: CodeProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}
