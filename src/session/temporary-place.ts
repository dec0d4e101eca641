/** A folder for what is needed for a moment, gone when its block is left. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryPlace extends AsyncDisposable {
  file(name: string): string;
}

export async function temporaryPlace(): Promise<TemporaryPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'shotlist-'));
  return {
    file: name => join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
