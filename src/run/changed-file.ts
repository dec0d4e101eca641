/** Right before something is paid for or done: whether the author's files that it is made of are still what was planned. */
import type { Failure } from '../domain/failure.ts';
import type { ResolvedWork } from '../plan/resolved.ts';
import type { RunCore } from './run-core.ts';

export async function changedFile(
  { authorFiles }: Pick<ResolvedWork, 'authorFiles'>,
  run: Pick<RunCore, 'authorFiles'>,
): Promise<Extract<Failure, { readonly code: 'input_changed' }> | undefined> {
  for (const path of new Set(authorFiles)) {
    const why = await run.authorFiles?.changed(path);
    if (why !== undefined)
      return { code: 'input_changed', message: `${JSON.stringify(path)} ${why} since this run was planned` };
  }
  return undefined;
}
