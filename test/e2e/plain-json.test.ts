/** What a program, a log file and a patient person are told of the same film. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { openStage } from './ended.ts';

const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync('schema/events.schema.json', 'utf8')));

const stage = openStage();
stage.films = 'drawn once';
stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
stage.write(
  'fox.yaml',
  `shotlist: 1
name: fox
params:
  who: { type: string }
steps:
  still:
    model: I-GEN-A
    with: { prompt: "\${{ params.who }}", seed: 4 }
  noted:
    run: [echo, "\${{ steps.still.file }}"]
  skipped:
    if: \${{ params.who == 'nobody' }}
    run: [echo, nobody]
outputs:
  picture: { from: "\${{ steps.still }}", to: out/fox.webp }
`,
);

test('--ui json: one documented event on each line of stdout, and nothing else', async () => {
  const { exit, stdout, stderr } = await stage.runAsProcess('run fox.yaml --param "who=a red fox" --ui json');
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  const events = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { seq: number; type: string; key?: string });
  for (const event of events) {
    validate(event);
    expect({ event, errors: validate.errors }).toEqual({ event, errors: null });
  }
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const quiet = ['progress', 'stream_changed', 'download_started'];
  // Whether the film is placed before the command has ended is the disk's business.
  const placed = events.findIndex(({ type }) => type === 'output_written');
  expect(placed).toBeGreaterThan(events.findIndex(({ type, key }) => type === 'succeeded' && key === 'still'));
  quiet.push('output_written');
  expect(
    events.filter(({ type }) => !quiet.includes(type)).map(({ type, key }) => `${key ?? 'run'} ${type}`),
  ).toMatchInlineSnapshot(`
    [
      "run run_started",
      "skipped skipped",
      "still submit_intended",
      "still submit_accepted",
      "still generated",
      "still succeeded",
      "noted command_started",
      "noted succeeded",
      "run run_finished",
    ]
  `);
});

test('--ui json: a second run is documented too, and spends nothing', async () => {
  // The variable means the same as the option.
  stage.env = { ...stage.env, SHOTLIST_UI: 'json' };
  const { stdout } = await stage.run('run', 'fox.yaml', '--param', 'who=a red fox');
  stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
  const events = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  for (const event of events) expect(validate(event), JSON.stringify(event)).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: 'run_finished', outcome: 'done', usd: 0 });
});

test('--ui plain: the story on stderr, the films on stdout', async () => {
  const { exit, stdout, stderr } = await stage.runAsProcess('run fox.yaml --param "who=a bear" --ui plain');
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'out/draft/fox.webp\n' });
  const wrote = '    +…s  still    wrote out/draft/fox.webp\n';
  expect(stage.shown(stderr)).toContain(wrote);
  expect(stage.shown(stderr).replace(wrote, '')).toMatchInlineSnapshot(`
    "fox: 3 instances on studio-draft, free (up to $0.01 at list price)
        +…s  skipped  skipped: its condition is false
        +…s  still    submitted  I-GEN-A  ID
        +…s  still    done in …s: 256×256, … B
        +…s  noted    started
        +…s  noted    done in …s

    fox is finished in …s: 2 made, 1 skipped, free ($0.01 at list price)
      out/draft/fox.webp  256×256, … B
    "
  `);
  const again = await stage.run('run', 'fox.yaml', '--param', 'who=a bear');
  expect(again.stdout).toBe('out/draft/fox.webp\n');
  expect(stage.shown(again.stderr)).toMatchInlineSnapshot(`
    "fox: 3 instances on studio-draft, free
        +…s  still    already here
        +…s  noted    already here
        +…s  skipped  skipped: its condition is false
        +…s  still    in place: out/draft/fox.webp

    fox is finished in …s: 2 already here, 1 skipped, nothing spent
      out/draft/fox.webp  256×256, … B
    "
  `);
});

test('--ui quiet: one line, and what failed', async () => {
  const good = await stage.run('run', 'fox.yaml', '--param', 'who=a bear', '--ui', 'quiet');
  expect(stage.shown(good.stdout + good.stderr)).toMatchInlineSnapshot(`
    "out/draft/fox.webp
    fox is finished in …s: 2 already here, 1 skipped, nothing spent
    "
  `);
  stage.write('bad.yaml', 'shotlist: 1\nname: bad\nsteps:\n  a: { run: "echo no room >&2; exit 4" }\n');
  const bad = await stage.run('run', 'bad.yaml', '--ui', 'quiet');
  expect(stage.shown(`${bad.stdout}${bad.stderr}exit ${bad.exit}`)).toMatchInlineSnapshot(`
    "a failed: the command ended with exit code 4: no room
    bad is not finished after …s: 1 failed, nothing spent
    exit 1"
  `);
});
