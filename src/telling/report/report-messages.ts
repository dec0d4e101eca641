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
