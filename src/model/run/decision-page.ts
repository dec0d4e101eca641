/** What only a person can decide, or wonders about, each with a section of the guide: headings of `pipelines/guide/recovering.md`, which `shotlist explain` prints. */
import type { FailureCode } from './failure.ts';

export const DECISION_PAGES = [
  'lost-answer',
  'lost-generation',
  'unknown-effect',
  'waiting-for-you',
  'budget-reached',
  'frozen',
  'until-not-held',
  'attach-differs',
  'adopted-file-missing',
  'lock-unreadable',
  'already-running',
  'still-billing',
  'bytes-missing',
] as const;

export type DecisionPage = (typeof DECISION_PAGES)[number];

/** The end of a message: the page of the guide about it. */
export const moreAt = (page: DecisionPage): string => `more: \`shotlist explain ${page}\``;

/** Of a failure that only a person can settle. */
export const pageOfFailure = (code: FailureCode): DecisionPage | undefined => PAGE_OF[code];

const PAGE_OF: { readonly [code in FailureCode]?: DecisionPage } = {
  submit_unknown: 'lost-answer',
  generation_lost: 'lost-generation',
  effect_unknown: 'unknown-effect',
  until_not_held: 'until-not-held',
};

/** Ends a command for a reason that its reader can do something about; the message names it. A refusal is never a bug. */
export class Refusal extends Error {
  /** The page of the guide about it. */
  readonly page?: DecisionPage;
}
