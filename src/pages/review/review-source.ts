/** Where a review page has its film from, and who keeps what is decided: `session/review/` is it on this machine. */
import type { Store } from '../../artifacts/store.ts';
import type { ReviewAnswer, ReviewDeed, ReviewState } from './review-state.ts';

export interface ReviewSource {
  /** As of now. Never rejects: what keeps the film from being read is a part of the state. */
  look(): Promise<ReviewState>;
  /** Calls at each change until it is called off. Nothing is looked at where nobody follows. */
  follow(changed: (state: ReviewState) => void): () => void;
  /** Resolves when it is kept, or is not, and why. */
  carryOut(deed: ReviewDeed): Promise<ReviewAnswer>;
  readonly store: Pick<Store, 'has' | 'pathOf' | 'partials'>;
}
