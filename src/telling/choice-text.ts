/** The command that opens what a run waits for, as a person would type it: `shotlist review spot.yaml --draft`. It decides nothing. */
import { asTyped } from '../domain/as-typed.ts';
import { cleanText } from '../domain/clean.ts';
import { FINAL } from '../domain/profile.ts';
import type { RunView } from '../records/views/run-view.ts';

/** @param film options that say which film is meant beside its profile, as they are typed: `--draft`, `--param who=fox`. */
export function reviewCommand({ pipeline, profile }: Pick<RunView, 'pipeline' | 'profile'>, film = ''): string {
  const flags = profile === null || profile === FINAL ? [] : ['--profile', profile];
  const typed = ['shotlist', 'review', pipeline, ...flags].map(word => asTyped(cleanText(word)));
  return [...typed, ...(film === '' ? [] : [film])].join(' ');
}
