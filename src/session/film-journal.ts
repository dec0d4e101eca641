/** The journal as a film is opened with it: that of this machine, or one that many machines share. */

import type { LockedCharge } from '../records/views/charges.ts';
import type { AdmissionRows } from '../run/admission/admission-rows.ts';
import type { LocalJournal } from '../run/local/local-journal.ts';
import type { Journal } from '../run/ports/journal.ts';

export interface FilmJournal
  extends Journal,
    Omit<AdmissionRows, 'submissions'>,
    Pick<LocalJournal, 'choices' | 'lastChoice' | 'past' | 'runs' | 'hiding' | 'lost'> {
  readonly submissions: AdmissionRows['submissions'] & Pick<LocalJournal['submissions'], 'lastIntents'>;
  /** Whether another film is being made at the moment. Absent: this machine knows. */
  isRunning?(film: string): boolean;
  /** Brings what others have made of the requests that were looked up in vain; true where there is something new. Absent: there are no others. */
  pullMissing?(): Promise<boolean>;
  /** What a lock names, and other films have paid for, is no expense of somebody unknown. */
  pullLocked?(locked: readonly LockedCharge[]): Promise<void>;
}
