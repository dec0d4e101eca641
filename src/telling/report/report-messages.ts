/** What a report says in its own words. */
import { cleanText } from '../../domain/clean.ts';

export const messages = {
  blocked: (by: string): string => `it needs ${cleanText(by)}, which came to nothing`,
  notRun: (): string => 'the run ended before its turn',
  leftOpen: (): string => 'the run ended before it did; the next one takes it up',
  again: (): string => 'what it was asked for is the same, and its result was not at hand',
  owned: (): string => 'owned, once all that it reads was there',
  notKept: (): string => 'an older version ran it, and did not keep why',
  outputNotMade: (key: string, state: string): string => `${cleanText(key)} is ${state}`,
  waitsFor: (names: readonly string[]): string => `waits for ${names.map(cleanText).join(', ')}`,
};

/** States as they stand in a sentence. */
export const STATES = {
  made: 'made',
  reused: 'reused',
  failed: 'failed',
  blocked: 'blocked',
  skipped: 'skipped',
  left_out: 'left out',
  not_run: 'not run',
  waiting: 'waiting',
  queued: 'queued',
  running: 'under way',
  fetching: 'being fetched',
  asks: 'waiting for a person',
} as const;
