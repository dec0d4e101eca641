import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { GROUPS, helpOf } from '../src/cli/command-line/commands.ts';
import { readVice, VICES } from '../src/studio/service/vices/vice-table.ts';

const readme = readFileSync('README.md', 'utf8');
const commands = readFileSync('pipelines/guide/commands.md', 'utf8');
const badDays = readFileSync('pipelines/guide/bad-days.md', 'utf8');

test('the film that it shows is the film that its first command runs', () => {
  const [, shown = ''] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
  const [, file = ''] = /shotlist run (\S+)/.exec(readme) ?? [];
  const { description: _, ...film } = parse(readFileSync(file, 'utf8'));
  expect(parse(shown)).toEqual(film);
  expect(shown.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
});

test('the guide lists every command once, as help does', () => {
  const rows = [...commands.matchAll(/^\| `shotlist (.*)` \| (.*) \|$/gm)].map(([, usage = '', brief]) => ({
    usage: usage.replaceAll('\\|', '|'),
    brief,
  }));
  const inGroups = Object.values(GROUPS).flatMap(({ commands }) => commands.map(helpOf));
  expect(rows).toEqual(inGroups.map(({ usage, brief }) => ({ usage, brief })));
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
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(84);
  const links = [...readme.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  expect(links.filter(link => !link.startsWith('https://') && !existsSync(link))).toEqual([]);
});
