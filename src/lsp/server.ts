/**
 * The language server: a connection to an editor, and what it is answered. Nothing is written, no service is asked or started, no lease is
 * taken. Each feature is a file of its own beside this one; here the protocol meets them.
 */
import { readdirSync, watch } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import {
  CodeActionKind,
  type CodeLens,
  type Connection,
  createConnection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  type Diagnostic as LspDiagnostic,
  MarkupKind,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Diagnostic, Source } from '../domain/diagnostic.ts';
import { compile } from '../language/compile.ts';
import { NO_FILES } from '../language/project-files.ts';
import { diskProjectFiles } from '../session/disk-project-files.ts';
import { lastResults } from '../session/last-results.ts';
import { filmOf } from '../session/state-folders.ts';
import { Checking } from './checking.ts';
import { completionsAt } from './complete.ts';
import { Document } from './document.ts';
import type { EditorHost } from './editor-host.ts';
import { stepsOf } from './expected.ts';
import { toldAt } from './hover.ts';
import { withOpenTexts } from './open-files.ts';
import { declared, keysInLock, pointedAt, referencesTo, targetsAt } from './places.ts';
import {
  completionOf,
  diagnosticOf,
  fileOf,
  fixAction,
  isFix,
  rangeIn,
  symbolOf,
  uriOf,
  uriOfPath,
} from './protocol.ts';
import { type StepFacts, stepFacts, studioPrices } from './step-facts.ts';
import { outlineOf } from './symbols.ts';
import { renamed } from './texts.ts';

/** What a code lens asks its editor for, and where the editor has no such command, the server. */
export const OPEN = 'shotlist.open';

/** Answers until the editor says that it ends, or is gone. */
export function serveEditor(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  host: EditorHost,
): Promise<void> {
  const connection = createConnection(input, output);
  const server = new Server(connection, host);
  connection.listen();
  return new Promise(resolve => {
    connection.onExit(() => {
      server.close();
      resolve();
    });
    input.on('end', () => {
      server.close();
      resolve();
    });
  });
}

class Server {
  readonly #connection: Connection;
  readonly #host: EditorHost;
  readonly #open = new TextDocuments(TextDocument);
  readonly #documents = new Map<string, Document>();
  readonly #roots = new Map<string, string>();
  readonly #checking: Checking;
  /** The files that each open file reads: when one of them changes, it is checked again. */
  readonly #reads = new Map<string, Set<string>>();
  /** What each open file makes known of which file. */
  readonly #told = new Map<string, ReadonlyMap<string, readonly LspDiagnostic[]>>();
  readonly #facts = new Map<
    string,
    { readonly of: Document; readonly facts: Promise<ReadonlyMap<string, StepFacts>> }
  >();
  readonly #watchers = new Map<string, { close(): void }>();
  #watchesItself = true;
  #showsDocuments = false;

  constructor(connection: Connection, host: EditorHost) {
    this.#connection = connection;
    this.#host = host;
    this.#checking = new Checking(
      host,
      (document, found) => this.#tell(document, found),
      uri => this.#documents.get(uri),
    );
    this.#listen();
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    for (const uri of this.#documents.keys()) this.#checking.closed(uri);
  }

  #listen(): void {
    const connection = this.#connection;
    connection.onInitialize(params => this.#initialize(params));
    connection.onInitialized(() => {
      if (this.#watchesItself) return;
      void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: '**/*' }] });
    });
    this.#open.onDidChangeContent(({ document }) => void this.#changed(document));
    this.#open.onDidClose(({ document: { uri } }) => this.#closed(uri));
    connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const { uri } of changes) this.#changedOnDisk(fileOf(uri));
    });
    connection.onCompletion(async ({ textDocument, position }) => {
      const found = await this.#at(textDocument.uri, position, 'perhaps');
      if (!found) return [];
      const { document, offset } = found;
      const offered = completionsAt(document, offset, this.#host.words);
      return offered.map((one, index) => completionOf(one, document.source, index));
    });
    connection.onHover(async ({ textDocument, position }) => {
      const found = await this.#at(textDocument.uri, position);
      if (!found) return null;
      const { document, offset } = found;
      const told = toldAt(document, offset, { words: this.#host.words, facts: await this.#factsOf(document) });
      return told
        ? { contents: { kind: MarkupKind.Markdown, value: told.text }, range: rangeIn(document.source, told.at) }
        : null;
    });
    connection.onCodeAction(({ textDocument: { uri }, context }) =>
      context.diagnostics.flatMap(one => (isFix(one.data) ? [fixAction(uri, one, one.data)] : [])),
    );
    connection.onCodeLens(({ textDocument }) => this.#lenses(textDocument.uri));
    connection.onExecuteCommand(async ({ command, arguments: given = [] }) => {
      if (command === OPEN) await this.#show(String(given[0]));
      return null;
    });
    connection.onDefinition(async ({ textDocument, position }) => {
      const found = await this.#at(textDocument.uri, position);
      if (!found) return null;
      const { document, offset } = found;
      return targetsAt(document, offset).map(({ file, text, span }) => ({
        uri: file === undefined ? document.uri : uriOf(file),
        range: rangeIn(file === undefined ? document.source : { path: file, text: text ?? '' }, span),
      }));
    });
    connection.onReferences(async ({ textDocument, position, context }) => {
      const found = await this.#at(textDocument.uri, position);
      const pointed = found && pointedAt(found.document, found.offset);
      if (!pointed) return null;
      const { document } = found;
      const own = context.includeDeclaration ? declared(document, pointed) : undefined;
      return [...(own ? [own] : []), ...referencesTo(document, pointed)].map(span => ({
        uri: document.uri,
        range: rangeIn(document.source, span),
      }));
    });
    connection.onPrepareRename(async ({ textDocument, position }) => {
      const found = await this.#at(textDocument.uri, position);
      const pointed = found && pointedAt(found.document, found.offset);
      if (pointed?.section !== 'steps' || !declared(found!.document, pointed)) return null;
      return { range: rangeIn(found!.document.source, pointed.at), placeholder: pointed.name };
    });
    connection.onRenameRequest(async ({ textDocument, position, newName }) => {
      const found = await this.#at(textDocument.uri, position);
      return found && this.#rename(found.document, found.offset, newName);
    });
    connection.onDocumentSymbol(async ({ textDocument }) => {
      const document = await this.#document(textDocument.uri);
      return document ? outlineOf(document).map(one => symbolOf(one, document.source)) : null;
    });
    this.#open.listen(connection);
  }

  #initialize({ capabilities: { workspace, window } }: InitializeParams): InitializeResult {
    this.#watchesItself = workspace?.didChangeWatchedFiles?.dynamicRegistration !== true;
    this.#showsDocuments = window?.showDocument?.support === true;
    return {
      serverInfo: { name: 'shotlist', version: this.#host.version },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        completionProvider: { triggerCharacters: ['.', '{', ' ', '/', '"', '(', '-'] },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        codeLensProvider: {},
        executeCommandProvider: { commands: [OPEN] },
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentSymbolProvider: true,
      },
    };
  }

  async #changed(text: TextDocument): Promise<void> {
    const document = await this.#read(text);
    if (document?.isPipeline) this.#checking.changed(document.uri);
    else this.#tellNothing(text.uri);
    const file = fileOf(text.uri);
    for (const [uri, read] of this.#reads)
      if (uri !== text.uri && file !== undefined && read.has(file)) void this.#again(uri);
  }

  /** What it reads has changed: nothing is known of it any more. */
  async #again(uri: string): Promise<void> {
    const text = this.#open.get(uri);
    this.#documents.delete(uri);
    const document = text && (await this.#read(text));
    if (document?.isPipeline) this.#checking.changed(uri);
  }

  #changedOnDisk(file: string | undefined): void {
    if (file === undefined) return;
    const folder = dirname(file);
    for (const uri of this.#documents.keys()) {
      const own = fileOf(uri);
      const isRead = this.#reads.get(uri)?.has(file);
      const isBeside = own !== undefined && own !== file && dirname(own) === folder;
      const isJournal = basename(file).startsWith('journal.db');
      if (isJournal) {
        this.#facts.delete(uri);
        void this.#connection.sendRequest('workspace/codeLens/refresh').catch(() => {});
      } else if (isRead || isBeside) {
        this.#checking.forget(uri);
        void this.#again(uri);
      }
    }
  }

  #closed(uri: string): void {
    this.#checking.closed(uri);
    for (const known of [this.#documents, this.#roots, this.#reads, this.#facts]) known.delete(uri);
    this.#tellNothing(uri);
    for (const [other, read] of this.#reads) if (read.has(fileOf(uri) ?? '')) void this.#again(other);
  }

  async #document(uri: string): Promise<Document | undefined> {
    const text = this.#open.get(uri);
    const document = text && (await this.#read(text));
    return document?.isPipeline ? document : undefined;
  }

  async #at(uri: string, position: { line: number; character: number }, is?: 'perhaps') {
    const text = this.#open.get(uri);
    const document = text && (await this.#read(text));
    if (!text || !(is === 'perhaps' ? document?.isPerhapsPipeline : document?.isPipeline)) return undefined;
    return { document: document!, offset: text.offsetAt(position) };
  }

  /** Of one version once. */
  async #read(text: TextDocument): Promise<Document | undefined> {
    const { uri, version } = text;
    const known = this.#documents.get(uri);
    if (known && known.version >= version) return known;
    const file = fileOf(uri);
    const root = this.#roots.get(uri) ?? (file === undefined ? '' : (await this.#host.projectOf(file)).root);
    this.#roots.set(uri, root);
    const newest = this.#open.get(uri);
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
      path => this.#open.get(uriOf(path))?.getText(),
      path => {
        reads.add(path);
        if (this.#watchesItself) this.#watch(dirname(path));
      },
    );
  }

  /** For editors that do not watch for us. */
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

  /** A mistake is shown where it is: in this file, or in one that it uses. */
  #tell(document: Document, found: readonly Diagnostic[]): void {
    const uriOfSource = (source: Source): string =>
      source.path === document.source.path ? document.uri : uriOfPath(source);
    const byUri = new Map<string, LspDiagnostic[]>([[document.uri, []]]);
    for (const one of found) {
      const uri = uriOfSource(one.source);
      byUri.set(uri, [...(byUri.get(uri) ?? []), diagnosticOf(one, uriOfSource)]);
    }
    const before = this.#told.get(document.uri) ?? new Map();
    this.#told.set(document.uri, byUri);
    for (const uri of new Set([...before.keys(), ...byUri.keys()])) this.#publish(uri);
  }

  #tellNothing(uri: string): void {
    const before = this.#told.get(uri);
    this.#told.delete(uri);
    for (const one of before?.keys() ?? []) this.#publish(one);
  }

  /** What several open files find in one is told once. */
  #publish(uri: string): void {
    const all = [...this.#told.values()].flatMap(byUri => byUri.get(uri) ?? []);
    const diagnostics = [
      ...new Map(all.map(one => [JSON.stringify([one.range, one.code, one.message]), one])).values(),
    ];
    const version = this.#documents.get(uri)?.version;
    void this.#connection.sendDiagnostics({ uri, diagnostics, ...(version !== undefined && { version }) });
  }

  #factsOf(document: Document): Promise<ReadonlyMap<string, StepFacts>> {
    const known = this.#facts.get(document.uri);
    if (known?.of === document) return known.facts;
    const facts = this.#findFacts(document).catch(() => new Map<string, StepFacts>());
    this.#facts.set(document.uri, { of: document, facts });
    return facts;
  }

  async #findFacts(document: Document): Promise<ReadonlyMap<string, StepFacts>> {
    const { source, library, files, file } = document;
    const { env } = this.#host;
    const media = await this.#checking.media(document);
    const { findByPlanning } = await import('../plan/check.ts');
    const { soundPart, diagnostics } = compile(source, library, { files });
    const parts = { soundPart, readablePart: () => undefined };
    const context = { library, env, localMedia: (path: string) => media.get(path), pricing: studioPrices(library) };
    let planned = findByPlanning(parts, diagnostics, context);
    while (await media.load()) planned = findByPlanning(parts, diagnostics, context);
    const project = file === undefined ? undefined : await this.#host.projectOf(file);
    const results = project ? lastResults(project.stateFolder, filmOf(project, undefined)) : [];
    return stepFacts(planned.plan, results);
  }

  async #lenses(uri: string): Promise<CodeLens[] | null> {
    const document = await this.#document(uri);
    if (!document?.survey) return null;
    const facts = await this.#factsOf(document);
    const { source } = document;
    const lenses: CodeLens[] = [];
    for (const { name, nameAt } of stepsOf(document.survey.node)) {
      const { price, last, newest } = facts.get(name) ?? {};
      const range = rangeIn(source, nameAt);
      if (price !== undefined) lenses.push({ range, command: { title: price, command: '' } });
      const made = newest?.content && (await this.#contentOf(document, newest.content.sha256));
      if (last !== undefined)
        lenses.push({
          range,
          command:
            made === undefined
              ? { title: last, command: '' }
              : { title: last, command: OPEN, arguments: [uriOf(made), { film: uri, key: newest?.key }] },
        });
    }
    return lenses;
  }

  /** Where the store of this machine has it; undefined where it has it no more. */
  async #contentOf({ file }: Document, sha256: string): Promise<string | undefined> {
    if (file === undefined || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    const { stateFolder } = await this.#host.projectOf(file);
    const folder = join(stateFolder, 'store', sha256.slice(0, 2));
    try {
      const name = readdirSync(folder).find(one => one.startsWith(`${sha256}-`));
      return name === undefined ? undefined : join(folder, name);
    } catch {
      return undefined;
    }
  }

  async #show(uri: string): Promise<void> {
    const isOurs = fileOf(uri)?.includes(`${join('.shotlist', 'store')}`) === true;
    if (this.#showsDocuments && isOurs) await this.#connection.window.showDocument({ uri, external: true });
  }

  #rename(document: Document, offset: number, to: string) {
    const pointed = pointedAt(document, offset);
    if (pointed?.section !== 'steps') throw refused(renamed.nothingHere);
    const own = declared(document, pointed);
    if (!own) throw refused(renamed.nothingHere);
    if (!/^[a-z][a-z0-9_]*$/.test(to)) throw refused(renamed.notAName(to));
    if (to !== pointed.name && declared(document, { section: 'steps', name: to })) throw refused(renamed.taken(to));
    const locked = keysInLock(document, pointed.name);
    if (locked && locked.keys.length > 0)
      this.#connection.window.showInformationMessage(
        renamed.lock(pointed.name, to, basename(locked.lock), locked.keys),
      );
    const places = [own, ...referencesTo(document, pointed)];
    const edits = places.map(span => ({ range: rangeIn(document.source, span), newText: to }));
    return { changes: { [document.uri]: edits } };
  }
}

/** `InvalidParams` of JSON-RPC: editors show its sentence. */
const refused = (message: string): ResponseError<void> => new ResponseError(-32602, message);
