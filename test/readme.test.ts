import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { modelLibrary } from '../src/api/model-library.ts';
import { OVERVIEW } from '../src/cli/command-line/overview.ts';
import { compile } from '../src/language/compile.ts';
import { formatDiagnostics } from '../src/language/excerpt.ts';
import { readVice, VICES } from '../src/studio/service/vices/vice-table.ts';

const readme = readFileSync('README.md', 'utf8');

test('the pipeline on its first screen has no mistake', () => {
  const text = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const { diagnostics } = compile({ path: 'README.md', text }, modelLibrary);
  expect(formatDiagnostics(diagnostics)).toBe('');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
});

test('it names no command that --help does not', () => {
  for (const [, command] of readme.matchAll(/^\| `shotlist (\w+)/gm)) expect(OVERVIEW).toContain(`shotlist ${command}`);
});

test('it names only vices that there are, and as many', () => {
  const named = [...readme.matchAll(/--vice ([\w=.-]+)|vices: \['([^']+)'\]/g)].map(
    ([, flag, option]) => flag ?? option ?? '',
  );
  expect(named.length).toBeGreaterThan(3);
  for (const vice of named) if (vice !== 'list') expect(VICES).toHaveProperty(readVice(vice).name);
  expect(readme).toContain(`all ${Object.keys(VICES).length}, each in a sentence`);
});
