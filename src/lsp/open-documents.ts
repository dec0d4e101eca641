/**
 * The texts that an editor has open, each read once for a version, and what they read beside themselves: files that are open as well, as they
 * stand in the editor, and those on the disk. Whatever changes is heard here.
 */

import { createHash } from 'node:crypto';
import { watch } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type Connection, TextDocuments } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { diskProjectFiles } from '../app/disk-project-files.ts';
import { NO_FILES, type ProjectFiles } from '../language/used-files.ts';
import { Document } from './document.ts';
import type { EditorHost } from './editor-host.ts';
import { fileOf, uriOf } from './protocol.ts';

/** Each receives the address of an open file. */
interface Listeners {
  /** It is a pipeline, and its text is new, or a text that it reads. */
  readonly changed: (uri: string) => void;
  /** A file that it may name has changed on the disk. */
  readonly neighbourChanged: (uri: string) => void;
  /** Runs of its project have written something. */
  readonly ran: (uri: string) => void;
  /** It is no pipeline, or not any more. */
  readonly foreign: (uri: string) => void;
  readonly closed: (uri: string) => void;
  readonly failed: (error: unknown) => void;
}

export class OpenDocuments {
  readonly #host: EditorHost;
  readonly #listeners: Listeners;
  readonly #texts = new TextDocuments(TextDocument);
  readonly #documents = new Map<string, Document>();
  readonly #roots = new Map<string, string>();
  /** The files that each open file reads: when one of them changes, it is checked again. */
  readonly #reads = new Map<string, Set<string>>();
  readonly #watchers = new Map<string, { close(): void }>();
  /** The editor does not watch files for us. */
  watchesItself = true;

  constructor(host: EditorHost, listeners: Listeners) {
    this.#host = host;
    this.#listeners = listeners;
  }

  listen(connection: Connection): void {
    this.#texts.onDidChangeContent(({ document }) => void this.#changed(document).catch(this.#listeners.failed));
    this.#texts.onDidClose(({ document: { uri } }) => this.#closed(uri));
    connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const { uri } of changes) this.#changedOnDisk(fileOf(uri));
    });
    this.#texts.listen(connection);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
  }

  get uris(): readonly string[] {
    return [...this.#documents.keys()];
  }

  /** As it was read last. */
  known(uri: string): Document | undefined {
    return this.#documents.get(uri);
  }

  /** Undefined where it is not open, or no pipeline. */
  async pipeline(uri: string): Promise<Document | undefined> {
    const text = this.#texts.get(uri);
    const document = text && (await this.#read(text));
    return document?.isPipeline ? document : undefined;
  }

  /** @param is `perhaps`: also a file that is not clearly a pipeline yet. */
  async at(uri: string, position: { line: number; character: number }, is?: 'perhaps') {
    const text = this.#texts.get(uri);
    const document = text && (await this.#read(text));
    if (!text || !(is === 'perhaps' ? document?.isPerhapsPipeline : document?.isPipeline)) return undefined;
    return { document: document!, offset: text.offsetAt(position) };
  }

  async #changed(text: TextDocument): Promise<void> {
    const document = await this.#read(text);
    if (document?.isPipeline) this.#listeners.changed(document.uri);
    else this.#listeners.foreign(text.uri);
    const file = fileOf(text.uri);
    for (const [uri, read] of [...this.#reads])
      if (uri !== text.uri && file !== undefined && read.has(file)) void this.#again(uri);
  }

  /** What it reads has changed: nothing is known of it any more. */
  async #again(uri: string): Promise<void> {
    const text = this.#texts.get(uri);
    this.#documents.delete(uri);
    const document = text && (await this.#read(text));
    if (document?.isPipeline) this.#listeners.changed(uri);
  }

  #changedOnDisk(file: string | undefined): void {
    if (file === undefined) return;
    const folder = dirname(file);
    for (const uri of this.uris) {
      const own = fileOf(uri);
      const isRead = this.#reads.get(uri)?.has(file);
      const isNeighbour = own !== undefined && own !== file && dirname(own) === folder;
      if (basename(file).startsWith('journal.db')) this.#listeners.ran(uri);
      else if (isRead || isNeighbour) {
        this.#listeners.neighbourChanged(uri);
        void this.#again(uri);
      }
    }
  }

  #closed(uri: string): void {
    for (const known of [this.#documents, this.#roots, this.#reads]) known.delete(uri);
    this.#listeners.closed(uri);
    for (const [other, read] of [...this.#reads]) if (read.has(fileOf(uri) ?? '')) void this.#again(other);
  }

  /** Of one version once. */
  async #read(text: TextDocument): Promise<Document | undefined> {
    const { uri, version } = text;
    const known = this.#documents.get(uri);
    if (known && known.version >= version) return known;
    const file = fileOf(uri);
    const root = this.#roots.get(uri) ?? (file === undefined ? '' : (await this.#host.projectOf(file)).root);
    this.#roots.set(uri, root);
    const newest = this.#texts.get(uri);
    if (!newest) return undefined;
    const reads = new Set<string>();
    this.#reads.set(uri, reads);
    const document = new Document({
      uri,
      version: newest.version,
      source: { path: file === undefined ? uri : relative('', file), text: newest.getText() },
      file,
      root,
      files: file === undefined ? NO_FILES : this.#filesOf(file, root, reads),
      library: this.#host.library,
    });
    this.#documents.set(uri, document);
    return document;
  }

  #filesOf(file: string, root: string, reads: Set<string>) {
    return withOpenTexts(
      diskProjectFiles(file, root),
      dirname(file),
      path => this.#texts.get(uriOf(path))?.getText(),
      path => {
        reads.add(path);
        if (this.watchesItself) this.#watch(dirname(path));
      },
    );
  }

  #watch(folder: string): void {
    if (this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name !== null) this.#changedOnDisk(join(folder, name));
      });
      watcher.on('error', () => watcher.close());
      this.#watchers.set(folder, watcher);
    } catch {
      // A folder that is not there is looked at again with the next key.
    }
  }
}

/** Files as the editor has them: what is not saved counts, everything else is read from the disk. */

/** The text of a file that is open, by its absolute path. */
type OpenTexts = (file: string) => string | undefined;

/** @param folder of the file that names the others: absolute. @param read hears each path that is asked for, also of what is not there. */
const withOpenTexts = (
  disk: ProjectFiles,
  folder: string,
  texts: OpenTexts,
  read: (file: string) => void,
): ProjectFiles => ({
  read: path => {
    const file = resolve(folder, path);
    read(file);
    const found = disk.read(path);
    const text = texts(file);
    // What lies outside of the project is refused, open or not.
    if (text === undefined || ('problem' in found && !found.problem.includes('does not exist'))) return found;
    return { path: relative('', file), text, sha256: createHash('sha256').update(text).digest('hex') };
  },
  list: pattern => disk.list(pattern),
  relativeTo: path => withOpenTexts(disk.relativeTo(path), dirname(resolve(folder, path)), texts, read),
});
