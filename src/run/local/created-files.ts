/**
 * The files that a command promised to leave in its folder: found, looked at before they are believed, and kept by their content. Names
 * never leave the folder, by `..` or by a link.
 */
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { kindOfPath } from '../../language/types/types.ts';
import { DiskError } from '../../machine/files/disk-error.ts';
import { NAMES } from '../../media/decode/not-media.ts';
import type { Misfit } from '../../media/decode/verify.ts';
import type { MediaFacts, MediaKind } from '../../model/media/media.ts';
import type { CommandFile, CommandFiles, ListedFile } from '../../model/run/result.ts';
import { naturally } from '../../model/text/nearest.ts';
import type { Store } from '../../records/store/store.ts';

interface Promised {
  /** Name → path relative to the folder. */
  readonly creates: { readonly [name: string]: string };
  /** Names whose paths hold a star: all files that match. */
  readonly lists: readonly string[];
  /** The most files that a star may stand for. */
  readonly mostFiles: number;
}

/** As in a shell, a star matches any part of a name, but not the dot of a hidden file. */
async function matching(pattern: string): Promise<readonly string[]> {
  const folder = dirname(pattern);
  const name = basename(pattern);
  const parts = name.split('*').map(part => part.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&'));
  const expression = new RegExp(`^${parts.join('[^]*')}$`);
  const found = await readdir(folder).catch(() => []);
  return found
    .filter(candidate => expression.test(candidate) && (name.startsWith('.') || !candidate.startsWith('.')))
    .sort(naturally)
    .map(candidate => join(folder, candidate));
}

async function look(path: string, home: string): Promise<{ readonly real: string } | { readonly problem: string }> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return { problem: 'is not there' };
  if (!real.startsWith(`${home}${sep}`)) return { problem: 'is a link that leads out of its folder' };
  const { isFile, size } = await stat(real).then(found => ({ isFile: found.isFile(), size: found.size }));
  if (!isFile) return { problem: 'is no file' };
  // A crashed encoder often leaves an empty file: it is better reported now than by the step that reads it.
  return size === 0 ? { problem: 'is empty' } : { real };
}

/** Every file below the folder, with `/` between names. */
async function inventory(home: string): Promise<string[]> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(home, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .sort();
}

/** What a file is by its content, or what it is instead of media; null where that is unknown. */
export type Probe = (path: string) => Promise<MediaFacts | Misfit | null>;

type Adopted =
  | { readonly is: 'all'; readonly files: CommandFiles }
  | { readonly is: 'missing'; readonly message: string };

interface Created {
  readonly name: string;
  /** One of the files that a star matches. */
  readonly isListed: boolean;
  /** Absolute, as the command called it, and where it leads. */
  readonly path: string;
  readonly real: string;
  /** From the command's folder, for messages. */
  readonly shown: string;
}

/** Nothing is adopted unless everything that was promised is there. */
export async function adoptCreated(
  folder: string,
  promised: Promised,
  { store, probe }: { readonly store: Pick<Store, 'adopt'>; readonly probe: Probe },
): Promise<Adopted> {
  const created = await findCreated(folder, promised);
  if (typeof created === 'string') return { is: 'missing', message: created };
  const looked: (Created & { readonly facts: MediaFacts | null })[] = [];
  for (const one of created) {
    const found = await probe(one.path);
    const wrong = wrongContent(one.path, found);
    if (wrong !== undefined) return { is: 'missing', message: misnamed(one.name, one.shown, wrong) };
    looked.push({ ...one, facts: found && 'kind' in found ? found : null });
  }
  const files: { [name: string]: CommandFile | ListedFile[] } = {};
  // Two names, or a link, may lead to one file: it is taken once.
  const taken = new Map<string, Pick<CommandFile, 'sha256' | 'bytes'>>();
  try {
    for (const { name, isListed, path, real, facts } of looked) {
      const extension = extname(path);
      const { sha256, bytes } = taken.get(real) ?? (await store.adopt(real, extension));
      taken.set(real, { sha256, bytes });
      const file: CommandFile = { sha256, extension, bytes, media: facts };
      const listed = (files[name] ?? []) as ListedFile[];
      files[name] = isListed ? listed : file;
      if (isListed) listed.push({ name: basename(path), ...file });
    }
  } catch (error) {
    if (error instanceof DiskError) return { is: 'missing', message: notKept(error.message) };
    throw error;
  }
  return { is: 'all', files };
}

/** In the order of the promises, the files of a list in natural order. A text: what is wrong. */
async function findCreated(
  folder: string,
  { creates, lists, mostFiles }: Promised,
): Promise<readonly Created[] | string> {
  const created: Created[] = [];
  if (Object.keys(creates).length === 0) return created;
  const home = await realpath(folder);
  for (const [name, promised] of Object.entries(creates)) {
    const isListed = lists.includes(name);
    const found = isListed ? await matching(join(home, promised)) : [join(home, promised)];
    if (isListed && found.length > mostFiles) return tooMany(name, promised, found.length, mostFiles);
    if (found.length === 0) return notCreated(name, promised, 'matches nothing', await inventory(home));
    for (const path of found) {
      const shown = relative(home, path).replaceAll(sep, '/');
      const looked = await look(path, home);
      if ('problem' in looked) return notCreated(name, shown, looked.problem, await inventory(home));
      created.push({ name, isListed, path, shown, ...looked });
    }
  }
  return created;
}

/**
 * What the file is instead of what its name says; undefined where the two agree, or its content is unknown. A film without pictures is a sound, and
 * a sound with a cover is still a sound: only what no model would accept for the other is wrong.
 */
function wrongContent(path: string, found: MediaFacts | Misfit | null): string | undefined {
  const kind = kindOfPath(path);
  if (kind === undefined || found === null) return undefined;
  if ('misfit' in found) return `no ${WORDS[kind]} but ${found.misfit}`;
  const agree = (kind === 'image') === (found.kind === 'image');
  return agree ? undefined : `no ${WORDS[kind]} but ${NAMES[found.kind]}`;
}

const WORDS: { readonly [kind in MediaKind]: string } = { video: 'film', image: 'picture', audio: 'sound' };

/** Names of files that are worth listing. */
const MAX_LISTED = 10;

function notCreated(name: string, path: string, problem: string, left: readonly string[]): string {
  const listed = left.slice(0, MAX_LISTED).map(file => `\`${file}\``);
  const more = left.length > MAX_LISTED ? ` and ${left.length - MAX_LISTED} more` : '';
  const instead = left.length === 0 ? 'it left nothing' : `it left ${listed.join(', ')}${more}`;
  return `the command promised \`${name}\`, but \`${path}\` ${problem}; ${instead}. Have the command write it, or correct \`creates\``;
}

const tooMany = (name: string, path: string, found: number, most: number): string =>
  `the command left ${found.toLocaleString('en-US')} files for \`${name}\` (\`${path}\`), and ${most.toLocaleString('en-US')} is the most; have it leave fewer, or give the step \`max: ${found}\``;

const notKept = (why: string): string => `what it made could not be kept: ${why}`;

/** A name with an extension that does not match the content. */
const misnamed = (name: string, path: string, what: string): string =>
  `the command promised \`${name}\`, but \`${path}\` is ${what}. Have the command write what the name says, or give it the name of what it is`;
