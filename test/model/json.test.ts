/** What a text is when it is read as JSON. */
import { expect, test } from 'vitest';
import { jsonDataIn, jsonIn } from '../../src/model/text/json.ts';
import { resultOf } from '../../src/records/lock/lock-entry.ts';

test('an object or a list is JSON; a number, a word or half an object is a text', () => {
  expect(['{"a": 1}', ' [1, 2]\n', '5', '"fox"', 'true', 'null', '{"a": ', ''].map(jsonIn)).toEqual([
    { a: 1 },
    [1, 2],
    ...[null, null, null, null, null, null],
  ]);
});

test('what a command said is an object, a list or neither, from the lock as from the command', () => {
  const said = ['{"a": 1}', '[1, 2]', '5', '"fox"', 'null', '{"a": '];
  const expected = [{ a: 1 }, [1, 2], null, null, null, null];
  expect(said.map(jsonDataIn)).toEqual(expected);
  const fromLock = said.map(stdout => resultOf({ fingerprint: 'f', is: 'command', ...{ stdout, files: {} } }));
  expect(fromLock.map(result => result.is === 'command' && result.json)).toEqual(expected);
});
