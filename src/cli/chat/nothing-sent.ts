import { UsageError } from '../arguments.ts';

/** Everything that is wrong with a question, a line each. */
export const nothingSent = (reasons: readonly { readonly message: string }[]): UsageError =>
  new UsageError('nothing was sent:', ...reasons.map(({ message }) => `  ${message}`));
