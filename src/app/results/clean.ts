/**
 * Finds what can be deleted of a project's `.shotlist/`, by kind, and deletes it. What a lock of the project names stays. Paid results, and results
 * of unknown origin, stay unless they are asked for by name. While a film runs, all results and its folders stay.
 */
import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { readIfThere } from '../../machine/files/files.ts';
import type { Project } from '../../machine/files/project.ts';
import { FilmBusy, lockFilm } from '../../records/journal/film-lease.ts';
import { readLockText } from '../../records/lock/lock-file.ts';
import { type KnownContents, knownContents } from '../../run/local/known-content.ts';
import { slugOf } from '../state-folders.ts';
import { locksIn } from './shared-survey.ts';

export const KINDS = ['drafts', 'frames', 'results', 'logs', 'paid'] as const;
/**
 * `drafts`: what the built-in studio drew, in the store, and its own copies; `frames`: frames and sound taken out of videos; `results`: cuts
 * and what commands left; `logs`: what commands wrote; `paid`: everything else, which a service billed, or may have.
 */
export type Kind = (typeof KINDS)[number];

export interface Share {
  readonly files: number;
  readonly bytes: number;
}

export interface Freeable {
  /** What would be freed; `paid` only where it was asked for. */
  readonly free: Readonly<Record<Kind, Share>>;
  /** Named by a lock: the film has it, and it stays. */
  readonly named: Share & { readonly locks: readonly string[] };
  /** Paid for, or of unknown origin, and not asked for. */
  readonly paid: Share;
  /** Films that run at the moment. */
  readonly running: readonly string[];
  /** Deletes what `free` counts. Returns the bytes freed. @throws the disk's error. */
  remove(): Promise<number>;
  close(): void;
}

interface CleanAsked {
  readonly project: Project;
  /** This film alone, in all its profiles. */
  readonly film: boolean;
  /** Also what was paid for, and no lock names. */
  readonly paid: boolean;
}

interface Found extends Share {
  readonly path: string;
  readonly kind: Kind;
}

/** The films are held until it is closed: none begins to run meanwhile. */
export async function findReclaimable({ project, film, paid: withPaid }: CleanAsked): Promise<Freeable> {
  const { stateFolder: folder } = project;
  const own = film ? slugOf(project) : undefined;
  const held = await holdFilms(folder);
  const isOwn = (name: string) => own === undefined || name === own || name.startsWith(`${own}/@`);
  const known = knownContents(folder);
  const locks = await locksOf(project.root);
  const files = await contentFiles(join(folder, 'store'));
  const derived = await derivedContents(join(folder, 'store', 'derived'));
  const found: Found[] = [];
  const named = { files: 0, bytes: 0, locks: new Set<string>() };
  const kept = { files: 0, bytes: 0 };
  for (const { path, digest, bytes } of files) {
    const owners = [...(known.films.get(digest) ?? known.films.get(derived.get(digest) ?? '') ?? [])];
    if (own !== undefined && (owners.length === 0 || !owners.every(isOwn))) continue;
    const namedBy = locks.filter(({ digests }) => digests.has(digest));
    if (namedBy.length > 0) {
      add(named, bytes);
      for (const { name } of namedBy) named.locks.add(name);
      continue;
    }
    const kind = kindOf(digest, known, derived);
    // A film without its lock may still be made of it.
    const isWhole = owners.every(one => locks.some(({ film: of }) => of === one.split('/@')[0]));
    if (held.running.length > 0) continue;
    const isOld = owners.length > 0 && isWhole && !known.newest.has(digest);
    if (kind === 'paid' && !(withPaid && isOld)) add(kept, bytes);
    else found.push({ path, kind, files: 1, bytes });
  }
  const isBusy = (name: string) => held.running.some(one => one === name || one.startsWith(`${name}/@`));
  const offer = async (film: string, path: string, kind: Kind) => {
    if (isOwn(film) && !isBusy(film)) found.push({ path, kind, ...(await sizeOf(path)) });
  };
  for (const { path, film } of await foldersWith(join(folder, 'runs'), 'logs'))
    await offer(film, join(path, 'logs'), 'logs');
  for (const { path, film } of await studiosOf(folder))
    if (!known.openAt.has(`studio ${path}`)) await offer(film, join(path, 'results'), 'drafts');
  const free = Object.fromEntries(KINDS.map(kind => [kind, total(found.filter(one => one.kind === kind))])) as Record<
    Kind,
    Share
  >;
  return {
    free,
    named: { ...named, locks: [...named.locks].sort() },
    paid: kept,
    running: held.running,
    remove: async () => {
      for (const { path } of found) await rm(path, { recursive: true, force: true });
      return total(found).bytes;
    },
    close: held.release,
  };
}

function kindOf(digest: string, { made }: KnownContents, derived: ReadonlyMap<string, string>): Kind {
  const by = made.get(digest);
  if (by === undefined) return derived.has(digest) ? 'frames' : 'paid';
  return by === 'studio' ? 'drafts' : by === 'here' ? 'results' : 'paid';
}

const add = (share: { files: number; bytes: number }, bytes: number): void => {
  share.files += 1;
  share.bytes += bytes;
};

const total = (all: readonly Share[]): Share => ({
  files: all.reduce((sum, { files }) => sum + files, 0),
  bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
});

/** No film of the project begins to run as long as they are held; running ones are returned. */
async function holdFilms(folder: string): Promise<{ readonly running: readonly string[]; release(): void }> {
  const releases: (() => void)[] = [];
  const running: string[] = [];
  for (const { film } of await foldersWith(join(folder, 'runs'), 'runner.db')) {
    try {
      releases.push(lockFilm(folder, film, 0));
    } catch (error) {
      if (!(error instanceof FilmBusy)) throw error;
      running.push(film);
    }
  }
  const release = () => {
    for (const one of releases.splice(0)) one();
  };
  return { running, release };
}

interface FilmFolder {
  readonly path: string;
  readonly film: string;
}

/** Folders of films and of their profiles, `fox` and `fox/@draft`, that hold something called `name`. */
async function foldersWith(parent: string, name: string): Promise<readonly FilmFolder[]> {
  const films = await Promise.all(
    (await namesIn(parent)).map(async film => {
      const profiles = (await namesIn(join(parent, film))).filter(one => one.startsWith('@'));
      return [film, ...profiles.map(profile => `${film}/${profile}`)];
    }),
  );
  const all = films.flat().map(film => ({ film, path: join(parent, film) }));
  return all.filter(({ path }) => existsSync(join(path, name)));
}

/** The folders of built-in studios: one for each film, profile and quality. */
async function studiosOf(folder: string): Promise<readonly FilmFolder[]> {
  const services = (await namesIn(folder)).filter(name => name.startsWith('studio'));
  return (await Promise.all(services.map(service => foldersWith(join(folder, service), 'results')))).flat();
}

interface Lock {
  readonly name: string;
  /** The slug of its film. */
  readonly film: string;
  readonly digests: ReadonlySet<string>;
}

/** All locks of the project: a film that never ran here may own content of the store, too. @throws where one cannot be read. */
async function locksOf(root: string): Promise<readonly Lock[]> {
  return (await locksIn(root, name => ELSEWHERE.has(name))).map(path => {
    const name = relative(root, path);
    const text = readLockText(path, name) ?? '';
    const digests = new Set([...text.matchAll(/[\da-f]{64}/g)].map(([digest]) => digest));
    const film = name.replace(/\.lock\.yaml$/, '').replaceAll(sep, '~');
    return { name, film, digests };
  });
}

const ELSEWHERE: ReadonlySet<string> = new Set(['node_modules', '.git', '.shotlist']);

interface ContentFile {
  readonly path: string;
  readonly digest: string;
  readonly bytes: number;
}

/** Every file of a content store, named `<aa>/<sha256>-<bytes><ext>`. */
export async function contentFiles(store: string): Promise<readonly ContentFile[]> {
  const folders = (await namesIn(store)).filter(name => /^[\da-f]{2}$/.test(name));
  const files = await Promise.all(
    folders.map(async folder =>
      (await namesIn(join(store, folder))).flatMap(name => {
        const [, digest, bytes] = /^([\da-f]{64})-(\d+)/.exec(name) ?? [];
        return digest === undefined ? [] : [{ path: join(store, folder, name), digest, bytes: Number(bytes) }];
      }),
    ),
  );
  return files.flat();
}

/** Frames and sounds → the digest of the video each was taken out of. */
async function derivedContents(folder: string): Promise<ReadonlyMap<string, string>> {
  const derived = new Map<string, string>();
  for (const part of await namesIn(folder))
    for (const name of await namesIn(join(folder, part))) {
      const text = (await readIfThere(join(folder, part, name)).catch(() => null)) ?? '';
      const [, content] = /"sha256":"([\da-f]{64})"/.exec(text) ?? [];
      const [, source = ''] = /"address":"[^"]*?([\da-f]{64})/.exec(text) ?? [];
      if (content !== undefined) derived.set(content, source);
    }
  return derived;
}

async function sizeOf(path: string): Promise<Share> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true }).catch(() => []);
  const files = entries.filter(entry => entry.isFile());
  const sizes = await Promise.all(
    files.map(async entry => (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0),
  );
  return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

const namesIn = async (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
