/** The job of GitHub Actions that this process is a part of: its summary, and places in the files of its repository. */
import { appendFile, stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { position } from '../../language/yaml/excerpt.ts';
import { writeErrorText } from '../../machine/files/disk-error.ts';
import { isInside } from '../../machine/files/project.ts';
import type { Diagnostic, Source, Span } from '../../model/diagnostic.ts';
import { annotation, fitting, type PlaceInFile } from '../../show/reporters/github-commands.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Job {
  readonly environment: Environment;
  /** Takes a line of the job's log, for the runner that reads it. */
  readonly say: (line: string) => void;
}

/** What a job's summary can hold is shared by all that its step writes. */
export async function addToSummary(markdown: string, { GITHUB_STEP_SUMMARY: file }: Environment): Promise<void> {
  if (!file) return;
  const { linesWithin, MAX_SUMMARY_BYTES } = await import('../../show/reporters/github-summary.ts');
  const used = await stat(file).then(
    ({ size }) => size,
    () => 0,
  );
  const page = linesWithin(markdown.split('\n'), MAX_SUMMARY_BYTES - used);
  if (MAX_SUMMARY_BYTES - used > MAX_SUMMARY_BYTES / 100)
    await withReadableDiskError(() => appendFile(file, `${page}\n`));
}

/** Mistakes in the file, on their lines in a pull request. */
export function annotateMistakes(diagnostics: readonly Diagnostic[], { environment, say }: Job): void {
  const all = diagnostics.map(({ severity, code, message, source, span }) => ({
    kind: severity === 'hint' ? ('notice' as const) : severity,
    title: code,
    message,
    place: placeIn(source, span, environment),
  }));
  for (const one of fitting(all, 'all of them are in the log')) say(annotation(one));
}

/** Undefined outside of the repository, where no page shows it. */
export function placeIn(source: Source, { start, end }: Span, environment: Environment): PlaceInFile | undefined {
  const file = pathInRepository(source.path, environment);
  return file === undefined
    ? undefined
    : { file, ...position(source, start), ...(end > start && { end: position(source, end) }) };
}

/** With `/`, from the root of the repository that a job has checked out; elsewhere from this folder. Undefined outside of it. */
export function pathInRepository(file: string, environment: Environment): string | undefined {
  const root = resolve(environment.GITHUB_WORKSPACE || '.');
  const path = resolve(file);
  return isInside(path, root) ? relative(root, path).split(sep).join('/') : undefined;
}

/** Writes, and throws a disk's error in readable words. */
export async function withReadableDiskError(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new Error(writeErrorText(error), { cause: error });
  }
}
