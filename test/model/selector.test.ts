import { expect, test } from 'vitest';
import type { Coordinates, InstanceKey, StepName } from '../../src/model/run/key.ts';
import { groupOf, instanceKey, stepOf } from '../../src/model/run/key.ts';
import { parseSelector, selects } from '../../src/model/selector.ts';
import { processorTime } from '../support/processor-time.ts';

const key = (coordinates: Coordinates) => instanceKey('shot' as StepName, coordinates);
const picks = (selector: string, coordinates: Coordinates) => {
  const parsed = parseSelector(selector);
  return parsed !== undefined && selects(parsed, key(coordinates));
};

test('a step picks all its instances, and a star does too', () => {
  for (const selector of ['shot', 'shot[*]', ' shot ', 'shot[ * ]']) {
    expect(picks(selector, {})).toBe(true);
    expect(picks(selector, { beat: 3, take: 2 })).toBe(true);
  }
  expect(picks('shots', { beat: 3 })).toBe(false);
});

test('coordinates pick those that have them, in any order; what is left out matches anything', () => {
  const instance = { beat: 3, take: 2 };
  for (const selector of ['shot[beat=3]', 'shot[take=2]', 'shot[take=2,beat=3]', 'shot[ beat = 3 , take=* ]'])
    expect([selector, picks(selector, instance)]).toEqual([selector, true]);
  for (const selector of ['shot[beat=4]', 'shot[beat=3,take=1]', 'shot[seed=3]', 'shot[beat=33]'])
    expect([selector, picks(selector, instance)]).toEqual([selector, false]);
});

test.each<[string, Coordinates]>([
  ['a ratio', { ratio: '16:9' }],
  ['blanks', { look: 'red, wet [cold]' }],
  ['quotes', { look: 'a "fox"' }],
  ['an empty text', { look: '' }],
  ['a file', { clip: './in/a b.mp4' }],
  ['a row', { row: { voice: 'rachel', speed: 1 }, take: 2 }],
  ['a list', { row: [1, [2, ']'], 'a,b'] }],
  ['true and null', { on: true, off: null }],
  ['a number', { seed: -1.5e-7 }],
])('every name that an instance has picks that one: %s', (_, coordinates) => {
  expect(picks(key(coordinates), coordinates)).toBe(true);
  expect(picks(key(coordinates), { ...coordinates, other: 1 })).toBe(true);
  expect(picks(key({ ...coordinates, other: 1 }), coordinates)).toBe(false);
});

test('an author may quote what a name does not', () => {
  expect(picks('shot[ratio="16:9"]', { ratio: '16:9' })).toBe(true);
  expect(picks('shot[beat="3"]', { beat: 3 })).toBe(true);
});

test.each([
  '',
  '[beat=3]',
  'shot[',
  'shot[]',
  'shot[beat]',
  'shot[beat=]',
  'shot[beat=3',
  'shot[beat=3,]',
  'shot[=3]',
  'a b',
  'shot]',
  'shot[a=1 b=2]x',
  'shot["a=1]',
])('%j is not written like one', text => expect(parseSelector(text)).toBeUndefined());

test('hostile ones are answered at once', () => {
  const worked = processorTime();
  for (const text of [
    `shot[${'['.repeat(20_000)}`,
    `shot[a=${'['.repeat(5_000)}]`,
    `shot[a=${'{"a":'.repeat(3_000)}]`,
    `${'a'.repeat(1e6)}[`,
    `shot[a="${'\\"'.repeat(50_000)}`,
  ])
    parseSelector(text);
  expect(worked()).toBeLessThan(500);
});

test('inside another file every name on the way has its own coordinates', () => {
  const repair = 'cleaned[beat=3]/repair[ratio=9:16]' as InstanceKey;
  const picked = (selector: string) => {
    const parsed = parseSelector(selector);
    return parsed !== undefined && selects(parsed, repair);
  };
  for (const selector of [
    ...['cleaned/repair', 'cleaned[*]/repair', 'cleaned[beat=3]/repair', 'cleaned/repair[ratio=9:16]'],
    repair,
  ])
    expect([selector, picked(selector)]).toEqual([selector, true]);
  for (const selector of ['cleaned', 'repair', 'cleaned[beat=4]/repair', 'cleaned[ratio=9:16]/repair', 'cleaned/'])
    expect([selector, picked(selector)]).toEqual([selector, false]);
});

test('the step and the group of a key', () => {
  const names = (key: string) => [stepOf(key as InstanceKey), groupOf(key as InstanceKey)];
  expect(names('shot')).toEqual(['shot', 'shot']);
  expect(names('shot[seed=2]')).toEqual(['shot', 'shot']);
  expect(names('a[b=3]/c')).toEqual(['a/c', 'a[b=3]/c']);
  expect(names('a[b=3]/c[d="x]/[\\"y"]')).toEqual(['a/c', 'a[b=3]/c']);
  expect(names('a/b[n=1]/c[m=2,k=[1,2]]')).toEqual(['a/b/c', 'a/b[n=1]/c']);
});
