import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { messages } from '../../src/language/messages/index.ts';

test('every topic of messages is in the one table, and no topic hides a message of another', async () => {
  const folder = new URL('../../src/language/messages/', import.meta.url);
  const names: string[] = [];
  for (const file of readdirSync(folder).filter(name => name.endsWith('-messages.ts'))) {
    const topic = (await import(new URL(file, folder).href)) as { readonly [table: string]: object };
    names.push(...Object.values(topic).flatMap(table => Object.keys(table)));
  }
  expect(names.filter((name, at) => names.indexOf(name) !== at || !Object.hasOwn(messages, name))).toEqual([]);
});

test('a row of a table begins with its code', () => {
  expect(messages.tab()).toEqual({ code: 'tab', message: 'a tab in the indentation; indent with spaces' });
  expect(messages.unusedGroup('gpu')).toMatchObject({ code: 'unused-group', severity: 'warning' });
  expect(messages.unknownRunField('at').message).toBe('`run` has no `at`; it has `id` and `name`');
});
