/** An editor with `shotlist tools lsp` behind it, over stdio: a real process, and the protocol as any client speaks it. `‸` is where the cursor stands. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  Diagnostic,
  DocumentSymbol,
  Hover,
  Location,
  Position,
  PublishDiagnosticsParams,
  Range,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';

export const HEAD = 'shotlist: 1\nname: film\n';

export interface EditorOptions {
  readonly program?: readonly string[];
  /** The editor watches files for its server. */
  readonly watches?: boolean;
}

export class Editor implements AsyncDisposable {
  readonly folder: string;
  readonly child: ChildProcessWithoutNullStreams;
  readonly messages: string[] = [];
  readonly stderr: string[] = [];
  readonly #connection: MessageConnection;
  readonly #texts = new Map<string, { text: string; version: number }>();
  readonly #diagnostics = new Map<string, PublishDiagnosticsParams>();
  #heard: (() => void)[] = [];
  /** No version is given twice, so that what is told of a closed document is not taken for news of an open one. */
  #versions = 0;

  static async start({
    program = [resolve('src/cli/entry.ts'), 'tools', 'lsp'],
    watches = false,
  }: EditorOptions = {}): Promise<Editor> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shotlist-lsp-')));
    const editor = new Editor(folder, program);
    await editor.ask('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: watches } } },
    });
    await editor.#connection.sendNotification('initialized', {});
    return editor;
  }

  private constructor(folder: string, program: readonly string[]) {
    this.folder = folder;
    this.child = spawn(process.execPath, [...program, '--stdio'], {
      cwd: folder,
      env: { HOME: folder, PATH: process.env.PATH },
    });
    this.child.stderr.setEncoding('utf8').on('data', text => this.stderr.push(text));
    this.#connection = createMessageConnection(
      new StreamMessageReader(this.child.stdout),
      new StreamMessageWriter(this.child.stdin),
    );
    this.#connection.onNotification('textDocument/publishDiagnostics', (told: PublishDiagnosticsParams) => {
      this.#diagnostics.set(told.uri, told);
      for (const heard of this.#heard.splice(0)) heard();
    });
    this.#connection.onNotification('window/showMessage', ({ message }) => void this.messages.push(message));
    this.#connection.onRequest('client/registerCapability', () => null);
    this.#connection.onRequest('workspace/codeLens/refresh', () => null);
    this.#connection.listen();
  }

  ask<T>(method: string, params: unknown): Promise<T> {
    return this.#connection.sendRequest<T>(method, params);
  }

  uri(name: string): string {
    return pathToFileURL(join(this.folder, name)).href;
  }

  /** On the disk, where no editor has it open. */
  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), text);
  }

  changedOnDisk(name: string): Promise<void> {
    return this.#connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: this.uri(name), type: 2 }],
    });
  }

  /** Opened, or typed over what was there. */
  async type(marked: string, name = 'film.yaml'): Promise<{ readonly uri: string; readonly position: Position }> {
    const uri = this.uri(name);
    const [before = '', ...after] = marked.split('‸');
    const text = before + after.join('');
    const known = this.#texts.get(uri);
    const version = ++this.#versions;
    this.#texts.set(uri, { text, version });
    if (!known)
      await this.#connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'yaml', version, text },
      });
    else
      await this.#connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      });
    const lines = before.split('\n');
    return { uri, position: { line: lines.length - 1, character: lines.at(-1)!.length } };
  }

  /** Once what is told of this text fits. */
  async told(fits: (found: readonly Diagnostic[]) => boolean, name = 'film.yaml'): Promise<readonly Diagnostic[]> {
    const uri = this.uri(name);
    for (;;) {
      const told = this.#diagnostics.get(uri);
      const version = this.#texts.get(uri)?.version;
      if (told && (version === undefined || told.version === version) && fits(told.diagnostics))
        return told.diagnostics;
      await new Promise<void>(resolve => this.#heard.push(resolve));
    }
  }

  /** What is told of this text: `4:12 unknown-step …`. */
  async mistakes(text: string, name = 'film.yaml'): Promise<readonly string[]> {
    await this.type(text, name);
    return (await this.told(() => true, name)).map(shown);
  }

  async #askAt<T>(what: string, marked: string, more: object = {}, name?: string): Promise<T> {
    const { uri, position } = await this.type(marked, name);
    return this.ask(`textDocument/${what}`, { textDocument: { uri }, position, ...more });
  }

  async complete(marked: string, name?: string): Promise<readonly CompletionItem[]> {
    const items = await this.#askAt<readonly CompletionItem[]>('completion', marked, {}, name);
    return items.toSorted((a, b) => (a.sortText! < b.sortText! ? -1 : 1));
  }
  labels = async (marked: string, name?: string): Promise<readonly string[]> =>
    (await this.complete(marked, name)).map(({ label }) => label);

  /** The text after the completion with this label was taken. */
  async taken(marked: string, label: string): Promise<string> {
    const found = (await this.complete(marked)).find(one => one.label === label);
    if (!found) throw new Error(`${label} is not offered`);
    return edited(this.#texts.get(this.uri('film.yaml'))!.text, [found.textEdit as TextEdit]);
  }

  async hover(marked: string): Promise<string> {
    const told = await this.#askAt<Hover | null>('hover', marked);
    return (told?.contents as { value: string } | undefined)?.value ?? '';
  }

  async definition(marked: string): Promise<readonly string[]> {
    const found = await this.#askAt<readonly Location[] | null>('definition', marked);
    return (found ?? []).map(one => `${one.uri.split('/').at(-1)}:${at(one.range)}`);
  }

  async references(marked: string): Promise<readonly string[]> {
    const context = { includeDeclaration: true };
    const found = await this.#askAt<readonly Location[] | null>('references', marked, { context });
    return (found ?? []).map(({ range }) => at(range));
  }

  async rename(marked: string, newName: string): Promise<string> {
    const edit = await this.#askAt<WorkspaceEdit>('rename', marked, { newName });
    const uri = this.uri('film.yaml');
    return edited(this.#texts.get(uri)!.text, edit.changes![uri]!);
  }

  /** The text after the quick fix of its only mistake. */
  async fixed(text: string): Promise<{ readonly titles: readonly string[]; readonly text: string }> {
    const { uri } = await this.type(text);
    const diagnostics = await this.told(found => found.length > 0);
    const range = diagnostics[0]!.range;
    const actions = await this.ask<readonly CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range,
      context: { diagnostics },
    });
    const edits = actions.flatMap(({ edit }) => edit!.changes![uri]!);
    return { titles: actions.map(({ title }) => title), text: edited(text, edits) };
  }

  async lenses(text: string): Promise<readonly CodeLens[]> {
    const { uri } = await this.type(text);
    return (await this.ask<readonly CodeLens[] | null>('textDocument/codeLens', { textDocument: { uri } })) ?? [];
  }

  async outline(text: string): Promise<readonly DocumentSymbol[]> {
    const { uri } = await this.type(text);
    return this.ask('textDocument/documentSymbol', { textDocument: { uri } });
  }

  /** Closes every document and empties the folder: what the next test of the same server begins with. */
  async clear(): Promise<void> {
    const open = [...this.#texts.keys()];
    for (const uri of open) await this.#connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    // The server answers in order: from here on it knows that they are closed.
    await this.ask('textDocument/documentSymbol', { textDocument: { uri: this.uri('film.yaml') } });
    for (const known of [this.#texts, this.#diagnostics]) known.clear();
    for (const heard of [this.messages, this.stderr]) heard.length = 0;
    for (const name of readdirSync(this.folder)) rmSync(join(this.folder, name), { recursive: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.child, 'exit');
    await this.#connection.sendRequest('shutdown').catch(() => {});
    await this.#connection.sendNotification('exit').catch(() => {});
    await ended;
    this.#connection.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const at = ({ start }: Range): string => `${start.line + 1}:${start.character + 1}`;
export const shown = ({ range, code, message }: Diagnostic): string => `${at(range)} ${code} ${message}`;

function edited(text: string, edits: readonly TextEdit[]): string {
  const lines = text.split('\n');
  const offset = ({ line, character }: Position): number =>
    lines.slice(0, line).reduce((sum, row) => sum + row.length + 1, character);
  return edits
    .toSorted((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (result, { range, newText }) => result.slice(0, offset(range.start)) + newText + result.slice(offset(range.end)),
      text,
    );
}
