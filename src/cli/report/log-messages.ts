/** What is said where there is no log to show. */
import { asTyped } from '../../domain/as-typed.ts';
import { cleanText } from '../../domain/clean.ts';
import { nearest } from '../../domain/nearest.ts';

/** Instances that are named. */
const NAMED = 5;

export const logMessages = {
  which: (): string => "which instance of which file? shotlist logs FILE 'shot[beat=3]'",
  followsNoJson: (): string => '--follow tells it as it comes, and --json is one document: leave one of them out',
  unknown: (text: string, known: readonly string[]): string => {
    const near = nearest(text, known);
    const instead = near ? `; did you mean ${asTyped(near)}?` : '';
    return `no run of this film knows ${cleanText(text)}${instead}`;
  },
  several: (text: string, keys: readonly string[]): string => {
    const more = keys.length > NAMED ? ` and ${keys.length - NAMED} more` : '';
    return `${cleanText(text)} may be ${keys.slice(0, NAMED).map(asTyped).join(', ')}${more}; name one of them`;
  },
  notBegun: (key: string): string => `nothing has begun ${cleanText(key)} yet: there is nothing to show of it`,
};
