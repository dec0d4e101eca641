/** SIGINT, SIGTERM and SIGHUP: the first signal asks a command to stop, the second ends this process at once. */
import { writeSync } from 'node:fs';
import { systemClock } from '../../machine/time/clock.ts';
import { outletsDrained, whenOutletBreaks } from '../outlets.ts';

const STDERR = 2;
/** The exit code. */
export const INTERRUPTED = 130;
/** Milliseconds that written lines get to reach their reader, so that none is cut in half. */
const DRAIN = 200;

/** `lastLines`: what to say when the process ends at once. The returned function stops listening. */
export function onInterrupt(stop: () => void, lastLines: () => readonly string[] = () => []): () => void {
  let received = 0;
  const interrupt = (signal: NodeJS.Signals) => {
    // A closed terminal sends SIGHUP twice, through the system and through its shell: the second one is no second request.
    if (received > 0 && signal === 'SIGHUP') return;
    received += 1;
    if (received === 1) stop();
    else if (received === 2) void exitNow(lastLines());
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  return () => {
    for (const signal of signals) process.off(signal, interrupt);
  };
}

/** A signal that aborts at the first signal of the process, with this reason. Disposing of it stops listening. */
export function untilInterrupted(reason?: () => Error): Disposable & { readonly signal: AbortSignal } {
  const stop = new AbortController();
  const stopListening = onInterrupt(() => stop.abort(reason?.()));
  return { signal: stop.signal, [Symbol.dispose]: stopListening };
}

/** As `onInterrupt`; output without a reader also asks the command to stop. */
export function onInterruptOrClosedOutput(stop: () => void, lastLines?: () => readonly string[]): () => void {
  const stopListening = onInterrupt(stop, lastLines);
  const forgetOutlets = whenOutletBreaks(stop);
  return () => {
    stopListening();
    forgetOutlets();
  };
}

async function exitNow(lastLines: readonly string[]): Promise<void> {
  await Promise.race([outletsDrained(), systemClock.sleep(DRAIN)]);
  // Written synchronously: the process does not wait for a stream any more.
  for (const line of lastLines) tryToPrint(`\n${line}\n`);
  process.exit(INTERRUPTED);
}

function tryToPrint(line: string): void {
  try {
    writeSync(STDERR, line);
  } catch {
    // The terminal is gone. What matters is in the journal.
  }
}
