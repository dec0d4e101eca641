import { expect, test } from 'vitest';
import { cellWidth } from '../../src/model/text/cells.ts';
import { hangingLines } from '../../src/show/reporters/hanging-lines.ts';

test('what goes on stands under its first word', () => {
  const line = '   +0.3s  to draw: shot[beat=1], shot[beat=2], shot[beat=3] and 6 more; 2 as they were';
  expect(hangingLines(line, 40)).toBe(
    [
      '   +0.3s  to draw: shot[beat=1],',
      '          shot[beat=2], shot[beat=3] and',
      '          6 more; 2 as they were',
    ].join('\n'),
  );
  expect(hangingLines(line, undefined)).toBe(line);
  expect(hangingLines(line, 200)).toBe(line);
});

test('no line is wider than a terminal, and every word is there', () => {
  const line = '   +0.3s  深い森の中 shot[who=somebody]  1280×720, 5.0s, 3.1 MB saved as out/a-rather-long-name.mp4';
  for (let columns = 40; columns <= 120; columns++) {
    const folded = hangingLines(line, columns);
    for (const one of folded.split('\n')) expect(cellWidth(one)).toBeLessThanOrEqual(columns);
    expect(folded.replaceAll(/\s/g, '')).toBe(line.replaceAll(/\s/g, ''));
  }
});

test('a command is not folded: it is copied', () => {
  const command = `          shotlist pick two.yaml best ${'x'.repeat(80)} --draft`;
  expect(hangingLines(command, 40)).toBe(command);
});
