/** Every wrong way to ask, and the whole of what is said about it: a sentence that ends with what to do, never a stack. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json, stubServer } from '../support/stub-server.ts';
import { openStage } from './ended.ts';
import type { Ended } from './stage.ts';

const STILL = `shotlist: 1
name: still
params:
  who: { type: string, default: a red fox }
  steps: { type: integer, default: 8 }
steps:
  still:
    model: I-GEN-A
    with: { prompt: "\${{ params.who }}", num_inference_steps: "\${{ params.steps }}" }
outputs:
  picture: { from: "\${{ steps.still }}", to: out/fox.webp }
`;

const stage = openStage();
stage.write('still.yaml', STILL);
beforeEach(() => {
  stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
});

/** Exit code, and everything that was said, as a person would see it. */
const shown = ({ exit, stdout, stderr }: Ended): string => stage.shown(`${stdout}${stderr}exit ${exit}`);

const said = async (...args: readonly string[]): Promise<string> => shown(await stage.run(...args));
const saidByProcess = async (...args: readonly string[]): Promise<string> => shown(await stage.runAsProcess(...args));

test('--help and --version answer on stdout', async () => {
  const help = await stage.runAsProcess('--help');
  expect({ ...help, stdout: help.stdout.split('\n')[0] }).toEqual({
    exit: 0,
    signal: null,
    stdout: 'shotlist - declare a film as a graph of steps, see it for free, render it once',
    stderr: '',
  });
  expect((await stage.runAsProcess('run', '--help')).stdout).toMatch(/^shotlist run FILE \[STEP…\]\n/);
  expect((await stage.runAsProcess('help', 'run')).stdout).toBe((await stage.runAsProcess('run', '--help')).stdout);
  expect((await stage.runAsProcess('help')).stdout).toBe(help.stdout);
  expect(await stage.runAsProcess()).toEqual({ exit: 2, signal: null, stdout: '', stderr: help.stdout });
  expect(await saidByProcess('--version')).toMatch(/^\d+\.\d+\.\d+\nexit 0$/);
});

describe('exit code 2: the command line is wrong', () => {
  /** A film, one that is made twice, one that has a profile, values, and what is no film. */
  beforeAll(() => {
    stage.write(
      'film.yaml',
      STILL.replace('steps:', 'mood: { type: string, enum: [calm, wild], default: calm }\n  steps:'),
    );
    stage.write('other.yaml', STILL.replace('fox.webp', 'other.webp').replace('name: still', 'name: other'));
    stage.write('profiled.yaml', `${STILL}profiles:\n  draft: { params: { who: a red fox } }\n`);
    const [before, after] = STILL.split('    model');
    stage.write(
      'many.yaml',
      `${before}    matrix: { n: [1, 2] }\n    model${after?.replace('out/fox.webp', '"out/fox-{n}.webp"')}`,
    );
    stage.write('params.yaml', 'who: a bear\n');
    stage.write('notes.txt', 'Call Anna.\n');
    mkdirSync(stage.at('clips'));
  });

  const table = readFileSync(new URL('command-line-mistakes.md', import.meta.url), 'utf8');
  const rows = [...table.matchAll(/^\| (.*) \| (.*) \| (.*) \| (.*) \|$/gm)].slice(2);
  test.each(rows.map(([, name, typed, words, advised]) => ({ name, typed, words, advised })))(
    '$name: $typed',
    async ({ typed = '', words = '', advised = '' }) => {
      const text = await said(...typed.split(' '));
      for (const part of words.split(' ~ ')) expect(text).toContain(part);
      expect(text).toMatch(/exit 2$/);
      expect(await said(...advised.split(' '))).toMatch(/exit 0$/);
    },
  );

  test('of a process of its own as well', async () => {
    expect(await saidByProcess('rn')).toBe('shotlist: there is no command `rn`; did you mean `run`?\nexit 2');
  });

  test('a param that a field does not take, and values that have no names', async () => {
    expect(await said('plan', 'still.yaml', '--param', 'steps=51')).toMatchInlineSnapshot(`
      "still.yaml:9:63: error: num_inference_steps must be at most 50, not 51
        9 |     with: { prompt: "\${{ params.who }}", num_inference_steps: "\${{ params.steps }}" }
          |                                                               ^^^^^^^^^^^^^^^^^^^^^

      1 error
      exit 2"
    `);
    stage.write('params.yaml', '- who: a bear\n');
    expect(await said('plan', 'still.yaml', '--param', 'params.yaml')).toMatchInlineSnapshot(`
      "shotlist: --param params.yaml: it must hold names and values, like \`idea: a fox\`
      exit 2"
    `);
  });

  test('settings: all mistakes at once', async () => {
    stage.write(
      'shotlist.config.yaml',
      'servce: house\nservices:\n  house: { key: sesame }\nlimits: { in_flight: none }\nui: plane\n',
    );
    stage.env = { SHOTLIST_COMMANDS: '0' };
    const seen = await said('plan', 'still.yaml');
    stage.write('shotlist.config.yaml', '');
    expect(seen).toMatchInlineSnapshot(`
      "shotlist: shotlist.config.yaml: unknown setting \`servce\`; did you mean \`service\`?
                ui in shotlist.config.yaml is \`plane\`; write \`tui\`, \`plain\`, \`json\` or \`quiet\`
                services.house in shotlist.config.yaml holds a key, and that file is shared: take it out, have the service replace it, and put the new one into ~/.config/shotlist/config.yaml or into a variable named by \`key_env\`
                limits.in_flight in shotlist.config.yaml is \`none\`; write a whole number, 1 or more
                SHOTLIST_COMMANDS is \`0\`; write a whole number, 1 or more
      exit 2"
    `);
  });
});

test('a broken pipeline: every mistake, where it is, and what to write instead', async () => {
  stage.write(
    'broken.yaml',
    `shotlist: 1
name: broken
steps:
  shot:
    model: V-T2V-Z
    with: { prompt: a fox }
  framed:
    model: V-RF
    with:
      input_video: \${{ steps.shoot.result_url }}
      aspect_ratio: 9:16
      promt: snow
  final:
    model: V-UP
    with:
      input_video: \${{ steps.framed.result_ur }}
`,
  );
  const seen = await said('run', 'broken.yaml');
  expect(seen).toMatchInlineSnapshot(`
    "broken.yaml:5:12: error: no model is called \`V-T2V-Z\`; did you mean \`V-T2V-A\`?
      5 |     model: V-T2V-Z
        |            ^^^^^^^

    broken.yaml:10:30: error: step \`framed\` reads \`steps.shoot\`, which no step provides; did you mean \`shot\`?
     10 |       input_video: \${{ steps.shoot.result_url }}
        |                              ^^^^^

    broken.yaml:12:7: error: V-RF has no field \`promt\`; did you mean \`prompt\`?
     12 |       promt: snow
        |       ^^^^^

    broken.yaml:16:37: error: \`steps.framed\` (a video result) has no \`result_ur\`; did you mean \`result_url\`?
     16 |       input_video: \${{ steps.framed.result_ur }}
        |                                     ^^^^^^^^^

    4 errors
    exit 2"
  `);
  expect(await said('plan', 'broken.yaml')).toBe(seen);
  expect(await said('check', 'broken.yaml', 'still.yaml')).toBe(`still.yaml: 1 step, no mistakes\n${seen}`);
});

describe('what earlier runs left cannot be used', () => {
  const journal = '.shotlist/journal.db';

  test('a damaged journal is refused, and stays as it was', async () => {
    stage.write(journal, 'this was a journal');
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot(`
      "shotlist: ~/project/.shotlist/journal.db cannot be read (file is not a database); it records what was paid for, so it is not started over: restore it from a backup; with its lock file a film still knows what it owns
      exit 2"
    `);
    expect(stage.read(journal)).toBe('this was a journal');
    rmSync(stage.at(journal));
  });

  test('a lock file with the marks of a merge conflict', async () => {
    stage.write('still.lock.yaml', '<<<<<<< HEAD\nshotlist: 1\n=======\nshotlist: 1\n>>>>>>> other\n');
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot(`
      "shotlist: still.lock.yaml is not readable YAML (line 1), perhaps after a merge; mend it, or delete it: what is owned is still in the journal
      more: \`shotlist explain lock-unreadable\`
      exit 2"
    `);
    stage.write('still.lock.yaml', 'shotlist: 1\nservices: 3\n');
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot(`
      "shotlist: still.lock.yaml is not as shotlist wrote it: \`services\` must hold a map for each service; mend it, or delete it: what is owned is still in the journal
      more: \`shotlist explain lock-unreadable\`
      exit 2"
    `);
    stage.write('still.lock.yaml', '');
  });

  test('two runs of one pipeline at once: the second is told to wait', async () => {
    stage.write('slow.yaml', 'shotlist: 1\nname: slow\nsteps:\n  wait: { run: "echo begun >&2; sleep 600" }\n');
    const first = stage.start('run', 'slow.yaml');
    await first.line(/wait {2}started/);
    expect(await said('run', 'slow.yaml')).toMatchInlineSnapshot(`
      "shotlist: another shotlist is running this pipeline: it holds ~/project/.shotlist/runs/slow; wait for it to end, or stop it first
      more: \`shotlist explain already-running\`
      exit 2"
    `);
    expect(await said('plan', 'still.yaml')).toContain('exit 0');
    first.interrupt();
    expect((await first.ended).exit).toBe(130);
  });
});

describe('the service', () => {
  test('an address that cannot be used: exit code 2', async () => {
    stage.env = { SHOTLIST_BASE_URL: 'http://films.example', SHOTLIST_API_KEY: 'sesame-1' };
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot(`
      "shotlist: the base address \`http://films.example\` would send the key unencrypted (http is for a service on this machine only); write it as https://host or https://host/path
      exit 2"
    `);
    stage.env = { SHOTLIST_BASE_URL: 'films.example', SHOTLIST_API_KEY: 'sesame-1' };
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot(`
      "shotlist: the base address \`films.example\` is no web address; write it as https://host or https://host/path
      exit 2"
    `);
    stage.env = { SHOTLIST_BASE_URL: 'https://films.example', SHOTLIST_API_KEY: 'sesame 1' };
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot(`
      "shotlist: the key holds a blank or a character that no header can carry; copy it again
      exit 2"
    `);
    expect(await said('run', 'still.yaml', '--draft')).toMatchInlineSnapshot(`
      "shotlist: --draft is for the built-in studio, and this film goes to films.example
      exit 2"
    `);
  });

  test('nobody answers there: exit code 6', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    await new Promise(resolve => server.close(resolve));
    stage.env = { SHOTLIST_BASE_URL: `http://127.0.0.1:${port}`, SHOTLIST_API_KEY: 'sesame-1' };
    // A run would wait for two minutes: `models-of-service.test.ts`.
    expect(await said('plan', 'still.yaml')).toMatchInlineSnapshot(`
      "shotlist: 127.0.0.1:4000: nothing answers there (connection refused); check the base address, and that the service is up
      exit 6"
    `);
  });

  test('a key that is good for questions only: the run stops, and says why', async () => {
    const stub = await stubServer((response, request) =>
      (request.url === '/api/ai/models' ? json(200, { object: 'list', data: [] }) : json(403, { error: 'read only' }))(
        response,
        request,
      ),
    );
    stage.env = { SHOTLIST_BASE_URL: stub.url, SHOTLIST_API_KEY: 'sesame-1' };
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot(`
      "still: 1 instance on 127.0.0.1:4000, 1 instance without a known price
          +…s  still  not taken, tried no more: read only
          +…s         stopping: nothing new is started

      still stopped, the service cannot be used, after …s: 1 not finished, nothing spent
      nothing is left running at the service
      the key is refused (read only); give one that may do this
      to go on (what is done is kept, and not paid for again):
        shotlist run still.yaml
      exit 6"
    `);
    expect(stub.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('a wrong key, or none: exit code 6, and what to set', async () => {
    const studio = await stage.studio();
    stage.env = { SHOTLIST_BASE_URL: studio.url, SHOTLIST_API_KEY: 'sesame-1' };
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot(`
      "shotlist: 127.0.0.1:4000: unauthenticated (401): the key is missing or wrong; set SHOTLIST_API_KEY to a key of this service
      exit 6"
    `);
    stage.env = { SHOTLIST_BASE_URL: studio.url };
    expect(await said('plan', 'still.yaml')).toMatchInlineSnapshot(`
      "shotlist: 127.0.0.1:4000: unauthenticated (401): the key is missing or wrong; set SHOTLIST_API_KEY to a key of this service
      exit 6"
    `);
    stage.write('shotlist.config.yaml', `services: { house: { url: "${studio.url}", key_env: HOUSE_KEY } }\n`);
    stage.env = { HOUSE_KEY: 'sesame-1', SHOTLIST_API_KEY: 'of another service' };
    expect(await said('plan', 'still.yaml', '--service', 'house')).toMatchInlineSnapshot(`
      "shotlist: house: unauthenticated (401): the key is missing or wrong; set HOUSE_KEY to a key of this service
      exit 6"
    `);
    rmSync(stage.at('shotlist.config.yaml'));
    stage.env = {};
    expect(await said('studio', '--port', new URL(studio.url).port)).toMatchInlineSnapshot(`
      "shotlist: port 4000 on 127.0.0.1 is taken: choose another, or 0 for a free one
      exit 2"
    `);
    expect(await said('studio', '--folder', join(stage.folder, 'studio'))).toMatchInlineSnapshot(`
      "shotlist: another studio is already serving from ~/studio: stop it first, or give this one a folder of its own
      exit 2"
    `);
  });
});

test('a project that cannot be written to', async () => {
  mkdirSync(join(stage.folder, 'odd'));
  stage.write('../odd/film.yaml', STILL);
  stage.write('../odd/.shotlist', 'no folder');
  stage.write('../odd/shotlist.config.yaml', '');
  expect(await said('run', '../odd/film.yaml')).toMatchInlineSnapshot(`
    "shotlist: ~/odd/.shotlist: a folder is needed here, and something else is in its place; move that away, then run again
    exit 2"
  `);
});
