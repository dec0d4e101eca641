/** A part of a film, as a whole process makes it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());
const run = (...args: readonly string[]) => stage.run(...args);

const FILM = `shotlist: 1
name: parts
steps:
  list: { run: "echo '{\\"beats\\":[1,2,3]}'" }
  shot:
    matrix: { beat: "\${{ steps.list.json.beats }}" }
    max: 5
    run: 'echo "$BEAT" >>"$SHOTLIST_PROJECT/made"; echo "$BEAT" >shot.txt'
    env: { BEAT: "\${{ string(matrix.beat) }}" }
    creates: { text: shot.txt }
  reel: { run: [ echo, "\${{ string(size(steps.shot)) }} shots" ] }
outputs:
  shots: { from: "\${{ steps.shot.files.text }}", to: "out/{beat}.txt" }
`;
const made = () => (stage.has('made') ? stage.read('made').trim().split('\n') : []);

test('a step of a list that is not known yet; then the rest', async () => {
  stage.write('film.yaml', FILM);
  const plan = await run('plan', 'film.yaml', 'shot[beat=2]');
  expect([plan.exit, plan.stdout]).toEqual([0, expect.stringMatching(/out {4}reel {2}not selected/)]);
  const part = await ends(stage.run('run', 'film.yaml', 'shot[beat=2]', '--ui', 'plain'), 0);
  expect(made()).toEqual(['2']);
  expect(part.stderr).toContain('3 left out');
  expect(part.stderr).toContain('no part of this run: out/1.txt, out/3.txt');
  expect(part.stdout).toBe('out/2.txt\n');
  await ends(run('run', 'film.yaml', '--ui', 'plain'), 0);
  expect(made().toSorted()).toEqual(['1', '2', '3']);
});

test('only, excluded, once more, and from one step to another', async () => {
  stage.write('film.yaml', FILM);
  await ends(run('run', 'film.yaml', '--only', 'reel'), 2, 'reel needs shot, which is not here yet');
  await ends(run('run', 'film.yaml', '--exclude', 'reel'), 0);
  expect(made()).toHaveLength(3);
  await ends(run('run', 'film.yaml', '--only', 'shot[beat=1],shot[beat=2]', '--redo', 'shot[beat=1]'), 0);
  expect(made().slice(3)).toEqual(['1']);
  const between = await ends(run('run', 'film.yaml', '--from', 'shot', '--until', 'reel', '--ui', 'json'), 0);
  expect(between.stdout).toContain('"reused"');
});

test('what cannot be selected is told, and nothing runs', async () => {
  stage.write('film.yaml', FILM);
  await ends(run('run', 'film.yaml', 'shto', '--exclude', 'list[x=1]'), 2, 'did you mean shot?');
  await ends(run('run', 'film.yaml', 'shot', '--only', 'reel'), 2, '--only means these and nothing else');
  await ends(run('run', 'film.yaml', 'shot[beat=7]', '--ui', 'plain'), 1, "'shot[beat=7]' matches no instance");
  expect(made()).toEqual([]);
});

test('after a first failure nothing new begins', async () => {
  stage.write(
    'film.yaml',
    `shotlist: 1\nname: f\nsteps:\n  bad: { run: [ "false" ] }\n  slow: { run: 'until test -e "$SHOTLIST_PROJECT/go"; do sleep 0.02; done' }\n  later: { needs: [ slow ], run: 'echo 1 >>"$SHOTLIST_PROJECT/made"' }\n`,
  );
  const running = stage.start('run', 'film.yaml', '--fail-fast', '--ui', 'plain');
  await running.line(/bad +failed/);
  stage.write('go', '');
  const fast = await running.ended;
  expect([fast.exit, made()]).toEqual([1, []]);
  expect(fast.stderr).toContain('1 failed, 1 not finished, 1 made');
  const on = await run('run', 'film.yaml');
  expect([on.exit, made()]).toEqual([1, ['1']]);
});

test('frozen: all that would be paid for is told before anything runs', async () => {
  stage.write(
    'film.yaml',
    `shotlist: 1\nname: f\nsteps:\n  first: { run: 'echo 1 >>"$SHOTLIST_PROJECT/made"' }\n  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "fox \${{ matrix.n }}", duration: 5 } }\n  up: { each: "\${{ steps.shot }}", model: V-UP, with: { input_video: "\${{ each.result_url }}" } }\n`,
  );
  for (const command of ['run', 'plan']) {
    const { stderr } = await ends(run(command, 'film.yaml', '--frozen'), 3);
    expect(stderr).toContain('--frozen, and 2 would have to be paid for ($1.50 at list price):');
    expect(stderr).toContain('shot[n=2]: never run, $0.75 at list price\n');
    expect(stderr).toContain('and perhaps what depends on them: up[n=1], up[n=2]');
  }
  expect(made()).toEqual([]);
  await ends(run('run', 'film.yaml', 'first', '--frozen'), 0);
});
