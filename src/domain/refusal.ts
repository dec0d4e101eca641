import type { DecisionPage } from './decision-page.ts';

/** Ends a command for a reason that its reader can do something about; the message says what. A refusal is never a bug. */
export class Refusal extends Error {
  /** Where the guide tells it at length. */
  readonly page?: DecisionPage;
}
