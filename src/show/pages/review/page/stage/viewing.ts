/** The present view: which question and which of its options, in which view, with which sound. Its followers are called after each change. */
import { listed } from '../../../../../model/text/format.ts';
import type { ReviewOption, ReviewQuestion, ReviewState } from '../../review-state.ts';
import { isOpen } from '../decisions.ts';
import { optionName, titleOf } from '../words.ts';

export class Viewing {
  state: ReviewState;
  view: 'side' | 'wipe' = 'side';
  /** Ids: of the option that is looked at, and of the two in the wipe. */
  focus = '';
  pair: readonly [string, string] = ['', ''];
  /** 0 to 1, from the left. */
  split = 0.5;
  /** With the sound of the take that is looked at. */
  hasSound = false;
  readonly #listeners = new Set<() => void>();
  #at = '';

  constructor(state: ReviewState) {
    this.state = state;
    const first = state.questions.find(isOpen) ?? state.questions.find(one => !one.decided) ?? state.questions[0];
    if (first) this.settle(first);
  }

  follow(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  get here(): ReviewQuestion | undefined {
    return this.state.questions.find(({ key }) => key === this.#at) ?? this.state.questions[0];
  }

  get looked(): ReviewOption | undefined {
    return this.here?.options.find(({ id }) => id === this.focus);
  }

  go(key: string): void {
    const question = this.state.questions.find(one => one.key === key);
    if (!question) return;
    this.settle(question);
    this.notify();
  }

  lookAt(id: string): void {
    if (this.focus === id) return;
    this.focus = id;
    this.notify();
  }

  show(view: 'side' | 'wipe'): void {
    this.view = view === 'wipe' && this.canWipe ? 'wipe' : 'side';
    this.notify();
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
    this.notify();
  }

  swap(): void {
    const [a, b] = this.wiped ?? [];
    if (this.view !== 'wipe' || !a || !b) return;
    this.pair = [b.id, a.id];
    this.notify();
  }

  sound(): void {
    this.hasSound = !this.hasSound;
    this.notify();
  }

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
    return listed(names);
  }

  protected settle(question: ReviewQuestion): void {
    this.#at = question.key;
    const { options, decided } = question;
    const chosen = options.find(({ key }) => decided?.chosen.includes(key));
    const first = chosen ?? options.find(one => one.isReady && !one.rejected) ?? options[0];
    this.focus = first?.id ?? '';
    this.pair = ['', ''];
    if (this.view === 'wipe' && !this.canWipe) this.view = 'side';
  }

  protected notify(): void {
    for (const changed of this.#listeners) changed();
  }
}

/** Those that have a picture, and can be laid over one another. */
const pictures = (question: ReviewQuestion | undefined): readonly ReviewOption[] =>
  question?.options.filter(
    ({ isReady, isHere, media }) => isReady && isHere && media && media.facts.kind !== 'audio',
  ) ?? [];
