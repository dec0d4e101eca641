/** A film as whoever decides something of it opens it: beside a run of it that goes on, or alone. */
import { asTyped } from '../../domain/as-typed.ts';
import { chooseService } from '../service/choose-service.ts';
import { type FilmValues, filmOptions } from '../session/film-options.ts';
import { givenData, givenParams } from '../session/param-options.ts';
import { openSession, type Session } from '../session/session.ts';

export interface FilmToDecide extends AsyncDisposable {
  readonly file: string;
  readonly profile: string | null;
  readonly session: Session;
  /** Options that say which film is meant, as they are typed. */
  readonly options: string;
  /** The command that goes on with it, as a person types it. */
  readonly again: string;
}

/** @param to `run`: nobody may run it meanwhile. @throws CommandError, UsageError, Refusal */
export async function filmToDecide(file: string, given: FilmValues, to: 'run' | 'look'): Promise<FilmToDecide> {
  const choice = await chooseService(file, given);
  const after = new AsyncDisposableStack();
  try {
    // The built-in studio has no say in what is chosen, and is not woken for it.
    const hosted = choice.hosted ? await choice.connect() : undefined;
    after.defer(() => hosted?.close());
    const { name: service, profile, elsewhere, chatBy, draft, key } = choice;
    const session = await openSession({
      ...{ file, params: givenParams(given), data: givenData(given), key, to, service, profile },
      ...{ elsewhere, chatBy, draft, hosted },
    });
    after.defer(() => session.close());
    const options = filmOptions(given, session.pipeline);
    const again = [
      ...['shotlist', 'run', asTyped(file), ...(profile === undefined ? [] : ['--profile', profile])],
      ...(options === '' ? [] : [options]),
    ].join(' ');
    return {
      file,
      profile: profile ?? null,
      session,
      options,
      again,
      [Symbol.asyncDispose]: () => after.disposeAsync(),
    };
  } catch (error) {
    await after.disposeAsync();
    throw error;
  }
}
