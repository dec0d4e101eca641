/** What a command has made becomes artifacts: looked at before it is believed, and kept by its content. */
import { basename, extname } from 'node:path';
import type { Store } from '../../artifacts/store.ts';
import type { MediaFacts, MediaKind } from '../../domain/media.ts';
import type { CommandFile, CommandFiles, ListedFile } from '../../domain/result.ts';
import { DiskError } from '../../host/disk-error.ts';
import { kindOfPath } from '../../language/types.ts';
import { NAMES } from '../../media/came-instead.ts';
import type { Misfit } from '../../media/verify.ts';
import { misnamed, notKept } from './command-failures.ts';
import { type CreatedFile, findCreated, type Promised } from './created-files.ts';

/** What a file is by its content, or what it is instead of media; null where nobody can tell. */
export type Probe = (path: string) => Promise<MediaFacts | Misfit | null>;

type Adopted =
  | { readonly is: 'all'; readonly files: CommandFiles }
  | { readonly is: 'missing'; readonly message: string };

interface Looked {
  readonly made: CreatedFile;
  readonly facts: MediaFacts | null;
}

/** Nothing is adopted unless everything that was promised is there. */
export async function adoptCreated(
  folder: string,
  promised: Promised,
  { store, probe }: { readonly store: Pick<Store, 'adopt'>; readonly probe: Probe },
): Promise<Adopted> {
  const created = await findCreated(folder, promised);
  if (created.is === 'missing') return created;
  const looked: [string, Looked | readonly Looked[]][] = [];
  for (const [name, made] of created.files) {
    const all: Looked[] = [];
    for (const one of 'path' in made ? [made] : made) {
      const found = await probe(one.path);
      const wrong = wrongContent(one.path, found);
      if (wrong !== undefined) return { is: 'missing', message: misnamed(name, one.shown, wrong) };
      all.push({ made: one, facts: found && 'kind' in found ? found : null });
    }
    looked.push([name, 'path' in made ? all[0]! : all]);
  }
  try {
    return { is: 'all', files: await adoptAll(looked, store) };
  } catch (error) {
    if (error instanceof DiskError) return { is: 'missing', message: notKept(error.message) };
    throw error;
  }
}

async function adoptAll(
  looked: readonly (readonly [string, Looked | readonly Looked[]])[],
  store: Pick<Store, 'adopt'>,
): Promise<CommandFiles> {
  // Two names, or a link, may lead to one file: it is taken once.
  const taken = new Map<string, Awaited<ReturnType<Store['adopt']>>>();
  const adopt = async ({ made, facts }: Looked): Promise<CommandFile> => {
    const extension = extname(made.path);
    const stored = taken.get(made.real) ?? (await store.adopt(made.real, extension));
    taken.set(made.real, stored);
    return { sha256: stored.sha256, extension, bytes: stored.bytes, media: facts };
  };
  const files: { [name: string]: CommandFile | readonly ListedFile[] } = {};
  for (const [name, one] of looked) {
    if ('made' in one) files[name] = await adopt(one);
    else {
      const list: ListedFile[] = [];
      for (const item of one) list.push({ name: basename(item.made.path), ...(await adopt(item)) });
      files[name] = list;
    }
  }
  return files;
}

/**
 * What the file is instead of what its name says; undefined where the two agree, or nobody can tell. A film without pictures is a sound,
 * and a sound with a cover is none the less one: only what no model would take for the other is wrong.
 */
function wrongContent(path: string, found: MediaFacts | Misfit | null): string | undefined {
  const kind = kindOfPath(path);
  if (kind === undefined || found === null) return undefined;
  if ('misfit' in found) return `no ${WORDS[kind]} but ${found.misfit}`;
  const agree = (kind === 'image') === (found.kind === 'image');
  return agree ? undefined : `no ${WORDS[kind]} but ${NAMES[found.kind]}`;
}

const WORDS: { readonly [kind in MediaKind]: string } = { video: 'film', image: 'picture', audio: 'sound' };
