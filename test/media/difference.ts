import { readFile } from 'node:fs/promises';

/** Where two files part ways, with their lengths; undefined where they are the same. */
export async function difference(...paths: readonly [string, string]): Promise<string | undefined> {
  const [one, two] = await Promise.all([readFile(paths[0]), readFile(paths[1])]);
  if (one.equals(two)) return undefined;
  return `byte ${one.findIndex((byte, at) => byte !== two[at])} of ${one.length} and ${two.length}`;
}
