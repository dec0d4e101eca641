import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDiagnostics } from '../../../src/language/yaml/excerpt.ts';
import { type Judge, judgeIn, type Verdict } from './judge.ts';
import { readMistakes } from './read-mistakes.ts';

const mistakes = readMistakes();
const verdicts: Verdict[] = [];
let judge: Judge;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shotlist-'));
  judge = await judgeIn(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

for (const mistake of mistakes)
  test(`${mistake.topic}: ${mistake.name}`, async () => {
    const { said, ...is } = await judge(mistake);
    verdicts.push({ said, ...is });
    const wanted = mistake.expected.map(
      ({ severity, code, advice, start, end }) =>
        `${severity} ${code} at «${mistake.text.slice(start, end)}»: ${advice.join(' ~ ')}`,
    );
    const all = { found: true, caret: true, advice: true, mends: true, alone: true, agreed: true };
    expect(is, `${formatDiagnostics(said)}\n\nwanted:\n${wanted.join('\n')}`).toEqual(all);
  });

test('of more than 150 mistakes every one is found, at its place, with its advice, and nothing else is said', () => {
  const { length } = mistakes;
  const count = (what: 'found' | 'caret' | 'advice' | 'alone') => verdicts.filter(verdict => verdict[what]).length;
  expect(length).toBeGreaterThanOrEqual(150);
  expect([count('found'), count('caret'), count('advice'), count('alone')]).toEqual([length, length, length, length]);
});
