/** What Ctrl-C, CI's end of patience and a closed terminal do to a command: once is a request, twice ends it where it stands. */
import { writeSync } from 'node:fs';
import { systemClock } from '../../host/clock.ts';
import { outletsDrained, whenOutletBreaks } from '../outlets.ts';

const STDERR = 2;
/** The exit code. */
export const INTERRUPTED = 130;
/** Milliseconds for lines that are on their way to a reader, who shall not be left with half of one. */
const LAST_WORDS = 200;

/** `left`: what to say when it is ended where it stands. The returned function lets go of the signals. */
export function interruptible(ask: () => void, left: () => readonly string[] = () => []): () => void {
  let asked = 0;
  const interrupt = (signal: NodeJS.Signals) => {
    // A terminal that is closed says so twice, through the system and through its shell: nobody has lost patience.
    if (asked > 0 && signal === 'SIGHUP') return;
    asked += 1;
    if (asked === 1) ask();
    else if (asked === 2) void leave(left());
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  return () => {
    for (const signal of signals) process.off(signal, interrupt);
  };
}

/** The same, and nobody reading any more is a request, too: what is only told needs nobody to tell it to. */
export function interruptibleByReaders(ask: () => void, left?: () => readonly string[]): () => void {
  const letGo = interruptible(ask, left);
  const deaf = whenOutletBreaks(ask);
  return () => {
    letGo();
    deaf();
  };
}

async function leave(left: readonly string[]): Promise<void> {
  await Promise.race([outletsDrained(), systemClock.sleep(LAST_WORDS)]);
  // Nobody waits for a stream any more.
  for (const line of left) tryToSay(`\n${line}\n`);
  process.exit(INTERRUPTED);
}

function tryToSay(line: string): void {
  try {
    writeSync(STDERR, line);
  } catch {
    // Nobody is there to read it; the journal knows.
  }
}
