/** What `shotlist check` finds in a row, on a disk that has the files of `files.txt`; and how far that is what the row says. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskProjectFiles } from '../../../src/app/disk-project-files.ts';
import { findMistakes, worldOnDisk } from '../../../src/app/film/find-mistakes.ts';
import { openFilm } from '../../../src/app/film/open-film.ts';
import { type FileReading, LocalFiles, type NotMediaFile, unread } from '../../../src/app/local-files.ts';
import { studioLibrary } from '../../../src/app/service/model-from-catalog.ts';
import { type Fix, fixesOf } from '../../../src/language/diagnostic-json.ts';
import { type Disk, plainDisk } from '../../../src/machine/files/disk.ts';
import type { Project } from '../../../src/machine/files/project.ts';
import type { Diagnostic, Source } from '../../../src/model/diagnostic.ts';
import type { MediaFacts } from '../../../src/model/media/media.ts';
import { canonical, type Json } from '../../../src/model/text/json.ts';
import type { Mistake, Tables } from './read-mistakes.ts';

export interface Verdict {
  /** By its severity and code. */
  readonly found: boolean;
  /** It points at the mistake, from its first character to its last. */
  readonly caret: boolean;
  readonly advice: boolean;
  /** What is advised, by the finding's own fix where it has one, leaves nothing to say but hints. */
  readonly mends: boolean;
  /** Nothing else is said. */
  readonly alone: boolean;
  /** Whatever opens the film (`plan`, `run`, `approve`, `doctor`, a program) says the same. */
  readonly agreed: boolean;
  readonly said: readonly Diagnostic[];
}

export type Judge = (mistake: Mistake) => Promise<Verdict>;

/** @param folder an empty one, in which a project is laid out. */
export async function judgeIn(folder: string): Promise<Judge> {
  const root = join(folder, 'project');
  for (const path of ['project/media', 'project/out', 'elsewhere'])
    await mkdir(join(folder, path), { recursive: true });
  for (const path of [...Object.keys(FILES), ...NAMED, 'out/taken.mp4', '../elsewhere/clip.mp4'])
    await writeFile(join(root, path), `the bytes of ${path}`);
  const project = {
    ...{ root, pipelineFile: join(root, 'film.yaml') },
    ...{ settingsFile: join(root, 'shotlist.config.yaml'), stateFolder: join(root, '.shotlist') },
  };
  const found = async (source: Source, tables: Tables) => {
    for (const [name, table] of Object.entries(tables)) await writeFile(join(root, name), table);
    return findMistakes(source, {
      ...worldOnDisk(project, {}),
      library: studioLibrary,
      sources: { files: diskProjectFiles(project.pipelineFile, root) },
      files: async () => new LocalFiles(root, { disk, digest: unread, probe }, root),
    });
  };
  /** Follows the findings' own fixes as long as there are some, or what the row says. */
  const isMended = async ({ text, tables, mended }: Mistake, said: readonly Diagnostic[]) => {
    let left = said;
    let fixed = text;
    for (let round = 0; round < 3 && left.some(hasFix); round++) {
      fixed = withFixes(fixed, left.filter(hasFix).flatMap(fixesOf));
      left = (await found({ path: 'film.yaml', text: fixed }, mended?.tables ?? tables)).diagnostics;
    }
    if (fixed !== text && left.every(isHint)) return true;
    if (!mended) return fixed === text;
    return (await found({ path: 'film.yaml', text: mended.text }, mended.tables)).diagnostics.every(isHint);
  };
  return async mistake => {
    const { text, tables, expected } = mistake;
    const source = { path: 'film.yaml', text };
    const { diagnostics } = await found(source, tables);
    const told = await toldOnOpening(source, project);
    const said = diagnostics.toSorted((a, b) => a.span.start - b.span.start);
    const all = (test: (one: Diagnostic | undefined, nth: number) => boolean | undefined) =>
      expected.every((_, nth) => test(said[nth], nth) === true);
    return {
      found: all((one, nth) => one?.code === expected[nth]?.code && one?.severity === expected[nth]?.severity),
      caret: all((one, nth) => one?.span.start === expected[nth]?.start && one?.span.end === expected[nth]?.end),
      advice: all((one, nth) => expected[nth]?.advice.every(words => one?.message.includes(words))),
      mends: await isMended(mistake, said),
      alone: said.length === expected.length,
      agreed:
        canonical(linesOf(told)) === canonical(linesOf(diagnostics.filter(({ severity }) => severity !== 'hint'))),
      said,
    };
  };
}

const isHint = ({ severity }: Diagnostic): boolean => severity === 'hint';
const hasFix = (one: Diagnostic): boolean => one.source.path === 'film.yaml' && fixesOf(one).length > 0;
const withFixes = (text: string, fixes: readonly Fix[]): string =>
  fixes
    .toSorted((a, b) => b.span.start - a.span.start)
    .reduce((sum, { span, text: by }) => sum.slice(0, span.start) + by + sum.slice(span.end), text);

async function toldOnOpening(source: Source, project: Project): Promise<readonly Diagnostic[]> {
  const told: Diagnostic[] = [];
  const opened = await openFilm({
    ...{ source, project, params: {}, environment: {}, access: { secrets: new Map() }, to: 'look', service: 'studio' },
    ...{ hosted: undefined, elsewhere: false, readingFiles: { disk, probe } },
    // A param that the command line does not give is no mistake of the file.
    found: diagnostics => void told.push(...diagnostics.filter(({ code }) => code !== 'missing-param')),
  });
  if (opened.is === 'open') await opened.film.close();
  return told;
}

const linesOf = (told: readonly Diagnostic[]): Json =>
  told.map(({ severity, code, message, span, notes = [] }) => ({
    severity,
    code,
    message,
    ...span,
    notes: notes.length,
  }));

const video = (duration: number): MediaFacts => ({ kind: 'video', format: 'mp4', width: 1280, height: 720, duration });
const picture: MediaFacts = { kind: 'image', format: 'png', width: 1280, height: 720 };

const FILES: { readonly [path: string]: MediaFacts | NotMediaFile } = {
  'media/clip.mp4': video(4),
  'media/long.mp4': video(40),
  'media/fox.png': picture,
  'media/picture.mp4': picture,
  'media/notes.txt': { notMedia: 'the file is text, not media' },
  'media/locked.mp4': video(4),
};

/** Files that are named nearly so. */
const NAMED = ['cast.csv', 'matrix.yaml', 'beats.schema.json'];

const probe: FileReading['probe'] = async path =>
  Object.entries(FILES).find(([name]) => path.replaceAll('\\', '/').endsWith(name))?.[1];

/** A disk on which one file is somebody else's. */
const disk: Disk = {
  ...plainDisk,
  open: (async (...given: Parameters<Disk['open']>) => {
    if (String(given[0]).endsWith('locked.mp4')) throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    return plainDisk.open(...given);
  }) as Disk['open'],
};
