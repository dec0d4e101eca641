/**
 * A film under review. Nothing is remembered here: what is shown is read anew from the film, its journal and its lock whenever one of them
 * changes, and a decision opens the film as `pick` does, beside a run of it that goes on or without one; here or, for a team, elsewhere.
 */

import type { Project } from '../../machine/files/project.ts';
import { openFile } from '../../machine/process/small-program.ts';
import type { Clock } from '../../machine/time/clock.ts';
import { type Diagnostic, isError } from '../../model/diagnostic.ts';
import type { Pipeline } from '../../model/pipeline.ts';
import { isFree } from '../../model/run/run-money.ts';
import type { RunReport } from '../../model/run/run-report.ts';
import { cleanText } from '../../model/text/clean.ts';
import type { Store } from '../../records/store/store.ts';
import type { Progress } from '../../records/views/progress.ts';
import { type ReviewServer, serveReview } from '../../show/pages/review/review-server.ts';
import type { ReviewSource } from '../../show/pages/review/review-source.ts';
import type {
  LiveSource,
  ReviewAction,
  ReviewAnswer,
  ReviewHead,
  ReviewQuestion,
  ReviewState,
} from '../../show/pages/review/review-state.ts';

import type { FilmToOpen } from '../film/film-to-open.ts';
import { type Film, openFilm } from '../film/open-film.ts';
import { carryOut, messages } from './carry-out.ts';
import { localPlace, type ReviewPlace } from './local-place.ts';
import { questionsOfReport, questionsUnderReview } from './questions-under-review.ts';

interface FilmReviewTerms {
  readonly project: Project;
  /** As it was named. */
  readonly file: string;
  readonly profile: string | undefined;
  /** The film as its file is now: read anew each time. @throws errors with readable words. */
  readonly film: () => Promise<Omit<FilmToOpen, 'to' | 'found'>>;
  /** The name on decisions. */
  readonly who: string;
  /** What to type to go on with it. */
  readonly again: (pipeline: Pick<Pipeline, 'params'>) => string;
  readonly clock: Clock;
  /** Where it is made; absent: on this machine. */
  readonly place?: ReviewPlace;
}

type Looked<T> = { readonly is: 'open'; readonly value: T } | { readonly is: 'closed'; readonly why: string };

interface Told {
  readonly isGoing: boolean;
  readonly progress: ReadonlyMap<string, Progress>;
  readonly report: RunReport | undefined;
}

/** A look is followed by a rest of this many times as long: a film of a thousand instances leaves its run the processor. */
const REST = 3;

async function openReview(terms: FilmReviewTerms): Promise<FilmReview> {
  return new FilmReview(terms, terms.place ?? (await localPlace(terms)));
}

export class FilmReview implements ReviewSource {
  readonly store: Store;
  readonly #terms: FilmReviewTerms;
  readonly #place: ReviewPlace;
  readonly #listeners = new Set<(state: ReviewState) => void>();
  #watching: AbortController | undefined;
  /** The look that was asked for last, and the same where it has not begun. */
  #looking: Promise<unknown> = Promise.resolve();
  #next: Promise<ReviewState> | undefined;
  /** Decisions are carried out one after the other. */
  #line: Promise<unknown> = Promise.resolve();
  /** As they were when the film could be read. */
  #questions: readonly ReviewQuestion[] | undefined;
  #again = '';
  /** Why nothing could be decided when it was looked at last. */
  #closed: string | null = null;
  /** The place's last answer. */
  #told: Told = { isGoing: false, progress: new Map(), report: undefined };

  constructor(terms: FilmReviewTerms, place: ReviewPlace) {
    this.#terms = terms;
    this.#place = place;
    this.store = place.store;
  }

  /** A look that began before the call may have read what has changed since: callers meanwhile share the look behind it. */
  look(): Promise<ReviewState> {
    this.#next ??= this.#lookAndTell(this.#looking);
    this.#looking = this.#next;
    return this.#next;
  }

  follow(changed: (state: ReviewState) => void): () => void {
    this.#listeners.add(changed);
    if (!this.#watching) {
      this.#watching = new AbortController();
      void this.#watch(this.#watching.signal);
    }
    return () => {
      this.#listeners.delete(changed);
      if (this.#listeners.size > 0) return;
      this.#watching?.abort();
      this.#watching = undefined;
    };
  }

  carryOut(action: ReviewAction): Promise<ReviewAnswer> {
    const { who, clock } = this.#terms;
    const done = this.#line.then(async (): Promise<ReviewAnswer> => {
      const isForgetting = action.do === 'forget';
      const going = isForgetting ? await this.#asked(() => this.#place.isGoing()) : undefined;
      if (going?.is === 'closed') return { is: 'refused', words: going.why };
      if (going?.value) return { is: 'refused', words: messages.running(action.key) };
      const opened = await this.#withFilm(isForgetting ? this.#place.toForget : 'look', film =>
        carryOut(film, action, { who, at: clock.now() }),
      );
      const isDone = opened.is === 'open' && opened.value.is === 'done';
      // It is kept, whether or not a run hears of it now.
      if (isDone && (isForgetting || action.do === 'decide')) await this.#asked(async () => this.#place.decided?.());
      return opened.is === 'open' ? opened.value : { is: 'refused', words: opened.why };
    });
    this.#line = done.catch(() => {});
    return done;
  }

  async #lookAndTell(before: Promise<unknown>): Promise<ReviewState> {
    await before.catch(() => {});
    this.#next = undefined;
    const state = await this.#look();
    for (const changed of this.#listeners) changed(state);
    return state;
  }

  async #look(): Promise<ReviewState> {
    const place = this.#place;
    const asked = await this.#asked(async () => {
      const isGoing = await place.isGoing();
      const progress: Told['progress'] = isGoing ? await place.progress() : new Map();
      return { isGoing, progress, report: await place.report() };
    });
    if (asked.is === 'open') this.#told = asked.value;
    const { isGoing, progress, report } = this.#told;
    const opened = await this.#withFilm('look', async film => ({
      name: film.pipeline.name,
      isFree: isFree({ service: film.context.service }),
      again: this.#terms.again(film.pipeline),
      questions: questionsUnderReview({
        ...{ film, progress, rejections: film.context.rejections?.() ?? new Map() },
        report: report?.run.service === film.context.service ? report : undefined,
      }),
    }));
    const { file, profile = null, who } = this.#terms;
    const isOpen = opened.is === 'open';
    if (isOpen) this.#again = opened.value.again;
    const questions = isOpen
      ? opened.value.questions
      : (this.#questions ?? (report ? questionsOfReport(report, this.store) : []));
    this.#questions = questions;
    place.bring?.(questions);
    const head: ReviewHead = {
      name: cleanText(isOpen ? opened.value.name : (report?.run.name ?? file)),
      ...{ file: cleanText(file), profile, again: cleanText(this.#again), me: who },
      isFree: isOpen ? opened.value.isFree : (report?.run.isFree ?? false),
      // A run that has changed nothing yet, because it waits for a person, is in no journal.
      run: report || isGoing ? { outcome: isGoing ? 'running' : (report?.run.outcome ?? ''), isGoing } : null,
      closed: asked.is === 'closed' ? asked.why : isOpen ? null : opened.why,
    };
    this.#closed = head.closed;
    return { head, questions };
  }

  async #withFilm<T>(to: FilmToOpen['to'], use: (film: Film) => Promise<T>): Promise<Looked<T>> {
    const { file } = this.#terms;
    const found: Diagnostic[] = [];
    const closed = (why: string) => ({ is: 'closed', why }) as const;
    let film: Film | undefined;
    try {
      const asked = await this.#terms.film();
      const opened = await openFilm({ ...asked, to, found: more => found.push(...more) });
      switch (opened.is) {
        case 'mistaken':
          return closed(messages.mistaken(file, found.find(isError)?.message));
        case 'unselectable':
          return closed(messages.mistaken(file, opened.messages[0]));
        case 'unreachable':
          return closed(messages.unreadable(file, opened.message));
      }
      film = opened.film;
      return { is: 'open', value: await use(film) };
    } catch (error) {
      // A journal, a lock, a file that cannot be read now may be read a moment later; the page goes on.
      return closed(messages.unreadable(file, error instanceof Error ? error.message : String(error)));
    } finally {
      await film?.close();
    }
  }

  /** The place's answer, or why it cannot be asked at this moment: a disk, rights, a row that is damaged or newer than this version. */
  async #asked<T>(question: () => Promise<T>): Promise<Looked<T>> {
    try {
      return { is: 'open', value: await question() };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { is: 'closed', why: messages.unreadable(this.#terms.file, why) };
    }
  }

  /** A place without an answer counts as changed: it is read, and the fault is shown. */
  async #signs(): Promise<string> {
    const asked = await this.#asked(() => this.#place.signs());
    return asked.is === 'open' ? asked.value : asked.why;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { clock } = this.#terms;
    let before: string | undefined;
    for (; !signal.aborted; await this.#place.pause(signal)) {
      // They are asked before the look: a change after it gives others.
      const now = await this.#signs();
      // What could not be read may be there again, and nothing of it has changed: an outage between two looks leaves no sign.
      if (now === before && this.#closed === null) continue;
      before = now;
      const began = clock.now();
      await this.look();
      await clock.sleep(Math.max(0, (clock.now() - began) * REST), signal, 'in the background');
    }
  }
}

/** The review page of a film, opened from wherever a film is at hand: the command of its own, and a run's screen. */
interface ReviewTerms extends FilmReviewTerms {
  /** 0, or absent: any that is free. */
  readonly port?: number;
  /** A film that is being written: the page shows it beside what is to be chosen. */
  readonly live?: LiveSource;
  /** Receives mistakes of ours. */
  readonly log: (line: string) => void;
}

export interface Review {
  /** For a person to open, here, any number of times. Its holder may decide. */
  readonly url: string;
  /** Shows it in this machine's browser. @returns what is the matter, as a sentence; undefined where it is opened. */
  show(environment: Readonly<Record<string, string | undefined>>): Promise<string | undefined>;
  /** What the page shows. */
  look(): Promise<ReviewState>;
  close(): Promise<void>;
}

/** Nothing is read before a person opens the page. @throws the disk's error about the results' folder, and the system's about the port. */
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
