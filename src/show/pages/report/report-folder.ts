/** The folder of a report: written aside, and put in its place whole. What is there is replaced only where it is a report of ours. */
import { mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from '../../../machine/error-code.ts';
import { diskErrorFrom } from '../../../machine/files/disk-error.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { Refusal } from '../../../model/run/decision-page.ts';
import { GENERATOR } from './report-html.ts';

export const messages = {
  notOurs: (place: string, name: string): string =>
    `${place} is there and holds ${name}, which is no part of a report: nothing was replaced; name another folder with --out`,
  isFile: (place: string): string => `${place} is a file, and a report is a folder: name another place with --out`,
  fileNotOurs: (file: string): string =>
    `${file} is there and is no report: nothing was replaced; name another file with --out`,
  isFolder: (file: string): string =>
    `${file} is a folder, and a page in one file goes there: name another place with --out`,
  unwritable: (place: string, why: string): string => `the report cannot be written to ${place}: ${why}`,
} as const;

/** The files of our report, and nothing else: other files beside them are never removed. */
const OURS = new Set(['index.html', 'media', 'posters', '.DS_Store']);
/** Bytes of a document in which its head begins. */
const HEAD = 4096;

/** @param write into a folder that is empty. @throws {Refusal} where the place is not ours, or the disk fails. */
export async function replaceReport(
  asked: string,
  { now }: Pick<Clock, 'now'>,
  write: (folder: string) => Promise<void>,
): Promise<void> {
  try {
    await replaceFolder(await realPlace(asked), { stopUnlessOurs, now }, write);
  } catch (error) {
    const disk = error instanceof Refusal ? undefined : diskErrorFrom(error, asked);
    if (disk) throw new Refusal(messages.unwritable(asked, disk.message));
    throw error;
  }
}

/** A link to a folder stays a link: what it leads to is replaced. */
const realPlace = (asked: string): Promise<string> => realpath(asked).catch(() => resolve(asked));

interface Replacing {
  /** @throws {Refusal} where what is there must stay. */
  readonly stopUnlessOurs: (place: string) => Promise<void>;
  readonly now: Clock['now'];
}

/** Puts a folder in its place whole. @param write into a folder that is empty. @throws what these throw, and the disk's error. */
export async function replaceFolder(
  place: string,
  { stopUnlessOurs, now }: Replacing,
  write: (folder: string) => Promise<void>,
): Promise<void> {
  await stopUnlessOurs(place);
  await mkdir(dirname(place), { recursive: true });
  const name = (of: string) => join(dirname(place), `.${basename(place)}.${of}-${crypto.randomUUID().slice(0, 8)}`);
  const [draft, old] = [name('new'), name('old')];
  try {
    await mkdir(draft);
    await write(draft);
    await putInPlace(draft, place, { old, stopUnlessOurs });
    await rm(old, { recursive: true, force: true });
    // What cannot be swept is no reason to lose a report.
    await sweep(place, now()).catch(() => {});
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Reports that may come in between, of processes that write to the same place. */
const TRIES = 5;

async function putInPlace(
  draft: string,
  place: string,
  { old, stopUnlessOurs }: Pick<Replacing, 'stopUnlessOurs'> & { readonly old: string },
): Promise<void> {
  for (let tries = 1; ; tries++) {
    // Another program may have put something there meanwhile.
    await stopUnlessOurs(place);
    const wasThere = await moved(place, old);
    try {
      await rename(draft, place);
      return;
    } catch (error) {
      const code = codeOf(error);
      const isTaken = code === 'ENOTEMPTY' || code === 'EEXIST';
      // Where another report has come, ours takes its place in turn; otherwise what was there comes back.
      if (!isTaken && wasThere) await rename(old, place);
      if (!isTaken || tries === TRIES) throw error;
      await rm(old, { recursive: true, force: true });
    }
  }
}

/** Milliseconds after which a draft is abandoned. */
const FORSAKEN = 3_600_000;

/** What a process that was ended left beside the place. */
async function sweep(place: string, now: number): Promise<void> {
  const folder = dirname(place);
  const start = `.${basename(place)}.`;
  const left = (await readdir(folder)).filter(
    name => name.startsWith(start) && /^(new|old)-[0-9a-f]{8}$/.test(name.slice(start.length)),
  );
  for (const name of left) {
    const { mtimeMs } = await stat(join(folder, name));
    if (now - mtimeMs > FORSAKEN) await rm(join(folder, name), { recursive: true, force: true });
  }
}

async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** @throws {Refusal} */
export async function stopUnlessOurs(place: string): Promise<void> {
  // What was listed may be gone when it is read: another process may be putting its report there.
  for (let tries = 1; tries <= TRIES; tries++) {
    const names = await namesIn(place);
    if (names === 'none' || names.length === 0) return;
    const foreign = names.find(name => !OURS.has(name));
    if (foreign !== undefined) throw new Refusal(messages.notOurs(place, foreign));
    if (await isReport(join(place, 'index.html'))) return;
  }
  throw new Refusal(messages.notOurs(place, 'index.html'));
}

async function namesIn(place: string): Promise<readonly string[] | 'none'> {
  try {
    return await readdir(place);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'none';
    if (codeOf(error) === 'ENOTDIR') throw new Refusal(messages.isFile(place));
    throw error;
  }
}

/** Also of a report in one file. */
export async function isReport(file: string): Promise<boolean> {
  try {
    await using opened = await open(file, 'r');
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.subarray(0, bytesRead).toString('utf8').includes(`<meta name="generator" content="${GENERATOR}">`);
  } catch {
    return false;
  }
}
