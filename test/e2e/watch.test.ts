/** `run --watch` with whole processes, real saves and a real browser. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { CHROMIUM, hasChromium, startChromium } from '../support/browser.ts';
import { Stage } from './stage.ts';
import { endWatching, since, watchFilm } from './watching.ts';

let stage: Stage;
let browser: Browser | undefined;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());
afterAll(() => browser?.close());

const film = (first: string, second = 'an owl', seconds = 2) => `shotlist: 1
name: two
steps:
  fox:
    model: V-T2V-A
    with: { prompt: "${first}", duration: ${seconds}, seed: 1 }
  owl:
    model: V-T2V-A
    with: { prompt: "${second}", duration: 2, seed: 2 }
outputs:
  fox: { from: "\${{ steps.fox }}", to: out/fox.mp4 }
`;

const watch = (...more: string[]) => watchFilm(stage, 'two.yaml', ...more);

test('a save draws what has changed, its first picture first, and leaves the rest as it was', async () => {
  stage.write('two.yaml', film('a fox'));
  const watching = await watch();
  expect(watching.stderr).toMatch(/to draw: fox and owl/);
  const next = since(watching);
  stage.write('two.yaml', film('a wolf'));
  await next.line(/two is finished/);
  expect(next.said()).toMatch(/^\nsaved two\.yaml\n +\+\S+ {2}to draw: fox; 1 as they were\n/);
  expect(next.said()).toMatch(/fox {2}first frame\n[\s\S]*fox {2}\d+×\d+, 2\.0s[\s\S]*wrote out\/fox\.mp4/);
  expect(next.said()).not.toMatch(/owl/);
  await endWatching(watching);
});

test('a shot that is drawn from a picture shows its first one early as well', async () => {
  const moving = (prompt: string) => `shotlist: 1
name: two
steps:
  still: { model: I-GEN-A, with: { prompt: a red fox, seed: 1 } }
  shot: { model: V-I2V-A, with: { prompt: ${prompt}, duration: 10s, input_image: "\${{ steps.still.result_url }}" } }
`;
  stage.write('two.yaml', moving('it moves'));
  const watching = await watch();
  const next = since(watching);
  stage.write('two.yaml', moving('slow push in'));
  await next.line(/two is finished/);
  expect(next.said()).toMatch(
    /to draw: shot; 1 as they were\n[\s\S]*shot {2}first frame\n[\s\S]*shot {2}\d+×\d+, 10\.0s/,
  );
  await endWatching(watching);
});

test('a mistake is shown where it is; the last good film stays; the next save is drawn', async () => {
  stage.write('two.yaml', film('a fox'));
  const watching = await watch();
  const made = stage.read('out/fox.mp4').length;
  const broken = since(watching);
  stage.write('two.yaml', film('a wolf').replace('duration', 'durration'));
  await broken.line(/the next save is tried/);
  expect(broken.said()).toMatch(/two\.yaml:6:\d+: error: V-T2V-A has no field `durration`; did you mean `duration`\?/);
  const halfTyped = since(watching);
  stage.write('two.yaml', 'shotlist: 1\nsteps: {');
  await halfTyped.line(/the next save is tried/);
  expect(halfTyped.said()).toMatch(/two\.yaml:\d+:\d+: error/);
  expect(stage.read('out/fox.mp4').length).toBe(made);
  const gone = since(watching);
  rmSync(join(stage.project, 'two.yaml'));
  await gone.line(/two\.yaml: there is no such file/);
  const mended = since(watching);
  stage.write('two.yaml', film('a wolf'));
  await mended.line(/two is finished/);
  expect(mended.said()).toMatch(/to draw: fox; 1 as they were/);
  await endWatching(watching);
});

test('a save in the middle of a run ends what is asked for no more, and keeps what still is', async () => {
  stage.write('two.yaml', film('a fox in deep snow', 'an owl', 15));
  const watching = stage.start('run', '--watch', '--no-page', 'two.yaml');
  await watching.line(/fox {2}first frame/);
  const next = since(watching);
  stage.write('two.yaml', film('a wolf'));
  await next.line(/two is finished/);
  expect(next.said()).toMatch(/not drawn any more: fox\n/);
  expect(next.said()).not.toMatch(/not drawn any more:.*owl/);
  // Only a comment: what is asked for is the same, and is there.
  const same = since(watching);
  stage.write('two.yaml', `# for tomorrow\n${film('a wolf')}`);
  await same.line(/two is finished/);
  expect(same.said()).toMatch(/nothing to draw; 2 as they were/);
  await endWatching(watching);
});

test('a comment that is saved while a shot is drawn disturbs nothing', async () => {
  stage.write('two.yaml', film('a fox', 'an owl', 8));
  const watching = stage.start('run', '--watch', '--no-page', 'two.yaml');
  await watching.line(/fox {2}first frame/);
  const next = since(watching);
  stage.write('two.yaml', `# for tomorrow\n${film('a fox', 'an owl', 8)}`);
  await next.line(/two is finished/);
  expect(next.said()).toMatch(/the film asks for the same: what is being drawn goes on/);
  expect(next.said()).not.toMatch(/first frame[\s\S]*fox {2}first frame|to draw/);
  await endWatching(watching);
});

test('a data file and a file that is used are part of the film; a rename saves as well as a write', async () => {
  stage.write('beats.csv', 'prompt\na fox\n');
  stage.write(
    'two.yaml',
    `shotlist: 1
name: two
data:
  beats: beats.csv
steps:
  shot:
    matrix: { beat: "\${{ data.beats }}" }
    model: V-T2V-A
    with: { prompt: "\${{ matrix.beat.prompt }}", duration: 2, seed: 1 }
`,
  );
  const watching = await watch();
  const next = since(watching);
  const file = join(stage.project, 'beats.csv');
  writeFileSync(`${file}.tmp`, 'prompt\na fox\nan owl\n');
  renameSync(`${file}.tmp`, file);
  await next.line(/two is finished/);
  expect(next.said()).toMatch(/^\nsaved beats\.csv\n +\S+ {2}to draw: shot\[.*; 1 as they were/);
  await endWatching(watching);
});

test('nothing is drawn for a service that bills, and options of one run are refused', async () => {
  stage.write('two.yaml', film('a fox'));
  const { SHOTLIST_BASE_URL: _, ...env } = stage.env;
  stage.env = { ...env, SHOTLIST_BASE_URL: 'https://bills.example', SHOTLIST_API_KEY: 'key' };
  const billed = await stage.run('run', '--watch', 'two.yaml');
  expect(billed.exit).toBe(2);
  expect(billed.stderr).toMatch(
    /--watch draws a draft at each save, on the built-in studio, and this film goes to .* which bills/,
  );
  stage.env = env;
  const frozen = await stage.run('run', '--watch', '--frozen', 'two.yaml');
  expect([frozen.exit, frozen.stderr]).toEqual([2, expect.stringMatching(/--frozen is about one run/)]);
  const alone = await stage.run('run', '--open', 'two.yaml');
  expect([alone.exit, alone.stderr]).toEqual([2, expect.stringMatching(/--open is for the page of --watch/)]);
});

test('Ctrl-C in the middle of a shot ends clean, and the next watch goes on', async () => {
  stage.write('two.yaml', film('a fox', 'an owl', 12));
  const first = stage.start('run', '--watch', '--no-page', 'two.yaml');
  await first.line(/fox {2}first frame/);
  await endWatching(first);
  const second = await watch();
  // The lock that it wrote itself is no change.
  expect(await endWatching(second)).not.toMatch(/saved/);
  expect(existsSync(join(stage.project, 'two.lock.yaml'))).toBe(true);
});

test.skipIf(!hasChromium)(
  hasChromium
    ? 'the page shows the shots, the first picture while one is drawn, and mistakes'
    : `skipped: no Chromium at ${CHROMIUM}`,
  async () => {
    stage.write('two.yaml', film('a fox'));
    const watching = stage.start('run', '--watch', 'two.yaml');
    const [, url = ''] = await watching.line(/^ {2}(http:\S+)$/m);
    browser ??= await startChromium();
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(url);
    const fox = page.locator('.shot[data-key=fox]');
    await page.locator('.shot[data-key=fox][data-state=there] video').waitFor();
    const before = await fox.locator('video').getAttribute('src');
    stage.write('two.yaml', film('a wolf at night', 'an owl', 12));
    const first = fox.locator('img[data-first]');
    await first.waitFor();
    await expect
      .poll(() => page.evaluate("document.querySelector('img[data-first]')?.naturalWidth ?? 0"))
      .toBeGreaterThan(100);
    expect(await page.locator('.shot[data-key=owl]').getAttribute('data-state')).toBe('there');
    stage.write('two.yaml', film('a wolf at night', 'an owl', 12).replace('steps:', 'stepps:'));
    await page.locator('.mistakes', { hasText: 'stepps' }).waitFor();
    expect(await page.locator('.mistakes').innerText()).toMatch(/two\.yaml:3:1: error/);
    stage.write('two.yaml', film('a wolf'));
    await page.locator('.shot[data-key=fox][data-state=there] video').waitFor();
    await page.locator('.mistakes').waitFor({ state: 'detached' });
    expect(await fox.locator('video').getAttribute('src')).not.toBe(before);
    const shots = process.env.SHOTLIST_PICTURES;
    if (shots !== undefined) {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, 'watch.png') });
    }
    await endWatching(watching);
    await page.close();
    expect(readFileSync(join(stage.project, 'two.yaml'), 'utf8')).toContain('a wolf');
  },
);
