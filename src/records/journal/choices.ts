/**
 * What was decided, and by whom. A port: `local-choices.ts` keeps it in the journal of this machine, where another process may
 * decide as well, and reads the lock; a database that many machines share is to be another form.
 */
import type { Asking, Choice } from '../../model/run/choice.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { KnownChoices } from '../../plan/plan-context.ts';

/** The note of a film with the rejections of single candidates. It decides nothing. */
export const REJECTED_NOTE = 'rejected';

export interface Choices extends KnownChoices {
  /** Keeps a choice, durably, where the same is undecided: the first wins. `over`: the choice that the decider has seen and wants to replace. */
  record(choice: Choice, asking: Asking, over?: Choice): Promise<Recorded>;
  /**
   * Forgets every answer to this, durably, and returns them, newest first; undefined where the journal cannot be written. No run of the film may be
   * under way.
   */
  withdraw(asking: Asking): Promise<readonly Choice[] | undefined>;
  /** Keeps the answer that was given beforehand for this instance, once it is taken. Undefined: there is none, or it is kept. */
  keepPreset?(key: InstanceKey): Promise<{ readonly choice: Choice; readonly recorded: Recorded } | undefined>;
  /** Reads what other processes have decided since; true where there is something new. */
  refresh(): boolean;
  /** The place of the newest row that was read, as the journal counts them: every choice up to it is known here. */
  readonly newest: number;
  /** The newest row of each key that was read since the film was opened; undefined: it was withdrawn. */
  readonly sinceOpened: ReadonlyMap<InstanceKey, Choice | undefined>;
}

export type Recorded =
  | { readonly is: 'kept' }
  | { readonly is: 'taken'; readonly choice: Choice }
  | { readonly is: 'unwritable' };
