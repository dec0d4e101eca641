/** The checker sees each kind of fault, and none where there is none; and it stands by itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check, type DoorRow, figures, mostWithin, type Rules } from './check.ts';

const took = (id: string, at: number, more: Partial<Extract<DoorRow, { is: 'taken' }>> = {}): DoorRow => ({
  ...{ is: 'taken', id, at, from: 'us', model: 'V', content: id, usd: 0.5 },
  ...more,
});
const ended = (id: string, at: number, gave: 'a result' | 'nothing' = 'a result'): DoorRow => ({
  ...{ is: 'ended', id, at, gave },
});
const asked = (at: number, model = 'V'): DoorRow => ({ is: 'asked', at, model });
const found = (rows: readonly DoorRow[], rules: Rules = {}) =>
  check(rows, rules).map(({ is, what }) => `${is}: ${what}`);
const FOX = { content: 'a fox' };

describe('at most once', () => {
  test.each<[string, readonly DoorRow[], readonly string[]]>([
    ['different requests', [took('a', 1), took('b', 2)], []],
    ['the same one twice', [took('a', 1, FOX), took('b', 2, FOX)], ['double: a fox was taken 2 times: a, b']],
    [
      'the same after it was made',
      [took('a', 1, FOX), ended('a', 2), took('b', 3, FOX)],
      ['double: a fox was taken 2 times: a, b'],
    ],
    ['the same after it failed', [took('a', 1, FOX), ended('a', 2, 'nothing'), took('b', 3, FOX)], []],
    [
      'the same beside one that failed afterwards',
      [took('a', 1, FOX), took('b', 2, FOX), ended('a', 3, 'nothing')],
      ['double: a fox was taken 2 times: a, b'],
    ],
    ['the same of somebody else', [took('a', 1, FOX), took('b', 2, { ...FOX, from: 'them' })], []],
    [
      'three times',
      [took('a', 1, FOX), took('b', 2, FOX), took('c', 3, FOX)],
      ['double: a fox was taken 2 times: a, b', 'double: a fox was taken 3 times: a, b, c'],
    ],
  ])('%s', (_, rows, faults) => {
    expect(found(rows)).toEqual(faults);
  });

  test('two that want a result each', () => {
    expect(found([took('a', 1, FOX), took('b', 2, FOX)], { times: { 'a fox': 2 } })).toEqual([]);
  });
});

describe('limits', () => {
  const THREE = [took('a', 1), took('b', 2, { model: 'W' }), ended('a', 3), took('c', 4)];
  test.each<[Rules, readonly string[]]>([
    [{ inFlight: 2, inFlightOf: { V: 1 } }, []],
    [{ inFlight: 1 }, ['limit: 2 in flight in all, and 1 are allowed']],
    [{ inFlightOf: { W: 0 } }, ['limit: 1 in flight of W, and 0 are allowed']],
  ])('%j', (rules, faults) => {
    expect(found(THREE, rules)).toEqual(faults);
  });
  test('the first time is told, and the figures tell the most', () => {
    expect(figures(THREE)).toEqual({ inFlight: 2, inFlightOf: { V: 1, W: 1 }, usd: 1.5, taken: 3 });
  });
});

describe('rates', () => {
  const ROWS = [asked(0), asked(900, 'W'), asked(1_000), asked(1_500)];
  test.each<[Rules, readonly string[]]>([
    [{ rates: [{ within: 1_000, most: 3 }] }, []],
    [{ rates: [{ within: 1_000, most: 2 }] }, ['rate: 3 requests within 1000 ms, and 2 are allowed']],
    [
      { rates: [{ within: 60_000, most: 2, model: 'V' }] },
      ['rate: 3 requests for V within 60000 ms, and 2 are allowed'],
    ],
  ])('%j', (rules, faults) => {
    expect(found(ROWS, rules)).toEqual(faults);
  });
  test('the most of any second', () => expect(mostWithin(ROWS, 1_000)).toBe(3));
});

describe('budgets', () => {
  const ROWS = [took('a', 1), ended('a', 2, 'nothing'), took('b', 3), took('c', 4, { from: 'them' })];
  test.each<[Rules, readonly string[]]>([
    [
      {
        budgets: [
          { usd: 1, generations: 2 },
          { from: 'us', usd: 0.5 },
        ],
      },
      [],
    ],
    [{ budgets: [{ usd: 0.9 }] }, ['budget: $1.0000 of all, and $0.9 may be spent']],
    [{ budgets: [{ from: 'them', generations: 0 }] }, ['budget: 1 generations of them, and 0 may be made']],
  ])('%j', (rules, faults) => {
    expect(found(ROWS, rules)).toEqual(faults);
  });
});

describe('deployments', () => {
  const MINUTE = 60_000;
  const turned = (is: 'up' | 'down', at: number): DoorRow => ({ is, at, model: 'look' });
  const made = (id: string, at: number, until: number) => [took(id, at, { model: 'look' }), ended(id, until)];
  test.each<[string, readonly DoorRow[], readonly string[]]>([
    ['up while it is needed', [turned('up', 1), ...made('a', 2, 40 * MINUTE), turned('down', 41 * MINUTE)], []],
    [
      'up before its first request for too long',
      [turned('up', 0), ...made('a', 11 * MINUTE, 12 * MINUTE), turned('down', 12 * MINUTE)],
      ['deployment: look was up for 11.0 min and made nothing'],
    ],
    [
      'up after its last for too long',
      [turned('up', 0), ...made('a', 1, MINUTE), turned('down', 13 * MINUTE)],
      ['deployment: look was up for 12.0 min and made nothing'],
    ],
    ['never ended', [turned('up', 0), ...made('a', 1, 2)], ['deployment: look is up at the end']],
    [
      'ended under what it makes',
      [turned('up', 0), took('a', 1, { model: 'look' }), turned('down', 2), ended('a', 3)],
      ['deployment: look was ended while it made a'],
    ],
    ['up twice', [turned('up', 0), turned('down', 1), turned('up', 40 * MINUTE), turned('down', 41 * MINUTE)], []],
  ])('%s', (_, rows, faults) => {
    expect(found(rows, { deployments: { idle: 10 * MINUTE, isNeverCutShort: true } })).toEqual(faults);
  });

  test('one that a run ends though it makes something is no fault where a run may', () => {
    const rows = [turned('up', 0), took('a', 1, { model: 'look' }), turned('down', 2), ended('a', 3)];
    expect(found(rows, { deployments: { idle: MINUTE } })).toEqual([]);
  });
});

test('it shares no code with what it judges', () => {
  const files = readdirSync(import.meta.dirname).filter(name => name.endsWith('.ts') && !name.includes('.test.'));
  const imports = files.flatMap(name =>
    [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/from '([^']+)'/g)].map(([, from]) => from),
  );
  expect(imports.filter(from => !/^node:|^\.\/check\.ts$/.test(from ?? ''))).toEqual([]);
});
