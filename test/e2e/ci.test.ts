/** What a CI system sees: the action's own steps, the script for others, and the files that a run leaves beside the screen. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { runAction } from '../support/composite-action.ts';
import { Runner } from '../support/github-runner.ts';
import { junitMistakes } from '../support/junit-schema.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
  stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
});
afterEach(() => stage.dispose());

/** Two pictures that cost something, and a file that is made of them. */
const FILM = `shotlist: 1
name: spot
steps:
  shot:
    model: I-GEN-A
    matrix: { seed: [4, 5] }
    with: { prompt: a red fox, seed: "\${{ matrix.seed }}" }
  film:
    run: [cp, "\${{ steps.shot[1].file }}", film.webp]
    creates: { picture: film.webp }
outputs:
  film: { from: "\${{ steps.film.files.picture }}", to: out/film.webp }
`;
/** A film that costs nothing. */
const FREE = `shotlist: 1\nname: spot\nsteps:\n  film: { run: [echo, done] }\n`;
/** The first one with one step more. */
const withStep = (line: string): string => FILM.replace('outputs:', `${line}\noutputs:`);

const git = (...args: readonly string[]): void => {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'init.defaultBranch=main'];
  execFileSync('git', [...who, ...args], { cwd: stage.project, stdio: 'ignore', env: stage.environment });
};

/** `.shotlist` is nobody's to commit. */
function repository(): void {
  stage.write('spot.yaml', FILM);
  stage.write('.gitignore', '.shotlist\nout\n');
  git('init');
  git('add', '.');
  git('commit', '-m', 'one');
}

const command = (): string => stage.command([]).join(' ');

test('junit, github and html at once beside the screen; the exit code is the run’s', async () => {
  stage.write('spot.yaml', withStep(`  bad:\n    run: "echo '::error::owned'; echo '##[error]owned'; exit 3"`));
  stage.write('summary.md', '# before\n');
  stage.env = {
    ...stage.env,
    ...{ GITHUB_STEP_SUMMARY: stage.at('summary.md'), GITHUB_WORKSPACE: stage.project },
  };
  const reports = ['--report', 'junit=out/ci.xml', '--report', 'github', '--report', 'html=out/report'];
  const { stderr } = await ends(stage.runAsProcess('run', 'spot.yaml', '--ui', 'plain', ...reports), 1);
  expect(await junitMistakes(stage.read('out/ci.xml'))).toEqual([]);
  expect(stage.read('out/ci.xml')).toContain('tests="4" failures="1"');
  expect(stage.has('out/report/index.html')).toBe(true);
  const runner = new Runner();
  for (const line of stderr.split('\n')) runner.read(line);
  expect(runner.orders.filter(order => order !== 'group' && order !== 'endgroup')).toEqual(['error']);
  expect(runner.obeyed.at(-1)).toMatch(/^::error file=spot\.yaml,line=11,col=3,endColumn=6,title=bad failed::/);
  expect(runner.isStopped).toBe(false);
  expect(stage.read('summary.md')).toMatch(/^# before\n### ❌ spot is not finished/);
});

test('a report that cannot be written is told at the end, and changes nothing', async () => {
  stage.write('spot.yaml', FREE);
  stage.write('wall', 'a file where a folder would have to be');
  const reports = ['--report', 'junit=wall/ci.xml', '--report', 'html=wall/report'];
  const { stderr } = await ends(stage.run('run', 'spot.yaml', ...reports), 0);
  expect(stderr).toMatch(/the JUnit file wall\/ci\.xml is not written: .*; the run itself is as shown above/);
  expect(stderr).toContain('`shotlist report spot.yaml` makes it at any later time');
});

test('what --report cannot mean is said before anything is made', async () => {
  stage.write('spot.yaml', FILM);
  for (const [report, said] of [
    ['junit', '--report junit needs a place'],
    ['gihub', 'did you mean github?'],
    ['junit=spot.yaml', 'would replace a file that is no XML'],
    ['github=x', 'takes no place'],
  ] as const) {
    await ends(stage.run('run', 'spot.yaml', '--report', report), 2, said);
  }
});

test('mistakes in the file stand on their lines', async () => {
  const mistaken = FILM.replace('steps.shot[', 'steps.shto[').replace('film.webp]', '"##[add-mask]f"]');
  stage.write('spot.yaml', mistaken);
  const { stderr } = await ends(stage.run('run', 'spot.yaml', '--report', 'github'), 2);
  expect(stderr).toMatch(/^::error file=spot\.yaml,line=9,col=26,endColumn=30,title=unknown-step::/m);
  const annotated = await stage.run('check', 'spot.yaml', '--format', 'github');
  expect([annotated.exit, annotated.stderr]).toEqual([2, '']);
  const runner = new Runner();
  for (const line of annotated.stdout.split('\n')) runner.read(line);
  expect(runner.obeyed).toEqual([expect.stringMatching(/^::error file=spot\.yaml,line=9,col=26,endColumn=30,/)]);
  expect([runner.isStopped, annotated.stdout]).toEqual([false, expect.stringContaining('"##[add-mask]f"]')]);
  stage.env = { ...stage.env, GITHUB_ACTIONS: 'true' };
  const page = await stage.run('plan', 'spot.yaml', '--format', 'markdown');
  expect([page.exit, page.stderr.match(/^::error file=spot\.yaml,line=9,.*/gm)]).toEqual([2, [expect.any(String)]]);
  expect(page.stdout).toMatch(/^<!-- shotlist plan spot\.yaml -->\n### ❌ spot.yaml has 1 mistake\n/);
  expect(page.stdout).toContain('| <code>spot.yaml&#58;9&#58;26</code> | step');
  expect(page.stdout).toContain('<pre>  9 &#124;     run: &#91;cp, ');
  expect(page.stdout).toContain(`<br>    &#124; ${' '.repeat(25)}${'&#94;'.repeat(4)}</pre> |`);
  stage.env = { ...stage.env, GITHUB_WORKSPACE: stage.folder };
  const scanned = await stage.run('check', 'spot.yaml', '--format', 'sarif');
  expect(scanned.stdout).toContain('"uri": "project/spot.yaml"');
  await ends(stage.run('check', 'spot.yaml', '--json', '--format', 'sarif'), 2, 'ask for different things');
});

test('what a job of CI asked for beside the film is no part of what its author types to go on', async () => {
  stage.write('spot.yaml', withStep('  bad: { run: "exit 3" }'));
  stage.env = { ...stage.env, GITHUB_STEP_SUMMARY: stage.at('summary.md') };
  await stage.run('run spot.yaml --ui plain --report github --report=junit=out/ci.xml --max-usd 5');
  expect(stage.read('summary.md')).toContain('<code>shotlist run spot.yaml --max-usd 5</code>');
});

test('a plan against the branch that a change goes into', async () => {
  repository();
  await ends(stage.run('run', 'spot.yaml'), 0);
  git('add', '.');
  git('commit', '-m', 'made');
  expect((await stage.run('plan', 'spot.yaml', '--format', 'markdown', '--base', 'HEAD')).stdout).toContain(
    'Against <code>HEAD</code>: nothing that is made changes.',
  );
  stage.write('spot.yaml', FILM.replace('seed: [4, 5]', 'seed: [5, 6]'));
  const { stdout } = await stage.run('plan', 'spot.yaml', '--format', 'markdown', '--base', 'HEAD');
  expect(stdout).toContain(
    'Against <code>HEAD</code>: 1 new, 1 known once what they read is made, 1 gone. The change adds **&#36;0.01**.',
  );
  expect(stdout).toMatch(/^<!-- shotlist plan spot\.yaml -->\n### 🎬 spot: 2 of 3 instances would run/);
  // A row a step, as on the terminal; a row an instance is for --all.
  const why = '1 hit, 1 run<br>1 run: never run (seed&#61;6)';
  expect(stdout).toContain(
    `| <code>shot × 2</code> | I-GEN-A | ${why} | &#36;0.01, 1 image × &#36;0.01 | 1 new |\n| <code>film</code> |`,
  );
  const each = await stage.run('plan', 'spot.yaml', '--format', 'markdown', '--base', 'HEAD', '--all');
  expect(each.stdout).toMatch(/\| <code>shot&#91;seed&#61;6&#93;<\/code> \| I-GEN-A \| never run \| .* \| new \|\n/);
  expect(each.stdout).toContain('All of it: <code>shotlist plan spot.yaml --all</code>');
  const draft = await stage.run('plan', 'spot.yaml', '--format', 'markdown', '--draft');
  expect(draft.stdout).toContain('All of it: <code>shotlist plan spot.yaml --draft --all</code>');
  const wrong = await stage.run('plan', 'spot.yaml', '--format', 'markdown', '--base', '--upload-pack=x');
  expect(wrong.exit).not.toBe(0);
  stage.write('base.yaml', readFileSync(stage.at('spot.lock.yaml')));
  const byFile = await stage.run('plan', 'spot.yaml', '--format', 'markdown', '--base', 'base.yaml');
  expect(byFile.stdout).toContain('Against <code>base.yaml</code>: 1 new');
});

const ACTION = resolve('.github/actions/shotlist/action.yml');

test('the action plans a pull request under it, once, and makes the film on a tag', async () => {
  repository();
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  const posted: { method: string; url: string; body: string; token: string }[] = [];
  const comments: { id: number; body: string; user: { type: string } }[] = [];
  const api = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const { method = '', url = '' } = request;
    posted.push({ method, url, body: text, token: request.headers.authorization ?? '' });
    if (method === 'POST') comments.push({ id: 7, body: JSON.parse(text).body, user: { type: 'Bot' } });
    response.writeHead(method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(method === 'GET' ? comments : {}));
  });
  await new Promise<void>(done => api.listen(0, '127.0.0.1', done));
  onTestFinished(() => void api.close());
  const env = {
    ...stage.environment,
    ...{ GITHUB_REPOSITORY: 'ada/films', GITHUB_API_URL: `http://127.0.0.1:${(api.address() as AddressInfo).port}` },
  };
  const folder = join(stage.folder, 'runner');
  mkdirSync(folder);
  const inputs = { films: 'spot.yaml', command: command(), token: 'ghs_secret' };
  const github = { ref_name: '5/merge', run_id: '1', run_attempt: '1', event: { pull_request: { number: 5 } } };
  const pull = {
    ...{ action: ACTION, inputs, cwd: stage.project, folder, env },
    github: { ...github, event_name: 'pull_request', base_ref: 'main' },
  };
  for (const _ of ['opened', 'pushed to']) {
    const planned = await runAction(pull);
    expect(planned.failed, planned.log).toBe(undefined);
    expect(planned.summary).toContain('<code>origin/main</code> has no lock of this film');
    expect(planned.used.map(({ uses }) => uses)).toEqual(['actions/setup-node@v4', 'actions/cache/restore@v4']);
  }
  expect(posted.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toEqual([
    'GET /repos/ada/films/issues/5/comments',
    'POST /repos/ada/films/issues/5/comments',
    'GET /repos/ada/films/issues/5/comments',
    'PATCH /repos/ada/films/issues/comments/7',
  ]);
  expect(posted[1]).toMatchObject({
    token: 'Bearer ghs_secret',
    body: expect.stringContaining('3 of 3 instances would run'),
  });

  const tag = { ...pull, github: { ...github, event_name: 'push', ref_name: 'v1', base_ref: '' } };
  const made = await runAction(tag);
  expect(made.failed, made.log).toBe(undefined);
  expect(stage.has('out/draft/film.webp')).toBe(true);
  expect(made.outputs.exit).toBe('0');
  expect(made.summary).toContain('### ✅ spot is finished');
  expect(made.used.map(({ uses }) => uses.split('@')[0])).toEqual([
    ...['actions/setup-node', 'actions/cache/restore', 'actions/cache/save', 'actions/upload-artifact'],
  ]);
  expect(await junitMistakes(readFileSync(join(folder, 'temp/shotlist/spot.xml'), 'utf8'))).toEqual([]);
  expect(existsSync(join(folder, 'temp/shotlist/spot/index.html'))).toBe(true);
  const proved = await runAction({ ...tag, inputs: { ...inputs, mode: 'prove' } });
  expect(proved.failed, proved.log).toBe(undefined);
});

test('the action fails with the code of the film, and keeps what was made', async () => {
  stage.write('spot.yaml', `${FREE}  bad: { run: "exit 3" }\n`);
  const folder = join(stage.folder, 'runner');
  mkdirSync(folder);
  const failed = await runAction({
    ...{ action: ACTION, inputs: { films: 'spot.yaml', command: command() }, cwd: stage.project, folder },
    ...{ env: stage.environment, github: { event_name: 'push', ref_name: 'v1', event: {} } },
  });
  expect(failed.failed).toBe('How it ended: 1');
  expect(failed.used.map(({ uses }) => uses.split('@')[0])).toContain('actions/cache/save');
});

test('the script for other systems: a plan, a proof, and a film that is there already', async () => {
  repository();
  const script = (...args: readonly string[]) => {
    try {
      const env = { ...stage.environment, SHOTLIST: command(), BASE: 'HEAD', SHOTLIST_CI_OUT: 'ci' };
      return {
        exit: 0,
        out: execFileSync(resolve('.github/actions/shotlist/shotlist-ci.sh'), args, {
          cwd: stage.project,
          env,
          encoding: 'utf8',
          stdio: 'pipe',
        }),
      };
    } catch (error) {
      const { status, stderr } = error as { status: number; stderr: string };
      return { exit: status, out: stderr };
    }
  };
  expect(script('plan', 'spot.yaml', 'gone.yaml').exit).toBe(2);
  expect(stage.read('ci/plan.md')).toContain('<!-- shotlist plan spot.yaml -->');
  expect(stage.read('ci/plan.md')).toContain('<!-- shotlist plan gone.yaml -->\n### ❌ gone.yaml cannot be planned');
  expect(script('prove', 'spot.yaml').exit).toBe(3);
  expect(script('run', 'spot.yaml')).toMatchObject({ exit: 0 });
  expect(script('prove', 'spot.yaml')).toMatchObject({ exit: 0 });
  expect(script('bake', 'spot.yaml')).toMatchObject({
    exit: 2,
    out: expect.stringContaining('it is plan, prove or run'),
  });
});

test('hooks: a command and an address are told, a dead one is said at the end, and nothing waits for them', async () => {
  const heard: { id: string; body: string }[] = [];
  const web = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    heard.push({ id: String(request.headers['idempotency-key']), body });
    response.writeHead(heard.length === 1 ? 503 : 204).end();
  });
  await new Promise<void>(done => web.listen(0, '127.0.0.1', done));
  onTestFinished(() => void web.close());
  stage.write(
    'spot.yaml',
    `shotlist: 1\nname: spot\nenv: [TOKEN]\nsteps:\n  bad: { run: "echo $TOKEN; exit 3" , env: { TOKEN: "\${{ env.TOKEN }}" } }\n`,
  );
  stage.write('notify.sh', '#!/bin/sh\ncp "$1" "out-$SHOTLIST_EVENT.json"\n');
  chmodSync(stage.at('notify.sh'), 0o755);
  stage.write(
    'shotlist.config.yaml',
    `on:\n  failed: [./notify.sh]\n  finished: { url_env: HOOK }\n  waiting: https://hook.invalid/x\n`,
  );
  stage.env = {
    ...stage.env,
    TOKEN: 'sesame-sesame',
    HOOK: `http://127.0.0.1:${(web.address() as AddressInfo).port}/secret`,
  };
  await ends(stage.runAsProcess('run', 'spot.yaml'), 1);
  const failed = JSON.parse(stage.read('out-failed.json'));
  expect(failed).toMatchObject({ v: 1, on: 'failed', name: 'spot', event: { type: 'failed', key: 'bad' } });
  expect(JSON.stringify(failed)).not.toContain('sesame-sesame');
  expect(heard.map(({ id }) => id)).toEqual([heard[0]?.id, heard[0]?.id]);
  expect(JSON.parse(heard[1]?.body ?? '')).toMatchObject({
    on: 'finished',
    text: expect.stringContaining('spot is not finished'),
  });
  stage.write('shotlist.config.yaml', 'on: { finished: [./gone.sh] }\n');
  const told = await ends(stage.run('run', 'spot.yaml'), 1);
  expect(told.stderr).toMatch(
    /on\.finished in shotlist\.config\.yaml was not notified: \.\/gone\.sh ended with exit code 127/,
  );
});
