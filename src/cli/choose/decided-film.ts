/** A film that something of is to be decided, on this machine or for a team. */
import type { Session } from '../session/session.ts';

export interface DecidedFilm extends AsyncDisposable {
  readonly file: string;
  readonly profile: string | null;
  readonly session: Session;
  /** Options that say which film is meant, as they are typed. */
  readonly options: string;
  /** The command that goes on with it, as a person types it. */
  readonly again: string;
  /** The command that shows it in a browser; absent where no run of a team is there to show. */
  readonly review?: string;
  /** The run of a team that goes on at the moment: absent where none does. */
  readonly going?: string;
  /** Something was decided or forgotten: whoever makes it elsewhere hears of it. Gives what is to be said of that. Absent: nobody does. */
  readonly decided?: () => Promise<readonly string[]>;
}
