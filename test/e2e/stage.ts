/** A place where whole processes run: an empty HOME, a project of its own, the bundle a user runs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { shellWords } from '../support/guide-pages.ts';
import { copyPipelines } from '../support/pipelines.ts';
import { READY_BUNDLE } from '../support/ready-bundle.ts';
import { expectTablesInFile } from '../support/tables-of-log.ts';
import { runInProcess } from './in-process.ts';
import { TerminalProcess } from './terminal-process.ts';

const DIST = resolve('dist');
/** What studios have drawn, for all tests and from one run of the suite to the next; `npm ci` wipes it. */
const RENDERS = resolve('node_modules/.cache/shotlist-renders');

export class Stage {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 's-')));
  readonly project = join(this.folder, 'project');
  readonly #children = new Set<ChildProcess>();
  env: Record<string, string> = {};
  /**
   * What built-in studios give. `ready clips` cost next to nothing: for tests that are not about pictures. `drawn once`: animatics, which
   * are kept for all tests. `drawn anew`: the test is about the drawing, or acts while something is drawn.
   */
  films: 'ready clips' | 'drawn once' | 'drawn anew' = 'ready clips';

  constructor() {
    mkdirSync(join(this.folder, 'home'), { recursive: true });
    copyPipelines(this.project);
  }

  /** `shotlist …args`, and the whole environment it runs in. */
  command(args: readonly string[]): readonly [program: string, ...given: string[]] {
    return [process.execPath, join(this.bundle, 'shotlist.cjs'), ...typed(args)];
  }
  get bundle(): string {
    return this.films === 'ready clips' ? READY_BUNDLE : DIST;
  }
  get environment(): Record<string, string> {
    const home = join(this.folder, 'home');
    const kept = { SHOTLIST_STUDIO_CACHE: this.films === 'drawn once' ? RENDERS : '' };
    return { PATH: process.env.PATH ?? '', HOME: home, CI: 'true', ...kept, ...this.env };
  }

  /** Puts a file into the project. */
  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.project, path)), { recursive: true });
    writeFileSync(join(this.project, path), content);
  }
  read(path: string): string {
    return readFileSync(this.at(path), 'utf8');
  }
  /** Where a file of the project lies. */
  at(...path: readonly string[]): string {
    return join(this.project, ...path);
  }
  has(path: string): boolean {
    return existsSync(this.at(path));
  }
  /** The SHA-256 of a file of the project, in hexadecimal digits. */
  digest(path: string): string {
    return createHash('sha256')
      .update(readFileSync(this.at(path)))
      .digest('hex');
  }

  /** What a person saw, without what differs from one machine and one moment to the next. */
  shown(text: string): string {
    return text
      .replaceAll(this.folder, '~')
      .replace(/\bport \d+/g, 'port 4000')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:4000')
      .replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'ID')
      .replace(/^ +\+(\d+m )?\d+(\.\d)?s /gm, '    +…s ')
      .replace(/\b(in|after|about) (\d+m )?\d+(\.\d)?s\b/g, '$1 …s')
      .replace(/\b\d+(\.\d)? [kM]B\b/g, '… B');
  }

  /** Starts `shotlist …args` in the project. */
  start(...args: readonly string[]): Started {
    return this.startFrom('.', ...args);
  }

  /** The same, from a folder of the project. */
  startFrom(folder: string, ...args: readonly string[]): Started {
    return this.#spawn(folder, {}, args);
  }

  /** The same, with these variables of its own. */
  startWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Started {
    return this.#spawn('.', env, args);
  }

  #spawn(folder: string, env: Readonly<Record<string, string>>, args: readonly string[]): Started {
    const [program, ...given] = this.command(args);
    const child = spawn(program, given, {
      cwd: join(this.project, folder),
      env: { ...this.environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#children.add(child);
    return new Started(child);
  }

  /** Starts `shotlist …args` at a terminal of its own. */
  startAtTerminal(...args: readonly string[]): TerminalProcess {
    const { CI: _, ...env } = this.environment;
    return new TerminalProcess(this.command(args), { cwd: this.project, env });
  }

  /** Runs `shotlist …args` to its end, in the process of the test: a tenth of the cost of its own. One at a time. */
  run(...args: readonly string[]): Promise<Ended> {
    return runInProcess(this, typed(args));
  }

  /** The same, with `input` on standard input. */
  runReading(input: string, ...args: readonly string[]): Promise<Ended> {
    return runInProcess(this, args, input);
  }

  /** The same, in a process of its own: where it is killed, where others run beside it, or where its memory or its streams are the subject. */
  runAsProcess(...args: readonly string[]): Promise<Ended> {
    return this.start(...args).ended;
  }

  /** A studio of its own, quick and small, until the stage is disposed of. `more` is told to it as it is. */
  async studio(folder = 'studio', port = 0, more: readonly string[] = []): Promise<StudioProcess> {
    const { env } = this;
    this.env = { ...env, SHOTLIST_API_KEY: 'stage-key' };
    const started = this.start(
      'studio',
      '--draft',
      '--folder',
      join(this.folder, folder),
      '--port',
      String(port),
      ...more,
    );
    this.env = env;
    const line = await started.line(/^studio at (\S+)$/m);
    const url = line[1] ?? '';
    const submits = async () => {
      const answer = await fetch(`${url}/api/ai/generations`, { headers: { authorization: 'Bearer stage-key' } });
      return ((await answer.json()) as { total_entries: number }).total_entries;
    };
    return { url, key: 'stage-key', process: started, submits };
  }

  /** From here on every command asks this studio, whose history may be trusted: a lost request need not be looked for for minutes. */
  trust({ url, key }: Pick<StudioProcess, 'url' | 'key'>, more: Readonly<Record<string, string>> = {}): void {
    this.env = { SHOTLIST_BASE_URL: url, SHOTLIST_API_KEY: key, SHOTLIST_HISTORY: 'trusted', ...more };
  }

  /** Ends everything that runs here, and leaves what is on the disk for a person to look at. */
  killAll(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }

  /** Ends everything that runs here, and removes it. @throws if a row of the project's journal is not what its log gives. */
  dispose(): void {
    this.killAll();
    expectTablesInFile(join(this.project, '.shotlist/journal.db'));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The first argument may be several, as a shell splits them. */
const typed = ([line = '', ...args]: readonly string[]): readonly string[] => [...shellWords(line), ...args];

export interface StudioProcess {
  readonly url: string;
  readonly key: string;
  readonly process: Started;
  /** How many requests it was ever given and took. */
  submits(): Promise<number>;
}

export interface Ended {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  readonly #lookers = new Set<() => void>();

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.setEncoding('utf8').on('data', text => {
      this.stdout += text;
      for (const look of this.#lookers) look();
    });
    child.stderr?.setEncoding('utf8').on('data', text => {
      this.stderr += text;
      for (const look of this.#lookers) look();
    });
    this.ended = once(child, 'close').then(([exit, signal]) => ({
      exit,
      signal,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  /** The first match in what it said, on either stream; rejects when it ends without saying it. */
  line(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((found, failed) => {
      const look = () => {
        const match = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
        if (!match) return;
        this.#lookers.delete(look);
        found(match);
      };
      this.#lookers.add(look);
      void this.ended.then(({ exit }) =>
        failed(new Error(`ended with ${exit} before it said ${pattern}:\n${this.stderr}${this.stdout}`)),
      );
      look();
    });
  }

  /** Ctrl-C. */
  interrupt(): void {
    this.child.kill('SIGINT');
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}
