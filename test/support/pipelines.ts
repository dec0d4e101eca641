/** The pipelines that come with the project. A run writes its lock beside each of them, and a lock is no pipeline. */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../pipelines', import.meta.url));

export interface PipelineFile {
  /** `teaser.yaml` */
  readonly name: string;
  readonly text: string;
}

/** In the order of their names. */
export function pipelineFiles(folder = FOLDER): readonly PipelineFile[] {
  return readdirSync(folder)
    .filter(isPipeline)
    .sort()
    .map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

/** Puts them into `project`, where they belong: as a clean checkout has them. */
export function copyPipelines(project: string, folder = FOLDER): void {
  for (const name of readdirSync(folder).filter(isPipeline))
    cpSync(join(folder, name), join(project, 'pipelines', name));
}

const isPipeline = (name: string): boolean => name.endsWith('.yaml') && !name.endsWith('.lock.yaml');
