/** Where a review page has its film from, and who keeps what is decided: `app/review/` is it on this machine. */
import type { Store } from '../../../records/store/store.ts';
import type { ReviewAction, ReviewAnswer, ReviewState } from './review-state.ts';

export interface ReviewSource {
  /** Reads everything after the call. Never rejects: an obstacle to reading the film is a part of the state. */
  look(): Promise<ReviewState>;
  /** Calls with each state that is read for any follower: the first soon, others after each change. Without a follower nothing is read. */
  follow(changed: (state: ReviewState) => void): () => void;
  /** Resolves when it is kept, or is not, and why. */
  carryOut(action: ReviewAction): Promise<ReviewAnswer>;
  readonly store: Pick<Store, 'has' | 'pathOf' | 'partials'>;
}
