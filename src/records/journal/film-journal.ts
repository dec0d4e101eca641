/** The journal as a film is opened with it: that of this machine, or one that many machines share. */
import type { LockedCharge } from '../views/charges.ts';
import type { AdmissionRows, TeamView } from './admission-rows.ts';
import type { ChoiceRows } from './choice-rows.ts';
import type { Journal } from './journal.ts';

export interface FilmJournal extends Journal, AdmissionRows {
  readonly views: Journal['views'];
  readonly choices: ChoiceRows;
  readonly notes: Notes;
  /** The person's login at a team's database; absent for a lead, and outside of a team. */
  readonly login?: string | undefined;
  /** From now on nothing is written that this takes out. What was sent is still known in full to this process. */
  hiding(hide: <T>(value: T) => T): void;
  readonly team?: FilmTeam;
}

export interface FilmTeam extends TeamView {
  /** Brings what others have made of the requests that were looked up in vain; true where there is something new. */
  pullMissing(): Promise<boolean>;
  /** What a lock names, and other films have paid for, is no expense of unknown origin. */
  pullLocked(locked: readonly LockedCharge[]): Promise<void>;
}

/** Texts that a film keeps beside its events, such as the digest of the lock file that we wrote last. */
export interface Notes {
  /** @param film absent: the one that the journal was opened for. */
  get(name: string, film?: string): string | undefined;
  /** @throws JournalFailed with nothing written. */
  set(name: string, value: string): Promise<void>;
}
