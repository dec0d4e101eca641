/** The review page of a film, opened from wherever a film is at hand: the command of its own, and a run's screen. */
import { openFile } from '../../host/open-file.ts';
import type { LiveSource } from '../../pages/review/live-state.ts';
import { type ReviewServer, serveReview } from '../../pages/review/review-server.ts';
import type { ReviewState } from '../../pages/review/review-state.ts';
import { type FilmReviewTerms, openReview } from './film-review.ts';

export interface ReviewTerms extends FilmReviewTerms {
  /** 0, or absent: any that is free. */
  readonly port?: number;
  /** A film that is being written: the page shows it beside what is to be chosen. */
  readonly live?: LiveSource;
  /** Told of what is a mistake of ours. */
  readonly log: (line: string) => void;
}

export interface Review {
  /** For a person to open, here, any number of times. Whoever has it may decide. */
  readonly url: string;
  /** Shows it in this machine's browser. @returns what is the matter, as a sentence; undefined where it is opened. */
  show(environment: Readonly<Record<string, string | undefined>>): Promise<string | undefined>;
  /** What the page shows. */
  look(): Promise<ReviewState>;
  close(): Promise<void>;
}

/** Nothing is looked at before somebody opens the page. @throws what the disk says of the results' folder, and the system of the port. */
export async function startReview({ port = 0, log, live, ...terms }: ReviewTerms): Promise<Review> {
  const source = await openReview(terms);
  const server: ReviewServer = await serveReview({ source, clock: terms.clock, port, log, ...(live && { live }) });
  return {
    url: server.url,
    show: environment => openFile(server.singleUseUrl(), environment),
    look: () => source.look(),
    close: () => server.close(),
  };
}
