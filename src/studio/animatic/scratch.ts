/** A folder for what a render needs only while it works. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderJob } from './job.ts';

/** Gone at the end of the scope, however it ends: `await using scratch = await openScratch(job)`. */
export async function openScratch({ folder }: RenderJob): Promise<{ path(name: string): string } & AsyncDisposable> {
  const place = join(folder, 'scratch');
  await mkdir(place);
  return {
    path: name => join(place, name),
    [Symbol.asyncDispose]: () => rm(place, { recursive: true, force: true }),
  };
}
