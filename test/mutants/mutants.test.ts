/** The table of planted bugs fits the sources as they are. `npm run mutants` plants them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MUTANTS } from './mutants.ts';

test('every room of src/ has one', () => {
  const rooms = readdirSync('src', { withFileTypes: true }).filter(entry => entry.isDirectory());
  expect([...new Set(MUTANTS.map(({ room }) => room))].sort()).toEqual(rooms.map(({ name }) => name).sort());
});

test.each(MUTANTS)('$room: $name', ({ room, file, from, to, tests }) => {
  const text = readFileSync(file, 'utf8');
  expect(file.startsWith(`src/${room}/`)).toBe(true);
  expect(text.split(from)).toHaveLength(2);
  expect(text).not.toContain(to);
  expect(tests.filter(path => !existsSync(path))).toEqual([]);
  expect(tests.length).toBeGreaterThan(0);
});
