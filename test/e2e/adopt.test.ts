/** A person's own file in the place of a result, as whole processes see it. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
  stage.write('film.yaml', FILM);
  stage.write('my.png', PNG);
});
afterEach(() => stage.dispose());

/** One white pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
  'base64',
);

/** `still` is made of what `look` writes; `size` reads it. */
const FILM = `shotlist: 1
name: adopted
steps:
  look: { model: C-D, with: { prompt: a look, max_tokens: 100 } }
  still: { matrix: { beat: [1, 2] }, model: I-GEN-A, with: { prompt: "\${{ steps.look.text }} \${{ matrix.beat }}" } }
  size:
    each: "\${{ steps.still }}"
    run: 'wc -c <"$film" | tr -d " "; echo "$BEAT" >>"$SHOTLIST_PROJECT/made"'
    files: { film: "\${{ each.file }}" }
    env: { BEAT: "\${{ string(matrix.beat) }}" }
`;
const run = (...args: readonly string[]) => stage.run(...args);
const adopt = (...more: readonly string[]) => run('adopt', 'film.yaml', ...more);

test('it stands in at once, costs nothing, and needs nothing that it would be made from', async () => {
  const both = [
    await stage.run('adopt', 'film.yaml', 'still[beat=1]', 'my.png', '--as', 'Ann'),
    await adopt('still[beat=2]', 'my.png', '--as', 'Ann'),
  ];
  expect(both.map(({ exit }) => exit)).toEqual([0, 0]);
  expect(both[0]?.stderr).toContain("to give it up: shotlist adopt film.yaml 'still[beat=1]' --undo");
  const plan = await ends(run('plan', 'film.yaml', '--frozen'), 0);
  expect(plan.stdout).toMatch(/out {4}look {2}needed for still\[beat=1\] alone, which is adopted/);
  expect(plan.stdout).toMatch(/hit {4}still × 2 {2}adopted from my\.png by Ann, \d{4}-\d\d-\d\d/);
  await ends(run('run', 'film.yaml', '--frozen'), 0);
  // The request may change: what a person has put there stays.
  stage.write('film.yaml', FILM.replace('a look', 'another look'));
  await ends(run('run', 'film.yaml', '--frozen'), 0);
});

test('a fresh clone has it where the file is in git, and says what is missing where it is not', async () => {
  await adopt('still', 'my.png').then(({ exit, stderr }) =>
    expect([exit, stderr]).toEqual([2, expect.stringContaining('name one of them')]),
  );
  await adopt('still[beat=1]', 'my.png');
  await adopt('still[beat=2]', 'my.png');
  rmSync(stage.at('.shotlist'), { recursive: true });
  await ends(run('run', 'film.yaml', '--frozen'), 0);
  rmSync(stage.at('.shotlist'), { recursive: true });
  rmSync(stage.at('my.png'));
  await ends(run('run', 'film.yaml'), 2, 'put that file back, or give it up');
  // Another file of that name is not it.
  stage.write('my.png', Buffer.concat([PNG, Buffer.from([0])]));
  await ends(run('run', 'film.yaml'), 2);
  await ends(adopt('still', '--undo'), 0);
  expect((await run('plan', 'film.yaml')).stdout).toMatch(/maybe {2}still × 2/);
});

test('what was there before is there again when it is given up', async () => {
  const film = FILM.replace(
    /steps:\n[\s\S]*/,
    'steps:\n  made: { run: "echo fox >a.txt", creates: { text: a.txt } }\n  read: { run: \'cat "$text"\', files: { text: "${{ steps.made.files.text }}" } }\n',
  );
  stage.write('film.yaml', film);
  stage.write('mine.txt', 'wolf\n');
  await run('run', 'film.yaml');
  const before = stage.read('film.lock.yaml');
  await ends(adopt('made', 'mine.txt'), 0);
  await ends(run('run', 'film.yaml'), 0);
  expect(stage.read('film.lock.yaml')).toContain('stdout: wolf');
  await ends(adopt('made', '--undo'), 0);
  await ends(run('run', 'film.yaml'), 0);
  expect(stage.read('film.lock.yaml')).toBe(before);
  // Making it once more gives it up as well.
  await adopt('made', 'mine.txt');
  await ends(run('run', 'film.yaml', '--redo', 'made'), 0);
  expect(stage.read('film.lock.yaml')).not.toContain('adopted');
});

test('a file that is not what it says, or is nothing, is refused, and nothing is kept', async () => {
  stage.write('lie.png', 'I am a picture');
  stage.write('half.png', PNG.subarray(0, 50));
  for (const [path, why] of [
    ['lie.png', 'cannot stand in for still[beat=1]: it is'],
    ['half.png', 'cannot stand in for still[beat=1]: it is'],
    ['none.png', 'there is no such file'],
    ['.', 'is no file'],
  ] as const) {
    const { exit, stderr } = await adopt('still[beat=1]', path);
    expect([path, exit, stderr]).toEqual([path, 2, expect.stringContaining(why)]);
  }
  await ends(adopt('look', 'my.png'), 2, 'gives no single file');
  expect((await adopt('stil[beat=1]', 'my.png')).stderr).toContain("did you mean 'still[beat=1]'?");
  expect(stage.has('film.lock.yaml')).toBe(false);
});

test('a file outside of the project is told: other machines have the lock alone', async () => {
  cpSync(stage.at('my.png'), join(stage.folder, 'elsewhere.png'));
  await ends(adopt('still[beat=1]', '../elsewhere.png'), 0, 'lies outside of the project');
  expect(stage.read('film.lock.yaml')).not.toContain(stage.folder);
});

const ROUNDS = `shotlist: 1
name: rounds
steps:
  still:
    run: 'echo "$N" >> "$SHOTLIST_PROJECT/made"; echo "$N" > a.txt; echo "{}"'
    env: { N: "\${{ has(previous.files) ? 'again' : 'first' }}" }
    creates: { text: a.txt }
    until: { holds: "\${{ this.files.text.bytes > 1000 }}", max: 2, otherwise: last }
  part: { uses: ./part.yaml, takes: 2 }
  best: { pick: "\${{ steps.part }}", rule: "\${{ candidate.outputs.text.bytes }}" }
  read: { run: 'cat "$text"', files: { text: "\${{ steps.still.files.text }}" } }
`;
const PART = `shotlist: 1
name: part
steps:
  look: { run: [echo, look] }
  made: { run: "echo part > a.txt", creates: { text: a.txt } }
outputs: { text: { from: "\${{ steps.made.files.text }}", to: out/a.txt } }
`;

test('of a step with `until` it stands in for whichever round would be taken: none is made', async () => {
  stage.write('rounds.yaml', ROUNDS);
  stage.write('part.yaml', PART);
  stage.write('mine.txt', 'wolf\n');
  await ends(run('adopt', 'rounds.yaml', 'still', 'mine.txt'), 0, 'still is mine.txt from here on');
  const made = await run('run', 'rounds.yaml', '--ui', 'plain');
  expect([made.exit, stage.has('made')], made.stderr).toEqual([0, false]);
  expect(stage.read('rounds.lock.yaml')).toContain('stdout: wolf');
  rmSync(stage.at('.shotlist'), { recursive: true });
  await ends(run('run', 'rounds.yaml'), 0);
  expect(stage.read('rounds.lock.yaml')).toMatch(/ {4}still:\n(?: {6}.*\n)*? {6}adopted:/);
  await ends(run('adopt', 'rounds.yaml', 'still', '--undo'), 0);
  await ends(run('run', 'rounds.yaml'), 0);
  expect([stage.read('made'), stage.read('rounds.lock.yaml').includes('stdout: again')]).toEqual([
    'first\nagain\n',
    true,
  ]);
});

test('of what only gathers, a used file or a pick, the instances that make it are named', async () => {
  stage.write('rounds.yaml', ROUNDS);
  stage.write('part.yaml', PART);
  stage.write('mine.txt', 'wolf\n');
  await ends(run('adopt', 'rounds.yaml', 'part[take=2]', 'mine.txt'), 2, "adopt it for 'part[take=2]/made'\n");
  const best = await run('adopt', 'rounds.yaml', 'best', 'mine.txt');
  expect(best.stderr).toContain("adopt it for 'part[take=1]/made' or 'part[take=2]/made'\n");
  await ends(run('adopt', 'rounds.yaml', 'part[take=2]/made', 'mine.txt'), 0);
});
