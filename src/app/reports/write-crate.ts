/**
 * A run as a folder to hand on: the pipeline, its lock, the films, where each comes from, and `ro-crate-metadata.json`, which names all of
 * them. It is written aside and put in its place whole; what is there is replaced only where it is a crate of ours.
 */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { writeErrorText } from '../../machine/files/disk-error.ts';
import { readIfThere, rewriteAtomically } from '../../machine/files/files.ts';
import { isInside, type Project } from '../../machine/files/project.ts';
import type { CommandRunner } from '../../machine/process/command-runner.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { withoutPlate } from '../../media/encode/clean-plate.ts';
import { type Edit, together } from '../../media/marking/byte-edits.ts';
import { markingEdits, markOf } from '../../media/marking/mark.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import type { RunReport } from '../../model/run/run-report.ts';
import { safeJson } from '../../model/text/clean.ts';
import { lockPath, readLockText } from '../../records/lock/lock-file.ts';
import { digestOf } from '../../records/store/digest.ts';
import { LocalStore } from '../../records/store/local-store.ts';
import { replaceFolder } from '../../show/pages/report/report-folder.ts';
import { type CrateFile, crate } from '../../show/text/provenance/crate.ts';
import {
  c2paManifest,
  type OutputFile,
  outputFiles,
  SIDECAR_VERSION,
  sidecar,
  sidecarPath,
} from '../../show/text/provenance/sidecar.ts';
import { withMarks } from '../results/output-marks.ts';
import { stateFolders } from '../state-folders.ts';

interface CrateToWrite {
  readonly project: Project;
  readonly report: RunReport;
  readonly to: string;
  /** An address of the licence of what is handed on; null where it is not set. */
  readonly license: string | null;
  /** Signs each film; absent: the manifests stand beside the films, unsigned. */
  readonly sign?: { readonly command: readonly [string, ...string[]]; readonly commands: Pick<CommandRunner, 'run'> };
  readonly signal: AbortSignal;
}

interface WrittenCrate {
  /** The crate's own file. */
  readonly metadata: string;
  readonly films: number;
  /** Outputs with bytes that are not on this machine. */
  readonly missing: number;
  /** Why films were not signed. */
  readonly unsigned: readonly string[];
}

const METADATA = 'ro-crate-metadata.json';

/** @throws Refusal where the place is not ours, or the disk fails. */
export async function writeCrate(asked: CrateToWrite): Promise<WrittenCrate> {
  const to = resolve(asked.to);
  try {
    let written = { films: 0, missing: 0, unsigned: [] as readonly string[] };
    await replaceFolder(to, { stopUnlessOurs, now: () => systemClock.now() }, async draft => {
      written = await fill(draft, asked);
    });
    return { ...written, metadata: join(to, METADATA) };
  } catch (error) {
    if (error instanceof Refusal || asked.signal.aborted) throw error;
    throw new Refusal(messages.unwritable(asked.to, writeErrorText(error)), { cause: error });
  }
}

async function stopUnlessOurs(to: string): Promise<void> {
  const found = await stat(to).catch(() => undefined);
  if (!found) return;
  if (!found.isDirectory()) throw new Refusal(messages.isFile(to));
  if ((await readdir(to)).length === 0) return;
  const text = await readIfThere(join(to, METADATA));
  if (text === null || !text.includes('"@id": "#shotlist"')) throw new Refusal(messages.notOurs(to));
}

async function fill(
  draft: string,
  { project, report: asRun, license, sign, signal }: CrateToWrite,
): Promise<Omit<WrittenCrate, 'metadata'>> {
  const store = await LocalStore.open((await stateFolders(project)).store);
  const others: (CrateFile & { readonly name: string })[] = [];
  const outputs: OutputFile[] = [];
  const unsigned: string[] = [];
  const report = await withMarks(asRun, project.root);
  const all = outputFiles(report);
  const put = async (path: string, text: string, name: string, mediaType: string) => {
    await mkdir(dirname(join(draft, path)), { recursive: true });
    await writeFile(join(draft, path), text, { flag: 'wx' });
    others.push({ path, name, bytes: Buffer.byteLength(text), mediaType });
  };
  const workflow = await textOf(project.pipelineFile);
  const own = basename(project.pipelineFile);
  await writeFile(join(draft, own), workflow, { flag: 'wx' });
  const lockName = basename(lockPath(project.pipelineFile));
  const lock = readLockText(lockPath(project.pipelineFile), lockName);
  if (lock !== undefined) await put(lockName, lock, 'What every instance gave, by content', 'application/yaml');
  for (const listed of all) {
    signal.throwIfAborted();
    const { media, path } = listed;
    const place = join(draft, path);
    if (!store.has(media.sha256) || !isInside(place, draft)) continue;
    await mkdir(dirname(place), { recursive: true });
    await store.materialise(media.sha256, place, await editsOf(listed, await store.pathOf(media.sha256), report));
    const file = { ...listed, written: await digestOf(place) };
    outputs.push(file);
    await put(sidecarPath(path), json(sidecar(report, file)), `Where ${path} comes from`, 'application/json');
    const manifest = `${path}.c2pa.json`;
    await put(manifest, json(c2paManifest(report, file)), `Content Credentials of ${path}`, 'application/json');
    if (!sign) continue;
    const signed = signedPath(path);
    const bytes = await signFilm(sign, { draft, path, manifest, signed }, { cwd: project.root, signal });
    const mediaType = `${media.facts.kind}/${media.facts.format ?? 'x-unknown'}`;
    if (typeof bytes === 'number') others.push({ path: signed, name: `${path}, signed`, bytes, mediaType });
    else unsigned.push(bytes);
  }
  const described = crate(report, {
    workflow: { path: own, bytes: Buffer.byteLength(workflow), mediaType: 'application/yaml' },
    ...{ outputs, others, license },
  });
  await writeFile(join(draft, METADATA), json(described));
  return { films: outputs.length, missing: all.length - outputs.length, unsigned };
}

/** @returns the bytes of the signed film, or why there is none. */
async function signFilm(
  { command, commands }: NonNullable<CrateToWrite['sign']>,
  { draft, path, manifest, signed }: Readonly<Record<'draft' | 'path' | 'manifest' | 'signed', string>>,
  terms: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<number | string> {
  const argv = [...command, ...[path, manifest, signed].map(file => join(draft, file))] as const;
  const { exit, stderr } = await commands.run({ argv }, { ...terms, env: {}, timeoutMs: 10 * 60_000 });
  const made = await stat(join(draft, signed)).catch(() => undefined);
  if (exit === 0 && made?.isFile()) return made.size;
  await rm(join(draft, signed), { force: true });
  return messages.unsigned(path, command[0], exit, stderr.trim().split('\n').at(-1) ?? '');
}

/** As the output of the run was placed: with its mark, and without the studio's clean plate. */
const editsOf = async ({ marked, media }: OutputFile, path: string, { run }: RunReport): Promise<readonly Edit[]> =>
  together(
    await withoutPlate(path),
    marked && marked !== 'none' ? await markingEdits(path, media.facts, markOf(marked, run.shotlist)) : [],
  );

async function textOf(path: string): Promise<string> {
  const text = await readIfThere(path);
  if (text === null) throw new Refusal(messages.noPipeline(path));
  return text;
}

/** `out/film.mp4` → `out/film.signed.mp4` */
const signedPath = (path: string): string => path.replace(/(\.[^./]+)?$/, '.signed$1');

const json = (value: unknown): string => `${safeJson(value, 2)}\n`;

/** Messages about a crate, sidecars, and signed films. */
const messages = {
  isFile: (path: string) => `${path} is a file; name a folder with --out`,
  notOurs: (path: string) =>
    `${path} holds files that are no crate of Shotlist; name another folder with --out, or empty that one`,
  unwritable: (path: string, why: string) => `${path} cannot be written: ${why}`,
  noPipeline: (path: string) =>
    `${path} cannot be read, and a crate without its pipeline says little: put it back, then give the same command again`,
  unsigned: (path: string, program: string, exit: number | null, last: string) =>
    `${path} is not signed: ${program} ended with ${exit === null ? 'a signal' : `exit code ${exit}`}${last === '' ? '' : `: ${last.slice(0, 300)}`}${exit === 0 ? ', and left no file where it should' : ''}`,
  sidecarInTheWay: (path: string) => `${path} is not a file of shotlist, and is left as it is`,
} as const;

/** @param root absolute: outputs are relative to it. @throws Error that names those that could not be written; the others are. */
export async function writeSidecars(asRun: RunReport, root: string): Promise<void> {
  const report = await withMarks(asRun, root);
  const problems: string[] = [];
  for (const listed of outputFiles(report)) {
    const path = sidecarPath(listed.path);
    const place = join(root, path);
    try {
      const written = await digestOf(join(root, listed.path)).catch(() => undefined);
      const file = { ...listed, ...(written && { written }) };
      const before = await readIfThere(place);
      const isOurs = before === null || before.includes(`"${SIDECAR_VERSION}"`);
      const text = `${safeJson(sidecar(report, file), 2)}\n`;
      if (isOurs && before === text) continue;
      if (!isOurs || !(await rewriteAtomically(place, text, before))) problems.push(messages.sidecarInTheWay(path));
    } catch (error) {
      problems.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (problems.length > 0) throw new Error(problems.slice(0, 5).join('; '));
}
