/** What commands read of their project and nobody declared, as far as it can be seen. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { diskProjectFiles } from '../../src/app/disk-project-files.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import { programsOf, undeclaredFiles } from '../../src/team/worker/undeclared-files.ts';
import { linesOf } from '../language/said.ts';
import { temporaryFolder } from '../support/temp.ts';

const FILES = ['data/beats.csv', 'tools/sheet.py', 'tools/words.txt', 'films/notes.txt', 'out.mp4'];

async function found(step: string, declared: readonly string[] = [], texts: { readonly [path: string]: string } = {}) {
  const root = await temporaryFolder();
  for (const path of [...FILES, ...Object.keys(texts)]) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), texts[path] ?? path);
  }
  const file = join(root, 'films', 'fox.yaml');
  const text = `shotlist: 1\nname: fox\nsteps:\n  cards:\n${step.replaceAll('ROOT', root).replaceAll(/^/gm, '    ')}\n`;
  const source = { path: 'films/fox.yaml', text };
  const compiled = compile(source, modelLibrary, { files: diskProjectFiles(file, root), data: {} });
  if (!compiled.pipeline) throw new Error(formatDiagnostics(compiled.diagnostics));
  const manifest = Object.fromEntries(declared.map(path => [path, { sha256: '', bytes: 0 }]));
  const mistakes = undeclaredFiles(compiled.pipeline, { root, pipelineFile: file }, manifest);
  return {
    mistakes,
    programs: programsOf(compiled.pipeline, root).map(path => path.slice(root.length + 1)),
    root,
    text,
  };
}

test.each([
  ['an argument', 'run: [python3, data/beats.csv]', 'data/beats.csv'],
  ['an argument behind its name', 'run: [python3, --beats=data/beats.csv]', 'data/beats.csv'],
  ['an argument from the folder of the pipeline', 'run: [cat, notes.txt]', 'films/notes.txt'],
  ['an absolute path', 'run: "cat ROOT/data/beats.csv"', 'data/beats.csv'],
  ['a path below the project', 'run: cat "$SHOTLIST_PROJECT/data/beats.csv"', 'data/beats.csv'],
  ['a path in a script that goes there', 'run: cd $SHOTLIST_PROJECT && cat data/beats.csv', 'data/beats.csv'],
])('%s', async (_, step, path) => {
  const { mistakes } = await found(step);
  expect(mistakes.map(({ message }) => message)).toEqual([
    expect.stringContaining(`the command reads ${path}, which workers do not get`),
  ]);
  expect((await found(step, [path])).mistakes).toEqual([]);
});

test('it is told with its place, and how it is declared', async () => {
  const { mistakes } = await found('run: cat "$SHOTLIST_PROJECT/data/beats.csv"');
  expect(linesOf(mistakes)).toMatchInlineSnapshot(
    `"films/fox.yaml:5:15 ‹$SHOTLIST_PROJECT/data/beats.csv› the command reads data/beats.csv, which workers do not get; name it under \`files:\` (\`files: { beats: ../data/beats.csv }\`), and read \`$beats\`"`,
  );
});

test('a folder is nothing that is handed in', async () => {
  const { mistakes } = await found('run: python3 -m tools "$SHOTLIST_PROJECT/tools"');
  expect(mistakes.map(({ message }) => message)).toEqual([
    expect.stringContaining('the command reads the folder tools'),
  ]);
});

test.each([
  ['what the command creates itself', 'run: [ffmpeg, out.mp4]\ncreates: { film: out.mp4 }'],
  ['a relative path in a script that stays in its empty folder', 'run: "echo x >out.mp4; cat out.mp4"'],
  ['what is not there', 'run: [cat, data/none.csv]'],
  ['the project itself', 'run: ls "$SHOTLIST_PROJECT"'],
  ['what lies outside', 'run: cat /etc/hostname'],
])('%s is no mistake', async (_, step) => {
  expect((await found(step)).mistakes).toEqual([]);
});

test('a program that is run by a relative path goes with the film', async () => {
  const { mistakes, programs } = await found('run: [tools/sheet.py, hello]');
  expect([mistakes, programs]).toEqual([[], ['tools/sheet.py']]);
});

const GOES_ON = 'which workers do not get';
const PERHAPS = 'and workers do not get it';

test.each([
  ['an absolute path', 'run: "cat $WORDS"\nenv: { WORDS: ROOT/tools/words.txt }', 'error'],
  [
    'one that the script puts below the project',
    'run: cat "$SHOTLIST_PROJECT/$WORDS"\nenv: { WORDS: tools/words.txt }',
    'error',
  ],
  [
    'one for a script that goes there',
    'run: cd "$SHOTLIST_PROJECT" && cat $WORDS\nenv: { WORDS: tools/words.txt }',
    'error',
  ],
  ['one of which nobody can tell', 'run: [reader]\nenv: { WORDS: tools/words.txt }', 'hint'],
])('in the environment: %s', async (_, step, severity) => {
  const { mistakes, text } = await found(step);
  expect(mistakes.map(one => [one.severity, text.slice(one.span.start, one.span.end)])).toEqual([
    [severity, expect.stringMatching(/tools\/words\.txt$/)],
  ]);
  expect((await found(step, ['tools/words.txt'])).mistakes).toEqual([]);
});

test.each([
  ['a word that is also the name of a file', 'run: [echo, notes]', { notes: '' }],
  ['a path in a script that may mean something else', 'run: cat "$SHOTLIST_PROJECT/a.txt"; echo tools/words.txt', {}],
])('%s is a hint', async (_, step, texts) => {
  const { mistakes } = await found(step, [], texts);
  expect(mistakes.map(({ severity, message }) => [severity, message])).toEqual([
    ['hint', expect.stringContaining(PERHAPS)],
  ]);
});

test.each([
  ['what is written', 'run: echo fox >"$SHOTLIST_PROJECT/data/beats.csv"'],
  ['a comment', 'run: "# see $SHOTLIST_PROJECT/data/beats.csv\\necho fox"'],
  ['a word of the environment without a path', 'run: [reader]\nenv: { WORDS: LICENSE }'],
])('%s is no mistake', async (_, step) => {
  expect((await found(step, [], { LICENSE: '' })).mistakes).toEqual([]);
});

const PYTHON = 'import os\nfrom pathlib import Path\n';
const SHEET = 'run: python3 "$SHOTLIST_PROJECT/tools/sheet.py"';

test.each([
  [
    'joined to the project',
    'tools/sheet.py',
    `${PYTHON}open(os.environ["SHOTLIST_PROJECT"] + "/data/beats.csv")`,
    'data/beats.csv',
  ],
  [
    'joined as a path',
    'tools/sheet.py',
    `${PYTHON}Path(os.environ["SHOTLIST_PROJECT"]) / "data/beats.csv"`,
    'data/beats.csv',
  ],
  [
    'joined by a function',
    'tools/sheet.mjs',
    "read(join(process.env.SHOTLIST_PROJECT, 'data/beats.csv'))",
    'data/beats.csv',
  ],
  ['in a template', 'tools/sheet.mjs', 'read(`${process.env.SHOTLIST_PROJECT}/data/beats.csv`)', 'data/beats.csv'],
  ['in a shell', 'tools/sheet.sh', 'cat "$SHOTLIST_PROJECT/data/beats.csv"', 'data/beats.csv'],
  ['beside the script', 'tools/sheet.py', `${PYTHON}Path(__file__).parent / "words.txt"`, 'tools/words.txt'],
  [
    'beside the script, by its folder',
    'tools/sheet.py',
    `${PYTHON}os.path.join(os.path.dirname(__file__), "words.txt")`,
    'tools/words.txt',
  ],
  ['beside a module', 'tools/sheet.mjs', "new URL('./words.txt', import.meta.url)", 'tools/words.txt'],
  ['imported', 'tools/sheet.mjs', "import { words } from './words.mjs';", 'tools/words.mjs'],
  ['beside a shell script', 'tools/sheet.sh', '. "$(dirname "$0")/words.txt"', 'tools/words.txt'],
])('in a script that goes with the film: %s', async (_, script, text, path) => {
  const step = SHEET.replace('tools/sheet.py', script);
  const texts = { [script]: text, 'tools/words.mjs': '' };
  const { mistakes } = await found(step, [script], texts);
  expect(mistakes.map(({ severity, message }) => [severity, message])).toEqual([
    ['error', expect.stringContaining(`this script reads ${path}, ${GOES_ON}`)],
  ]);
  const [{ source, span } = { source: { text: '' }, span: { start: 0, end: 0 } }] = mistakes;
  expect(path.endsWith(source.text.slice(span.start, span.end).replace(/^\.?\//, ''))).toBe(true);
  expect((await found(step, [script, path], texts)).mistakes).toEqual([]);
});

test.each([
  ['a path of which nobody can tell', 'tools/sheet.py', 'open("data/beats.csv")'],
  ['a module beside it', 'tools/sheet.py', 'import words'],
])('in a script that goes with the film, %s is a hint', async (_, script, text) => {
  const { mistakes } = await found(SHEET, [script], { [script]: text, 'tools/words.py': '' });
  expect(mistakes.map(({ severity, message }) => [severity, message])).toEqual([
    ['hint', expect.stringContaining(PERHAPS)],
  ]);
});

test.each([
  ['a comment', 'tools/sheet.py', `${PYTHON}# os.environ["SHOTLIST_PROJECT"] + "/data/beats.csv"`],
  ['what it writes', 'tools/sheet.py', `${PYTHON}open(os.environ["SHOTLIST_PROJECT"] + "/data/beats.csv", "w")`],
  ['what is not there', 'tools/sheet.py', `${PYTHON}open(os.environ["SHOTLIST_PROJECT"] + "/data/none.csv")`],
  ['what is data', 'tools/sheet.csv', '"$SHOTLIST_PROJECT/data/beats.csv"'],
])('in a file that goes with the film, %s is no mistake', async (_, script, text) => {
  const { mistakes } = await found(SHEET.replace('tools/sheet.py', script), [script], { [script]: text });
  expect(mistakes).toEqual([]);
});

test('a script is told with its place, and under which step its file is named', async () => {
  const text = `${PYTHON}open(os.environ["SHOTLIST_PROJECT"] + "/data/beats.csv")\n`;
  const { mistakes, root } = await found(SHEET, ['tools/sheet.py'], { 'tools/sheet.py': text });
  const shown = linesOf(mistakes).replaceAll(relative('', root), '.');
  expect(shown).toMatchInlineSnapshot(
    `"./tools/sheet.py:3:41 ‹data/beats.csv› this script reads data/beats.csv, which workers do not get; name it under \`files:\` of step \`cards\` (\`files: { beats: ../data/beats.csv }\`): it has the same place in the project there"`,
  );
});
