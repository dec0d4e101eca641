/** Which options of `run` go with `--watch`. */
import { UsageError } from '../arguments.ts';
import { messages } from './watch-messages.ts';

/** About one run, about money, or about what nobody can tell of a service that bills. */
const OF_ONE_RUN = ['frozen', 'max-usd', 'fail-fast', 'on-unknown', 'on-interrupt', 'report'] as const;

type Given = { readonly [option: string]: unknown };

const isGiven = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

/** @throws UsageError */
export function stopUnlessWatchable(values: Given): void {
  for (const option of OF_ONE_RUN) if (isGiven(values[option])) throw new UsageError(messages.notBeside(option));
}

/** @throws UsageError for an option of `--watch` without it. */
export function stopIfOnlyWatched(values: Given): void {
  if (isGiven(values.open)) throw new UsageError(messages.onlyWatching('open'));
}
