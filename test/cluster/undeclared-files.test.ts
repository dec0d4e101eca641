/** What commands read of their project and nobody declared, as far as it can be seen. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/excerpt.ts';
import { diskProjectFiles } from '../../src/session/disk-project-files.ts';
import { programsOf, undeclaredFiles } from '../../src/session/team/undeclared-files.ts';
import { temporaryFolder } from '../support/temp.ts';

const FILES = ['data/beats.csv', 'tools/sheet.py', 'tools/words.txt', 'films/notes.txt', 'out.mp4'];

async function found(step: string, declared: readonly string[] = []) {
  const root = await temporaryFolder();
  for (const path of FILES) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), path);
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
  expect(
    formatDiagnostics(mistakes),
  ).toBe(`films/fox.yaml:5:15: error: the command reads data/beats.csv, which workers do not get; name it under \`files:\` (\`files: { beats: ../data/beats.csv }\`), and read \`$beats\`
  5 |     run: cat "$SHOTLIST_PROJECT/data/beats.csv"
    |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

1 error`);
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
