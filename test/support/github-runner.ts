/**
 * How the runner of GitHub Actions reads a job's output, as its `ActionCommandManager` does: an order begins a line after its blanks
 * (`::name fields::data`), or stands anywhere in it in the old form (`##[name fields]data`); `stop-commands` makes it deaf until its token comes.
 */
export class Runner {
  /** Names of the orders that were obeyed. */
  readonly orders: string[] = [];
  readonly obeyed: string[] = [];
  #token: string | undefined;

  get isStopped(): boolean {
    return this.#token !== undefined;
  }

  /** One line of output. */
  read(line: string): void {
    const name = orderIn(line);
    if (name === undefined) return;
    if (this.#token !== undefined) {
      if (name.toLowerCase() === this.#token.toLowerCase()) this.#token = undefined;
      return;
    }
    if (name.toLowerCase() === 'stop-commands') {
      this.#token = line.trimStart().slice('::stop-commands::'.length);
      return;
    }
    if (!KNOWN.has(name.toLowerCase())) return;
    this.orders.push(name);
    this.obeyed.push(line);
  }
}

const KNOWN = new Set([
  ...[
    'error',
    'warning',
    'notice',
    'debug',
    'group',
    'endgroup',
    'add-mask',
    'set-output',
    'set-env',
    'add-path',
    'echo',
  ],
  ...['save-state', 'add-matcher', 'remove-matcher', 'internal-set-repo-path', 'pause-logging'],
]);

const orderIn = (line: string): string | undefined =>
  /^\s*::([^\s:]+)(?: .*?)?::/s.exec(line)?.[1] ?? /##\[([^\s\]]+)(?: [^\]]*)?\]/.exec(line)?.[1];
