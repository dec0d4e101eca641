/** A command that asks the service one thing and belongs to no pipeline file. Ctrl-C aborts the signal it is given. */
import type { Answer, Changed, Service } from '../../api/service.ts';
import { Stop } from '../errors/command-error.ts';
import { INTERRUPTED, interruptibleByReaders } from '../terminal/signals.ts';
import { chooseService, type ServiceChoice } from './choose-service.ts';

export { INTERRUPTED };

/** The built-in studio of these commands has a folder of its own, as that of each pipeline file has. */
const NAME = 'one-off';

/** Where the project of the folder we stand in is looked for. */
export const HERE = NAME;

export interface OneOff {
  readonly service: Service;
  readonly choice: ServiceChoice;
  readonly signal: AbortSignal;
  /** What to say when a second Ctrl-C ends this process where it stands. */
  readonly leaving: (words: () => readonly string[]) => void;
}

export interface OneOffFlags {
  readonly service?: string | undefined;
  readonly draft?: boolean | undefined;
}

/** The exit code of `work`. @throws UsageError for wrong settings. */
export async function oneOff(flags: OneOffFlags, work: (given: OneOff) => Promise<number>): Promise<number> {
  const choice = await chooseService(HERE, flags);
  const service = await choice.connect();
  const stop = new AbortController();
  let left: () => readonly string[] = () => [];
  const letGo = interruptibleByReaders(
    () => stop.abort(),
    () => left(),
  );
  const leaving: OneOff['leaving'] = words => {
    left = words;
  };
  try {
    return await work({ service, choice, signal: stop.signal, leaving });
  } finally {
    letGo();
    await service.close();
  }
}

/** @throws Stop when there is no value: 2 for what does not exist, 1 for what cannot be done, 6 for a service that does not answer. */
export function answered<T>(answer: Changed<T> | Answer<T>, signal: AbortSignal): T {
  if (answer.is === 'ok') return answer.value;
  if (signal.aborted) throw new Stop(INTERRUPTED);
  const exit = { absent: 2, refused: 1, unauthenticated: 6, unavailable: 6 }[answer.is];
  throw new Stop(exit, answer.message);
}

export { say } from '../outlets.ts';
