/** All that a film was read from: what is looked at for changes, also where it was not there. */
import { dirname, resolve } from 'node:path';
import type { Watched } from '../../host/file-watch.ts';
import type { ProjectFiles } from '../../language/project-files.ts';

export class LookedAt implements Watched {
  readonly files: Set<string>;
  readonly lists = new Map<string, () => string>();
  readonly read = new Map<string, string>();

  /** @param files that are looked at in any case, absolute. */
  constructor(files: readonly string[]) {
    this.files = new Set(files);
  }

  /** What was read of it first: whatever comes later is a change. */
  found(file: string, sha256: string): void {
    if (!this.read.has(file)) this.read.set(file, sha256);
  }

  /** The same files; whichever is asked for is noted. @param folder of whoever names them. */
  noting(files: ProjectFiles, folder: string): ProjectFiles {
    return {
      read: path => {
        const file = resolve(folder, path);
        this.files.add(file);
        const found = files.read(path);
        if ('sha256' in found) this.found(file, found.sha256);
        return found;
      },
      list: pattern => {
        this.lists.set(`${folder} ${pattern}`, () => JSON.stringify(files.list(pattern)));
        return files.list(pattern);
      },
      beside: path => this.noting(files.beside(path), dirname(resolve(folder, path))),
    };
  }
}
