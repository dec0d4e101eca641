/**
 * The language server: a connection to an editor, and what it is answered. Nothing is written, no service is asked or started, no lease is
 * taken. Each feature is a file of its own beside this one; here the protocol meets them.
 */
import { basename, join } from 'node:path';
import {
  CodeActionKind,
  type Connection,
  createConnection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  LogMessageNotification,
  type Diagnostic as LspDiagnostic,
  MarkupKind,
  MessageType,
  type PublishDiagnosticsParams,
  ResponseError,
  ShowMessageNotification,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import type { Diagnostic, Source } from '../model/diagnostic.ts';
import { Checking } from './checking.ts';
import { completionsAt } from './complete/complete-document.ts';
import { declared, keysInLock, pointedAt, referencesTo, targetsAt } from './definitions.ts';
import type { Document } from './document.ts';
import type { EditorHost } from './editor-host.ts';
import { hoverAt } from './hover.ts';
import { renamed } from './hover-texts.ts';
import { OpenDocuments } from './open-documents.ts';
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
import { OPEN, StepLenses } from './step-lenses.ts';
import { outlineOf } from './symbols.ts';

/** Answers until the editor ends it, or is gone. */
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
  readonly #open: OpenDocuments;
  readonly #checking: Checking;
  readonly #published: PublishedMistakes;
  readonly #lenses: StepLenses;
  #showsDocuments = false;

  constructor(connection: Connection, host: EditorHost) {
    this.#connection = connection;
    this.#host = host;
    const failed = (error: unknown) => this.#failed(error);
    this.#published = new PublishedMistakes(
      mistakes => void connection.sendDiagnostics(mistakes),
      uri => this.#open.known(uri)?.version,
    );
    this.#checking = new Checking(
      host,
      (document, found) => this.#published.publish(document, found),
      uri => this.#open.known(uri),
      failed,
    );
    this.#lenses = new StepLenses(host, this.#checking);
    this.#open = new OpenDocuments(host, {
      failed,
      changed: uri => this.#checking.changed(uri),
      neighbourChanged: uri => this.#checking.forget(uri),
      ran: uri => {
        this.#lenses.forget(uri);
        void connection.sendRequest('workspace/codeLens/refresh').catch(() => {});
      },
      foreign: uri => this.#published.forget(uri),
      closed: uri => {
        this.#checking.closed(uri);
        this.#lenses.forget(uri);
        this.#published.forget(uri);
      },
    });
    this.#listen();
  }

  close(): void {
    this.#open.close();
    for (const uri of this.#open.uris) this.#checking.closed(uri);
  }

  #listen(): void {
    const connection = this.#connection;
    connection.onInitialize(params => this.#initialize(params));
    connection.onInitialized(() => {
      if (this.#open.watchesItself) return;
      void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: '**/*' }] });
    });
    connection.onCodeAction(({ textDocument: { uri }, context }) =>
      context.diagnostics.flatMap(one => (isFix(one.data) ? [fixAction(uri, one, one.data)] : [])),
    );
    connection.onCodeLens(async ({ textDocument }) => {
      const document = await this.#open.pipeline(textDocument.uri);
      return document ? this.#lenses.lensesOf(document) : null;
    });
    connection.onExecuteCommand(async ({ command, arguments: given = [] }) => {
      if (command === OPEN) await this.#show(String(given[0]));
      return null;
    });
    connection.onDocumentSymbol(async ({ textDocument }) => {
      const document = await this.#open.pipeline(textDocument.uri);
      return document ? outlineOf(document).map(one => symbolOf(one, document.source)) : null;
    });
    this.#listenAtPlaces(connection);
    this.#open.listen(connection);
  }

  /** What is asked about a place in a pipeline that is open; `null` elsewhere. */
  #listenAtPlaces(connection: Connection): void {
    const at =
      <Asked extends TextDocumentPositionParams, Answer>(
        answer: (document: Document, offset: number, asked: Asked) => Answer | Promise<Answer>,
        is?: 'perhaps',
      ) =>
      async (asked: Asked) => {
        const found = await this.#open.at(asked.textDocument.uri, asked.position, is);
        return found ? answer(found.document, found.offset, asked) : null;
      };
    const { words } = this.#host;
    const offers = at(
      (document, offset) =>
        completionsAt(document, offset, words).map((one, index) => completionOf(one, document.source, index)),
      'perhaps',
    );
    connection.onCompletion(async asked => (await offers(asked)) ?? []);
    connection.onHover(
      at(async (document, offset) => {
        const hover = hoverAt(document, offset, { words, facts: await this.#lenses.factsOf(document) });
        return hover
          ? { contents: { kind: MarkupKind.Markdown, value: hover.text }, range: rangeIn(document.source, hover.at) }
          : null;
      }),
    );
    connection.onDefinition(
      at((document, offset) =>
        targetsAt(document, offset).map(({ file, text, span }) => ({
          uri: file === undefined ? document.uri : uriOf(file),
          range: rangeIn(file === undefined ? document.source : { path: file, text: text ?? '' }, span),
        })),
      ),
    );
    connection.onReferences(
      at((document, offset, { context }) => {
        const pointed = pointedAt(document, offset);
        if (!pointed) return null;
        const own = context.includeDeclaration ? declared(document, pointed) : undefined;
        return [...(own ? [own] : []), ...referencesTo(document, pointed)].map(span => ({
          uri: document.uri,
          range: rangeIn(document.source, span),
        }));
      }),
    );
    connection.onPrepareRename(
      at((document, offset) => {
        const pointed = pointedAt(document, offset);
        if (pointed?.section !== 'steps' || !declared(document, pointed)) return null;
        return { range: rangeIn(document.source, pointed.at), placeholder: pointed.name };
      }),
    );
    connection.onRenameRequest(at((document, offset, { newName }) => this.#rename(document, offset, newName)));
  }

  /** A bug of ours in one file ends nothing: it goes into the editor's log. */
  #failed(error: unknown): void {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    void this.#connection.sendNotification(LogMessageNotification.type, { type: MessageType.Error, message });
  }

  #initialize({ capabilities: { workspace, window } }: InitializeParams): InitializeResult {
    this.#open.watchesItself = workspace?.didChangeWatchedFiles?.dynamicRegistration !== true;
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
      // Not the request of that name: an editor may not answer it.
      void this.#connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Info,
        message: renamed.lock(pointed.name, to, basename(locked.lock), locked.keys),
      });
    const places = [own, ...referencesTo(document, pointed)];
    const edits = places.map(span => ({ range: rangeIn(document.source, span), newText: to }));
    return { changes: { [document.uri]: edits } };
  }
}

/** `InvalidParams` of JSON-RPC: editors show its sentence. */
const refused = (message: string): ResponseError<void> => new ResponseError(-32602, message);

/** Mistakes as an editor shows them: each in the file where it is, which may be one that an open file uses. */
class PublishedMistakes {
  readonly #send: (mistakes: PublishDiagnosticsParams) => void;
  readonly #versionOf: (uri: string) => number | undefined;
  /** By open file: what is published about each file. */
  readonly #byOpenFile = new Map<string, ReadonlyMap<string, readonly LspDiagnostic[]>>();

  constructor(send: (mistakes: PublishDiagnosticsParams) => void, versionOf: (uri: string) => number | undefined) {
    this.#send = send;
    this.#versionOf = versionOf;
  }

  publish(document: Document, found: readonly Diagnostic[]): void {
    const uriOfSource = (source: Source): string =>
      source.path === document.source.path ? document.uri : uriOfPath(source);
    const byUri = new Map<string, LspDiagnostic[]>([[document.uri, []]]);
    for (const one of found) {
      const uri = uriOfSource(one.source);
      byUri.set(uri, [...(byUri.get(uri) ?? []), diagnosticOf(one, uriOfSource)]);
    }
    const before = this.#byOpenFile.get(document.uri) ?? new Map();
    this.#byOpenFile.set(document.uri, byUri);
    for (const uri of new Set([...before.keys(), ...byUri.keys()])) this.#publishOf(uri);
  }

  /** Nothing is published for it any more. */
  forget(uri: string): void {
    const before = this.#byOpenFile.get(uri);
    this.#byOpenFile.delete(uri);
    for (const one of before?.keys() ?? []) this.#publishOf(one);
  }

  /** What several open files find in one is shown once. */
  #publishOf(uri: string): void {
    const all = [...this.#byOpenFile.values()].flatMap(byUri => byUri.get(uri) ?? []);
    const diagnostics = [
      ...new Map(all.map(one => [JSON.stringify([one.range, one.code, one.message]), one])).values(),
    ];
    const version = this.#versionOf(uri);
    this.#send({ uri, diagnostics, ...(version !== undefined && { version }) });
  }
}
