/** Commands as people know them: JSON from all of them, `check -`, `init`, `clean`, `import`, Ctrl-C twice in a chat. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { COMMAND_NAMES, type CommandName } from '../../src/cli/command-line/commands.ts';
import { WORKFLOWS } from '../cli/import/workflows.ts';
import { readyStudio } from '../support/ready-studio.ts';
import { ends, openStage } from './ended.ts';
import { Stage } from './stage.ts';

const isDiagnostics = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync('schema/diagnostics.schema.json', 'utf8')),
);

const STILL = (who: string) => `shotlist: 1
name: still
steps:
  still: { model: I-GEN-A, takes: 2, with: { prompt: ${who}, seed: 4 } }
  best: { pick: "\${{ steps.still }}" }
  ok: { approve: "\${{ steps.still[0] }}" }
outputs:
  picture: { from: "\${{ steps.best }}", to: out/still.webp }
`;

const stage = openStage();
stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
stage.write('still.yaml', STILL('a red fox'));
stage.write('broken.yaml', STILL('a red fox').replace('I-GEN-A', 'I-GEN-Z'));
stage.write('comfy.json', JSON.stringify(WORKFLOWS.API_IMAGE));

/** One document, or a line of JSON each. */
function parsed(stdout: string): readonly unknown[] {
  try {
    return [JSON.parse(stdout)];
  } catch {
    return stdout
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line));
  }
}

const NOWHERE = 'postgres://nobody@127.0.0.1:1/nothing';
/** Each command with what it needs; in an order in which one leaves what the next reads. */
const CALLS: readonly (readonly [CommandName, readonly string[]])[] = [
  ['init', ['init', 'new', '--yes']],
  ['check', ['check', 'still.yaml']],
  ['plan', ['plan', 'still.yaml']],
  ['run', ['run', 'still.yaml']],
  ['why', ['why', 'still.yaml']],
  ['pick', ['pick', 'still.yaml']],
  ['pick', ['pick', 'still.yaml', 'best', '1']],
  ['approve', ['approve', 'still.yaml', 'ok']],
  ['run', ['run', 'still.yaml']],
  ['report', ['report', 'still.yaml']],
  ['review', ['review', 'no-such.yaml']],
  ['graph', ['graph', 'still.yaml']],
  ['provenance', ['provenance', 'still.yaml', '--out', 'crate']],
  ['status', ['status']],
  ['logs', ['logs', 'still.yaml', 'still[take=1]']],
  ['doctor', ['doctor', 'still.yaml']],
  ['cancel', ['cancel', 'still.yaml']],
  ['adopt', ['adopt', 'still.yaml', 'still[take=2]', 'out/still.webp']],
  ['adopt', ['adopt', 'still.yaml', 'still[take=2]', '--undo']],
  ['attach', ['attach', 'still.yaml', 'still[take=1]', 'gen_nobody']],
  ['promote', ['promote', 'still.yaml']],
  ['store', ['store', 'check']],
  ['clean', ['clean']],
  ['models', ['models']],
  ['models', ['models', 'V-UP']],
  ['models search', ['models', 'search', 'up']],
  ['generate', ['generate', 'I-GEN-A', 'prompt=a red fox', 'seed=4', '--draft']],
  ['chat', ['chat', 'C-D', 'one beat about a fox']],
  ['models activate', ['models', 'activate', 'fox-look', '--no-wait']],
  ['models deactivate', ['models', 'deactivate', 'fox-look', '--no-wait']],
  ['models tokenize', ['models', 'tokenize', 'me/foxes', 'nobody']],
  // Of a team whose database does not answer: what they do with one is told in team-runs.test.ts.
  ['team submit', ['team', 'submit', 'still.yaml', '--on', NOWHERE]],
  ['team list', ['team', 'list', '--on', NOWHERE]],
  ['team watch', ['team', 'watch', 'still-7k3m9q', '--on', NOWHERE]],
  ['team resume', ['team', 'resume', 'still-7k3m9q', '--on', NOWHERE]],
  ['team fetch', ['team', 'fetch', 'still-7k3m9q', '--on', NOWHERE]],
  ['team cancel', ['team', 'cancel', 'still-7k3m9q', '--on', NOWHERE]],
  // Without that mistake it would wait for its database.
  ['team worker', ['team', 'worker', '--on', NOWHERE, '--expose', 'SHOTLIST_API_KEY']],
  ['team drop', ['team', 'drop', '17', '--on', NOWHERE]],
  ['team status', ['team', 'status', '--on', NOWHERE]],
  ['team limit', ['team', 'limit', '--on', NOWHERE]],
  ['team init', ['team', 'init', '--on', NOWHERE]],
  ['team prune', ['team', 'prune', '2026-01-31', '--on', NOWHERE]],
  ['team restored', ['team', 'restored', '--on', NOWHERE]],
  ['explain', ['explain', 'exit', '3']],
  ['tools completion', ['tools', 'completion', 'bash']],
  ['tools import', ['tools', 'import', 'comfy.json']],
  ['help', ['help', 'run']],
];

describe('--json', () => {
  test('every command is called', () => {
    const called = new Set<string>(CALLS.map(([name]) => name));
    // The studio serves until it is told to stop: see below. The language server speaks a protocol of its own.
    expect(COMMAND_NAMES.filter(name => !called.has(name))).toEqual(['studio', 'tools lsp']);
  });
  test.each(CALLS)('%s: %j', async (_, args) => {
    const call = [...args, '--json'];
    const { exit, stdout, stderr } = await stage.run(...call);
    expect(parsed(stdout).length).toBeGreaterThan(0);
    expect([stderr, exit === 0 || (parsed(stdout).length > 0 && exit !== null)]).toEqual([
      expect.not.stringContaining('bug of shotlist'),
      true,
    ]);
  });
  test.each(COMMAND_NAMES.filter(name => name !== 'help' && name !== 'explain'))(
    '%s: a mistaken option is told as JSON, too',
    async name => {
      const { exit, stdout } = await stage.run(name, '--frobnicate', '--json');
      const [document] = parsed(stdout);
      expect([exit, isDiagnostics(document), document]).toMatchObject([
        2,
        true,
        { version: 1, error: { exit: 2, message: expect.stringContaining('--frobnicate') } },
      ]);
    },
  );
  test('the studio tells where it listens, then serves', async () => {
    const started = stage.start('studio', '--json', '--draft', '--folder', join(stage.folder, 'served'));
    await started.line(/\}\n$/);
    expect(JSON.parse(started.stdout)).toEqual({
      version: 1,
      url: expect.stringMatching(/^http:/),
      key: expect.any(String),
    });
    // Its page, as it was built.
    const { url } = JSON.parse(started.stdout);
    const sizes = ['/', '/page/page.js', '/page/page.css', '/page/mark.svg', '/page/mono.woff2'].map(async path => {
      const answer = await fetch(url + path);
      return [path, answer.status, (await answer.arrayBuffer()).byteLength > 400];
    });
    expect((await Promise.all(sizes)).filter(([, status, isThere]) => status !== 200 || !isThere)).toEqual([]);
    started.interrupt();
    expect((await started.ended).exit).toBe(0);
  });
  test('what is wrong with a file, from check and from plan', async () => {
    const check = await stage.run('check', 'broken.yaml', 'still.yaml', '--json');
    const document = JSON.parse(check.stdout);
    expect([check.exit, isDiagnostics(document)]).toEqual([2, true]);
    expect(document).toMatchObject({
      ok: false,
      files: [
        { ok: false, diagnostics: [{ line: 4, code: 'unknown-model', fixes: [{ text: 'I-GEN-A' }] }] },
        { ok: true, steps: 3 },
      ],
    });
    const plan = await stage.run('plan', 'broken.yaml', '--json');
    const error = JSON.parse(plan.stdout);
    expect([plan.exit, isDiagnostics(error), error.diagnostics]).toEqual([2, true, document.files[0].diagnostics]);
  });
});

test('plan --exit-code is 3 where something would be paid for, 0 where nothing is', async () => {
  stage.write(
    'one.yaml',
    'shotlist: 1\nname: one\nsteps:\n  still: { model: I-GEN-A, with: { prompt: a red fox, seed: 6 } }\n',
  );
  await ends(stage.run('plan', 'one.yaml', '--exit-code'), 3);
  await ends(stage.run('run', 'one.yaml'), 0);
  await ends(stage.run('plan', 'one.yaml', '--exit-code'), 0);
});

test('check - reads standard input, under the name that it is given', async () => {
  expect(await stage.runReading(STILL('a fox'), 'check', '-')).toMatchObject({
    exit: 0,
    stdout: 'stdin.yaml: 3 steps, no mistakes\n',
    stderr: '',
  });
  await ends(
    stage.runReading(STILL('a fox').replace('takes', 'taks'), 'check', '-', '--name', 'films/unsaved.yaml'),
    2,
    'films/unsaved.yaml:4:',
  );
  const params = STILL('a fox').replace('steps:', 'params: { n: { type: integer } }\nsteps:');
  const given = async (...words: readonly string[]) => (await stage.runReading(params, 'check', '-', ...words)).stderr;
  expect(await given()).toBe('');
  expect(await given('--param', 'n=2')).toBe('');
  expect(await given('--param', 'n=two')).toContain('n=two');
  expect(await given('--param', 'm=2')).toContain('m=2');
  expect((await stage.run('check', '-', '-')).stderr).toContain('name `-` once');
  expect((await stage.run('check', 'still.yaml', '--name', 'x')).stderr).toContain(
    '--name is what standard input is called',
  );
});

describe('init', () => {
  test('what it writes runs at once, and nothing is overwritten', async () => {
    await ends(
      stage.run('init', 'fox', '--idea', 'a "red" fox: cold', '--ratio', '1:1', '--shots', '1'),
      0,
      'wrote fox/fox.yaml\n',
    );
    expect(stage.read('fox/fox.yaml')).toContain('default: "a \\"red\\" fox: cold"');
    expect((await stage.run('check', 'fox/fox.yaml')).stdout).toBe('fox/fox.yaml: 2 steps, no mistakes\n');
    await ends(stage.run('run', '--draft', 'fox/fox.yaml'), 0);
    const again = await stage.run('init', 'fox');
    expect([again.exit, again.stderr]).toEqual([
      2,
      'shotlist: fox/fox.yaml is there already, and is left as it is; give it another name with --name\n',
    ]);
  });
  test('in a repository the outputs are ignored, once, and what its author wrote stays', async () => {
    mkdirSync(stage.at('repo/.git'), { recursive: true });
    stage.write('repo/.gitignore', 'node_modules');
    await stage.run('init', 'repo/one', '--yes');
    await stage.run('init', 'repo/two', '--yes');
    expect(stage.read('repo/.gitignore')).toBe('node_modules\nout/\n');
  });
  test.each([
    [['--shots', '13'], '`13` shots: write a whole number from 1 to 12'],
    [['--ratio', 'portrait'], 'did you mean 9:16?'],
    [['--name', '../x'], '--name is `../x`'],
    [['--idea', '${{ env.HOME }}'], 'an idea is words'],
  ])('%j is refused', async (given, message) => {
    await ends(stage.run('init', 'nothing', ...given), 2, message);
    expect(stage.has('nothing')).toBe(false);
  });
  test('at a terminal it asks what no option says; Ctrl-C writes nothing', async () => {
    const terminal = stage.startAtTerminal('init', 'asked', '--idea', 'a whale');
    await terminal.shows(/its shape.*\(16:9\)/);
    terminal.type('9:17\r');
    await terminal.shows(/it is one of 16:9/);
    terminal.type('9:16\r');
    await terminal.shows(/how many shots\? \(3\)/);
    terminal.type('\r');
    expect(await terminal.exit).toBe(0);
    expect(stage.read('asked/asked.yaml')).toContain('aspect_ratio: "9:16"');
    const stopped = stage.startAtTerminal('init', 'stopped');
    await stopped.shows(/what is seen in it\?/);
    stopped.type('\x03');
    expect(await stopped.exit).toBe(130);
    expect(stage.has('stopped')).toBe(false);
  });
});

test('import writes a pipeline that check finds no mistake in, and says what is lost', async () => {
  await ends(
    stage.run('tools', 'import', 'comfy.json', '--out', 'imported.yaml'),
    0,
    /not carried over: node 3 \(KSampler\).*\n[\s\S]*wrote imported\.yaml\nit has no mistake/,
  );
  await ends(stage.run('check', 'imported.yaml'), 0);
  expect((await stage.run('tools', 'import', 'comfy.json', '--out', 'imported.yaml')).stderr).toContain(
    'is there already',
  );
  await ends(stage.runReading((await stage.run('tools', 'import', 'comfy.json')).stdout, 'check', '-'), 0);
});

describe('clean', () => {
  const ONE = (seed: number) =>
    `shotlist: 1\nname: swept\nsteps:\n  still: { model: I-GEN-A, with: { prompt: a red fox, seed: ${seed} } }\noutputs:\n  picture: { from: "\${{ steps.still }}", to: out/swept.webp }\n`;
  const free = async (yard: Stage, ...args: readonly string[]) =>
    JSON.parse((await yard.run('clean', ...args, '--json')).stdout);

  test('drafts of old versions go, what a lock names stays, and the film goes on', async () => {
    const yard = new Stage();
    yard.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
    expect((await yard.run('clean')).stderr).toContain('nothing was made here yet');
    yard.write('swept.yaml', ONE(4));
    await yard.run('run', 'swept.yaml');
    yard.write('swept.yaml', ONE(5));
    await yard.run('run', 'swept.yaml');
    expect(await free(yard)).toMatchObject({
      freed: false,
      free: { drafts: { files: expect.any(Number) } },
      named: { files: 1, locks: ['swept.lock.yaml'] },
    });
    expect(await free(yard, '--yes')).toMatchObject({ freed: true });
    expect(await free(yard)).toMatchObject({ free: { drafts: { files: 0, bytes: 0 } }, named: { files: 1 } });
    await ends(yard.run('plan', 'swept.yaml', '--exit-code'), 0);
    yard.write('swept.yaml', ONE(4));
    await ends(yard.run('run', 'swept.yaml'), 0);
    yard.dispose();
  });

  test('what a service billed stays without --paid; and what each instance gave last stays with it', async () => {
    const yard = new Stage();
    const studio = await readyStudio();
    onTestFinished(() => studio.close());
    yard.trust(studio);
    for (const seed of [4, 5, 6]) {
      yard.write('swept.yaml', ONE(seed));
      await ends(yard.run('run', 'swept.yaml'), 0);
    }
    expect(await free(yard, '--yes')).toMatchObject({
      free: { paid: { files: 0 } },
      paid: { files: 2 },
      named: { files: 1 },
    });
    expect(await free(yard, '--paid', '--yes')).toMatchObject({ free: { paid: { files: 2 } }, named: { files: 1 } });
    await ends(yard.run('run', 'swept.yaml', '--frozen'), 0);
    yard.dispose();
  });

  test('while a film runs, its results stay', async () => {
    const yard = new Stage();
    yard.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
    yard.write('swept.yaml', ONE(4));
    await yard.run('run', 'swept.yaml');
    yard.write('swept.yaml', `${ONE(5).replace('outputs:', '  slow: { run: [ sleep, "600" ] }\noutputs:')}`);
    const run = yard.start('run', 'swept.yaml');
    await run.line(/slow +started/);
    expect(await free(yard, '--yes')).toMatchObject({
      running: ['swept'],
      free: { drafts: { files: 0 }, results: { files: 0 }, logs: { files: 0 } },
    });
    run.interrupt();
    await run.ended;
    yard.dispose();
  });
});

test('Ctrl-C twice ends a chat; once clears what was typed', async () => {
  const terminal = stage.startAtTerminal('chat', 'C-D');
  const prompt = /> \x1b\[3G/;
  await terminal.shows(prompt);
  terminal.type('never to be sent');
  await terminal.shows(/never to be sent/);
  terminal.type('\x03');
  await terminal.shows(/Ctrl-C once more ends; so do \/bye and Ctrl-D/);
  terminal.type('one beat about a fox\r');
  await terminal.shows(/shot/);
  await terminal.shows(prompt);
  terminal.type('\x03');
  await terminal.shows(/Ctrl-C once more ends/);
  terminal.type('\x03');
  expect(await terminal.exit).toBe(0);
});
