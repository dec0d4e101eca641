/** What is said where a person's own file is adopted, and where it cannot be. */
import { asTyped } from '../domain/as-typed.ts';
import { formatSeconds } from '../domain/format.ts';

interface Size {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

export const messages = {
  nothingToAdopt: (key: string) =>
    `${key} gives no single file that another one could stand in for; adopt a file for a step that makes a film, a picture or a sound, or for a command that creates one file`,
  notThere: (path: string) => `${asTyped(path)}: there is no such file`,
  noFile: (path: string) => `${asTyped(path)} is no file; name a file`,
  misfit: (path: string, misfit: string, key: string) => `${asTyped(path)} cannot stand in for ${key}: it is ${misfit}`,
  otherLength: (is: number, expected: number) =>
    `it is ${formatSeconds(is)} long, and the film expects ${formatSeconds(expected)}`,
  otherSize: (is: Size, expected: Size) => `it is ${size(is)}, and the film expects ${size(expected)}`,
  outside: (path: string) =>
    `${asTyped(path)} lies outside of the project: other machines have the lock, and not its bytes; put it into the project and adopt it from there`,
} as const;

const size = ({ width, height }: Size): string => `${width ?? '?'}×${height ?? '?'}`;
