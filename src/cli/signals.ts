/** What Ctrl-C, CI's end of patience and a closed terminal do to a command: once is a request, twice ends it where it stands. */
import { writeSync } from 'node:fs';

const STDERR = 2;
/** The exit code. */
export const INTERRUPTED = 130;

/** `left`: what to say when it is ended where it stands. The returned function lets go of the signals. */
export function interruptible(ask: () => void, left: () => readonly string[] = () => []): () => void {
  let asked = 0;
  const interrupt = () => {
    asked += 1;
    if (asked > 1) {
      // Nobody waits for a stream any more.
      for (const line of left()) writeSync(STDERR, `\n${line}\n`);
      process.exit(INTERRUPTED);
    }
    ask();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  return () => {
    for (const signal of signals) process.off(signal, interrupt);
  };
}
