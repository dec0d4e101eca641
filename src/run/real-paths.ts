/** Content gets its real path where it is used: it is brought to this machine first, where it lies on another. */
import { pathToFileURL } from 'node:url';
import { contentIn, withRealPaths } from '../model/run/result.ts';
import type { Store } from '../records/store/store.ts';

/** Puts real paths into each of `texts`, and into any other text that names the same content. What is not owned stays as it is. */
export async function realPathsIn(
  texts: Iterable<string>,
  store: Pick<Store, 'has' | 'pathOf'>,
): Promise<(text: string) => string> {
  const places = new Map<string, { readonly path: string; readonly url: string }>();
  for (const text of texts) {
    for (const sha256 of contentIn(text)) {
      if (places.has(sha256) || !store.has(sha256)) continue;
      const path = await store.pathOf(sha256);
      places.set(sha256, { path, url: pathToFileURL(path).href });
    }
  }
  return text => (places.size === 0 ? text : withRealPaths(text, sha256 => places.get(sha256)));
}
