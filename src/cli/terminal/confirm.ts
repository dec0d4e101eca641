/** A question at the terminal that takes yes or no, before something is paid for. */
import { createInterface } from 'node:readline';

/** Undefined where nobody is there to answer. An end of the input, or Ctrl-C, is no. */
export async function confirmed(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  process.stdin.on('error', () => {});
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  try {
    return await new Promise<boolean>(resolve => {
      lines.on('close', () => resolve(false));
      lines.on('SIGINT', () => lines.close());
      lines.question(`${question} [y/N] `, answer => resolve(/^y(es)?$/i.test(answer.trim())));
    });
  } finally {
    lines.close();
  }
}
