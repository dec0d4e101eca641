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
  expect(names.toSorted()).toEqual(Object.keys(messages).toSorted());
});
