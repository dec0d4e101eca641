/**
 * What one person decides. What is decided stands in the state, which comes from the journal; here are only choices that are not whole
 * yet, and what this page can take back.
 */
import type {
  ReviewAnswer,
  ReviewChange,
  ReviewDeed,
  ReviewHead,
  ReviewOption,
  ReviewQuestion,
  ReviewState,
} from '../review-state.ts';
import { type Done, idsOf, isOpen, isSame, seenOf, shows, toggled, undone } from './decisions.ts';
import { optionName } from './names.ts';
import { Viewing } from './viewing.ts';
import { type Line, words } from './words.ts';

export interface Said {
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
  said: Said;
  /** Something of this page is under way. */
  isBusy = false;
  /** What the note that is being written is about. */
  noting: 'reject' | 'why' | null = null;
  /** Whose choice has just landed. */
  landed: string | null = null;
  readonly #send: (deed: ReviewDeed) => Promise<ReviewAnswer>;
  #openNote: () => void = () => {};
  #free: () => void = () => {};
  #past: readonly Done[] = [];
  #landing: ReturnType<typeof setTimeout> | undefined;

  constructor(state: ReviewState, send: (deed: ReviewDeed) => Promise<ReviewAnswer>) {
    super(state);
    this.#send = send;
    this.said = { words: words.begin(), isFresh: false, command: null };
  }

  get canTakeBack(): boolean {
    return this.#past.length > 0;
  }

  /** It can be decided now. */
  get isLive(): boolean {
    return this.line === 'live' && this.state.head.closed === null && !this.isBusy;
  }

  // What comes in.

  take({ head, live, order, questions }: ReviewChange): void {
    const known = new Map([...this.state.questions, ...questions].map(one => [one.key, one]));
    const before = this.state;
    this.state = { head, ...(live && { live }), questions: order.flatMap(key => known.get(key) ?? []) };
    const here = this.here;
    if (here && !here.options.some(({ id }) => id === this.focus)) this.settle(here);
    this.#tellNews(before);
    this.tell();
  }

  hear(line: Line): void {
    if (this.line === line) return;
    this.line = line;
    this.tell();
  }

  /** What another process decided, and what has arrived. */
  #tellNews({ questions }: ReviewState): void {
    if (this.isBusy) return;
    for (const now of this.state.questions) {
      const before = questions.find(({ key }) => key === now.key);
      if (!before) continue;
      const isNew = now.decided && (now.decided.at !== before.decided?.at || now.decided.who !== before.decided.who);
      if (isNew && now.decided) {
        this.#past = this.#past.filter(({ key }) => key !== now.key);
        this.#say(words.decidedElsewhere(this.title(now), this.chosenWords(now), now.decided));
      }
      const came = now.options.filter((one, at) => one.isReady && before.options[at]?.isReady === false);
      for (const one of isNew ? [] : came) this.#say(words.arrived(this.title(now), optionName(one, now)));
    }
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
    this.#say(words.allDecided(head, questions), { command: head.run?.isGoing ? null : head.again || null });
    this.tell();
  }

  /** Esc: what was begun is let go of. */
  letGo(): void {
    this.begun = [];
    this.tell();
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
      this.#say(words.unseen(name));
      this.tell();
      return;
    }
    const chosen = question.count === 1 ? [id] : toggled(this.begun, id);
    if (chosen.length < question.count) {
      this.begun = chosen;
      this.#say(words.begun(chosen.length, question.count));
      this.tell();
      return;
    }
    this.begun = [];
    if (question.decided && isSame(chosen, idsOf(question, question.decided))) {
      this.tell();
      return;
    }
    void this.#decide(question, chosen, null);
  }

  approve(): void {
    const question = this.here;
    if (!question || !this.isLive) return;
    if (question.is === 'pick') {
      this.choose(this.focus);
      return;
    }
    if (!question.options.every(({ isReady }) => isReady)) {
      this.#say(words.unseenWhole());
      this.tell();
      return;
    }
    void this.#decide(question, [...new Set(question.options.map(({ id }) => id))], null);
  }

  note(about: Desk['noting']): void {
    const { here, looked } = this;
    if (!this.isLive && about !== null) return;
    if (about === 'reject' && here?.is === 'pick') {
      if (!looked?.isReady) return;
      if (here.decided?.chosen.includes(looked.key)) {
        this.#say(words.rejectingChosen(optionName(looked, here)));
        this.tell();
        return;
      }
    }
    if (about === 'why' && !here?.decided) return;
    this.noting = about;
    // At once: what is typed next belongs into the note, and is no key of the page.
    if (about !== null) this.#openNote();
    this.tell();
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
      if (here.decided) void this.#decide(here, idsOf(here, here.decided), note);
    } else if (here.is === 'approve') void this.#decide(here, [], note);
    else if (looked) void this.#reject(here, looked, note);
    this.tell();
  }

  async takeBack(): Promise<void> {
    const last = this.#past.at(-1);
    const question = this.state.questions.find(({ key }) => key === last?.key);
    if (!last || !question || !this.isLive) return;
    this.go(last.key);
    const deed = undone(last, question);
    const answer = await this.#carryOut(deed);
    const now = this.state.questions.find(({ key }) => key === last.key);
    if (answer.is === 'done' && now) {
      this.#past = this.#past.slice(0, -1);
      this.settle(now);
      this.#say(words.takenBack(this.title(question)), { isFresh: true });
    }
    this.tell();
  }

  async #decide(question: ReviewQuestion, chosen: readonly string[], note: string | null): Promise<void> {
    const { key, decided } = question;
    const { run } = this.state.head;
    const answer = await this.#carryOut({ do: 'decide', key, chosen, note, seen: seenOf(question) });
    const now = this.state.questions.find(one => one.key === key) ?? question;
    if (answer.is === 'done') {
      this.#past = [...this.#past, { is: 'decided', key, before: decided }];
      this.#land(key);
      const { head } = this.state;
      const isGoing = goesOn(head.run, run);
      const said = words.decided(this.title(now), this.chosenWords(now), {
        // A run that was quicker than this answer has made what reads it: nothing is next any more, and it has gone on all the same.
        next: now.next.length > 0 ? now.next : question.next,
        isGoing,
        more: answer.words,
      });
      const isLast = !this.state.questions.some(isOpen);
      this.#say(said, { isFresh: true, command: isLast && !isGoing ? head.again || null : null });
    }
    this.tell();
  }

  async #reject({ key }: ReviewQuestion, option: ReviewOption, note: string | null): Promise<void> {
    const answer = await this.#carryOut({ do: 'reject', key, option: option.id, note });
    const now = this.state.questions.find(one => one.key === key);
    if (answer.is === 'done' && now) {
      this.#past = [...this.#past, { is: 'rejected', key, option: option.id, before: option.rejected }];
      const left = now.options.find(one => one.isReady && !one.rejected && one.id !== option.id);
      const name = optionName(option, now);
      if (left) {
        this.focus = left.id;
        this.#say(words.rejected(this.title(now), name, note), { isFresh: true });
      } else {
        const { said, command } = words.noneLeft(this.title(now), now, this.state.head);
        this.#say(said, { isFresh: true, command });
      }
    }
    this.tell();
  }

  async #carryOut(deed: ReviewDeed): Promise<ReviewAnswer> {
    this.isBusy = true;
    // It is seen to be heard at once; that it is kept is said when it is.
    if (deed.do === 'decide') this.begun = deed.chosen;
    this.tell();
    const answer = await this.#send(deed);
    // The stream brings the new state, and the server writes it before the answer. On a busy machine the answer may overtake it by seconds.
    for (let tries = 0; tries < MAX_MOMENTS && answer.is === 'done' && this.line === 'live'; tries++) {
      if (shows(this.state, deed)) break;
      await moment();
    }
    this.isBusy = false;
    this.begun = [];
    // After what follows from the answer: another take is looked at by then.
    setTimeout(() => this.#free(), 0);
    if (answer.is === 'refused') this.#say(words.refused(answer.words));
    if (answer.is === 'taken') {
      const now = this.state.questions.find(({ key }) => key === deed.key);
      this.#say(now?.decided ? words.taken(this.title(now), this.chosenWords(now), now.decided) : words.changed());
    }
    return answer;
  }

  #land(key: string): void {
    this.landed = key;
    clearTimeout(this.#landing);
    this.#landing = setTimeout(() => {
      this.landed = null;
      this.tell();
    }, 600);
  }

  #say(text: string, { isFresh = false, command = null }: Partial<Omit<Said, 'words'>> = {}): void {
    this.said = { words: text, isFresh, command };
  }
}

/** @param before as it was decided: a run that waited for that may have gone on, and ended, before the answer is here. */
const goesOn = (now: ReviewHead['run'], before: ReviewHead['run']): boolean =>
  now?.isGoing === true || (before?.isGoing === true && (now?.outcome === 'done' || now?.outcome === 'failed'));

/** Three seconds. */
const MAX_MOMENTS = 120;
const moment = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 25));
