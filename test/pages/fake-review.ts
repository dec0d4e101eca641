/** A film under review, made by a test: what is done on the page is done to this state, as the journal would have it. */
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { ReportedMedia } from '../../src/model/run/run-report.ts';
import type { ReviewSource } from '../../src/show/pages/review/review-server.ts';
import type {
  ReviewAction,
  ReviewAnswer,
  ReviewHead,
  ReviewOption,
  ReviewQuestion,
  ReviewState,
} from '../../src/show/pages/review/review-state.ts';

export const HEAD: ReviewHead = {
  ...{ name: 'North Light', file: 'north-light.yaml', profile: null, isFree: false, me: 'Ada', closed: null },
  ...{ again: 'shotlist run north-light.yaml', run: { outcome: 'running', isGoing: true } },
};

export function option(
  beat: number,
  take: number,
  media: ReportedMedia | null,
  more: Partial<ReviewOption> = {},
): ReviewOption {
  return {
    ...{ id: `${beat}-${take}`, key: `shot[beat=${beat},take=${take}]` as InstanceKey, step: 'shot' },
    ...{ coordinates: { beat: String(beat), take: String(take) }, state: media ? 'made' : 'running' },
    ...{
      isReady: media !== null,
      fraction: null,
      place: null,
      waits: null,
      since: null,
      media,
      isHere: true,
      text: null,
    },
    ...{ prompt: `a fox, ${beat}`, model: 'V-T2V-A', seed: String(take), cost: 0.3, seconds: 19 },
    ...{ generation: `gen-${beat}-${take}`, score: null, rejected: null },
    ...more,
  };
}

export function question(
  beat: number,
  options: readonly ReviewOption[],
  more: Partial<ReviewQuestion> = {},
): ReviewQuestion {
  return {
    ...{
      key: `best[beat=${beat}]` as InstanceKey,
      is: 'pick',
      ask: `which one is best[beat=${beat}]?`,
      count: 1,
      by: 'person',
    },
    ...{ options, decided: null, next: [`final[beat=${beat}]` as InstanceKey] },
    ...more,
  };
}

export class FakeReview implements ReviewSource {
  readonly store: ReviewSource['store'];
  readonly actions: ReviewAction[] = [];
  state: ReviewState;
  /** Answered in the place of what would happen. */
  answer: ReviewAnswer | undefined;
  readonly #followers = new Set<(state: ReviewState) => void>();
  #at = 1_700_000_000_000;

  constructor(store: ReviewSource['store'], questions: readonly ReviewQuestion[], head: Partial<ReviewHead> = {}) {
    this.store = store;
    this.state = { head: { ...HEAD, ...head }, questions };
  }

  get followers(): number {
    return this.#followers.size;
  }

  look = async (): Promise<ReviewState> => {
    this.change({});
    return this.state;
  };

  follow = (changed: (state: ReviewState) => void) => {
    this.#followers.add(changed);
    changed(this.state);
    return () => this.#followers.delete(changed);
  };

  change(to: Partial<ReviewState>): void {
    this.state = { ...this.state, ...to };
    for (const changed of this.#followers) changed(this.state);
  }

  changeQuestion(key: string, to: (before: ReviewQuestion) => ReviewQuestion): void {
    this.change({ questions: this.state.questions.map(one => (one.key === key ? to(one) : one)) });
  }

  /** By somebody, here or elsewhere. */
  decide(key: string, ids: readonly string[], who = 'Ada', note: string | null = null): void {
    this.changeQuestion(key, before => {
      const chosen = before.options
        .filter(({ id }) => ids.includes(id))
        .sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
      const decided = { by: 'person', who, at: ++this.#at, note, chosen: chosen.map(one => one.key), scores: [] };
      return { ...before, decided };
    });
  }

  carryOut = async (action: ReviewAction): Promise<ReviewAnswer> => {
    this.actions.push(action);
    if (this.answer) return this.answer;
    const now = this.state.questions.find(({ key }) => key === action.key);
    if (!now) return { is: 'refused', words: 'it is no question of this film any more' };
    if ('seen' in action && (now.decided?.at ?? null) !== (action.seen?.at ?? null)) return { is: 'taken' };
    switch (action.do) {
      case 'decide':
        this.decide(action.key, action.chosen, 'Ada', action.note);
        break;
      case 'forget':
        this.changeQuestion(action.key, before => ({ ...before, decided: null }));
        break;
      case 'reject':
      case 'accept': {
        const rejected = action.do === 'reject' ? { who: 'Ada', at: ++this.#at, note: action.note } : null;
        const changed = (one: ReviewOption) => (one.id === action.option ? { ...one, rejected } : one);
        this.changeQuestion(action.key, before => ({ ...before, options: before.options.map(changed) }));
      }
    }
    return { is: 'done', words: null };
  };
}
