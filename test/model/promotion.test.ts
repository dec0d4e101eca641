/** When what was picked in one profile holds in another: by coordinates, and by what these stand for. */
import { expect, test } from 'vitest';
import { filmIn, profilesOf, realFilm } from '../../src/model/profile.ts';
import type { Choice } from '../../src/model/run/choice.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import {
  chosenIn,
  NOT_MADE,
  type PromotedPick,
  promotionIn,
  promotionText,
  rowOf,
  stillChosenIn,
} from '../../src/model/run/promotion.ts';
import type { JsonObject } from '../../src/model/text/json.ts';

const key = (take: number) => `shot[take=${take}]` as InstanceKey;
const candidate = (take: number, row: JsonObject = { take }, fingerprint: string | undefined = undefined) => ({
  key: key(take),
  matrix: row,
  fingerprint,
});
const pick: PromotedPick = {
  key: 'best' as InstanceKey,
  chosen: [key(2)],
  among: Object.fromEntries([1, 2, 3].map(take => [key(take), rowOf({ take })])),
  who: 'Ada',
};

test('a pick holds among the same candidates, and among fewer of them', () => {
  expect(
    chosenIn(
      pick,
      [1, 2, 3].map(take => candidate(take)),
      1,
    ),
  ).toEqual([key(2)]);
  expect(
    chosenIn(
      pick,
      [1, 2].map(take => candidate(take)),
      1,
    ),
  ).toEqual([key(2)]);
});

test.each([
  ['one more to choose from', [1, 2, 3, 4].map(take => candidate(take)), 1],
  ['what was chosen is gone', [1, 3].map(take => candidate(take)), 1],
  ['another row under the same number', [candidate(1), candidate(2, { take: 2, beat: 'owl' }), candidate(3)], 1],
  ['more of them are to be chosen', [1, 2, 3].map(take => candidate(take)), 2],
])('it is asked anew: %s', (_, candidates, count) => {
  expect(chosenIn(pick, candidates, count)).toBeUndefined();
});

const kept: Choice = {
  ...{ key: pick.key, called: [key(1), key(2)], from: [NOT_MADE, 'f2'], chosen: ['f2'] },
  ...{ by: 'promoted', who: 'Ada', at: 0 },
};

test('what was promoted once holds while nobody knows better, and no longer', () => {
  const among = (first?: string, second?: string) => [candidate(1, {}, first), candidate(2, {}, second)];
  expect(stillChosenIn(kept, among(), 1)).toEqual([key(2)]);
  expect(stillChosenIn(kept, among(undefined, 'f2'), 1)).toEqual([key(2)]);
  expect(stillChosenIn(kept, among(undefined, 'changed'), 1)).toBeUndefined();
  expect(stillChosenIn(kept, among('f1', 'f2'), 1)).toBeUndefined();
});

test('so does what was said by name before all was known; a choice between what was made is held to that', () => {
  const among = [candidate(1), candidate(2)];
  expect(stillChosenIn({ ...kept, by: 'flag' }, among, 1)).toEqual([key(2)]);
  expect(stillChosenIn({ ...kept, by: 'person', from: ['f1', 'f2'] }, among, 1)).toBeUndefined();
});

test.each([undefined, '', '{', '[]', 'null', '{"from":1,"picks":[]}', '{"from":"draft"}'])(
  'a note %j says nothing',
  note => {
    expect(promotionIn(note)).toBeUndefined();
  },
);

test('a note says what was noted', () => {
  const promotion = { from: 'draft', picks: [pick] };
  expect(promotionIn(promotionText(promotion))).toEqual(promotion);
});

test('a film in a profile has a name of its own, that no file can have, and lies among those of its film alone', () => {
  const draft = filmIn('pipelines~fox', 'draft');
  expect([draft, filmIn('pipelines~fox', 'final'), filmIn('pipelines~fox', undefined)]).toEqual([
    'pipelines~fox/@draft',
    'pipelines~fox',
    'pipelines~fox',
  ]);
  expect(realFilm(draft)).toBe('pipelines~fox');
  const { from, to } = profilesOf('pipelines~fox');
  const lies = (name: string) => name > from && name < to;
  expect([draft, 'pipelines~fox', 'pipelines~fox@draft', 'pipelines~foxes/@draft'].map(lies)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
