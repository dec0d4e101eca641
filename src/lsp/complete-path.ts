/** Paths of files, where the language takes one: from the folder of the file, never above the project. */
import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../host/project.ts';
import type { Cursor, Way } from '../language/cursor.ts';
import { kindOfPath } from '../language/types.ts';
import type { Document } from './document.ts';
import type { Taken } from './expected.ts';
import type { Offered } from './offer.ts';

type Wanted = (name: string) => boolean;

export function pathOffers(
  way: Way,
  taken: readonly Taken[],
  { word, quote }: Extract<Cursor, { is: 'value' }>,
  { file, root, source }: Document,
): readonly Offered[] {
  const wanted = file === undefined ? undefined : wantedAt(way, taken);
  if (wanted === undefined || file === undefined) return [];
  const written = source.text.slice(word.start, word.end);
  const behind = written.lastIndexOf('/') + 1;
  const folder = resolve(dirname(file), written.slice(0, behind));
  if (folder !== root && !isInside(folder, root)) return [];
  const lead = written.slice(0, behind);
  return entriesOf(folder)
    .filter(({ name, isFolder }) => !name.startsWith('.') && name !== 'node_modules' && (isFolder || wanted(name)))
    .filter(({ name }) => join(folder, name) !== file && !name.endsWith('.lock.yaml'))
    .map(({ name, isFolder }) => {
      const path = `${lead}${name}${isFolder ? '/' : ''}`;
      const text = quote === '' && /[^\w./~-]/.test(path) ? JSON.stringify(path) : path;
      return { label: path, what: isFolder ? 'folder' : 'file', text, at: word };
    });
}

function wantedAt(way: Way, taken: readonly Taken[]): Wanted | undefined {
  const [section, , key, ...rest] = way;
  const kind = taken.flatMap(({ media, items }) => media ?? items?.media ?? [])[0]?.kind;
  if (kind !== undefined) return name => kindOfPath(name) === kind;
  if (section === 'data' && way.length === 2) return () => true;
  if (section !== 'steps') return undefined;
  if (key === 'uses') return name => /\.ya?ml$/i.test(name);
  if (key === 'schema' && rest.length === 0) return name => /\.(json|ya?ml)$/i.test(name);
  if (key === 'files' && rest.length === 1) return () => true;
  if (key === 'cut' && ['from', 'voice', 'music'].includes(String(way.at(-1))))
    return name => kindOfPath(name) !== undefined;
  return undefined;
}

/** Of a folder that cannot be read, none. */
function entriesOf(folder: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .map(entry => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  } catch {
    return [];
  }
}
