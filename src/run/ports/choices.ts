/**
 * What was decided, and by whom. A port: `local/local-choices.ts` keeps it in the journal of this machine, where another process may
 * decide as well, and reads the lock; a database that many machines share is to be another form.
 */
import type { Asking, Choice } from '../../domain/choice.ts';
import type { KnownChoices } from '../../plan/plan-context.ts';

export interface Choices extends KnownChoices {
  /**
   * Keeps a choice, durably, where nobody has decided the same meanwhile: the first wins. `over`: what the one who decides has seen and
   * wants to replace.
   */
  record(choice: Choice, asking: Asking, over?: Choice): Recorded;
  /** Reads what other processes have decided since; true where there is something new. */
  refresh(): boolean;
}

export type Recorded =
  | { readonly is: 'kept' }
  /** Somebody else was first. */
  | { readonly is: 'taken'; readonly choice: Choice }
  /** The journal cannot be written. */
  | { readonly is: 'unwritable' };
