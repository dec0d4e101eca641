/**
 * What was decided, and by whom. A port: `local/local-choices.ts` keeps it in the journal of this machine, where another process may
 * decide as well, and reads the lock; a database that many machines share is to be another form.
 */
import type { Asking, Choice } from '../../domain/choice.ts';
import type { InstanceKey } from '../../domain/key.ts';
import type { KnownChoices } from '../../plan/plan-context.ts';

/** The note of a film that holds what people have said against single candidates. It decides nothing. */
export const REJECTED_NOTE = 'rejected';

export interface Choices extends KnownChoices {
  /**
   * Keeps a choice, durably, where nobody has decided the same meanwhile: the first wins. `over`: what the one who decides has seen and
   * wants to replace.
   */
  record(choice: Choice, asking: Asking, over?: Choice): Promise<Recorded>;
  /**
   * Forgets whatever answers this, durably, and gives what was forgotten, newest first; undefined where the journal cannot be written.
   * Nobody may be running the film.
   */
  withdraw(asking: Asking): Promise<readonly Choice[] | undefined>;
  /** Keeps what was said beforehand of this instance, once it is taken. Undefined: nothing was, or it is kept. */
  keepSaid?(key: InstanceKey): Promise<{ readonly choice: Choice; readonly recorded: Recorded } | undefined>;
  /** Reads what other processes have decided since; true where there is something new. */
  refresh(): boolean;
  /** The place of the newest row that was read, as the journal counts them: every choice up to it is known here. */
  readonly newest: number;
  /** The newest row of each key that was read since the film was opened; undefined: it was withdrawn. */
  readonly sinceOpened: ReadonlyMap<InstanceKey, Choice | undefined>;
}

export type Recorded =
  | { readonly is: 'kept' }
  /** Somebody else was first. */
  | { readonly is: 'taken'; readonly choice: Choice }
  /** The journal cannot be written. */
  | { readonly is: 'unwritable' };
