/** A file as an editor has it open, and what is known of it until it changes. */

import { type Mention, mentionsIn } from '../language/checks/mentions.ts';
import { type Survey, survey } from '../language/compile.ts';
import type { ProjectFiles } from '../language/used-files.ts';
import type { Source } from '../model/diagnostic.ts';
import type { ModelLibrary } from '../model/model.ts';

export class Document {
  readonly uri: string;
  readonly version: number;
  readonly source: Source;
  /** Absolute; undefined of a text that is no file yet. */
  readonly file: string | undefined;
  /** Of its project: absolute. */
  readonly root: string;
  readonly files: ProjectFiles;
  readonly library: ModelLibrary;
  #survey: Survey | null | undefined;
  #mentions: readonly Mention[] | undefined;

  constructor(given: Pick<Document, 'uri' | 'version' | 'source' | 'file' | 'root' | 'files' | 'library'>) {
    this.uri = given.uri;
    this.version = given.version;
    this.source = given.source;
    this.file = given.file;
    this.root = given.root;
    this.files = given.files;
    this.library = given.library;
  }

  /** It declares itself a pipeline. Editors hand us every YAML file. */
  get isPipeline(): boolean {
    return this.isPerhapsPipeline && /^(?:shotlist|steps)[ \t]*:/m.test(this.source.text);
  }

  /** It may become one. */
  get isPerhapsPipeline(): boolean {
    if (this.file !== undefined && /\.lock\.ya?ml$|(?:^|[\\/])shotlist\.config\.ya?ml$/i.test(this.file)) return false;
    return /^(?:shotlist|steps)[ \t]*:/m.test(this.source.text) || !/^[\w"'-][^\n]*:/m.test(this.source.text);
  }

  get survey(): Survey | undefined {
    if (this.#survey === undefined) this.#survey = survey(this.source, this.library, { files: this.files }) ?? null;
    return this.#survey ?? undefined;
  }

  get mentions(): readonly Mention[] {
    this.#mentions ??= this.survey ? mentionsIn(this.source, this.survey.node) : [];
    return this.#mentions;
  }
}
