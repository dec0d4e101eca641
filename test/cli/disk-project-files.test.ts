/** Files beside a pipeline, on a real disk: nothing outside the project is read, whatever leads there. */
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { diskProjectFiles } from '../../src/app/disk-project-files.ts';

let outside = '';
let root = '';
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'shotlist-files-'));
  root = join(outside, 'project');
  mkdirSync(join(root, 'films/in'), { recursive: true });
  writeFileSync(join(outside, 'secret.csv'), 'a\n1\n');
});

const files = () => diskProjectFiles(join(root, 'films/film.yaml'), root);
const put = (path: string, content: string | Uint8Array) => writeFileSync(join(root, path), content);
const problem = (path: string): string => {
  const read = files().read(path);
  return 'problem' in read ? read.problem : read.text;
};

test('a text beside the pipeline, one above it in the project, and the same from another folder', () => {
  put('films/a.csv', 'x\n1\n');
  put('shared.md', 'hello');
  expect(files().read('a.csv')).toMatchObject({ text: 'x\n1\n', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(problem('../shared.md')).toBe('hello');
  expect(files().relativeTo('in/part.yaml').read('../a.csv')).toMatchObject({ text: 'x\n1\n' });
});

test('nothing outside the project, by name or by a link', () => {
  symlinkSync(join(outside, 'secret.csv'), join(root, 'films/link.csv'));
  symlinkSync('loop.csv', join(root, 'films/loop.csv'));
  expect(problem('../../secret.csv')).toMatch(/^lies outside the project, with the root .*project; copy it there/);
  expect(problem(join(outside, 'secret.csv'))).toMatch(/^is an absolute path, with the root/);
  expect(problem('link.csv')).toMatch(/^lies outside the project/);
  expect(problem('loop.csv')).toBe('is a link that leads to itself');
  expect(files().list('../../*.csv')).toMatchObject({ problem: expect.stringMatching(/^lies outside the project/) });
});

test('what is no text', () => {
  put('films/latin.csv', new Uint8Array([0x66, 0xfc, 0x72]));
  put('films/shut.csv', 'x');
  chmodSync(join(root, 'films/shut.csv'), 0);
  expect(problem('none.csv')).toBe('does not exist');
  expect(problem('in')).toBe('is a folder; name a file in it');
  expect(problem('latin.csv')).toBe('is not UTF-8 text; save it as UTF-8');
  if (process.getuid?.() !== 0) expect(problem('shut.csv')).toBe('may not be read; change its permissions');
  expect(problem('a\0b.csv')).toBe('is a name that no file can have');
});

test('a glob gives files alone, 2 before 10', () => {
  for (const name of ['fox 10.jpg', 'fox 2.jpg', 'owl.jpg', 'owl.txt']) put(`films/in/${name}`, '');
  mkdirSync(join(root, 'films/in/folder.jpg'));
  expect(files().list('in/*.jpg')).toEqual({ paths: ['in/fox 2.jpg', 'in/fox 10.jpg', 'in/owl.jpg'] });
  expect(files().list('in/**/*.png')).toEqual({ paths: [] });
});
