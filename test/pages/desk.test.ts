/** The desk of the review page: whose decision is whose, in each order in which answers, changes and keys may come. */
import { expect, test } from 'vitest';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { Desk } from '../../src/show/pages/review/page/desk.ts';
import type {
  ReviewAction,
  ReviewChange,
  ReviewQuestion,
  ReviewReply,
} from '../../src/show/pages/review/review-state.ts';
import { HEAD, option, question } from './fake-review.ts';

const TAKES = [1, 2, 3].map(take => option(1, take, null, { isReady: true, state: 'made' }));
const [FIRST, SECOND] = ['best[beat=1]', 'best[beat=2]'] as const;
const open = [question(1, TAKES), question(2, TAKES)];

/** `questions` with one decided. */
const decided = (key: string, take: number, who: string, questions: readonly ReviewQuestion[] = open) =>
  questions.map(one => {
    const chosen = [`shot[beat=1,take=${take}]` as InstanceKey];
    return one.key === key ? { ...one, decided: { by: 'person', who, at: take, note: null, chosen, scores: [] } } : one;
  });

/** A page whose actions are answered when the test says so. */
function atDesk() {
  const actions: ReviewAction[] = [];
  let answered = Promise.withResolvers<ReviewReply>();
  const desk = new Desk({ head: HEAD, questions: open }, action => {
    actions.push(action);
    return answered.promise;
  });
  let version = 0;
  const change = (questions: readonly ReviewQuestion[]): ReviewChange => ({
    ...{ version: ++version, head: HEAD, order: questions.map(({ key }) => key), questions },
  });
  const answer = async (now: ReviewChange): Promise<void> => {
    const { resolve } = answered;
    answered = Promise.withResolvers();
    resolve({ answer: { is: 'done', words: null }, now });
    for (let turn = 0; turn < 5; turn++) await null;
  };
  return { desk, actions, change, answer };
}

test('another page’s decision that is here before the answer to one’s own is told as the other’s, and not taken back', async () => {
  const { desk, actions, change, answer } = atDesk();
  desk.chooseAt(1);
  const own = change(decided(FIRST, 2, 'Ada'));
  desk.take(own);
  desk.take(change(decided(FIRST, 3, 'Grace')));
  await answer(own);
  expect(desk.message.words).toBe('Beat 1 was decided elsewhere, by Grace: take 3.');
  desk.takeBack();
  expect(actions).toHaveLength(1);
});

test('another question that is decided elsewhere while an answer is on its way is not taken back either', async () => {
  const { desk, actions, change, answer } = atDesk();
  desk.go(SECOND);
  desk.chooseAt(0);
  const second = decided(SECOND, 1, 'Ada');
  await answer(change(second));
  desk.go(FIRST);
  desk.chooseAt(1);
  desk.take(change(decided(SECOND, 3, 'Grace')));
  await answer(change(decided(FIRST, 2, 'Ada', decided(SECOND, 3, 'Grace'))));
  expect(desk.message.words).toMatch(/^Beat 1 is take 2/);
  desk.takeBack();
  await answer(change(decided(SECOND, 3, 'Grace')));
  desk.takeBack();
  expect(actions.map(action => [action.do, action.key])).toEqual([
    ['decide', SECOND],
    ['decide', FIRST],
    ['forget', FIRST],
  ]);
});

test('an answer shows what it came to where the stream is behind it, and what the stream brings late undoes nothing', async () => {
  const { desk, change, answer } = atDesk();
  const late = change(open);
  const own = change(decided(FIRST, 2, 'Ada'));
  desk.chooseAt(1);
  await answer(own);
  expect([desk.isBusy, desk.message.words]).toEqual([
    false,
    expect.stringMatching(/^Beat 1 is take 2\. In the lock\./),
  ]);
  desk.take(late);
  desk.take(own);
  expect(desk.state.questions[0]?.decided?.chosen).toEqual(['shot[beat=1,take=2]']);
  expect(desk.message.words).toMatch(/^Beat 1 is take 2/);
});

test('keys that were typed meanwhile have their turn before any later one', async () => {
  const { desk, change, answer } = atDesk();
  const order: string[] = [];
  desk.whenFree(() => order.push('typed meanwhile'));
  desk.chooseAt(1);
  await answer(change(decided(FIRST, 2, 'Ada')));
  order.push(desk.isBusy ? 'busy' : 'typed later');
  expect(order).toEqual(['typed meanwhile', 'typed later']);
});
