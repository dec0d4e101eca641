import { describe, expect, it, test } from 'vitest';
import { outputProblem } from '../../src/language/output-path.ts';
import { told } from './said.ts';

const STEPS = `steps:
  one: { model: V-T2V-A, with: { prompt: x } }
  still: { model: I-GEN-A, with: { prompt: x } }
  told: { model: C-A, with: { prompt: x } }
  cmd: { run: [ls], creates: { clip: clip.mp4, log: log.txt, card: card.png } }
`;
const saved = (from: string, to: string): string =>
  told(`${STEPS}outputs:\n  film: { from: "\${{ steps.${from} }}", to: ${JSON.stringify(to)} }\n`);
const said1 = (path: string, pipeline = 'films/fox.yaml') => outputProblem(path, pipeline)?.message;

test('a place that belongs to somebody else is refused, pointed at, and another one named', () => {
  expect(`\n${saved('one', '.git/hooks/pre-commit')}\n`).toBe(`
9:41 ‹".git/hooks/pre-commit"› \`.git/hooks/pre-commit\` lies in \`.git\`, which belongs to other tools; write it elsewhere, like \`out/pre-commit\`
`);
});

describe('refused', () => {
  it.each([
    '.git/config',
    '.GIT/config',
    'sub/.git/hooks/x',
    '.git./hooks/x',
    '.gi\u200ct/config',
    'git~1/config',
    '.shotlist/journal.db',
    'node_modules/left-pad/index.js',
    'Node_Modules/x.mp4',
    '.github/workflows/ci.yml',
    '.vscode/tasks.json',
    '.env',
    'out/.hidden.mp4',
    'package.json',
    'tools/PACKAGE.JSON',
    'shotlist.config.yaml',
    'films/fox.lock.yaml',
    'films/fox.yaml',
    'Films/Fox.YAML',
    'fox.yaml',
    'Makefile',
    'out/nul.mp4',
    'out/COM1',
    'aux/film.mp4',
    'out/a\u0000b.mp4',
    'out/a\u001b[2J.mp4',
    'out/a\nb.mp4',
    `out/${'x'.repeat(252)}.mp4`,
    `out/${'狐'.repeat(84)}.mp4`,
    `${'x'.repeat(256)}/film.mp4`,
  ])('%j', path => {
    // A sentence that says what to do.
    expect(said1(path)).toMatch(/; (write|give|take|choose|shorten) /);
  });
});

it.each([
  'out/film.mp4',
  'film.mp4',
  `out/${'x'.repeat(251)}.mp4`,
  `out/${'{shot}'.repeat(60)}.mp4`,
  'out/git/film.mp4',
  'out/console.mp4',
  'out/com10.mp4',
  'out/fox.json',
  'out/a..b.mp4',
  'out/狐狸.mp4',
])('%j is a place for a film', path => expect(said1(path)).toBe(undefined));

test('an ending that lies is an error where the kind is known', () => {
  expect(saved('one', 'out/film.png')).toBe(
    '9:41 ‹"out/film.png"› `out/film.png` ends like an image, and this is a video; give it the ending of a video, like `.mp4`',
  );
  expect(saved('told', 'out/script.mp4')).toBe(
    '9:42 ‹"out/script.mp4"› `out/script.mp4` ends like a video, and this is a text; give it an ending of texts, like `.json`',
  );
  expect(saved('cmd.files.card', 'out/card.mp4')).toBe(
    '9:52 ‹"out/card.mp4"› `out/card.mp4` ends like a video, and this is an image; give it the ending of an image, like `.png`',
  );
  expect(saved('cmd.files.log', 'out/log.wav')).toContain('ends like audio, and this is a text');
  expect(saved('still', 'out/still.txt')).toContain('ends like a text, and this is an image');
});

test('within its kind, and where an ending promises nothing, only the file itself can tell', () => {
  for (const [from, to] of [
    ['one', 'out/film.mov'],
    ['one', 'out/film'],
    ['still', 'out/still.jpg'],
    ['told', 'out/script.md'],
    ['cmd.files.clip', 'out/clip.webm'],
    ['cmd.files.log', 'out/log'],
  ] as const)
    expect([to, saved(from, to)]).toStrictEqual([to, '']);
});

test('no output is a folder of another', () => {
  const outputs = `outputs:
  a: { from: "\${{ steps.one }}", to: out/film }
  b: { from: "\${{ steps.still }}", to: out/Film/still.png }
`;
  expect(`\n${told(STEPS + outputs)}\n`).toBe(`
10:40 ‹out/Film/still.png› \`out/Film/still.png\` lies inside \`out/Film\`, which is an output too and cannot be a folder; give it another name
  note 9:38 ‹out/film› and here
`);
});
