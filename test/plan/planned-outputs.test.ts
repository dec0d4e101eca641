import { expect, test } from 'vitest';
import { planOf, shown } from './support.ts';

const film = (names: string, to: string) => `
params:
  names: { type: array, items: { type: string }, default: ${names} }
steps:
  shot:
    model: V-T2V-A
    matrix: { name: "\${{ params.names }}" }
    with: { prompt: "\${{ matrix.name }}" }
outputs:
  film:
    from: \${{ steps.shot }}
    to: ${to}
`;
const paths = (names: string, to: string) => planOf(film(names, to)).outputs.map(output => output.path);

test('coordinates fill the braces, as names that every file system takes', () => {
  expect(paths('["9:16", "a fox / dusk", "ünder", "x"]', 'out/{name}.mp4')).toStrictEqual([
    'out/9x16.mp4',
    'out/a-fox-dusk.mp4',
    'out/ünder.mp4',
    'out/x.mp4',
  ]);
});

test('no coordinate climbs out of the project or hides a file', () => {
  expect(paths('["../../etc/passwd", "..", "/root/.ssh/key", "C:\\\\windows", ".hidden"]', 'out/{name}')).toStrictEqual(
    ['out/etc-passwd', 'out/x', 'out/root-.ssh-key', 'out/C-windows', 'out/hidden'],
  );
  expect(paths('["..", "a\\u0000b\\u001b[2J"]', '"{name}/film.mp4"')).toStrictEqual(['x/film.mp4', 'a-b-2J/film.mp4']);
});

test('two coordinates that read alike on disk are refused', () => {
  expect(shown(film('["a b", "A/b"]', 'out/{name}.mp4'))).toMatchInlineSnapshot(
    `"13:9 ‹out/{name}.mp4› shot[name="a b"] and shot[name=A/b] would both be written to out/A-b.mp4; give each a path of its own"`,
  );
});

test('one file of a command goes out under its name', () => {
  const made = planOf(`
steps:
  cards:
    run: [make-cards]
    creates: { title: title.png, end: end.png }
outputs:
  title:
    from: \${{ steps.cards.files.title }}
    to: out/title.png
`);
  expect(made.outputs).toStrictEqual([{ name: 'title', instance: 'cards', file: 'title', path: 'out/title.png' }]);
});

test('what coordinates make of a path is asked again: too long, a device, a folder of tools', () => {
  const first = (names: string, to: string) => shown(film(names, to)).split('\n')[0];
  const long = JSON.stringify([`${'狐'.repeat(80)}`]);
  expect(first(long, 'out/a-fox-in-the-snow-{name}.mp4')).toMatch(
    /^13:9 ‹out\/a-fox-in-the-snow-\{name\}\.mp4› the name `a-fox-in-the-snow-狐+…` has 262 bytes, and a file system takes 255; shorten it$/,
  );
  expect(first('["nul"]', 'out/{name}.mp4')).toBe(
    '13:9 ‹out/{name}.mp4› `nul.mp4` is a device on Windows, not a file; choose another name',
  );
  expect(first('["modules"]', 'node_{name}/film.mp4')).toContain('lies in `node_modules`');
});

test('a coordinate that makes one output a folder of another is told before anything is paid for', () => {
  expect(first2()).toBe(
    '16:9 ‹out/a/b-{name}› `out/a/b-a` lies inside `out/a`, which is an output too and cannot be a folder; give it another name',
  );
});

const first2 = () =>
  shown(`${film('["a"]', 'out/{name}')}  deeper:
    from: \${{ steps.shot }}
    to: out/a/b-{name}
`).split('\n')[0];
