/** What `init` asks at a terminal of what no option said; elsewhere, and after `--yes`, everything has its default. */
import { createInterface } from 'node:readline/promises';
import { say } from '../outlets.ts';

export interface Question {
  readonly text: string;
  readonly preset: string;
  /** What is wrong with an answer; undefined where it will do. */
  readonly mistake: (answer: string) => string | undefined;
}

export const canAsk = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** The answers in the order of the questions; undefined after Ctrl-C, or the end of the input. */
export async function answersTo(questions: readonly Question[]): Promise<readonly string[] | undefined> {
  process.stdin.on('error', () => {});
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  const stop = new AbortController();
  lines.on('SIGINT', () => stop.abort());
  lines.on('close', () => stop.abort());
  const answers: string[] = [];
  try {
    for (const { text, preset, mistake } of questions) {
      for (let isGood = false; !isGood; ) {
        const said = (await lines.question(`${text} (${preset}) `, { signal: stop.signal })).trim() || preset;
        const wrong = mistake(said);
        isGood = wrong === undefined;
        if (isGood) answers.push(said);
        else say(wrong ?? '');
      }
    }
    return answers;
  } catch (error) {
    if (stop.signal.aborted) return undefined;
    throw error;
  } finally {
    lines.close();
  }
}
