/** A command that asks the service one thing and belongs to no pipeline file. Ctrl-C aborts the signal it is given. */
import type { Answer, Changed, ChatAnswer, NotTaken, Service } from '../../api/service.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { formatSeconds } from '../../model/text/format.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { INTERRUPTED, onInterruptOrClosedOutput } from '../terminal/signals.ts';
import { chooseService, type ServiceChoice } from './choose-service.ts';

/**
 * Takes the place of the pipeline file: the project is that of the current folder, and the built-in studio of these commands has a folder
 * of this name, as that of each pipeline file has its own.
 */
export const WITHOUT_FILE = 'one-off';

export interface Connection {
  readonly service: Service;
  readonly choice: ServiceChoice;
  readonly signal: AbortSignal;
  /** Sets the last lines of a process that ends at a second Ctrl-C. */
  readonly onForcedExit: (lines: () => readonly string[]) => void;
}

interface ServiceFlags {
  readonly service?: string | undefined;
  readonly draft?: boolean | undefined;
}

/** The exit code of `work`. @throws UsageError for wrong settings. */
export async function withService(
  flags: ServiceFlags,
  work: (connection: Connection) => Promise<ExitCode>,
): Promise<ExitCode> {
  const choice = await chooseService(WITHOUT_FILE, flags);
  const service = await choice.connect();
  const stop = new AbortController();
  let lastLines: () => readonly string[] = () => [];
  const stopListening = onInterruptOrClosedOutput(
    () => stop.abort(),
    () => lastLines(),
  );
  const onForcedExit: Connection['onForcedExit'] = lines => {
    lastLines = lines;
  };
  try {
    return await work({ service, choice, signal: stop.signal, onForcedExit });
  } finally {
    stopListening();
    await service.close();
  }
}

/** @throws CommandError when there is no value: 2 for what does not exist, 1 for what cannot be done, 6 for a service that does not answer. */
export function valueOrThrow<T>(answer: Changed<T> | Answer<T>, signal: AbortSignal): T {
  if (answer.is === 'ok') return answer.value;
  if (signal.aborted) throw new CommandError(INTERRUPTED);
  const exitCode = ({ absent: 2, refused: 1, unauthenticated: 6, unavailable: 6 } as const)[answer.is];
  throw new CommandError(exitCode, answer.message);
}

/** Attempts at most, and the longest wait between two (milliseconds). */
const TRIES = 5;
const LONGEST_WAIT = 120_000;

/** False where the run should end instead. A request that may have been taken is left to the run, which looks for it. */
export function isWorthRetrying(answer: NotTaken, tried: number): boolean {
  if (answer.is === 'unknown') return true;
  if (answer.is === 'unreached') return false;
  return answer.status !== 429 || (tried < TRIES && (answer.retryAfter ?? 0) <= LONGEST_WAIT);
}

export async function retryWhenBusy(
  signal: AbortSignal,
  say: (line: string) => void,
  send: () => Promise<ChatAnswer>,
): Promise<ChatAnswer> {
  for (let tried = 1; ; tried++) {
    const answer = await send();
    if (answer.is !== 'refused' || answer.retryAfter === undefined) return answer;
    if (answer.retryAfter > LONGEST_WAIT || tried === TRIES) return answer;
    say(`${answer.message}; sending it again in ${formatSeconds(answer.retryAfter / 1000)}`);
    await systemClock.sleep(answer.retryAfter, signal);
    if (signal.aborted) return answer;
  }
}
