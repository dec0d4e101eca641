/** `shotlist explain` as a process, and what the others load of it: nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Stage } from './stage.ts';

const stage = new Stage();
afterAll(() => stage.dispose());

test('a model has the page that `shotlist models` has', async () => {
  const [explained, listed] = [await stage.run('explain', 'V-RT'), await stage.run('models', 'V-RT')];
  const words = ({ stdout }: { readonly stdout: string }) => stdout.split(/\s+/);
  expect(words(explained)).toEqual(words(listed));
  expect(explained.stdout).toContain('  retake_mode');
});

test('a word that means nothing ends with exit code 2 and what is near', async () => {
  const { exit, stdout, stderr } = await stage.run('explain', 'steps.matrx');
  expect([exit, stdout, stderr]).toEqual([
    2,
    '',
    'shotlist: nothing is called `steps.matrx`; did you mean `steps.matrix` or `matrix`?\n',
  ]);
});

test('as JSON, one entry and everything', async () => {
  const one = JSON.parse((await stage.run('explain', 'exit', '6', '--json')).stdout);
  expect([one.topic, one.name]).toEqual(['exit', '6']);
  const all = JSON.parse((await stage.run('explain', '--json')).stdout);
  expect(Object.keys(all)).toEqual(expect.arrayContaining(['keys', 'settings', 'events', 'exit_codes', 'models']));
});

test('at a terminal it is painted, and as wide as that is up to 100 cells', async () => {
  const terminal = stage.startAtTerminal('explain');
  expect(await terminal.exit).toBe(0);
  const text = terminal.text.replaceAll('\r', '');
  expect(text).toContain('\x1b[1mkeys of a file\x1b[22m');
  const lines = text.split('\n').map(line => line.replace(/\x1b\[\d+m/g, ''));
  expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(100);
  expect(lines.some(line => line.length > 80)).toBe(true);
});

test('only explain loads the reference, and nothing the editor’s schema', () => {
  const holding = (text: string) =>
    readdirSync('dist').filter(name => name.endsWith('.js') && readFileSync(join('dist', name), 'utf8').includes(text));
  expect(holding('Shotlist events, version 1').map(name => name.split('-')[0])).toEqual(['explain']);
  expect(holding('Shotlist settings').map(name => name.split('-')[0])).toEqual(['explain']);
  expect(holding('enumDescriptions')).toEqual([]);
});
