/**
 * A submitted project, unpacked on the machine that makes it: the files of the manifest, by content, and nothing else. Undeclared files are missing
 * there.
 */
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside, type Project, SETTINGS_FILE } from '../../machine/files/project.ts';
import type { Store } from '../../records/store/store.ts';
import type { Queries } from '../database/team-database.ts';
import type { HandedIn, RunRow } from '../runs/run-rows.ts';

/** Of a worker: one folder for all projects. */
export interface WorkerFolders {
  /** Absolute. */
  readonly root: string;
}

export const shortOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Where results of this project are kept on a worker, and its commands work. */
export const stateOf = ({ root }: WorkerFolders, { project }: Pick<HandedIn, 'project'>): string =>
  join(root, 'state', shortOf(project));

/** @param store that brings what is not here from where the team keeps its results. */
export async function unpackProject(
  folders: WorkerFolders,
  run: Pick<RunRow, 'id' | 'project' | 'path' | 'manifest'>,
  store: Pick<Store, 'materialise'>,
): Promise<Project> {
  const project = projectOf(folders, run);
  const { root } = project;
  await putFiles(root, run, store);
  if (!isInside(project.pipelineFile, root)) throw new Error(`the pipeline lies outside of its project: ${run.path}`);
  return project;
}

/** Where it lies on this worker, whether it does already or not. */
export function projectOf(folders: WorkerFolders, run: Pick<RunRow, 'id' | 'project' | 'path'>): Project {
  const root = join(folders.root, 'projects', shortOf(run.id));
  return {
    ...{ root, pipelineFile: join(root, run.path) },
    settingsFile: join(root, SETTINGS_FILE),
    stateFolder: stateOf(folders, run),
  };
}

/** The files of the manifest, and nothing else. @param root absolute; it is made. */
export async function putFiles(
  root: string,
  { manifest }: Pick<RunRow, 'manifest'>,
  store: Pick<Store, 'materialise'>,
): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const [path, { sha256, executable }] of Object.entries(manifest)) {
    const target = join(root, path);
    // A manifest comes from another machine.
    if (!isInside(target, root)) throw new Error(`a file of the project lies outside of it: ${path}`);
    await store.materialise(sha256, target);
    if (executable) await chmod(target, 0o755);
  }
}

/** The run is at its end: nothing of its project is needed here any more. */
export async function takeUp(folders: WorkerFolders, { id }: Pick<RunRow, 'id'>): Promise<void> {
  await rm(join(folders.root, 'projects', shortOf(id)), { recursive: true, force: true });
}

/** The same for runs that came to their end at another worker. */
export async function takeUpLeftOver(folders: WorkerFolders, { query }: Queries): Promise<void> {
  const there = await readdir(join(folders.root, 'projects')).catch(() => []);
  if (there.length === 0) return;
  const open = await query<{ id: string }>("SELECT id FROM run WHERE status IN ('queued', 'led', 'waiting')");
  const kept = new Set(open.map(({ id }) => shortOf(id)));
  for (const name of there)
    if (!kept.has(name)) await rm(join(folders.root, 'projects', name), { recursive: true, force: true });
}
