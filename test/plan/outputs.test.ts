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
  expect(shown(film('["a b", "A/b"]', 'out/{name}.mp4'))).toBe(
    `film.yaml:13:9: error: shot[name="a b"] and shot[name=A/b] would both be written to out/A-b.mp4; give each a path of its own
 13 |     to: out/{name}.mp4
    |         ^^^^^^^^^^^^^^

1 error`,
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
