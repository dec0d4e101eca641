/**
 * A film under review. Nothing is remembered here: what is shown is read anew from the film, its journal and its lock whenever one of them
 * changes, and a decision opens the film as `pick` does, beside a run of it that goes on or without one; here or, for a team, elsewhere.
 */
import type { Project } from '../../machine/files/project.ts';
import { openFile } from '../../machine/process/small-program.ts';
import type { Clock } from '../../machine/time/clock.ts';
import { type Diagnostic, isError } from '../../model/diagnostic.ts';
import type { Pipeline } from '../../model/pipeline.ts';
import { type Choice, deciderName } from '../../model/run/choice.ts';
import { isFree } from '../../model/run/run-money.ts';
import type { RunReport } from '../../model/run/run-report.ts';
import { cleanText } from '../../model/text/clean.ts';
import { formatUsd, listed } from '../../model/text/format.ts';
import { decides } from '../../plan/kinds/index.ts';
import { lockOnDisk } from '../../records/lock/lock-keeper.ts';
import type { Store } from '../../records/store/store.ts';
import type { Progress } from '../../records/views/progress.ts';
import type { ReviewSource } from '../../show/pages/review/review-server.ts';
import { type ReviewServer, serveReview } from '../../show/pages/review/review-server.ts';
import type {
  LiveSource,
  ReviewAction,
  ReviewAnswer,
  ReviewHead,
  ReviewQuestion,
  ReviewState,
  Seen,
} from '../../show/pages/review/review-state.ts';
import { type Answer, decide, followingFrom, forget, reject } from '../choices/choose.ts';
import { type FilmQuestion, questionAt } from '../choices/film-questions.ts';
import type { FilmToOpen } from '../film/film-to-open.ts';
import { type Film, openFilm } from '../film/open-film.ts';
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

interface RunNews {
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
  #seen: RunNews = { isGoing: false, progress: new Map(), report: undefined };

  constructor(terms: FilmReviewTerms, place: ReviewPlace) {
    this.#terms = terms;
    this.#place = place;
    this.store = place.store;
  }

  /** A look that began before the call may have read what has changed since: callers meanwhile share the look behind it. */
  look(): Promise<ReviewState> {
    this.#next ??= this.#lookAndNotify(this.#looking);
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

  async #lookAndNotify(before: Promise<unknown>): Promise<ReviewState> {
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
      const progress: RunNews['progress'] = isGoing ? await place.progress() : new Map();
      return { isGoing, progress, report: await place.report() };
    });
    if (asked.is === 'open') this.#seen = asked.value;
    const { isGoing, progress, report } = this.#seen;
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
    place.prefetch?.(questions);
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

interface Doing {
  readonly who: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** @param film opened for the action: to forget, no process may run it. */
async function carryOut(film: Film, action: ReviewAction, doing: Doing): Promise<ReviewAnswer> {
  const instance = film.plan.instances.get(action.key);
  if (!instance || decides(instance.step) === undefined) return refused(messages.noQuestion(action.key));
  const question = questionAt(film, instance);
  if ('why' in question) return refused(messages.notYet(action.key, question.why));
  switch (action.do) {
    case 'decide':
      return await decideAs(film, question, action, doing);
    case 'forget':
      return await forgetAs(film, question, action.seen);
    case 'reject':
    case 'accept': {
      const { from, called } = question.asking;
      const key = called[from.indexOf(action.option)];
      if (key === undefined) return refused(messages.otherCandidates(action.key));
      const rejection = action.do === 'reject' ? { key, who: doing.who, at: doing.at, note: action.note } : undefined;
      const candidate = { id: action.option, key };
      const kept = await withLockError(() => reject(film, candidate, rejection, lockOnDisk(film.lockPath)));
      if (kept === false) return refused(messages.unwritable());
      return { is: 'done', words: kept === true ? followingWords(film) : messages.rejectedUnwritten(kept.unwritten) };
    }
  }
}

type Deciding = Extract<ReviewAction, { readonly do: 'decide' }>;

async function decideAs(film: Film, question: FilmQuestion, action: Deciding, doing: Doing): Promise<ReviewAnswer> {
  const { asking, choice, candidates } = question;
  const { chosen, seen, note } = action;
  // It was decided while this person was looking: the page shows the first decision, and nothing is overruled unseen.
  if (!isSeen(choice, seen)) return { is: 'taken' };
  if (!chosen.every(id => asking.from.includes(id))) return refused(messages.otherCandidates(asking.key));
  if (asking.is === 'approve') {
    if (chosen.length > 0 && chosen.length < new Set(asking.from).size) return refused(messages.wholeOrNothing());
  } else {
    const wanted = Math.min(asking.count, asking.from.length);
    if (chosen.length !== wanted) return refused(messages.howMany(wanted));
    if (candidates.some(({ id, result }) => chosen.includes(id) && result === undefined))
      return refused(messages.unseen());
  }
  const ids = asking.is === 'approve' && chosen.length > 0 ? asking.from : chosen;
  const answer: Answer = { chosen: ids, who: doing.who, note: note ?? undefined, at: doing.at };
  const outcome = await withLockError(() => decide(film, question, answer, lockOnDisk(film.lockPath)));
  if ('unwritten' in outcome) return { is: 'done', words: messages.lockUnwritten(outcome.unwritten) };
  switch (outcome.is) {
    case 'taken':
      return { is: 'taken' };
    case 'unwritable':
      return refused(messages.unwritable());
    case 'same':
      return { is: 'done', words: null };
    case 'kept':
      return { is: 'done', words: followingWords(film) };
  }
}

async function forgetAs(film: Film, question: FilmQuestion, seen: Seen): Promise<ReviewAnswer> {
  if (question.choice === undefined) return refused(messages.nothingToForget());
  if (!isSeen(question.choice, seen)) return { is: 'taken' };
  const gone = await withLockError(() => forget(film, question, lockOnDisk(film.lockPath)));
  if (gone === undefined) return refused(messages.unwritable());
  return 'unwritten' in gone ? refused(messages.lockUnmended(gone.unwritten)) : { is: 'done', words: null };
}

/** The journal has it by then: a lock that cannot be written, or is in pieces, undoes no decision. */
async function withLockError<T>(write: () => Promise<T>): Promise<T | { readonly unwritten: string }> {
  try {
    return await write();
  } catch (error) {
    return { unwritten: error instanceof Error ? error.message : String(error) };
  }
}

const isSeen = (choice: Choice | undefined, seen: Seen): boolean =>
  choice === undefined
    ? seen === null
    : seen !== null && seen.at === choice.at && seen.who === cleanText(deciderName(choice));

function followingWords(film: Film): string | null {
  const { again, usd, unpriced } = followingFrom(film);
  return again.length === 0 ? null : messages.madeAgain(again, usd, unpriced);
}

const refused = (words: string): ReviewAnswer => ({ is: 'refused', words });

const MOST = 3;
const some = (keys: readonly string[]): string => {
  const names = keys.slice(0, MOST).map(cleanText);
  return keys.length > MOST ? `${names.join(', ')} and ${keys.length - MOST} more` : listed(names);
};

/** Messages of the review page about a film and about a decision. */
const messages = {
  mistaken: (file: string, first: string | undefined): string =>
    `${cleanText(file)} has a mistake, and nothing can be decided until it is mended${first === undefined ? '' : `: ${cleanText(first)}`}`,
  unreadable: (file: string, why: string): string =>
    `${cleanText(file)} cannot be read at this moment, and nothing can be decided: ${cleanText(why)}`,
  noQuestion: (key: string): string => `${cleanText(key)} is no question of this film any more`,
  notYet: (key: string, why: string): string => `${cleanText(key)} cannot be decided yet: ${cleanText(why)}`,
  otherCandidates: (key: string): string =>
    `there is something else to choose from for ${cleanText(key)} now than what you saw: look again`,
  unseen: (): string => 'it is not made yet: it can be chosen once it has been seen',
  howMany: (count: number): string => `${count} ${count === 1 ? 'is' : 'are'} to be chosen`,
  wholeOrNothing: (): string => 'an approval is of all that is shown, or of nothing',
  unwritable: (): string => 'the journal cannot be written: nothing was decided',
  lockUnwritten: (why: string): string =>
    `it is decided, and the journal has it, but the lock could not be written: ${cleanText(why)}; the next run writes it`,
  rejectedUnwritten: (why: string): string =>
    `the journal has it, but the lock could not be written: ${cleanText(why)}; the next run writes it`,
  lockUnmended: (why: string): string => `it stays decided: the lock could not be written: ${cleanText(why)}`,
  madeAgain: (keys: readonly string[], usd: number, unpriced: number): string => {
    const money = usd > 0 ? `, about ${formatUsd(usd)}` : unpriced === 0 ? ', nothing to pay' : '';
    const unknown = unpriced === 0 ? '' : `, ${unpriced} without a known price`;
    return `the next run makes ${some(keys)} again${money}${unknown}`;
  },
  running: (key: string): string =>
    `the run has gone on with it already: another number replaces it, and \`shotlist pick --undo\` forgets ${cleanText(key)} once the run has ended`,
  nothingToForget: (): string => 'nothing is decided here',
};
