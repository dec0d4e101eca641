/** A small client of the language server that editors use for YAML, over the Language Server Protocol on stdio. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Completion {
  readonly label: string;
  /** What it is for. */
  readonly about: string;
  /** What is put into the file. */
  readonly text: string;
}

interface Position {
  readonly line: number;
  readonly character: number;
}
interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: Position };
}
interface CompletionItem {
  readonly label: string;
  readonly documentation?: Documentation;
  readonly textEdit: { readonly newText: string };
}
type Message = Readonly<Record<string, unknown>>;
type Documentation = string | { readonly value: string } | undefined;

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
  readonly #answers = new Map<number, (result: unknown) => void>();
  readonly #diagnostics = new Map<string, (found: readonly Diagnostic[]) => void>();
  #sent = 0;
  #opened = 0;
  #unread = Buffer.alloc(0);
  /** Rejects when the server ends by itself: nobody waits for an answer that will not come. */
  readonly #ended: Promise<never>;

  static async start(folder: string): Promise<YamlLanguageServer> {
    const server = new YamlLanguageServer(folder);
    await server.#ask('initialize', {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: CAPABILITIES,
    });
    server.#send({ method: 'initialized', params: {} });
    return server;
  }

  private constructor(folder: string) {
    const home = dirname(createRequire(import.meta.url).resolve('yaml-language-server/package.json'));
    this.#folder = folder;
    this.#child = spawn(process.execPath, [join(home, 'bin/yaml-language-server'), '--stdio']);
    this.#child.stdout.on('data', (bytes: Buffer) => this.#read(bytes));
    this.#ended = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`the language server ended with ${code}`);
    });
    this.#ended.catch(() => {});
  }

  /** What it underlines, in the order of the text: `7:13 Property promt is not allowed.` */
  async diagnostics(text: string): Promise<readonly string[]> {
    const { found } = this.#open(text);
    return (await Promise.race([found, this.#ended]))
      .toSorted((a, b) => compare(a.range.start, b.range.start))
      .map(({ message, range: { start } }) => `${start.line + 1}:${start.character + 1} ${message}`);
  }

  async completions(text: string): Promise<readonly Completion[]> {
    const { uri, position } = this.#open(text);
    const answer = await this.#ask('textDocument/completion', { textDocument: { uri }, position });
    const { items } = answer as { readonly items: readonly CompletionItem[] };
    return items.map(({ label, documentation, textEdit }) => ({
      label,
      about: plain(documentation),
      text: textEdit.newText,
    }));
  }

  /** Empty where it has nothing to say. */
  async hover(text: string): Promise<string> {
    const { uri, position } = this.#open(text);
    const answer = await this.#ask('textDocument/hover', { textDocument: { uri }, position });
    return plain((answer as { readonly contents: Documentation } | null)?.contents);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }

  #open(marked: string) {
    const [before = '', ...after] = marked.split('‸');
    const lines = before.split('\n');
    const uri = pathToFileURL(join(this.#folder, `open-${++this.#opened}.yaml`)).href;
    const found = new Promise<readonly Diagnostic[]>(resolve => this.#diagnostics.set(uri, resolve));
    const textDocument = { uri, languageId: 'yaml', version: 1, text: before + after.join('') };
    this.#send({ method: 'textDocument/didOpen', params: { textDocument } });
    const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
    return { uri, position, found };
  }

  #ask(method: string, params: Message): Promise<unknown> {
    const id = ++this.#sent;
    const answer = new Promise<unknown>(resolve => this.#answers.set(id, resolve));
    this.#send({ id, method, params });
    return Promise.race([answer, this.#ended]);
  }

  #send(message: Message): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #read(bytes: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    for (;;) {
      const head = this.#unread.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(this.#unread.subarray(0, Math.max(head, 0)).toString())?.[1]);
      const end = head + 4 + length;
      if (head < 0 || this.#unread.length < end) return;
      const message = JSON.parse(this.#unread.subarray(head + 4, end).toString());
      this.#unread = this.#unread.subarray(end);
      this.#heard(message);
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: a message of the protocol, of any kind
  #heard({ id, method, params, result }: any): void {
    if (method === undefined) this.#answers.get(id)?.(result);
    else if (id !== undefined) this.#send({ id, result: this.#settings(method, params) });
    else if (method === 'textDocument/publishDiagnostics') this.#diagnostics.get(params.uri)?.(params.diagnostics);
  }

  /** It asks its editor for settings, section by section. */
  #settings(method: string, params: { readonly items?: readonly { readonly section: string }[] }): unknown {
    if (method !== 'workspace/configuration') return null;
    return params.items?.map(({ section }) => (section === 'yaml' ? SETTINGS : {}));
  }
}

const compare = (a: Position, b: Position): number => a.line - b.line || a.character - b.character;

const plain = (documentation: Documentation): string =>
  typeof documentation === 'string' ? documentation : (documentation?.value ?? '');
