import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { modelLibrary } from '../src/api/model-library.ts';
import { COMMAND_NAMES, commandIn } from '../src/cli/command-line/commands.ts';
import { compile } from '../src/language/compile.ts';
import { formatDiagnostics } from '../src/language/excerpt.ts';
import { readVice, VICES } from '../src/studio/service/vices/vice-table.ts';

const readme = readFileSync('README.md', 'utf8');
const commands = readFileSync('pipelines/guide/commands.md', 'utf8');
const badDays = readFileSync('pipelines/guide/bad-days.md', 'utf8');

test('the pipeline on its first screen has no mistake', () => {
  const text = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const { diagnostics } = compile({ path: 'README.md', text }, modelLibrary);
  expect(formatDiagnostics(diagnostics)).toBe('');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
});

test('the guide names no command that --help does not', () => {
  for (const [, command = ''] of commands.matchAll(/^\| `shotlist (\w+( [a-z]+)?)/gm))
    expect([command, commandIn(command.split(' '))?.name]).toEqual([command, expect.any(String)]);
});

test('the guide names only vices that there are, and as many', () => {
  const named = [...badDays.matchAll(/--vice ([\w=.-]+)|vices: \['([^']+)'\]/g)].map(
    ([, flag, option]) => flag ?? option ?? '',
  );
  expect(named.length).toBeGreaterThan(3);
  for (const vice of named) if (vice !== 'list') expect(VICES).toHaveProperty(readVice(vice).name);
  expect(badDays).toContain(`all ${Object.keys(VICES).length}, each in a sentence`);
});

test('it is a screen and a half, and its links and pictures are there', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
  const links = [...readme.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  expect(links.filter(link => !link.startsWith('https://') && !existsSync(link))).toEqual([]);
});

test('the guide names every command', () => {
  expect(COMMAND_NAMES.filter(name => !new RegExp(`\\bshotlist ${name}\\b|\`${name}\``).test(commands))).toEqual([]);
});
