import { expect, test } from 'vitest';
import { told } from './said.ts';

const list = (length: number, from = 0) => `[${Array.from({ length }, (_, n) => n + from).join(', ')}]`;
/** Long lists are not worth reading twice. */
const short = (text: string) => told(text).replaceAll(/\[[0-9, ]{40,}\S*/g, '[…');
const STEP = 'model: I-GEN-A, with: { prompt: x }';

test('a thousand by a thousand by a thousand is told where it becomes too many, with the product', () => {
  const axes = `a: ${list(1000)}\n      b: ${list(1000)}\n      c: ${list(1000)}`;
  expect(
    `\n${short(`steps:\n  shot:\n    matrix:\n      ${axes}\n    model: I-GEN-A\n    with: { prompt: x }\n`)}\n`,
  ).toBe(`
7:7 ‹b› step \`shot\` would have 1,000 × 1,000 × 1,000 = 1,000,000,000 instances, and a step has at most 10,000; take values out, or make it several films
`);
});

test('what is made from each of a step counts with it, and what is made from that is not told again', () => {
  const text = `steps:
  shot: { matrix: { n: ${list(8000)} }, ${STEP} }
  wide: { each: "\${{ steps.shot }}", matrix: { r: [1, 2], include: [{ r: 3 }] }, ${STEP} }
  last: { each: "\${{ steps.wide }}", ${STEP} }
`;
  expect(short(text)).toBe(
    '5:48 ‹r› step `wide` would have 8,000 of `shot` × (2 + 1) = 24,000 instances, and a step has at most 10,000; take values out, or make it several films',
  );
  expect(short(text)).not.toContain('\n\n');
});

test('ten thousand are a film, and ten of them still are', () => {
  const steps = (count: number) =>
    Array.from({ length: count }, (_, s) => `  s${s}: { matrix: { n: ${list(10_000)} }, ${STEP} }\n`).join('');
  expect(short(`steps:\n${steps(10)}`)).toBe('');
  const words = short(`steps:\n${steps(10)}  more: { ${STEP} }\n`);
  expect(words).toBe(
    '14:3 ‹more› with step `more` the film would have 100,001 instances, and a film has at most 100,000; make it several films',
  );
});
