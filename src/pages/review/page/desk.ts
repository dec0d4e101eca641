/**
 * What one person has before them, and what they do. What is decided stands in the state, which comes from the journal; here are only the
 * place, the view, choices that are not whole yet, and what this page can take back.
 */
import type { ReportedDecision } from '../../../domain/run-report.ts';
import type {
  Rejection,
  ReviewAnswer,
  ReviewChange,
  ReviewDeed,
  ReviewOption,
  ReviewQuestion,
  ReviewState,
  Seen,
} from '../review-state.ts';
import { optionName, titleOf } from './names.ts';
import { type Line, words } from './words.ts';

export interface Said {
  readonly words: string;
  /** It has just landed. */
  readonly isFresh: boolean;
  /** To be typed; null: nothing. */
  readonly command: string | null;
}

type Done =
  | { readonly is: 'decided'; readonly key: string; readonly before: ReportedDecision | null }
  | { readonly is: 'rejected'; readonly key: string; readonly option: string; readonly before: Rejection | null };

export class Desk {
  state: ReviewState;
  line: Line = 'live';
  view: 'side' | 'wipe' = 'side';
  /** Ids: of the option that is looked at, and of the two in the wipe. */
  focus = '';
  pair: readonly [string, string] = ['', ''];
  /** 0 to 1, from the left. */
  split = 0.5;
  /** Of a question with several to choose: ids that were chosen so far, best first. */
  begun: readonly string[] = [];
  said: Said;
  /** Something of this page is under way. */
  isBusy = false;
  /** What the note that is being written is about. */
  noting: 'reject' | 'why' | null = null;
  /** Whose choice has just landed. */
  landed: string | null = null;
  /** With the sound of the take that is looked at. */
  hasSound = false;
  readonly #send: (deed: ReviewDeed) => Promise<ReviewAnswer>;
  readonly #listeners = new Set<() => void>();
  #openNote: () => void = () => {};
  #at = '';
  #past: readonly Done[] = [];
  #landing: ReturnType<typeof setTimeout> | undefined;

  constructor(state: ReviewState, send: (deed: ReviewDeed) => Promise<ReviewAnswer>) {
    this.state = state;
    this.#send = send;
    this.said = { words: words.begin(), isFresh: false, command: null };
    const first = state.questions.find(isOpen) ?? state.questions.find(one => !one.decided) ?? state.questions[0];
    if (first) this.#settle(first);
  }

  get here(): ReviewQuestion | undefined {
    return this.state.questions.find(({ key }) => key === this.#at) ?? this.state.questions[0];
  }

  get looked(): ReviewOption | undefined {
    return this.here?.options.find(({ id }) => id === this.focus);
  }

  get canTakeBack(): boolean {
    return this.#past.length > 0;
  }

  /** It can be decided now. */
  get isLive(): boolean {
    return this.line === 'live' && this.state.head.closed === null && !this.isBusy;
  }

  follow(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  // What comes in.

  take({ head, live, order, questions }: ReviewChange): void {
    const known = new Map([...this.state.questions, ...questions].map(one => [one.key, one]));
    const before = this.state;
    this.state = { head, ...(live && { live }), questions: order.flatMap(key => known.get(key) ?? []) };
    const here = this.here;
    if (here && !here.options.some(({ id }) => id === this.focus)) this.#settle(here);
    this.#tellNews(before);
    this.#tell();
  }

  hear(line: Line): void {
    if (this.line === line) return;
    this.line = line;
    this.#tell();
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

  // Where one looks.

  go(key: string): void {
    const question = this.state.questions.find(one => one.key === key);
    if (!question) return;
    this.begun = [];
    this.#settle(question);
    this.#tell();
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
    this.#tell();
  }

  lookAt(id: string): void {
    if (this.focus === id) return;
    this.focus = id;
    this.#tell();
  }

  lookAside(by: 1 | -1): void {
    const options = this.here?.options ?? [];
    const at = options.findIndex(({ id }) => id === this.focus);
    const one = options[(at + by + options.length) % options.length];
    if (one) this.lookAt(one.id);
  }

  show(view: 'side' | 'wipe'): void {
    this.view = view === 'wipe' && this.canWipe ? 'wipe' : 'side';
    this.#tell();
  }

  get canWipe(): boolean {
    return pictures(this.here).length > 1;
  }

  /** The two in the wipe, whichever are there. */
  get wiped(): readonly [ReviewOption, ReviewOption] | undefined {
    const able = pictures(this.here);
    const first = able.find(({ id }) => id === this.pair[0]) ?? able[0];
    const second = able.find(one => one.id === this.pair[1] && one !== first) ?? able.find(one => one !== first);
    return first && second && [first, second];
  }

  wipeWith(side: 0 | 1, id: string): void {
    const [a, b] = this.wiped ?? [];
    if (!a || !b) return;
    this.pair = side === 0 ? [id, b.id] : [a.id, id];
    this.#tell();
  }

  swap(): void {
    const [a, b] = this.wiped ?? [];
    if (this.view !== 'wipe' || !a || !b) return;
    this.pair = [b.id, a.id];
    this.#tell();
  }

  sound(): void {
    this.hasSound = !this.hasSound;
    this.#tell();
  }

  note(about: Desk['noting']): void {
    const { here, looked } = this;
    if (!this.isLive && about !== null) return;
    if (about === 'reject' && here?.is === 'pick') {
      if (!looked?.isReady) return;
      if (here.decided?.chosen.includes(looked.key)) {
        this.#say(words.rejectingChosen(optionName(looked, here)));
        this.#tell();
        return;
      }
    }
    if (about === 'why' && !here?.decided) return;
    this.noting = about;
    // At once: what is typed next belongs into the note, and is no key of the page.
    if (about !== null) this.#openNote();
    this.#tell();
  }

  /** @param open shows where a note is written. */
  writesNotes(open: () => void): void {
    this.#openNote = open;
  }

  /** Esc: what was begun is let go of. */
  letGo(): void {
    this.begun = [];
    this.#tell();
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
      this.#tell();
      return;
    }
    const chosen = question.count === 1 ? [id] : toggled(this.begun, id);
    if (chosen.length < question.count) {
      this.begun = chosen;
      this.#say(words.begun(chosen.length, question.count));
      this.#tell();
      return;
    }
    this.begun = [];
    if (question.decided && isSame(chosen, idsOf(question, question.decided))) {
      this.#tell();
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
      this.#tell();
      return;
    }
    void this.#decide(question, [...new Set(question.options.map(({ id }) => id))], null);
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
    this.#tell();
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
      this.#settle(now);
      this.#say(words.takenBack(this.title(question)), { isFresh: true });
    }
    this.#tell();
  }

  async #decide(question: ReviewQuestion, chosen: readonly string[], note: string | null): Promise<void> {
    const { key, decided } = question;
    const answer = await this.#carryOut({ do: 'decide', key, chosen, note, seen: seenOf(question) });
    const now = this.state.questions.find(one => one.key === key) ?? question;
    if (answer.is === 'done') {
      this.#past = [...this.#past, { is: 'decided', key, before: decided }];
      this.#land(key);
      const { head } = this.state;
      const isGoing = head.run?.isGoing === true;
      const said = words.decided(this.title(now), this.chosenWords(now), {
        next: now.next,
        isGoing,
        more: answer.words,
      });
      const isLast = !this.state.questions.some(isOpen);
      this.#say(said, { isFresh: true, command: isLast && !isGoing ? head.again || null : null });
    }
    this.#tell();
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
    this.#tell();
  }

  async #carryOut(deed: ReviewDeed): Promise<ReviewAnswer> {
    this.isBusy = true;
    // It is seen to be heard at once; that it is kept is said when it is.
    if (deed.do === 'decide') this.begun = deed.chosen;
    this.#tell();
    const answer = await this.#send(deed);
    // What it came to comes by the stream, which is sent before the answer; a moment is given to one that overtakes it.
    for (let tries = 0; answer.is === 'done' && tries < 20 && !this.#shows(deed); tries++) await moment();
    this.isBusy = false;
    this.begun = [];
    if (answer.is === 'refused') this.#say(words.refused(answer.words));
    if (answer.is === 'taken') {
      const now = this.state.questions.find(({ key }) => key === deed.key);
      this.#say(now?.decided ? words.taken(this.title(now), this.chosenWords(now), now.decided) : words.changed());
    }
    return answer;
  }

  #shows(deed: ReviewDeed): boolean {
    const now = this.state.questions.find(({ key }) => key === deed.key);
    if (!now) return true;
    const option = 'option' in deed ? now.options.find(({ id }) => id === deed.option) : undefined;
    switch (deed.do) {
      case 'decide':
        return now.decided !== null && isSame(idsOf(now, now.decided), deed.chosen);
      case 'forget':
        return now.decided === null;
      case 'reject':
        return option?.rejected !== null;
      case 'accept':
        return option?.rejected === null;
    }
  }

  // How things are called.

  title(question: ReviewQuestion): string {
    return titleOf(question, this.state.questions);
  }

  /** `take 2`, `take 2 and take 1`, `approved`. */
  chosenWords(question: ReviewQuestion): string {
    const { is, decided, options } = question;
    if (!decided) return '';
    if (is === 'approve') return decided.chosen.length > 0 ? 'approved' : 'not approved';
    const names = decided.chosen.map(key => {
      const option = options.find(one => one.key === key);
      return option ? optionName(option, question) : key;
    });
    return names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  }

  #settle(question: ReviewQuestion): void {
    this.#at = question.key;
    const { options, decided } = question;
    const chosen = options.find(({ key }) => decided?.chosen.includes(key));
    const first = chosen ?? options.find(one => one.isReady && !one.rejected) ?? options[0];
    this.focus = first?.id ?? '';
    this.pair = ['', ''];
    if (this.view === 'wipe' && !this.canWipe) this.view = 'side';
  }

  #land(key: string): void {
    this.landed = key;
    clearTimeout(this.#landing);
    this.#landing = setTimeout(() => {
      this.landed = null;
      this.#tell();
    }, 600);
  }

  #say(text: string, { isFresh = false, command = null }: Partial<Omit<Said, 'words'>> = {}): void {
    this.said = { words: text, isFresh, command };
  }

  #tell(): void {
    for (const changed of this.#listeners) changed();
  }
}

/** It can be decided, and is not. */
export const isOpen = ({ decided, options, by, is }: ReviewQuestion): boolean =>
  decided === null &&
  by === 'person' &&
  (is === 'pick' ? options.some(one => one.isReady) : options.every(one => one.isReady));

/** Those that have a picture, and can be laid over one another. */
const pictures = (question: ReviewQuestion | undefined): readonly ReviewOption[] =>
  question?.options.filter(
    ({ isReady, isHere, media }) => isReady && isHere && media && media.facts.kind !== 'audio',
  ) ?? [];

const seenOf = ({ decided }: ReviewQuestion): Seen => (decided ? { at: decided.at, who: decided.who } : null);

const idsOf = ({ options }: ReviewQuestion, { chosen }: ReportedDecision): readonly string[] => [
  ...new Set(chosen.flatMap(key => options.find(one => one.key === key)?.id ?? [])),
];

/** A person's earlier word is said again; a rule's and a judge's are asked for again. */
function undone(last: Done, question: ReviewQuestion): ReviewDeed {
  const { key } = question;
  if (last.is === 'rejected') {
    const { option, before } = last;
    return before ? { do: 'reject', key, option, note: before.note } : { do: 'accept', key, option };
  }
  const { before } = last;
  const seen = seenOf(question);
  const isWord = before && before.by !== 'rule' && before.by !== 'judge' && before.by !== 'only';
  return isWord
    ? { do: 'decide', key, chosen: idsOf(question, before), note: before.note ?? '', seen }
    : { do: 'forget', key, seen };
}

const toggled = (chosen: readonly string[], id: string): readonly string[] =>
  chosen.includes(id) ? chosen.filter(one => one !== id) : [...chosen, id];

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

const moment = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 25));
