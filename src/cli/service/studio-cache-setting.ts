/** The folder in which the studio keeps what it has drawn: an option's, else the environment's; none where neither names one. */
import { resolve } from 'node:path';

export function studioCache(
  env: Readonly<Record<string, string | undefined>>,
  option?: string,
): { readonly cache?: string } {
  const folder = option ?? env.SHOTLIST_STUDIO_CACHE?.trim();
  return folder ? { cache: resolve(folder) } : {};
}
