/** What the language server is handed by the command that starts it. */

import type { ProjectFiles } from '../language/used-files.ts';
import type { Project } from '../machine/files/project.ts';
import type { Diagnostic, Source } from '../model/diagnostic.ts';
import type { ModelLibrary } from '../model/model.ts';
import type { JsonObject } from '../model/text/json.ts';
import type { LocalMedia, UnusableFile } from '../plan/plan.ts';
import type { SharedWords } from './hover-texts.ts';

/** The media that a film names by path: looked at once, and known until they are forgotten. */
export interface NamedMedia {
  get(path: string): LocalMedia | UnusableFile | undefined;
  /** True where something new was looked at. */
  load(): Promise<boolean>;
  /** Absolute paths of all that were looked at. */
  readonly read: readonly string[];
}

export interface EditorHost {
  readonly library: ModelLibrary;
  readonly env: JsonObject;
  readonly words: SharedWords;
  readonly version: string;
  readonly projectOf: (file: string) => Promise<Project>;
  /** All that can be found wrong with a film without a service, as `check` finds it. */
  readonly check: (source: Source, world: CheckedWorld) => Promise<readonly Diagnostic[]>;
  readonly namedMedia: (file: string | undefined, root: string) => Promise<NamedMedia>;
}

interface CheckedWorld {
  readonly file: string | undefined;
  readonly files: ProjectFiles;
  readonly media: NamedMedia;
}
