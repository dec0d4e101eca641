/** What is said where a person's own file is adopted, and where it cannot be. */
import { asTyped } from '../domain/as-typed.ts';
import { formatSeconds } from '../domain/format.ts';
import { listed } from '../domain/listed.ts';

interface Size {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

export const messages = {
  nothingToAdopt: (key: string, instead: readonly string[]) =>
    instead.length > 0
      ? `${key} makes no file itself: it gives what others make; adopt it for ${listed(instead.slice(0, MOST_NAMED).map(asTyped), 'or')}${instead.length > MOST_NAMED ? `, or for another of ${instead.length}` : ''}`
      : `${key} gives no single file that another one could stand in for; adopt a file for a step that makes a film, a picture or a sound, or for a command that creates one file`,
  notThere: (path: string) => `${asTyped(path)}: there is no such file`,
  noFile: (path: string) => `${asTyped(path)} is no file; name a file`,
  misfit: (path: string, misfit: string, key: string) => `${asTyped(path)} cannot stand in for ${key}: it is ${misfit}`,
  otherLength: (is: number, expected: number) =>
    `it is ${formatSeconds(is)} long, and the film expects ${formatSeconds(expected)}`,
  otherSize: (is: Size, expected: Size) => `it is ${size(is)}, and the film expects ${size(expected)}`,
  outside: (path: string) =>
    `${asTyped(path)} lies outside of the project: other machines have the lock, and not its bytes; put it into the project and adopt it from there`,
} as const;

const MOST_NAMED = 4;

const size = ({ width, height }: Size): string => `${width ?? '?'}×${height ?? '?'}`;
