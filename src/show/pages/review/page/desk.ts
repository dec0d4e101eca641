/**
 * What one person decides. Decisions are in the state, which comes from the journal; here are only choices that are not whole yet, and what this
 * page can take back.
 */
import type {
  ReviewAction,
  ReviewChange,
  ReviewHead,
  ReviewOption,
  ReviewQuestion,
  ReviewReply,
  ReviewState,
} from '../review-state.ts';
import { type Done, idsOf, isOpen, isSame, seenOf, shows, toggled, undone } from './decisions.ts';
import { Viewing } from './stage/viewing.ts';
import { type Line, optionName, words } from './words.ts';

interface Message {
  readonly words: string;
  /** It has just landed. */
  readonly isFresh: boolean;
  /** To be typed; null: nothing. */
  readonly command: string | null;
}

export class Desk extends Viewing {
  line: Line = 'live';
  /** Of a question with several to choose: ids that were chosen so far, best first. */
  begun: readonly string[] = [];
  message: Message;
  /** Something of this page is under way. */
  isBusy = false;
  /** What the note that is being written is about. */
  noting: 'reject' | 'why' | null = null;
  /** The question with the choice that has just landed. */
  landed: string | null = null;
  readonly #send: (action: ReviewAction) => Promise<ReviewReply>;
  #openNote: () => void = () => {};
  #free: () => void = () => {};
  #past: readonly Done[] = [];
  /** Of the state. */
  #version = 0;
  /** The question that an action of this page is about, while it is under way. */
  #doing: string | null = null;
  #landing: ReturnType<typeof setTimeout> | undefined;

  constructor(state: ReviewState, send: (action: ReviewAction) => Promise<ReviewReply>) {
    super(state);
    this.#send = send;
    this.message = { words: words.begin(), isFresh: false, command: null };
  }

  get canTakeBack(): boolean {
    return this.#past.length > 0;
  }

  /** It can be decided now. */
  get isLive(): boolean {
    return this.line === 'live' && this.state.head.closed === null && !this.isBusy;
  }

  // What comes in.

  take({ version, head, live, order, questions }: ReviewChange): void {
    if (version < this.#version) return;
    this.#version = version;
    const known = new Map([...this.state.questions, ...questions].map(one => [one.key, one]));
    const before = this.state;
    this.state = { head, ...(live && { live }), questions: order.flatMap(key => known.get(key) ?? []) };
    const here = this.here;
    if (here && !here.options.some(({ id }) => id === this.focus)) this.settle(here);
    this.#announceNews(before);
    this.notify();
  }

  setLine(line: Line): void {
    if (this.line === line) return;
    this.line = line;
    this.notify();
  }

  /** What another process decided, and what has arrived. */
  #announceNews({ questions }: ReviewState): void {
    for (const now of this.state.questions) {
      const before = questions.find(({ key }) => key === now.key);
      // The answer shows who decided.
      if (!before || now.key === this.#doing) continue;
      const came = now.options.filter((one, at) => one.isReady && before.options[at]?.isReady === false);
      for (const one of came) this.#announce(words.arrived(this.title(now), optionName(one, now)));
      this.#announceDecided(before, now);
    }
  }

  /** This page takes back no decision of another process. False: there is none since. */
  #announceDecided({ decided: before }: ReviewQuestion, now: ReviewQuestion): boolean {
    const { decided } = now;
    if (!decided || (decided.at === before?.at && decided.who === before.who)) return false;
    this.#past = this.#past.filter(({ key }) => key !== now.key);
    this.#announce(words.decidedElsewhere(this.title(now), this.chosenWords(now), decided));
    return true;
  }

  // Where one goes.

  override go(key: string): void {
    if (this.state.questions.some(one => one.key === key)) this.begun = [];
    super.go(key);
  }

  next(by: 1 | -1): void {
    const { questions } = this.state;
    const at = questions.findIndex(({ key }) => key === this.here?.key);
    for (let step = 1; step <= questions.length; step++) {
      const one = questions[(at + by * step + questions.length * step) % questions.length];
      if (one && isOpen(one)) {
        this.go(one.key);
        return;
      }
    }
    const { head } = this.state;
    this.#announce(words.allDecided(head, questions), { command: head.run?.isGoing ? null : head.again || null });
  }

  /** Esc: what was begun is let go of. */
  letGo(): void {
    this.begun = [];
    this.notify();
  }

  // What is decided.

  /** @param place from 0. */
  chooseAt(place: number): void {
    const one = this.here?.options[place];
    if (!one) return;
    if (this.here?.is === 'approve') this.lookAt(one.id);
    else this.choose(one.id);
  }

  choose(id: string): void {
    const question = this.here;
    const option = question?.options.find(one => one.id === id);
    if (!question || !option || !this.isLive) return;
    this.focus = id;
    const name = optionName(option, question);
    if (!option.isReady) {
      this.#announce(words.unseen(name));
      return;
    }
    const chosen = question.count === 1 ? [id] : toggled(this.begun, id);
    if (chosen.length < question.count) {
      this.begun = chosen;
      this.#announce(words.begun(chosen.length, question.count));
      return;
    }
    this.begun = [];
    if (question.decided && isSame(chosen, idsOf(question, question.decided))) this.notify();
    else this.#decide(question, chosen, null);
  }

  approve(): void {
    const question = this.here;
    if (!question || !this.isLive) return;
    if (question.is === 'pick') {
      this.choose(this.focus);
      return;
    }
    if (!question.options.every(({ isReady }) => isReady)) {
      this.#announce(words.unseenWhole());
      return;
    }
    this.#decide(question, [...new Set(question.options.map(({ id }) => id))], null);
  }

  note(about: Desk['noting']): void {
    const { here, looked } = this;
    if (!this.isLive && about !== null) return;
    if (about === 'reject' && here?.is === 'pick') {
      if (!looked?.isReady) return;
      if (here.decided?.chosen.includes(looked.key)) {
        this.#announce(words.rejectingChosen(optionName(looked, here)));
        return;
      }
    }
    if (about === 'why' && !here?.decided) return;
    this.noting = about;
    // At once: what is typed next belongs into the note, and is no key of the page.
    if (about !== null) this.#openNote();
    this.notify();
  }

  /** @param open shows where a note is written. */
  writesNotes(open: () => void): void {
    this.#openNote = open;
  }

  /** @param free what was typed while something was under way has its turn. */
  whenFree(free: () => void): void {
    this.#free = free;
  }

  /** The note is written. */
  noted(text: string): void {
    const { here, looked, noting } = this;
    const note = text.trim() || null;
    this.noting = null;
    if (!here || !noting) return;
    if (noting === 'why') {
      if (here.decided) this.#decide(here, idsOf(here, here.decided), note);
    } else if (here.is === 'approve') this.#decide(here, [], note);
    else if (looked) this.#reject(here, looked, note);
    this.notify();
  }

  takeBack(): void {
    const last = this.#past.at(-1);
    const question = this.state.questions.find(({ key }) => key === last?.key);
    if (!last || !question || !this.isLive) return;
    this.go(last.key);
    void this.#carryOut(undone(last, question), now => {
      this.#past = this.#past.filter(one => one !== last);
      this.settle(now);
      this.#announce(words.takenBack(this.title(now)), { isFresh: true });
    });
  }

  #decide(question: ReviewQuestion, chosen: readonly string[], note: string | null): void {
    const { key, decided } = question;
    const { run } = this.state.head;
    void this.#carryOut({ do: 'decide', key, chosen, note, seen: seenOf(question) }, (now, more) => {
      this.#past = [...this.#past, { is: 'decided', key, before: decided }];
      this.#land(key);
      const { head } = this.state;
      const isGoing = goesOn(head.run, run);
      // A run that was quicker than this answer has made what reads it: nothing is next any more, and it has gone on all the same.
      const next = now.next.length > 0 ? now.next : question.next;
      const text = words.decided(this.title(now), this.chosenWords(now), { next, isGoing, more });
      const isLast = !this.state.questions.some(isOpen);
      this.#announce(text, { isFresh: true, command: isLast && !isGoing ? head.again || null : null });
    });
  }

  #reject({ key }: ReviewQuestion, option: ReviewOption, note: string | null): void {
    void this.#carryOut({ do: 'reject', key, option: option.id, note }, now => {
      this.#past = [...this.#past, { is: 'rejected', key, option: option.id, before: option.rejected }];
      const left = now.options.find(one => one.isReady && !one.rejected && one.id !== option.id);
      const name = optionName(option, now);
      if (left) {
        this.focus = left.id;
        this.#announce(words.rejected(this.title(now), name, note), { isFresh: true });
      } else {
        const { text, command } = words.noneLeft(this.title(now), now, this.state.head);
        this.#announce(text, { isFresh: true, command });
      }
    });
  }

  /** @param done called where the state shows what the action has done. */
  async #carryOut(action: ReviewAction, done: (now: ReviewQuestion, more: string | null) => void): Promise<void> {
    const questionNow = () => this.state.questions.find(({ key }) => key === action.key);
    const before = questionNow();
    if (!before) return;
    this.isBusy = true;
    this.#doing = action.key;
    // It is acknowledged at once; that it is kept is shown when it is.
    if (action.do === 'decide') this.begun = action.chosen;
    this.notify();
    const { answer, now } = await this.#send(action);
    if (now) this.take(now);
    this.isBusy = false;
    this.#doing = null;
    this.begun = [];
    const question = questionNow() ?? before;
    // Another process may have decided the question since: its news can be here before the answer.
    const isShown = answer.is === 'done' && shows(this.state, action);
    const isOwn = isShown && (action.do === 'decide' || action.do === 'forget');
    const isAnnounced = !isOwn && this.#announceDecided(before, question);
    if (isShown) done(question, answer.words);
    else if (answer.is === 'refused') this.#announce(words.refused(answer.words));
    else if (answer.is === 'taken' && question.decided)
      this.#announce(words.taken(this.title(question), this.chosenWords(question), question.decided));
    else if (!isAnnounced) this.#announce(words.changed());
    this.notify();
    // In the same turn: a key that is typed from now on comes after those that were typed meanwhile.
    this.#free();
  }

  #land(key: string): void {
    this.landed = key;
    clearTimeout(this.#landing);
    this.#landing = setTimeout(() => {
      this.landed = null;
      this.notify();
    }, 600);
  }

  #announce(text: string, { isFresh = false, command = null }: Partial<Omit<Message, 'words'>> = {}): void {
    this.message = { words: text, isFresh, command };
    this.notify();
  }
}

/** @param before as it was decided: a run that waited for that may have gone on, and ended, before the answer is here. */
const goesOn = (now: ReviewHead['run'], before: ReviewHead['run']): boolean =>
  now?.isGoing === true || (before?.isGoing === true && (now?.outcome === 'done' || now?.outcome === 'failed'));
