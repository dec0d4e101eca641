/** A command at a pseudo-terminal, typed into and read by a test. */
import { type IPty, spawn } from '@lydell/node-pty';

export class TerminalProcess {
  readonly exit: Promise<number>;
  /** All that was shown so far. */
  text = '';
  readonly #pty: IPty;
  /** Where what was not read yet begins. */
  #read = 0;
  readonly #lookers = new Set<() => void>();

  constructor(
    [program, ...args]: readonly [program: string, ...args: string[]],
    { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ) {
    this.#pty = spawn(program, args, { cols: 200, rows: 40, cwd, env: { ...env, TERM: 'xterm-256color' } });
    this.#pty.onData(data => {
      this.text += data;
      for (const look of [...this.#lookers]) look();
    });
    this.exit = new Promise(resolve => this.#pty.onExit(({ exitCode }) => resolve(exitCode)));
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Types these keys. */
  type(keys: string): void {
    this.#pty.write(keys);
  }

  /** Resolves when this is shown behind what was shown the last time; rejects when the process ends before. */
  shows(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(this.text.slice(this.#read));
        if (!match) return;
        this.#lookers.delete(look);
        this.#read += match.index + match[0].length;
        resolve(match[0]);
      };
      this.#lookers.add(look);
      look();
      void this.exit.then(code => reject(new Error(`ended with ${code} before it showed ${pattern}:\n${this.text}`)));
    });
  }
}
