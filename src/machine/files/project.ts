import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { findUp } from './files.ts';

/** Where a project's settings live, in git. */
export const SETTINGS_FILE = 'shotlist.config.yaml';
/** Journal, content store and the studio's state, ignored by git. */
export const STATE_FOLDER = '.shotlist';

/** All paths are absolute. */
export interface Project {
  /** Outputs are written below it, and commands see it as `$SHOTLIST_PROJECT`. */
  readonly root: string;
  readonly pipelineFile: string;
  /** `shotlist.config.yaml` at the root, whether it exists or not. */
  readonly settingsFile: string;
  /** `.shotlist/` at the root, whether it exists or not. */
  readonly stateFolder: string;
}

/**
 * The project a pipeline file belongs to: the nearest folder above it that is marked as one (settings, state or a git repository);
 * else the current folder, when the file is below that; else the file's own folder.
 */
export async function findProject(pipelineFile: string, cwd: string): Promise<Project> {
  const file = resolve(cwd, pipelineFile);
  const root =
    (await findUp(dirname(file), [SETTINGS_FILE, STATE_FOLDER, '.git'])) ??
    (isInside(file, cwd) ? resolve(cwd) : dirname(file));
  return { root, pipelineFile: file, settingsFile: join(root, SETTINGS_FILE), stateFolder: join(root, STATE_FOLDER) };
}

/** Whether `path` is strictly below `folder`, by name alone: links are not followed. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
