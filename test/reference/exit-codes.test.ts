/** The types hold every command to the table of exit codes; here the table is held to what is told of it, and to what ends before the types are there. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answerHelp } from '../../src/cli/command-line/answer-help.ts';
import { EXIT_CODES } from '../../src/cli/errors/exit-codes.ts';
import { INTERRUPTED } from '../../src/cli/terminal/signals.ts';

const codes = Object.keys(EXIT_CODES).map(Number);

test('each stands in the help and in the reference', () => {
  const readme = readFileSync('schema/README.md', 'utf8');
  const run = answerHelp(['help', 'run'])?.text.replace(/\s+/g, ' ');
  for (const [code, { brief, about }] of Object.entries(EXIT_CODES)) {
    expect(run).toContain(` ${code} ${brief}`);
    expect(readme).toContain(`| \`${code}\` | ${about} |`);
  }
});

test('the process sets no other', () => {
  expect(codes).toContain(INTERRUPTED);
  for (const file of ['entry.ts', 'main.ts', 'terminal/signals.ts']) {
    const text = readFileSync(new URL(`../../src/cli/${file}`, import.meta.url), 'utf8');
    const set = [...text.matchAll(/exitCode = ([^;]+);|process\.exit\((\d+)\)/g)].flatMap(([, value = '', code = '']) =>
      [...`${value} ${code}`.matchAll(/\b\d+\b/g)].map(([number]) => Number(number)),
    );
    expect(set.filter(code => !codes.includes(code))).toEqual([]);
  }
});
