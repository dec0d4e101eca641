/** Commands about what a run waits for, or waited for, as a person would type them. None of them decides anything. */

import { FINAL } from '../../model/profile.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { asTyped, cleanText } from '../../model/text/clean.ts';
import type { RunView } from '../../records/views/run-view.ts';

type Film = Pick<RunView, 'pipeline' | 'profile'>;

/**
 * Opens what it waits for: `shotlist review spot.yaml --draft`.
 *
 * @param film options that say which film is meant beside its profile, as they are typed: `--draft`, `--param who=fox`.
 */
export const reviewCommand = (of: Film, film = ''): string => typed(of, film, ['review', of.pipeline]);

/** Has a person asked once more: `shotlist approve spot.yaml client --undo`. */
export const askAgainCommand = (of: Film, key: InstanceKey, film = ''): string =>
  typed(of, film, ['approve', of.pipeline, key, '--undo']);

function typed({ profile }: Film, film: string, words: readonly string[]): string {
  const flags = profile === null || profile === FINAL ? [] : ['--profile', profile];
  const all = ['shotlist', ...words, ...flags].map(word => asTyped(cleanText(word)));
  return [...all, ...(film === '' ? [] : [film])].join(' ');
}
