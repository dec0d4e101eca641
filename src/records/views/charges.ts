/**
 * What a submission counts for in a budget: in full from its intent on, until its end is known. What provably was not taken counts for
 * nothing; what failed, was given up, or was sent again without proof counts in full, until the service reports what it billed. What is made is
 * spent from that moment on, whether or not its result is downloaded, as in `model/run/run-money.ts`: so the charge closes before the submission.
 */
import { type Demand, type Measure, type Spending, UNKNOWN_DEMAND } from '../../model/budget.ts';
import { openRequest, type Submission } from './ledger.ts';

export interface Charge extends Pick<Demand, Measure> {
  /** The service goes on with it, or its answer was lost: it is reserved. Otherwise it is spent. */
  readonly isOpen: boolean;
}

/** Undefined: it costs nothing. */
export function chargeOf(submission: Submission): Charge | undefined {
  const { state, end, unproven, spent } = submission;
  const isOpen = state !== 'closed' && openRequest(submission).is !== 'made';
  if (state === 'closed' && (end === 'refused' || (end === 'absent' && !unproven))) return undefined;
  const { usd, video_seconds, images, generations, tokens } = demandOf(submission);
  return { usd, video_seconds, images, generations, tokens, ...(isOpen ? {} : spent), isOpen };
}

/** A journal from before there were budgets has the price alone. */
const demandOf = ({ demand, price, via }: Submission): Demand =>
  demand ?? { ...UNKNOWN_DEMAND, usd: price, ...(via === 'chat' && { video_seconds: 0, images: 0 }) };

/** What a lock file names: it was paid for, on this machine or on another. */
export interface LockedCharge {
  /** Null where a call made it. */
  readonly generation: string | null;
  readonly fingerprint: string;
  /** In which it was made; absent: the real film. */
  readonly profile?: string;
  readonly charge: Charge;
}

/** The view of what submissions come to, which budgets count. */
export interface ChargesView {
  /**
   * What the runs of this film came to on this account, in all its profiles (`film`) or in the one that is open (`profile`), or those of
   * all films of the project. `since`: what was sent after the row of that number alone.
   */
  spending(account: string, of: 'film' | 'profile' | 'project', since?: number): Spending;
  /** The newest row: `spending` since then is that of what is sent from now on. */
  newest(): number;
  /** Of what a lock file names, what no submission of this project to the same service accounts for: it was paid for on another machine. */
  unknownOf(account: string, locked: readonly LockedCharge[]): readonly LockedCharge[];
}
