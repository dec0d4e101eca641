/** A film as a command works on it: with the service that its options and settings choose, until the command ends. */
import type { Service } from '../../api/service.ts';
import type { Team } from '../../session/team/open-team.ts';
import { say } from '../outlets.ts';
import { chooseService, type ServiceChoice } from '../service/choose-service.ts';
import { commandMessages as messages } from '../team/command-messages.ts';
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

interface Opening
  extends Pick<SessionOptions, 'looking' | 'to' | 'selection' | 'said' | 'promotion' | 'committing' | 'alsoFound'> {
  /** Whether custom models that the film does not activate are up; absent: nobody asks. */
  readonly deployments?: 'checked';
  /** Whose film it is: its journal and its results are the team's, and this machine needs no key. */
  readonly team?: Team | undefined;
}

/** @throws CommandError, UsageError, JournalRefused, LockRefused; nothing is left open then. */
export async function filmAtService(
  file: string,
  given: FilmValues,
  { deployments, team, ...opening }: Opening,
): Promise<FilmAtService> {
  const choice = team ? await choiceInTeam(file, given, team) : await chooseService(file, given);
  await using opened = new AsyncDisposableStack();
  const service = await choice.connect();
  opened.defer(() => service.close());
  const { name, profile, elsewhere, store, chatBy, draft, key } = choice;
  if (deployments && choice.hosted && !isAsked(choice, team)) say(messages.plannedWithoutKey(name));
  // The driver of PostgreSQL is loaded for a film of a team only.
  const journal = team && (await import('../../session/team/open-team.ts')).filmInTeam(team, service.account);
  const asked: SessionOptions = {
    ...{ file, params: givenParams(given), data: givenData(given), key, service: name, profile },
    ...{ elsewhere, store, chatBy, draft, hosted: isAsked(choice, team) ? service : undefined },
    ...(deployments && isAsked(choice, team) && { deployments: service }),
    ...(journal && { journal }),
    ...opening,
  };
  const session = await openSession(asked);
  opened.defer(() => session.close());
  for (const problem of session.shared?.takeProblems() ?? []) say(problem);
  const all = opened.move();
  return { choice, service, session, asked, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Results go where all of the team finds them. */
async function choiceInTeam(file: string, given: FilmValues, { store }: Team): Promise<ServiceChoice> {
  const choice = await chooseService(file, { ...given, keyless: true });
  return { ...choice, ...(store && { store }) };
}

/** A machine without the key of a team's service asks it for nothing: its models are those that are known here. */
const isAsked = ({ hosted, key }: ServiceChoice, team: Team | undefined): boolean =>
  hosted && !(team && (key === null || key === undefined));
