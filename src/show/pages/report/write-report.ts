/** A report as a folder, or as one file: the page, and the media it shows, each kept once under its digest. */
import { constants } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { diskErrorFrom } from '../../../machine/files/disk-error.ts';
import { writeAtomically } from '../../../machine/files/files.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { Refusal } from '../../../model/run/decision-page.ts';
import type { ReportedMedia, RunReport } from '../../../model/run/run-report.ts';
import { extensionOf } from '../../../records/store/media-types.ts';
import { intactPath, type Store } from '../../../records/store/store.ts';
import type { MediaPlace } from '../page-data.ts';
import { drawStills, proxyOf } from './derived-media.ts';
import { isReport, messages, replaceReport, stopUnlessOurs } from './report-folder.ts';
import { capped, reportHtml } from './report-html.ts';

interface ReportTerms {
  readonly report: RunReport;
  readonly store: Store;
  readonly clock: Clock;
  /** Aborted, the work stops, nothing is left behind, and its reason is thrown. */
  readonly signal: AbortSignal;
  /** Called after each still that had to be drawn. */
  readonly onStill?: (drawn: number, of: number) => void;
}

export interface Written {
  /** The page. */
  readonly page: string;
  /** Media of the run that are not on this machine, or not in the one file. */
  readonly missing: number;
}

/** Pixels. */
const STILL = 640;
const SMALL_STILL = 320;
/** Stills that are small where there are more of them, in one file. */
const MANY = 150;
/** Bytes of one file, and of its content beside the stills. */
const MAX_SINGLE = 10e6;
const REST_OF_SINGLE = 1.2e6;

/** @throws {Refusal} where the place is not ours, or the disk fails; the signal's reason. */
export async function writeReport(
  folder: string,
  { withProxies }: { readonly withProxies: boolean },
  terms: ReportTerms,
): Promise<Written> {
  // Before a minute is spent on stills.
  await stopUnlessOurs(folder);
  const media = mediaOf(terms.report);
  const stills = await drawStills(media, STILL, drawing(terms));
  let missing = 0;
  await replaceReport(folder, terms.clock, async draft => {
    const places: Record<string, MediaPlace> = {};
    for (const sub of ['media', 'posters']) await mkdir(join(draft, sub));
    for (const one of media) {
      const place = await placed(one, draft, { terms, still: stills.get(one.sha256), withProxies });
      if (place.file === null) missing += 1;
      places[one.sha256] = place;
      terms.signal.throwIfAborted();
    }
    await writeFile(join(draft, 'index.html'), await reportHtml(terms.report, places, { isSingle: false }));
  });
  return { page: join(folder, 'index.html'), missing };
}

interface Placing {
  readonly terms: ReportTerms;
  readonly still: string | undefined;
  readonly withProxies: boolean;
}

async function placed(one: ReportedMedia, draft: string, { terms, still, withProxies }: Placing): Promise<MediaPlace> {
  const { store } = terms;
  const put = async (from: string, to: string) => {
    // A copy, never a link to the store: people edit what they are given. Disks that can share the bytes until then do.
    await copyFile(from, join(draft, to), constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    await chmod(join(draft, to), 0o644);
    return to;
  };
  const source = await intactPath(store, one.sha256);
  const proxy = withProxies && one.needsProxy ? await proxyOf(one, drawing(terms)) : undefined;
  return {
    file: source === undefined ? null : await put(source, `media/${one.sha256}${extensionIn(source, one)}`),
    poster: still === undefined ? null : await put(still, `posters/${one.sha256}.jpg`),
    proxy: proxy === undefined ? null : await put(proxy, `media/${one.sha256}-h264.mp4`),
  };
}

/** As it is stored, where that is an ending that a browser and a server take for a medium. */
const extensionIn = (path: string, { facts }: ReportedMedia): string =>
  extensionOf(null, `file:///x${extname(path)}`, facts.format) || '.bin';

/**
 * One file of at most 10 MB, for viewers of single files: stills only, and no more of them than fit. @throws {Refusal} where the place is not ours,
 * or the disk fails; the signal's reason.
 */
export async function writeSingleReport(file: string, terms: ReportTerms): Promise<Written> {
  await stopUnlessOurFile(file);
  const { film } = terms.report;
  const media = mediaOf(terms.report);
  const large = film ? await drawStills([film.media], STILL, drawing(terms)) : new Map<string, string>();
  const small = await drawStills(media, media.length > MANY ? SMALL_STILL : STILL, drawing(terms));
  const places: Record<string, MediaPlace> = {};
  const bare = await reportHtml(terms.report, {}, { isSingle: true });
  let room = MAX_SINGLE - Math.max(REST_OF_SINGLE, Buffer.byteLength(bare) * 1.2);
  let missing = 0;
  // A sound has no still, and is not missed.
  for (const { sha256 } of media.filter(({ facts }) => facts.kind !== 'audio')) {
    const still = large.get(sha256) ?? small.get(sha256);
    const poster = still && `data:image/jpeg;base64,${(await readFile(still)).toString('base64')}`;
    const fits = poster !== undefined && poster.length <= room;
    if (fits) room -= poster.length;
    else missing += 1;
    places[sha256] = { file: null, poster: fits ? poster : null, proxy: null };
  }
  const html = await reportHtml(terms.report, places, { isSingle: true });
  try {
    await writeAtomically(file, html);
  } catch (error) {
    const disk = diskErrorFrom(error, file);
    if (disk) throw new Refusal(messages.unwritable(file, disk.message));
    throw error;
  }
  return { page: file, missing };
}

async function stopUnlessOurFile(file: string): Promise<void> {
  const found = await lstat(file).catch(() => undefined);
  if (!found) return;
  if (found.isDirectory()) throw new Refusal(messages.isFolder(file));
  if (!(await isReport(file))) throw new Refusal(messages.fileNotOurs(file));
}

const drawing = ({ store, clock, signal, onStill }: ReportTerms) => ({
  ...{ store, clock, signal },
  ...(onStill && { onDrawn: onStill }),
});

/** The film's first, then those of the instances that a page shows, each once. */
function mediaOf(all: RunReport): readonly ReportedMedia[] {
  const { report } = capped(all);
  const media = [
    ...(report.film ? [report.film.media] : []),
    ...report.instances.flatMap(({ media, files }) => [...(media ? [media] : []), ...files.map(it => it.media)]),
  ];
  return [...new Map(media.map(one => [one.sha256, one])).values()];
}
