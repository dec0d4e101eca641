/** Runs that do not come to their end at once: interrupted, failed half-way, mended. What is counted is what the studio was given. */
import { copyFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { film } from '../media/footage.ts';
import { readyStudio } from '../support/ready-studio.ts';
import { ends, openStage } from './ended.ts';

const stage = openStage();

const FOX = `shotlist: 1
name: fox
steps:
  shot:
    model: V-T2V-A
    with: { prompt: a red fox, resolution: 720P, duration: 4, seed: 1 }
  framed:
    model: V-RF
    with: { input_video: "\${{ steps.shot.result_url }}", aspect_ratio: "9:16", prompt: snow, resolution: 540p }
outputs:
  film: { from: "\${{ steps.framed }}", to: out/fox.mp4 }
`;

test('Ctrl-C lets go; the same command finishes the film and sends nothing twice', async () => {
  stage.write('fox.yaml', FOX);
  const made = Promise.withResolvers<void>();
  const studio = await readyStudio({ before: () => made.promise });
  onTestFinished(() => studio.close());
  stage.trust(studio);
  const first = stage.start('run', 'fox.yaml');
  await first.line(/shot {4}submitted/);
  first.interrupt();
  const { exit, stdout, stderr } = await first.ended;
  expect({ exit, stdout }).toEqual({ exit: 130, stdout: '' });
  expect(stage.shown(stderr)).toMatchInlineSnapshot(`
    "fox: 2 instances on 127.0.0.1:4000, up to $0.64
        +…s  shot    submitted  V-T2V-A  ~$0.40  ID
        +…s          stopping: nothing new is started

    fox was interrupted after …s: 2 not finished, nothing spent, $0.40 in flight for 1 request
    shot goes on at the service, to be resumed
    to go on (what is done is kept, and not paid for again):
      shotlist run fox.yaml
    "
  `);
  const [, command = ''] = /^ {2}shotlist (.*)$/m.exec(stderr) ?? [];
  made.resolve();
  const second = await ends(stage.run(...command.split(' ')), 0);
  expect(second.stderr).toMatch(/^fox: resumed, 2 instances/);
  expect(second.stderr).toMatch(/shot {4}resumed, not sent twice/);
  expect(second.stdout).toBe('out/fox.mp4\n');
  expect(await studio.submits()).toBe(2);
});

test('a second Ctrl-C ends at once, also what does not want to stop', async () => {
  stage.env = {};
  stage.write(
    'stubborn.yaml',
    'shotlist: 1\nname: stubborn\nsteps:\n  wait: { run: "trap \'\' INT TERM HUP; echo $$ >$SHOTLIST_PROJECT/pid; mv $SHOTLIST_PROJECT/pid $SHOTLIST_PROJECT/here; while :; do sleep 1; done" }\n',
  );
  const run = stage.start('run', 'stubborn.yaml');
  await run.line(/wait {2}started/);
  while (!stage.has('here')) await new Promise(setImmediate);
  run.interrupt();
  await run.line(/stopping: nothing new is started/);
  run.interrupt();
  const { exit, signal } = await run.ended;
  expect({ exit, signal }).toEqual({ exit: 130, signal: null });
  expect(stage.has('stubborn.lock.yaml')).toBe(false);
  // Nothing is left behind; the operating system may need a moment to say so.
  while (isAlive(Number(stage.read('here')))) await new Promise(setImmediate);
});

test('a second Ctrl-C says what goes on at the service, and is billed', async () => {
  stage.write(
    'both.yaml',
    `shotlist: 1
name: both
steps:
  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "fox \${{ matrix.n }}", duration: 4, resolution: 720P } }
  wait: { run: "trap '' INT TERM HUP; while :; do sleep 1; done" }
`,
  );
  const made = Promise.withResolvers<void>();
  const studio = await readyStudio({ before: () => made.promise });
  onTestFinished(() => {
    made.resolve();
    return studio.close();
  });
  stage.trust(studio);
  const run = stage.start('run', 'both.yaml');
  await run.line(/wait {2,}started/);
  await run.line(/shot\[n=1\] +submitted/);
  await run.line(/shot\[n=2\] +submitted/);
  run.interrupt();
  await run.line(/stopping: nothing new is started/);
  run.interrupt();
  const { exit, stderr } = await run.ended;
  expect(exit).toBe(130);
  expect(stderr.split('\n').at(-2)).toBe(
    'shot[n=1], shot[n=2] go on at the service and are billed: `shotlist run both.yaml` fetches them, `shotlist cancel both.yaml` ends them',
  );
  stage.env = {};
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const MIXED = `shotlist: 1
name: mixed
params:
  grade: { type: boolean, default: false }
  code: { type: integer, default: 3 }
steps:
  shot:
    model: V-T2V-A
    with: { prompt: a red fox, resolution: 720P, duration: 2, seed: 1 }
  measured:
    run: 'printf "{\\"name\\": \\"%s\\"}" "$(basename "$clip" | tail -c 4)"'
    files: { clip: "\${{ steps.shot.file }}" }
  copied:
    matrix: { size: [small, large] }
    run: 'cp "$clip" copy.mp4; echo "$size $name" >note.txt'
    env: { size: "\${{ matrix.size }}", name: "\${{ steps.measured.json.name }}" }
    files: { clip: "\${{ steps.shot.file }}" }
    creates: { film: copy.mp4, note: note.txt }
  framed:
    each: \${{ steps.copied }}
    model: V-RF
    with: { input_video: "\${{ each.files.film.file }}", aspect_ratio: "9:16", prompt: "snow, \${{ each.files.note.bytes }}", resolution: 540p }
  graded:
    if: \${{ params.grade }}
    run: [cp, "\${{ steps.shot.file }}", graded.mp4]
  counted:
    run: [sh, -c, "exit $0", "\${{ params.code }}"]
  after:
    needs: [counted]
    run: [echo, done]
  long:
    run: 'cp "$clip" long.mp4'
    files: { clip: long.mp4 }
    creates: { film: long.mp4 }
  wide:
    model: V-RF
    with: { input_video: "\${{ steps.long.files.film.file }}", aspect_ratio: "1:1", prompt: snow, resolution: 540p }
  wider:
    model: V-UP
    with: { input_video: "\${{ steps.wide.result_url }}", resolution: 720p }
outputs:
  phone: { from: "\${{ steps.framed }}", to: "out/phone-{size}.mp4" }
  note: { from: "\${{ steps.copied.files.note }}", to: "out/{size}.txt" }
`;

describe('a step that fails', () => {
  let before = '';
  beforeAll(async () => {
    stage.write('mixed.yaml', MIXED);
    await film(stage.at('long.mp4'), { width: 64, height: 36, fps: 2, frames: 62, sound: false });
  });
  beforeEach(() => {
    // The built-in studio takes files of this machine as they are.
    stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
  });

  test('holds up only what is made from it: the rest goes on, exit code 1', async () => {
    const { stdout, stderr } = await ends(stage.run('run', 'mixed.yaml'), 1);
    expect(stage.shown(stderr.slice(stderr.indexOf('\n\n') + 2))).toMatchInlineSnapshot(`
      "mixed is not finished after …s: 2 failed, 2 blocked, 6 made, 1 already here, 1 skipped, free ($0.32 at list price)
        out/draft/small.txt
        out/draft/large.txt
        out/draft/phone-small.mp4  136×242, 2.0s, … B
        out/draft/phone-large.mp4  136×242, 2.0s, … B
      ✗ counted
        the command ended with exit code 3 and said nothing; run it by hand to see why; it cost nothing
        first: mend step counted in mixed.yaml
      ✗ wide
        the request breaks a rule of the model: input_video (from long) is 31 s long; V-RF takes at most 30 s; it cost nothing
        first: mend step wide in mixed.yaml
      to go on (what is done is kept, and not paid for again):
        shotlist run mixed.yaml
      "
    `);
    expect(stdout).toBe(
      ['phone-small.mp4', 'phone-large.mp4', 'small.txt', 'large.txt'].map(name => `out/draft/${name}\n`).join(''),
    );
    expect([stage.read('out/draft/small.txt'), stage.read('out/draft/large.txt')]).toEqual([
      'small mp4\n',
      'large mp4\n',
    ]);
    before = stderr;
  });

  test('mended and run again, it pays for nothing but what changed', async () => {
    await film(stage.at('long.mp4'), { width: 64, height: 36, fps: 12, frames: 24, sound: false });
    const { stderr } = await ends(stage.run('run', 'mixed.yaml', '--param', 'code=0', '--param', 'grade=true'), 0);
    expect([...stderr.matchAll(/^ +\S+ {2}(\S+) +(submitted|started)/gm)].map(([, key]) => key).sort()).toEqual([
      'after',
      'counted',
      'graded',
      'long',
      'wide',
      'wider',
    ]);
    expect(before).toMatch(/shot +submitted/);
    expect(stderr).toMatch(/shot +already here/);
    expect((await stage.run('run', 'mixed.yaml', '--param', 'code=0', '--param', 'grade=true')).stderr).toContain(
      'nothing spent',
    );
  });
});

describe('a film of this machine, named by a path beside the pipeline', () => {
  beforeAll(async () => {
    stage.write(
      'films/local.yaml',
      `shotlist: 1
name: local
steps:
  bigger:
    model: V-UP
    with: { input_video: media/clip.mp4, resolution: 720p }
outputs:
  film: { from: "\${{ steps.bigger }}", to: out/bigger.mp4 }
`,
    );
    stage.write('films/media/readme.txt', '');
    await film(stage.at('films/media/clip.mp4'), { width: 64, height: 36, frames: 24, sound: false });
  });
  beforeEach(() => {
    stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
  });

  test('is sent as it is, and only what is in it counts', async () => {
    const clip = stage.at('films/media/clip.mp4');
    const first = await ends(stage.run('run', 'films/local.yaml'), 0);
    expect(first.stdout).toBe('out/draft/bigger.mp4\n');
    // Paths are as they are reached from where the command was given.
    expect((await stage.startFrom('films', 'run', 'local.yaml').ended).stdout).toBe('../out/draft/bigger.mp4\n');
    copyFileSync(clip, stage.at('films/media/same.mp4'));
    stage.write('films/local.yaml', stage.read('films/local.yaml').replace('media/clip.mp4', './media/same.mp4'));
    expect((await stage.run('run', 'films/local.yaml')).stderr).toMatch(/bigger {2}already here/);
    await film(stage.at('films/media/same.mp4'), { width: 64, height: 36, frames: 36, sound: false });
    const { stdout } = await stage.run('plan', 'films/local.yaml');
    expect(stdout).toMatch(/^run {4}bigger {2}its file \.\/media\/same\.mp4 changed +\$0\.045 {2}1\.5 s × \$0\.03$/m);
    const changed = await ends(stage.run('run', 'films/local.yaml'), 0);
    expect(changed.stderr).toMatch(/bigger {2}submitted {2}V-UP/);
  });
});
