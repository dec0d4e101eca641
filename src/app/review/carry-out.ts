/** What a person does on the review page, done to the film: into the journal and the lock at once, as `pick`, `approve` and `--undo` do. */
import { type Choice, deciderName } from '../../model/run/choice.ts';
import { cleanText } from '../../model/text/clean.ts';
import { formatUsd, listed } from '../../model/text/format.ts';
import { decides } from '../../plan/kinds/index.ts';
import { lockOnDisk } from '../../records/lock/lock-keeper.ts';
import type { ReviewAction, ReviewAnswer, Seen } from '../../show/pages/review/review-state.ts';
import { type Answer, decide, followingFrom, forget, reject } from '../choices/choose.ts';
import { type FilmQuestion, questionAt } from '../choices/questions.ts';
import type { Film } from '../film/open-film.ts';

interface Doing {
  readonly who: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** @param film opened for the action: to forget, no process may run it. */
export async function carryOut(film: Film, action: ReviewAction, doing: Doing): Promise<ReviewAnswer> {
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
      const kept = await lockTold(() => reject(film, candidate, rejection, lockOnDisk(film.lockPath)));
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
  const outcome = await lockTold(() => decide(film, question, answer, lockOnDisk(film.lockPath)));
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
  const gone = await lockTold(() => forget(film, question, lockOnDisk(film.lockPath)));
  if (gone === undefined) return refused(messages.unwritable());
  return 'unwritten' in gone ? refused(messages.lockUnmended(gone.unwritten)) : { is: 'done', words: null };
}

/** The journal has it by then: a lock that cannot be written, or is in pieces, undoes no decision. */
async function lockTold<T>(write: () => Promise<T>): Promise<T | { readonly unwritten: string }> {
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

/** Messages of the review page about a film and about a decision. */
const MOST = 3;
const some = (keys: readonly string[]): string => {
  const names = keys.slice(0, MOST).map(cleanText);
  return keys.length > MOST ? `${names.join(', ')} and ${keys.length - MOST} more` : listed(names);
};

export const messages = {
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
