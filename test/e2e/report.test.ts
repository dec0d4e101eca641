/** `shotlist report` as people type it: a page of a run that is over, its place, and what is said where there is none. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';

let stage: Stage;

const FILM = `shotlist: 1
name: fox
steps:
  shot:
    takes: 2
    model: I-GEN-A
    with: { prompt: a red fox }
  film:
    cut: { clips: [{ each: "\${{ steps.shot }}", for: 0.5s }], size: 128x72 }
outputs:
  film: { from: "\${{ steps.film }}", to: out/film.mp4 }
`;

beforeAll(async () => {
  stage = new Stage();
  stage.write('fox.yaml', FILM);
  await ends(stage.run('run', 'fox.yaml', '--draft'), 0);
});
afterAll(() => stage?.dispose());

const place = (...path: readonly string[]) => stage.at(...path);

test('report writes a folder named after the film, prints its page, and takes its own place again', async () => {
  for (const _ of ['first', 'again']) {
    const { exit, stdout, stderr } = await stage.run('report', 'fox.yaml');
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: 'fox-report/index.html\n', stderr: '' });
  }
  expect(readdirSync(place('fox-report')).sort()).toEqual(['index.html', 'media', 'posters']);
  expect(readdirSync(place('fox-report', 'media'))).toHaveLength(3);
  expect(readdirSync(place('fox-report', 'posters'))).toHaveLength(3);
  expect(statSync(place('fox-report', 'index.html')).size).toBeLessThan(600_000);
});

test('report --out says where and how; what is somebody else’s stays', async () => {
  expect((await stage.run('report', 'fox.yaml', '--out', 'out/of/fox')).stdout).toBe('out/of/fox/index.html\n');
  expect((await stage.run('report', 'fox.yaml', '--out', 'fox-report.html')).stdout).toBe('fox-report.html\n');
  stage.write('mine/notes.txt', 'mine');
  const refused = await ends(stage.run('report', 'fox.yaml', '--out', 'mine'), 2);
  expect(refused.stderr).toContain(
    'mine is there and holds notes.txt, which is no part of a report: nothing was replaced',
  );
  await ends(stage.run('report', 'fox.yaml', '--out', 'fox.html', '--proxies'), 2);
});

test('a run leaves a report behind where it is asked to, and what becomes of it never changes the run', async () => {
  stage.write('taken', 'mine');
  const ran = await ends(
    stage.run('run', 'fox.yaml', '--draft', '--report', 'html=after', '--report', 'html=taken'),
    0,
  );
  expect(readdirSync(place('after'))).toContain('index.html');
  expect(stage.read('taken')).toBe('mine');
  expect(ran.stderr.split('\n').filter(line => line.includes('the report in'))).toEqual([
    `the report in taken is not written: ${place('taken')} is a file, and a report is a folder: name another place with --out; \`shotlist report fox.yaml\` makes it at any later time`,
  ]);
});

test('report is drawn also of a film whose file was edited, and of one whose file is broken now', async () => {
  stage.write('fox.yaml', FILM.replace('a red fox', 'a white horse'));
  await ends(stage.run('report', 'fox.yaml'), 0);
  const html = readFileSync(place('fox-report', 'index.html'), 'utf8');
  expect(html).toContain('a red fox');
  expect(html).toContain('"isEdited":true');
  expect(existsSync(place('fox-report', 'media'))).toBe(true);
  writeFileSync(place('fox.yaml'), 'steps: [');
  await ends(stage.run('report', 'fox.yaml'), 0);
});
