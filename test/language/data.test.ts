/** `data:`: files beside the pipeline, typed by their ending. */
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import type { ProjectFiles } from '../../src/language/used-files.ts';
import type { Json } from '../../src/model/text/json.ts';
import { linesOf } from './said.ts';

const folder = (files: { readonly [path: string]: string }): ProjectFiles => ({
  read: path => (files[path] === undefined ? { problem: 'does not exist' } : { path, text: files[path], sha256: 'ab' }),
  list: pattern => {
    const ending = pattern.slice(pattern.lastIndexOf('*') + 1);
    return { paths: Object.keys(files).filter(path => path.endsWith(ending)) };
  },
  relativeTo: () => folder(files),
});

const compiled = (text: string, files: { readonly [path: string]: string }, data = {}) =>
  compile({ path: 'film.yaml', text: `shotlist: 1\nname: film\n${text}` }, modelLibrary, {
    files: folder(files),
    data,
  });

const said = (text: string, files: { readonly [path: string]: string }, data = {}): string =>
  linesOf(compiled(text, files, data).diagnostics);

const read = (path: string, text: string): Json | undefined => {
  const { pipeline, diagnostics } = compiled(`data: { x: ${path} }\nsteps: { a: { run: [ls] } }`, { [path]: text });
  const [data] = pipeline?.data ?? [];
  return data?.is === 'value' ? data.value : diagnostics.map(({ message }) => message).join('\n');
};

test('rows of a table: columns of numbers hold numbers, others texts', () => {
  expect(read('a.csv', 'slug,seed,loud,code,part\nbar,1,true,007,1.5\n"a, ""b""",22,false,8,\n')).toEqual([
    { slug: 'bar', seed: 1, loud: true, code: '007', part: 1.5 },
    { slug: 'a, "b"', seed: 22, loud: false, code: '8', part: null },
  ]);
  expect(read('a.csv', '\uFEFFname\r\nb\r\n')).toEqual([{ name: 'b' }]);
  // As spreadsheets write it where numbers have commas.
  expect(read('a.csv', 'name;look\r\nb;red, wet\r\n')).toEqual([{ name: 'b', look: 'red, wet' }]);
  expect(read('a.csv', '"a;b",c\n1,2\n')).toEqual([{ 'a;b': 1, c: 2 }]);
  expect(read('a.tsv', 'a\tb\n1\t2\n')).toEqual([{ a: 1, b: 2 }]);
  expect(read('a.csv', 'a,__proto__\n1,2\n')).toEqual([JSON.parse('{"a":1,"__proto__":2}')]);
});

test('a column of prices, versions or zip codes keeps what is written: no number prints otherwise than its cell', () => {
  const table = (cells: readonly string[]) => read('a.csv', `x\n${cells.join('\n')}\n`);
  for (const cells of [
    ['20.00', '5'],
    ['1.10', '1.9'],
    ['01234'],
    ['1e3'],
    ['+5'],
    ['-0'],
    ['9007199254740993'],
    ['NaN'],
  ])
    expect(table(cells)).toEqual(cells.map(x => ({ x })));
  expect(table(['20', '-0.5', '0', '1.25'])).toEqual([20, -0.5, 0, 1.25].map(x => ({ x })));
});

test('json, lines of json, yaml and texts', () => {
  expect(read('a.json', '[{"a": 1}]')).toEqual([{ a: 1 }]);
  expect(read('a.jsonl', '{"a": 1}\n\n{"a": 2}\n')).toEqual([{ a: 1 }, { a: 2 }]);
  expect(read('a.yaml', '- { ratio: 9:16 }\n')).toEqual([{ ratio: '9:16' }]);
  expect(read('a.md', '# You are a director\n')).toBe('# You are a director\n');
});

test('a file that is wrong, with the line in it', () => {
  expect(read('a.csv', '')).toBe('`a.csv` cannot be read: it is empty; its first line names the columns');
  expect(read('a.json', '[1')).toMatch(/^`a\.json` cannot be read: it is no JSON: /);
  expect(read('a.json', '[1,]')).toBe(
    '`a.json` cannot be read: line 1: JSON has no comma behind the last value; take it out',
  );
  expect(read('a.jsonl', '{}\nno\n')).toMatch(/^`a\.jsonl` cannot be read: line 2: it is no JSON: /);
  expect(read('a.yaml', 'a: 1\na: 2\n')).toBe('`a.yaml` cannot be read: line 2: `a` is declared twice; keep one');
  expect(read('a.yaml', `a: &a [1]\n${'b: [*a, *a, *a, *a, *a, *a, *a]\n'.replace('b', 'b')}`)).toEqual({
    a: [1],
    b: Array.from({ length: 7 }, () => [1]),
  });
  expect(read('a.bin', 'x')).toMatch(/^`a\.bin` has an ending that tells nothing of its content; data is \.csv/);
});

const SCENES = { 'scenes.csv': 'slug,look,seed\nbar,neon,1\nstreet,rain,2\n' };
const shot = (prompt: string) => `data: { scenes: scenes.csv }
steps:
  shot:
    matrix: { scene: "\${{ data.scenes }}" }
    key: \${{ matrix.scene.slug }}
    model: V-T2V-A
    with: { prompt: "${prompt}", seed: "\${{ matrix.scene.seed }}" }
`;

test('columns are checked like fields', () => {
  expect(said(shot('${{ matrix.scene.look }}'), SCENES)).toBe('');
  expect(said(shot('${{ matrix.scene.lok }}'), SCENES)).toMatchInlineSnapshot(
    `"9:39 ‹lok› \`matrix.scene\` (a row) has no \`lok\`; did you mean \`look\`?"`,
  );
  expect(said(shot('${{ data.scene[0].look }}'), SCENES)).toMatchInlineSnapshot(
    `"9:31 ‹scene› no data is called \`scene\`; did you mean \`scenes\`?"`,
  );
});

test('a file that is not there, one that replaces it, and a name that nobody knows', () => {
  expect(said(shot('x'), {})).toMatchInlineSnapshot(`"3:17 ‹scenes.csv› \`scenes.csv\` does not exist"`);
  expect(said(shot('${{ matrix.scene.look }}'), { 'other.csv': SCENES['scenes.csv'] }, { scenes: 'other.csv' })).toBe(
    '',
  );
  expect(said(shot('x'), SCENES, { scene: 'other.csv' })).toMatchInlineSnapshot(
    `"1:1 ‹› \`--data scene=…\` replaces nothing, for the file has no data called \`scene\`; did you mean \`scenes\`?"`,
  );
});

test('files by a glob are media of their kind', () => {
  const edit = (code: string) => `data: { photos: "in/*.jpg" }
steps:
  edit:
    matrix: { photo: "\${{ data.photos }}" }
    key: \${{ matrix.photo.name }}
    model: I-EDIT-C
    with: { prompt: x, input_image: ["\${{ ${code} }}"] }
`;
  const photos = { 'in/a.jpg': '', 'in/b.jpg': '' };
  expect(said(edit('matrix.photo.file'), photos)).toBe('');
  expect(said(edit('matrix.photo.sha256'), photos)).toMatchInlineSnapshot(
    `"9:38 ‹"\${{ matrix.photo.sha256 }}"› an entry of \`input_image\` of I-EDIT-C takes the address of an image, but this leads to none; read \`result_url\`"`,
  );
  expect(said(edit('matrix.photo.file'), {})).toMatchInlineSnapshot(
    `"3:17 ‹"in/*.jpg"› no file matches \`in/*.jpg\`; it is looked for from the pipeline's folder"`,
  );
});
