/** How much of this machine a plan would publish: its files, measured. */
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { contentIn } from '../domain/content-path.ts';
import { localMediaIn, type PublishedFiles } from '../plan/published-files.ts';
import type { Film } from './film/open-film.ts';

/** Undefined where there is nothing to publish. */
export async function publishedFiles(
  { plan, store }: Pick<Film, 'plan' | 'store'>,
  to: string,
): Promise<PublishedFiles | undefined> {
  const named = [...localMediaIn(plan)];
  if (named.length === 0) return undefined;
  const sizes = await Promise.all(named.map(text => sizeOf(pathOf(text, store))));
  const known = sizes.filter(size => size !== undefined);
  const bytes = known.reduce((sum, size) => sum + size, 0);
  return { to, files: named.length, bytes, unmeasured: named.length - known.length };
}

function pathOf(text: string, store: Pick<Film['store'], 'file'>): string | undefined {
  const digest = contentIn(text)[0] ?? /^sha256:(.*)$/.exec(text)?.[1];
  if (digest !== undefined) return store.file(digest);
  return /^file:/i.test(text) && URL.canParse(text) ? fileURLToPath(text) : undefined;
}

const sizeOf = async (path: string | undefined): Promise<number | undefined> =>
  path === undefined
    ? undefined
    : await stat(path).then(
        ({ size }) => size,
        () => undefined,
      );
