/** Commands as whole processes see them: killed while they act, kept in logs, cleaned of secrets, left out of drafts. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

const posted = () => (stage.has('posted') ? stage.read('posted').split('\n').slice(0, -1) : []);
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 20));
};

const POST = `shotlist: 1
name: posted
steps:
  post:
    run: |
      echo fox >>"$SHOTLIST_PROJECT/posted"
      until test -e "$SHOTLIST_PROJECT/go"; do sleep 0.05; done
    effect: true
`;

test('whoever is killed while a command acts outside does not do it again by itself', async () => {
  stage.write('film.yaml', POST);
  const first = stage.start('run', 'film.yaml', '--ui', 'plain');
  await until(() => posted().length === 1);
  first.kill();
  await first.ended;
  stage.write('go', '');
  const plan = await stage.run('plan', 'film.yaml');
  expect(plan.stdout).toContain('its outcome is unknown');
  const next = await ends(stage.run('run', 'film.yaml', '--ui', 'plain'), 1);
  expect(next.stderr).toContain(
    'if it was done, run with --on-unknown done, and to have it done again, run with --on-unknown resubmit',
  );
  expect(posted()).toEqual(['fox']);
  // The settings of a service speak of requests to it, and of nothing else.
  stage.env = { SHOTLIST_ON_UNKNOWN: 'resubmit' };
  await ends(stage.run('run', 'film.yaml'), 1);
  expect(posted()).toEqual(['fox']);
  stage.env = {};
  await ends(stage.run('run', 'film.yaml', '--on-unknown', 'resubmit'), 0);
  expect(posted()).toEqual(['fox', 'fox']);
  await ends(stage.run('run', 'film.yaml'), 0);
  expect(posted()).toEqual(['fox', 'fox']);
});

test('a second interrupt says what nobody will know', async () => {
  stage.write('film.yaml', POST);
  const first = stage.start('run', 'film.yaml', '--ui', 'plain');
  await until(() => posted().length === 1);
  first.interrupt();
  await first.line(/stopping: nothing new is started/);
  first.interrupt();
  const { exit, stderr } = await first.ended;
  expect(exit).toBe(130);
  expect(stderr).toContain(
    'post was acting outside: its outcome is unknown, and the next run asks before it does it again',
  );
  stage.write('go', '');
  await ends(stage.run('run', 'film.yaml'), 1);
  expect(posted()).toEqual(['fox']);
});

test('a failed command is told with the last that it said, and all of it is in a log without secrets', async () => {
  stage.env = { UPLOAD_TOKEN: 'sesame-open-1234' };
  stage.write(
    'film.yaml',
    `shotlist: 1
name: failing
env: [UPLOAD_TOKEN]
steps:
  post:
    run: |
      for n in $(seq 100); do echo "part $n"; done
      printf '\\033[31mrefused\\033[0m: the token %s is no good\\n' "$token" >&2
      exit 9
    env: { token: "\${{ env.UPLOAD_TOKEN }}" }
`,
  );
  const { stderr } = await ends(stage.run('run', 'film.yaml', '--ui', 'plain'), 1);
  expect(stderr).toContain(
    'post  failed: the command ended with exit code 9: refused: the token $UPLOAD_TOKEN is no good\n',
  );
  const told =
    /✗ post\n {2}the command ended with exit code 9; it cost nothing\n((?: {4}.*\n)+) {2}its output: (\S+)\n {2}first: mend step post in film\.yaml\n/;
  const [, last = '', path = ''] = told.exec(stderr) ?? [];
  const lines = Array.from({ length: 19 }, (_, n) => `part ${82 + n}`);
  expect(last).toBe([...lines, 'refused: the token $UPLOAD_TOKEN is no good'].map(line => `    ${line}\n`).join(''));
  const log = stage.read(path);
  expect(log.split('\n')).toHaveLength(102);
  expect(log).toMatch(/\nrefused: the token .* is no good\n$/);
  const kept = readdirSync(stage.project, { recursive: true, encoding: 'utf8' }).filter(file =>
    statSync(stage.at(file)).isFile(),
  );
  expect(kept.filter(file => readFileSync(stage.at(file)).includes('sesame-open-1234'))).toEqual([]);
  expect(stderr).not.toContain('sesame');
});

test('pictures that a command makes become films in the studio, one for each of a list', async () => {
  const { default: sharp } = await import('sharp');
  const fox = sharp({ create: { width: 640, height: 360, channels: 3, background: { r: 180, g: 60, b: 20 } } });
  stage.write('fox.png', await fox.png().toBuffer());
  stage.write(
    'film.yaml',
    `shotlist: 1
name: drawn
steps:
  draw:
    run: 'for n in 2 10; do cp "$SHOTLIST_PROJECT/fox.png" still_$n.png; echo " " >>still_$n.png; done'
    creates: { stills: "still_*.png" }
  first: { run: 'test "$still" = "\${still%.png}.png" && wc -c <"$still"', files: { still: "\${{ steps.draw.files.stills[0] }}" } }
  shot:
    matrix: { still: "\${{ steps.draw.files.stills }}" }
    max: 4
    key: \${{ matrix.still.name }}
    model: V-I2V-A
    with: { input_image: "\${{ matrix.still.file }}", prompt: it walks, duration: 5s }
outputs:
  stills: { from: "\${{ steps.draw.files.stills }}", to: "out/still-{n}.png" }
`,
  );
  const { stderr, stdout } = await ends(stage.run('run', 'film.yaml', '--draft', '--ui', 'plain'), 0);
  expect(stdout.trim().split('\n').sort()).toEqual(['out/draft/still-1.png', 'out/draft/still-2.png']);
  expect(stderr).toContain('shot[still=still_2.png]');
  const lock = stage.read('film.lock.yaml');
  expect(lock).toContain('name: still_10.png');
  const again = await stage.run('run', 'film.yaml', '--draft');
  expect(again.stderr).toContain('4 already here');
});
