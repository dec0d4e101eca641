/** A film as a command works on it: with the service that its options and settings choose, until the command ends. */
import type { Service } from '../../api/service.ts';
import { say } from '../outlets.ts';
import { chooseService, type ServiceChoice } from '../service/choose-service.ts';
import type { FilmValues } from './film-options.ts';
import { givenData, givenParams } from './param-options.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';

export interface FilmAtService extends AsyncDisposable {
  readonly choice: ServiceChoice;
  /** The built-in studio is started by the first question that it is asked. */
  readonly service: Service;
  readonly session: Session;
  /** As it was opened. */
  readonly asked: SessionOptions;
}

interface Opening extends Pick<SessionOptions, 'to' | 'selection' | 'said' | 'promotion' | 'committing' | 'alsoFound'> {
  /** Whether custom models that the film does not activate are up; absent: nobody asks. */
  readonly deployments?: 'checked';
}

/** @throws CommandError, UsageError, JournalRefused, LockRefused; nothing is left open then. */
export async function filmAtService(
  file: string,
  given: FilmValues,
  { deployments, ...opening }: Opening,
): Promise<FilmAtService> {
  const choice = await chooseService(file, given);
  await using opened = new AsyncDisposableStack();
  const service = await choice.connect();
  opened.defer(() => service.close());
  const { name, profile, elsewhere, store, chatBy, draft, key } = choice;
  const asked: SessionOptions = {
    ...{ file, params: givenParams(given), data: givenData(given), key, service: name, profile },
    ...{ elsewhere, store, chatBy, draft, hosted: choice.hosted ? service : undefined },
    ...(deployments && { deployments: service }),
    ...opening,
  };
  const session = await openSession(asked);
  opened.defer(() => session.close());
  for (const problem of session.shared?.takeProblems() ?? []) say(problem);
  const all = opened.move();
  return { choice, service, session, asked, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
