import { expect, test } from 'vitest';
import { formatDiagnostics } from '../../src/language/excerpt.ts';
import { outOfReach } from '../../src/plan/reach.ts';
import { planOf, Shelf } from './support.ts';

const FILM = `
steps:
  tall:
    matrix: { ratio: ["9:16", "1:1"] }
    model: V-RF
    with:
      input_video: media/clip.mp4
      aspect_ratio: \${{ matrix.ratio }}
      prompt: snow
  shot:
    model: V-T2V-A
    with: { prompt: a fox }
`;
const clip = {
  sha256: 'ab'.repeat(32),
  facts: { kind: 'video', duration: 5 },
  url: 'file:///films/media/clip.mp4',
} as const;
const world = { service: 'prod', files: { 'media/clip.mp4': clip } };

test('a file of this machine is said to be out of a far service’s reach once, before anything is paid for', () => {
  expect(formatDiagnostics(outOfReach(planOf(FILM, world)))).toBe(`\
film.yaml:4:3: error: step \`tall\` sends a file of this machine, and prod is on another; put the file where it can be read, and write its https:// address
  4 |   tall:
    |   ^^^^

1 error`);
});

test('what is owned already is not sent, and reads no file', () => {
  const shelf = new Shelf();
  shelf.make(planOf(FILM, world), world);
  expect(outOfReach(planOf(FILM, { ...world, owned: shelf }))).toEqual([]);
});
