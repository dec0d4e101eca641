/** Every wrong way to ask, and the whole of what is said about it: a sentence that ends with what to do, never a stack. */
import { mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Stage } from './stage.ts';

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

let stage: Stage;
beforeAll(() => {
  stage = new Stage();
  stage.write('still.yaml', STILL);
});
afterAll(() => stage.strike());
beforeEach(() => {
  stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
});

/** Exit code, and everything that was said, as a person would see it. */
async function said(...args: readonly string[]): Promise<string> {
  const { exit, stdout, stderr } = await stage.run(...args);
  return stage.shown(`${stdout}${stderr}exit ${exit}`);
}

test('--help and --version answer on stdout', async () => {
  const help = await stage.run('--help');
  expect({ ...help, stdout: help.stdout.split('\n')[0] }).toEqual({
    exit: 0,
    signal: null,
    stdout: 'shotlist - declare a film as a graph of steps, see it for free, render it once',
    stderr: '',
  });
  expect((await stage.run('run', '--help')).stdout).toBe(help.stdout);
  expect((await stage.run('help')).stdout).toBe(help.stdout);
  expect(await stage.run()).toEqual({ exit: 2, signal: null, stdout: '', stderr: help.stdout });
  expect(await said('--version')).toMatch(/^\d+\.\d+\.\d+\nexit 0$/);
});

describe('exit code 2: the command line is wrong', () => {
  test.each([
    ['rn', 'there is no command `rn`; did you mean `run`?'],
    ['frobnicate', 'there is no command `frobnicate`; see shotlist --help'],
    ['run', 'which file? shotlist run FILE'],
    ['plan', 'which file? shotlist plan FILE'],
    ['check', 'which file? shotlist check FILE…'],
    ['run fox.yaml', 'fox.yaml: there is no such file'],
    ['check still.yaml/fox.yaml', 'still.yaml/fox.yaml: there is no such file'],
    ['run pipelines', 'pipelines: it is a folder; name a file in it'],
    ['run still.yaml fox.yaml', 'shotlist run takes one file; fox.yaml is too much'],
    ['studio still.yaml', 'shotlist studio takes no file; still.yaml is too much'],
    ['run still.yaml --parm who=x', 'there is no option --parm; did you mean --param?'],
    ['run still.yaml --json', 'there is no option --json; see shotlist --help'],
    ['run still.yaml --param', '--param takes a value; write it as --param=VALUE'],
    ['run still.yaml --draft=yes', '--draft takes no value; write it alone'],
    ['run still.yaml --param who', '--param takes NAME=VALUE, and this is `who`'],
    ['run still.yaml --params fox.yaml', 'fox.yaml: there is no such file'],
    ['run still.yaml --ui nonsense', '--ui is one of tui, plain, json, quiet, and `nonsense` is not'],
    ['run still.yaml --ui plane', '--ui is one of tui, plain, json, quiet, and `plane` is not; did you mean plain?'],
    ['run still.yaml --on-unknown ask', '--on-unknown is one of fail, resubmit, and `ask` is not'],
    ['run still.yaml --service house', '--service: there is no service `house`; known: `studio`'],
    ['studio --port x', '--port is a number from 0 to 65535; `x` is not'],
  ])('shotlist %s', async (line, message) => {
    expect(await said(...line.split(' '))).toBe(`shotlist: ${message}\nexit 2`);
  });

  test('a param that the file does not have, or of another type', async () => {
    expect(await said('run', 'still.yaml', '--param', 'wo=a bear')).toMatchInlineSnapshot();
    expect(await said('plan', 'still.yaml', '--param', 'steps=many')).toMatchInlineSnapshot();
    expect(await said('plan', 'still.yaml', '--param', 'steps=51')).toMatchInlineSnapshot();
    stage.write('params.yaml', '- who: a bear\n');
    expect(await said('plan', 'still.yaml', '--params', 'params.yaml')).toMatchInlineSnapshot();
  });

  test('settings: all mistakes at once', async () => {
    stage.write(
      'shotlist.config.yaml',
      'servce: house\nservices:\n  house: { key: sesame }\nlimits: { in_flight: none }\nui: plane\n',
    );
    stage.env = { SHOTLIST_COMMANDS: '0' };
    const seen = await said('plan', 'still.yaml');
    stage.write('shotlist.config.yaml', '');
    expect(seen).toMatchInlineSnapshot();
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
  expect(seen).toMatchInlineSnapshot();
  expect(await said('plan', 'broken.yaml')).toBe(seen);
  expect(await said('check', 'broken.yaml', 'still.yaml')).toBe(`still.yaml: 1 step, no mistakes\n${seen}`);
});

describe('what earlier runs left cannot be used', () => {
  const journal = '.shotlist/runs/still/journal.db';

  test('a damaged journal is refused, and stays as it was', async () => {
    stage.write(journal, 'this was a journal');
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot();
    expect(stage.read(journal)).toBe('this was a journal');
    expect(readdirSync(join(stage.project, '.shotlist/runs/still'))).toEqual(['journal.db']);
    stage.write(journal, '');
  });

  test('a lock file with the marks of a merge conflict', async () => {
    stage.write('still.lock.yaml', '<<<<<<< HEAD\nshotlist: 1\n=======\nshotlist: 1\n>>>>>>> other\n');
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot();
    stage.write('still.lock.yaml', 'shotlist: 1\nservices: 3\n');
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot();
    stage.write('still.lock.yaml', '');
  });

  test('two runs of one pipeline at once: the second is told to wait', async () => {
    stage.write('slow.yaml', 'shotlist: 1\nname: slow\nsteps:\n  wait: { run: "echo begun >&2; sleep 600" }\n');
    const first = stage.start('run', 'slow.yaml');
    await first.line(/wait {2}started/);
    expect(await said('run', 'slow.yaml')).toMatchInlineSnapshot();
    expect(await said('plan', 'still.yaml')).toContain('exit 0');
    first.interrupt();
    expect((await first.ended).exit).toBe(130);
  });
});

describe('the service', () => {
  test('an address that cannot be used: exit code 2', async () => {
    stage.env = { SHOTLIST_BASE_URL: 'http://films.example', SHOTLIST_API_KEY: 'sesame-1' };
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot();
    stage.env = { SHOTLIST_BASE_URL: 'films.example', SHOTLIST_API_KEY: 'sesame-1' };
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot();
    stage.env = { SHOTLIST_BASE_URL: 'https://films.example', SHOTLIST_API_KEY: 'sesame 1' };
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot();
    expect(await said('run', 'still.yaml', '--draft')).toMatchInlineSnapshot();
  });

  test('nobody answers there: exit code 6', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    await new Promise(resolve => server.close(resolve));
    stage.env = { SHOTLIST_BASE_URL: `http://127.0.0.1:${port}`, SHOTLIST_API_KEY: 'sesame-1' };
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot();
  });

  test('a wrong key, or none: exit code 6, and what to set', async () => {
    const studio = await stage.studio();
    stage.env = { SHOTLIST_BASE_URL: studio.url, SHOTLIST_API_KEY: 'sesame-1' };
    expect(await said('run', 'still.yaml')).toMatchInlineSnapshot();
    stage.env = { SHOTLIST_BASE_URL: studio.url };
    expect(await said('plan', 'still.yaml')).toMatchInlineSnapshot();
    stage.env = {};
    expect(await said('studio', '--port', new URL(studio.url).port)).toMatchInlineSnapshot();
    expect(await said('studio', '--folder', join(stage.folder, 'studio'))).toMatchInlineSnapshot();
  });
});

test('a project that cannot be written to', async () => {
  mkdirSync(join(stage.folder, 'odd'));
  stage.write('../odd/film.yaml', STILL);
  stage.write('../odd/.shotlist', 'no folder');
  stage.write('../odd/shotlist.config.yaml', '');
  expect(await said('run', '../odd/film.yaml')).toMatchInlineSnapshot();
});
