/** A run that stops before it begins: a CI that was promised files finds them, and in them why. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { junitMistakes } from '../support/junit-schema.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
  stage.env = {
    ...{ SHOTLIST_STUDIO_SPEED: 'draft', GITHUB_WORKSPACE: stage.project },
    GITHUB_STEP_SUMMARY: stage.at('summary.md'),
  };
  stage.write('film.yaml', FILM);
  stage.write('summary.md', '# before\n');
});
afterEach(() => stage.dispose());

const FILM = `shotlist: 1
name: spot
steps:
  shot: { model: I-GEN-A, with: { prompt: a red fox, seed: 4 } }
outputs:
  film: { from: "\${{ steps.shot }}", to: out/film.webp }
`;

const REPORTS = ['--report', 'junit=out/ci.xml', '--report', 'github', '--report', 'html=out/report'];

/** Each with the exit code of the command, and the word for it in the files. */
async function stopped(args: readonly string[], run: Stage['run'] = (...args) => stage.run(...args)) {
  const { exit, stderr } = await run('run', 'film.yaml', '--ui', 'plain', ...REPORTS, ...args);
  const junit = stage.read('out/ci.xml');
  expect(await junitMistakes(junit), junit).toEqual([]);
  expect(stage.read('out/report/index.html')).toContain('film.yaml was not begun');
  expect(stage.has('out/draft/film.webp')).toBe(false);
  return { exit, stderr, junit, summary: stage.read('summary.md'), page: stage.read('out/report/index.html') };
}

test('mistakes in the file: each is a test case and a row of the summary, and stands once on its line', async () => {
  stage.write('film.yaml', FILM.replace('I-GEN-A', 'I-GEN-Q').replace('steps.shot ', 'steps.shto '));
  const { exit, stderr, junit, summary, page } = await stopped([], (...args) => stage.runAsProcess(...args));
  expect(exit).toBe(2);
  expect(junit).toContain('tests="2" failures="0" errors="2"');
  expect(junit).toMatch(/<testcase name="film\.yaml:4:\d+ unknown-model" classname="film\.yaml\.check"/);
  expect(junit).toContain('<property name="outcome" value="mistake"/>');
  expect(stderr.match(/^::error /gm)).toHaveLength(2);
  expect(summary).toMatch(/^# before\n### ❌ film\.yaml was not begun: it has 2 mistakes/);
  expect(summary.match(/^\| <code>film/gm)).toHaveLength(2);
  expect(page).toContain('did you mean');
});

test('what is no mistake of the file is one test case, one annotation on the file, and a sentence on the page', async () => {
  const frozen = await stopped(['--frozen']);
  expect(frozen.exit).toBe(3);
  expect(frozen.junit).toMatch(/<testcase name="run" classname="film\.yaml\.run" time="0\.000"><error type="frozen"/);
  expect(frozen.stderr).toMatch(/^::error file=film\.yaml,line=1,col=1,title=film\.yaml was not begun/m);
  expect(frozen.page).toContain('would have to be paid for');
  expect(frozen.page).toContain('exit code 3');
  stage.write('film.yaml', FILM.replace('name: spot', 'name: spot\nbudget: { generations: 0 }'));
  const budget = await stopped([]);
  expect([budget.exit, budget.junit]).toEqual([4, expect.stringContaining('<error type="budget"')]);
  stage.write('shotlist.config.yaml', 'limit: 3\n');
  const settings = await stopped([]);
  expect([settings.exit, settings.junit]).toEqual([2, expect.stringContaining('<error type="mistake"')]);
});

test('a service that is not there, or gives no key, is told; the key itself is in none of the files', async () => {
  const service = createServer((_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: 'the key sesame-sesame-sesame is wrong' }));
  });
  await new Promise<void>(done => service.listen(0, '127.0.0.1', done));
  onTestFinished(() => void service.close());
  stage.env = {
    ...stage.env,
    SHOTLIST_BASE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
  };
  const keyless = await stopped([]);
  expect([keyless.exit, keyless.page]).toEqual([6, expect.stringContaining('exit code 6')]);
  stage.write('summary.md', '');
  stage.env = { ...stage.env, SHOTLIST_API_KEY: 'sesame-sesame-sesame' };
  const { exit } = await stage.run('run', 'film.yaml', '--ui', 'plain', ...REPORTS);
  const junit = stage.read('out/ci.xml');
  expect(await junitMistakes(junit), junit).toEqual([]);
  expect([exit, junit]).toEqual([6, expect.stringContaining('type="unreachable"')]);
  for (const file of ['out/ci.xml', 'out/report/index.html', 'summary.md'])
    expect(stage.read(file)).not.toContain('sesame');
});

test('a page of before is replaced, and never what is somebody else’s', async () => {
  await ends(stage.run('run', 'film.yaml', '--report', 'html=out/report'), 0);
  expect(stage.has('out/report/media')).toBe(true);
  stage.write('mine/notes.txt', 'mine');
  const reports = ['--report', 'html=out/report', '--report', 'html=mine', '--report', 'junit=wall/ci.xml'];
  stage.write('wall', 'a file where a folder would have to be');
  stage.write('film.yaml', 'steps: [');
  const { stderr } = await ends(stage.run('run', 'film.yaml', ...reports), 2);
  expect(stage.read('out/report/index.html')).toContain('film.yaml was not begun');
  expect(stage.has('out/report/media')).toBe(false);
  expect(stage.read('mine/notes.txt')).toBe('mine');
  expect(stderr).toMatch(/the page in mine that would say why the run did not begin is not written: .*notes\.txt/);
  expect(stderr).toMatch(/the JUnit file wall\/ci\.xml is not written: /);
  // A file that is no report is no place for one, however the run would end.
  const refused = await stage.run('run', 'film.yaml', '--report', 'junit=film.yaml');
  expect([refused.exit, stage.read('film.yaml')]).toEqual([2, 'steps: [']);
});

test('a promotion that cannot begin is told as well', async () => {
  const { exit } = await stage.run('promote', 'film.yaml', ...REPORTS);
  const junit = stage.read('out/ci.xml');
  expect(await junitMistakes(junit), junit).toEqual([]);
  expect([exit, junit]).toEqual([2, expect.stringContaining('<testcase name="run" classname="film.yaml.run"')]);
  expect(stage.read('out/report/index.html')).toContain('film.yaml was not begun');
});
