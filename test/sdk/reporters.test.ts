/** Reporters, hooks and a team's results for a program: those of the command line, through the same code. */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { definePipeline, plan, type RecordedEvent, type RunOptions, run } from '../../src/sdk/index.ts';
import { junitMistakes } from '../support/junit-schema.ts';
import { temporaryFolder } from '../support/temp.ts';

const environment = { PATH: process.env.PATH, TOKEN: 'sesame-sesame' };

/** Each time that it is made it is something else. */
const film = definePipeline({
  shotlist: 1,
  name: 'mark',
  steps: { mark: { run: 'od -An -N8 -tx1 /dev/urandom >mark.txt', creates: { text: 'mark.txt' } } },
  outputs: { mark: { from: '${{ steps.mark.files.text }}', to: 'out/mark.txt' } },
});

async function made(options: RunOptions) {
  const said: string[] = [];
  const outcome = await run(film, { environment, say: line => said.push(line), ...options }).outcome;
  return { outcome, said };
}

test('JUnit, a page, a reporter of its own and a hook are told beside the events', async () => {
  const folder = await temporaryFolder();
  const seen: string[] = [];
  const own = {
    report: ({ type }: RecordedEvent) => void seen.push(type),
    close: async () => void seen.push('closed'),
  };
  const { outcome, said } = await made({
    folder,
    reporters: [`junit=${join(folder, 'ci.xml')}`, `html=${join(folder, 'report')}`, own],
    on: { finished: ['sh', '-c', 'cp "$0" told.json'] },
  });
  expect(outcome).toMatchObject({ is: 'done' });
  expect(said).toEqual([]);
  const junit = readFileSync(join(folder, 'ci.xml'), 'utf8');
  expect(await junitMistakes(junit)).toEqual([]);
  expect(junit).toContain('<testcase name="mark" classname="mark.mark"');
  expect(readdirSync(join(folder, 'report'))).toContain('index.html');
  expect([seen[0], ...seen.slice(-2)]).toEqual(['run_started', 'run_finished', 'closed']);
  expect(JSON.parse(readFileSync(join(folder, 'told.json'), 'utf8'))).toMatchObject({ v: 1, on: 'finished' });
});

test('what one machine made, another has by the lock and the team’s store', async () => {
  const [mine, theirs, team] = await Promise.all([temporaryFolder(), temporaryFolder(), temporaryFolder()]);
  const first = await made({ folder: mine, store: team });
  expect(first.outcome).toMatchObject({ is: 'done', counts: { succeeded: 1 } });
  expect(first.said).toEqual([expect.stringContaining(`${team}`)]);
  copyFileSync(join(mine, 'mark.lock.yaml'), join(theirs, 'mark.lock.yaml'));
  const planned = await plan(film, { folder: theirs, environment, store: { at: team, write: false } });
  expect(planned.is === 'planned' && planned.text).toContain(team);
  const lost = await plan(film, { folder: theirs, environment, store: join(team, 'gone') });
  expect(lost).toMatchObject({
    is: 'planned',
    warnings: [
      { severity: 'warning', code: 'team-store', where: 'store', message: expect.stringContaining('not there') },
    ],
  });
  const second = await made({ folder: theirs, store: { at: team, write: false } });
  expect(second.outcome).toMatchObject({ is: 'done', counts: { succeeded: 0, reused: 1 } });
  const [here, there] = [mine, theirs].map(folder => readFileSync(join(folder, 'out/mark.txt'), 'utf8'));
  expect(there).toBe(here);
});

test('none of them can stop a run: what they could not do is said at its end', async () => {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'wall'), 'a file where a folder would have to be');
  const broken = {
    report: () => {
      throw new Error('it fell over');
    },
    close: async () => {},
  };
  const { outcome, said } = await made({
    folder,
    reporters: [broken, `junit=${join(folder, 'wall/ci.xml')}`],
    on: { finished: ['./gone.sh'] },
    store: join(folder, 'wall/team'),
  });
  expect(outcome).toMatchObject({ is: 'done' });
  expect(existsSync(join(folder, 'out/mark.txt'))).toBe(true);
  expect(said).toEqual(
    expect.arrayContaining([
      'a reporter of the program has failed: it fell over',
      expect.stringMatching(/^the JUnit file .*wall\/ci\.xml is not written: /),
      expect.stringMatching(/^on\.finished in the options was not notified: \.\/gone\.sh/),
      expect.stringContaining('wall/team'),
    ]),
  );
});

test('a run that does not begin leaves its reports, and no secret in them', async () => {
  const folder = await temporaryFolder();
  const places = { junit: join(folder, 'ci.xml'), html: join(folder, 'report'), summary: join(folder, 'summary.md') };
  const said: string[] = [];
  const begun = (text: string, more: RunOptions = {}) =>
    run(
      { text },
      {
        ...{ folder, environment: { ...environment, GITHUB_STEP_SUMMARY: places.summary } },
        reporters: [`junit=${places.junit}`, `html=${places.html}`, 'github'],
        ...{ say: line => said.push(line), ...more },
      },
    ).outcome;
  expect(await begun('shotlist: 1\nname: x\nsteps: { a: { rum: x } }\n')).toMatchObject({ is: 'mistaken' });
  const junit = readFileSync(places.junit, 'utf8');
  expect(await junitMistakes(junit)).toEqual([]);
  expect(junit).toContain('type="unknown-key"');
  expect(readFileSync(join(places.html, 'index.html'), 'utf8')).toContain('film.yaml was not begun');
  expect(readFileSync(places.summary, 'utf8')).toContain('it has 1 mistake');

  const refusing = createServer((_, response) => void response.writeHead(401).end());
  await new Promise<void>(done => refusing.listen(0, '127.0.0.1', done));
  onTestFinished(() => void refusing.close());
  const baseUrl = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
  const service = { baseUrl, key: 'sesame-sesame-sesame' };
  const still = 'shotlist: 1\nname: x\nsteps: { a: { model: I-GEN-A, with: { prompt: x } } }\n';
  expect(await begun(still, { service })).toMatchObject({ is: 'unreachable' });
  expect(readFileSync(places.junit, 'utf8')).toContain('type="unreachable"');
  expect(said.at(-1)).toMatch(/^::error file=/);

  // What is thrown is told as well: a lock that cannot be read.
  writeFileSync(join(folder, 'film.lock.yaml'), 'nonsense: [');
  await expect(begun(still)).rejects.toThrow();
  expect(readFileSync(places.junit, 'utf8')).toContain('type="failed"');
  for (const file of [places.junit, places.summary]) expect(readFileSync(file, 'utf8')).not.toContain('sesame');
});

test('what cannot be meant is said before anything is made, and overwrites nothing', async () => {
  const folder = await temporaryFolder();
  const place = join(folder, 'film.txt');
  writeFileSync(place, 'mine');
  await expect(made({ folder, reporters: [`junit=${place}`] })).rejects.toThrow('would replace a file that is no XML');
  await expect(run(film, { folder, environment, reporters: ['github'] }).outcome).rejects.toThrow(
    'the github reporter writes lines',
  );
  await expect(made({ folder, store: { at: 'ftp://films' } })).rejects.toThrow('store in the options is at ftp://');
  await expect(made({ folder, on: { failed: { url: 'http://example.com/x' } } })).rejects.toThrow('on.failed');
  expect(readFileSync(place, 'utf8')).toBe('mine');
  expect(existsSync(join(folder, 'out'))).toBe(false);
});
