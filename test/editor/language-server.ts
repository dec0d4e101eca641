/** An editor with the language server that editors use for YAML, over stdio. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type { CompletionItem, Diagnostic, Hover, MarkupContent, Position } from 'vscode-languageserver';

export interface Completion {
  readonly label: string;
  /** What it is for. */
  readonly about: string;
  /** What is put into the file. */
  readonly text: string;
}

const SETTINGS = { validate: true, hover: true, completion: true, schemaStore: { enable: false } };
const CAPABILITIES = {
  workspace: { configuration: true },
  textDocument: {
    completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown', 'plaintext'] } },
    hover: { contentFormat: ['markdown'] },
  },
};

/** One server, for files that are said to lie in `folder` and never touch a disk. `‸` in a text is where the cursor stands. */
export class YamlLanguageServer implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #folder: string;
  readonly #connection: MessageConnection;
  readonly #diagnostics = new Map<string, (found: readonly Diagnostic[]) => void>();
  #opened = 0;
  /** Rejects when the server ends by itself: nobody waits for an answer that will not come. */
  readonly #ended: Promise<never>;

  static async start(folder: string): Promise<YamlLanguageServer> {
    const server = new YamlLanguageServer(folder);
    const rootUri = pathToFileURL(folder).href;
    await server.#ask('initialize', { processId: process.pid, rootUri, capabilities: CAPABILITIES });
    await server.#connection.sendNotification('initialized', {});
    return server;
  }

  private constructor(folder: string) {
    const home = dirname(createRequire(import.meta.url).resolve('yaml-language-server/package.json'));
    this.#folder = folder;
    this.#child = spawn(process.execPath, [join(home, 'bin/yaml-language-server'), '--stdio']);
    this.#ended = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`the language server ended with ${code}`);
    });
    this.#ended.catch(() => {});
    const { stdin, stdout } = this.#child;
    this.#connection = createMessageConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    this.#connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) =>
      this.#diagnostics.get(uri)?.(diagnostics),
    );
    // It asks its editor for settings, section by section.
    this.#connection.onRequest('workspace/configuration', ({ items }: { items: readonly { section: string }[] }) =>
      items.map(({ section }) => (section === 'yaml' ? SETTINGS : {})),
    );
    this.#connection.onRequest(() => null);
    this.#connection.listen();
  }

  /** What it underlines, in the order of the text: `7:13 Property promt is not allowed.` */
  async diagnostics(text: string): Promise<readonly string[]> {
    const { found } = this.#open(text);
    return (await Promise.race([found, this.#ended]))
      .toSorted(({ range: { start: a } }, { range: { start: b } }) => a.line - b.line || a.character - b.character)
      .map(({ message, range: { start } }) => `${start.line + 1}:${start.character + 1} ${message}`);
  }

  async completions(text: string): Promise<readonly Completion[]> {
    const { items } = await this.#askAt<{ items: readonly CompletionItem[] }>('completion', text);
    return items.map(({ label, documentation, textEdit }) => ({
      ...{ label, about: plain(documentation), text: textEdit?.newText ?? '' },
    }));
  }

  /** Empty where it has nothing to say. */
  async hover(text: string): Promise<string> {
    const hover = await this.#askAt<Hover | null>('hover', text);
    return plain(hover?.contents as MarkupContent | undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
    this.#connection.dispose();
  }

  #open(marked: string) {
    const [before = '', ...after] = marked.split('‸');
    const lines = before.split('\n');
    const uri = pathToFileURL(join(this.#folder, `open-${++this.#opened}.yaml`)).href;
    const found = new Promise<readonly Diagnostic[]>(resolve => this.#diagnostics.set(uri, resolve));
    const textDocument = { uri, languageId: 'yaml', version: 1, text: before + after.join('') };
    void this.#connection.sendNotification('textDocument/didOpen', { textDocument });
    const position: Position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
    return { uri, position, found };
  }

  #askAt<T>(what: string, text: string): Promise<T> {
    const { uri, position } = this.#open(text);
    return this.#ask(`textDocument/${what}`, { textDocument: { uri }, position });
  }

  #ask<T>(method: string, params: object): Promise<T> {
    return Promise.race([this.#connection.sendRequest<T>(method, params), this.#ended]);
  }
}

const plain = (documentation: string | MarkupContent | undefined): string =>
  typeof documentation === 'string' ? documentation : (documentation?.value ?? '');
