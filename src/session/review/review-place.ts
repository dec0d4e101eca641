/** Where the film under review is made: what a review asks of that place, whichever it is. */
import type { Store } from '../../artifacts/store.ts';
import type { RunReport } from '../../domain/run-report.ts';
import type { ReviewQuestion } from '../../pages/review/review-state.ts';
import type { Progress } from '../../records/views/progress.ts';
import type { FilmToOpen } from '../film/film-to-open.ts';

export interface ReviewPlace {
  /** Of this machine: what the page is given. */
  readonly store: Store;
  /** Somebody is at work on it at this moment. */
  isGoing(): Promise<boolean>;
  /** Its newest run; undefined: it has none, or nobody can tell now. */
  report(): Promise<RunReport | undefined>;
  /** How far each generation is, as far as that is told. */
  progress(): Promise<ReadonlyMap<string, Progress>>;
  /** Whatever the review is made of has changed where these differ. */
  signs(): Promise<string>;
  /** Resolves after a moment, when something may have changed before that, or when the signal aborts. */
  pause(signal: AbortSignal): Promise<void>;
  /** How the film is opened to forget a decision. */
  readonly toForget: FilmToOpen['to'];
  /** Something was decided or forgotten: whoever makes it elsewhere goes on. */
  decided?(): Promise<void>;
  /** These are shown: what of them is not here is brought, in the background. */
  bring?(questions: readonly ReviewQuestion[]): void;
}
