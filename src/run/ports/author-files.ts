/**
 * The author's own files while a run goes on. Planning has read them, and minutes or days pass until one is sent: what is paid for must be
 * made of what was planned. A port, because a run knows no disk.
 */
import type { Failure } from '../../model/run/failure.ts';
import type { ResolvedWork } from '../../plan/values/resolved.ts';

export interface AuthorFiles {
  /** Reads the files that were asked for by name and are not known yet; true where there were any. */
  load(): Promise<boolean>;
  /** `has changed`, `is gone`: what became of a file since it was read; undefined where its content is what it was. */
  changed(path: string): Promise<string | undefined>;
}

/** Right before something is paid for or done: which of the author's files that it is made of is no longer what was planned. */
export async function changedFile(
  { authorFiles }: Pick<ResolvedWork, 'authorFiles'>,
  run: { readonly authorFiles?: AuthorFiles | undefined },
): Promise<Extract<Failure, { readonly code: 'input_changed' }> | undefined> {
  for (const path of new Set(authorFiles)) {
    const why = await run.authorFiles?.changed(path);
    if (why !== undefined)
      return { code: 'input_changed', message: `${JSON.stringify(path)} ${why} since this run was planned` };
  }
  return undefined;
}
