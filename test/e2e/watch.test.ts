/** `run --watch` with whole processes, real saves and a real browser. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startChromium } from '../support/browser.ts';
import { isMissing } from '../support/needs.ts';
import { POLL_PATIENCE } from '../support/patience.ts';
import { ends, openStage } from './ended.ts';
import type { Started } from './stage.ts';
import { endWatching, pausedRenders, type Since, saveIn, since, watchFilm } from './watching.ts';

const stage = openStage();
/** One for all films that are saved here, with its page. */
let watching: Started;
let page = '';
beforeAll(async () => {
  // Whatever is drawn is really drawn: its first picture is waited for.
  stage.films = 'drawn anew';
  stage.write('two.yaml', 'shotlist: 1\nname: two\nsteps:\n  begun: { run: "true" }\n');
  watching = stage.start('run', '--watch', '--open', 'two.yaml');
  [, page = ''] = await watching.line(/^ {2}(http:\S+)$/m);
  await watching.line(/two is finished/);
});

/** Saves a file, and waits until the watch answers with this. */
const save = (watching: Started, path: string, content: string | Buffer, answer?: RegExp): Promise<Since> =>
  saveIn(stage, watching, path, content, answer);
/** Saves the film, and waits until it is finished. */
const saved = (film: string): Promise<Since> => save(watching, 'two.yaml', film);

const film = (first: string, seconds = 2) => `shotlist: 1
name: two
steps:
  fox: { model: V-T2V-A, with: { prompt: "${first}", duration: ${seconds}, resolution: 720P, seed: 4 } }
  owl: { model: I-GEN-A, with: { prompt: a red fox, seed: 4 } }
outputs:
  fox: { from: "\${{ steps.fox }}", to: out/fox.mp4 }
`;

/** A shot of five seconds that is drawn from a picture. */
const moving = (prompt: string) => `shotlist: 1
name: two
steps:
  still: { model: I-GEN-A, with: { prompt: a red fox, seed: 4 } }
  shot: { model: V-I2V-A, with: { prompt: ${prompt}, duration: 5s, input_image: "\${{ steps.still.result_url }}" } }
`;

const still = (seed: number) => `shotlist: 1
name: two
steps:
  fox:
    model: I-GEN-A
    with: { prompt: a red fox, seed: ${seed} }
  owl: { model: I-GEN-A, with: { prompt: a red fox, seed: 4 } }
outputs:
  fox: { from: "\${{ steps.fox }}", to: out/fox.webp }
`;

test('a save draws what has changed, its first picture first, and leaves the rest as it was', async () => {
  expect((await saved(film('a fox'))).said()).toMatch(/to draw: fox and owl/);
  const next = await saved(film('a wolf', 5));
  expect(next.said()).toMatch(/^\nsaved two\.yaml\n +\+\S+ {2}to draw: fox; 1 as it was\n/);
  expect(next.said()).toMatch(/fox {2}first frame\n[\s\S]*fox {2}\d+×\d+, 5\.0s[\s\S]*wrote out\/draft\/fox\.mp4/);
  expect(next.said()).not.toMatch(/owl/);
});

test('a shot that is drawn from a picture shows its first one early as well', async () => {
  await saved(moving('slow push in').replace(/^ {2}shot:.*\n/m, ''));
  const next = await saved(moving('slow push in'));
  expect(next.said()).toMatch(/to draw: shot; 1 as it was\n[\s\S]*shot {2}first frame\n[\s\S]*shot {2}\d+×\d+, 5\.0s/);
});

test('a mistake is shown where it is; the last good film stays; the next save is drawn', async () => {
  await saved(still(5));
  const made = stage.read('out/draft/fox.webp').length;
  const broken = await save(watching, 'two.yaml', still(6).replace('seed', 'sead'), /the next save is tried/);
  expect(broken.said()).toMatch(/two\.yaml:6:\d+: error: I-GEN-A has no field `sead`; did you mean `seed`\?/);
  const halfTyped = await save(watching, 'two.yaml', 'shotlist: 1\nsteps: {', /the next save is tried/);
  expect(halfTyped.said()).toMatch(/two\.yaml:\d+:\d+: error/);
  expect(stage.read('out/draft/fox.webp').length).toBe(made);
  const gone = since(watching);
  rmSync(stage.at('two.yaml'));
  await gone.line(/two\.yaml: there is no such file/);
  expect((await saved(still(6))).said()).toMatch(/to draw: fox; 1 as it was/);
});

test('a save in the middle of a run ends what is asked for no more, and keeps what still is', async () => {
  const owl = '  night: { model: V-T2V-A, with: { prompt: an owl, duration: 2, resolution: 720P, seed: 4 } }\n';
  await save(
    watching,
    'two.yaml',
    film('a fox in deep snow', 15).replace('outputs:', `${owl}outputs:`),
    /fox {2}first frame/,
  );
  const next = since(watching);
  {
    using _ = pausedRenders(watching);
    stage.write('two.yaml', film('a wolf', 5).replace('outputs:', `${owl}outputs:`));
    await next.line(/not drawn any more: .*\n/);
  }
  await next.line(/two is finished/);
  expect(next.said()).toMatch(/not drawn any more: fox\n/);
  // Only a comment: what is asked for is the same, and is there.
  const same = await saved(`# for tomorrow\n${film('a wolf', 5).replace('outputs:', `${owl}outputs:`)}`);
  expect(same.said()).toMatch(/nothing to draw; 3 as they were/);
});

test('a comment that is saved while a shot is drawn disturbs nothing', async () => {
  await save(watching, 'two.yaml', moving('it moves'), /shot {2}first frame/);
  const same = since(watching);
  {
    using _ = pausedRenders(watching);
    stage.write('two.yaml', `# for tomorrow\n${moving('it moves')}`);
    await same.line(/the film asks for the same: what is being drawn goes on/);
  }
  await same.line(/two is finished/);
  expect(same.said()).not.toMatch(/shot {2}first frame|to draw/);
});

test('a data file and a file that is used are part of the film; a rename saves as well as a write', async () => {
  stage.write('beats.csv', 'seed\n4\n');
  await saved(`shotlist: 1
name: two
data:
  beats: beats.csv
steps:
  shot:
    matrix: { beat: "\${{ data.beats }}" }
    model: I-GEN-A
    with: { prompt: a red fox, seed: "\${{ matrix.beat.seed }}" }
`);
  const next = since(watching);
  const file = stage.at('beats.csv');
  writeFileSync(`${file}.tmp`, 'seed\n4\n7\n');
  renameSync(`${file}.tmp`, file);
  await next.line(/two is finished/);
  expect(next.said()).toMatch(/^\nsaved beats\.csv\n +\S+ {2}to draw: shot\[.*; 1 as it was/);
});

test('nothing is drawn for a service that bills, and options of one run are refused', async () => {
  stage.write('other.yaml', film('a fox'));
  const { env } = stage;
  stage.env = { ...env, SHOTLIST_BASE_URL: 'https://bills.example', SHOTLIST_API_KEY: 'key' };
  const billed = await stage.run('run', '--watch', 'other.yaml');
  stage.env = env;
  expect(billed.exit).toBe(2);
  expect(billed.stderr).toMatch(
    /--watch draws a draft at each save, on the built-in studio, and this film goes to .* which bills/,
  );
  await ends(stage.run('run', '--watch', '--frozen', 'other.yaml'), 2, /--frozen is about one run/);
  await ends(stage.run('run', '--open', 'other.yaml'), 2, /--open is for the page of --watch/);
});

test.skipIf(isMissing('chromium'))(
  'the page shows the shots, the first picture while one is drawn, and mistakes',
  async () => {
    await saved(film('a fox'));
    await using browser = await startChromium();
    const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    tab.setDefaultTimeout(POLL_PATIENCE);
    await tab.goto(page);
    const fox = tab.locator('.shot[data-key=fox]');
    await tab.locator('.shot[data-key=fox][data-state=there] video').waitFor();
    const before = await fox.locator('video').getAttribute('src');
    await save(watching, 'two.yaml', film('a wolf at night', 15), /fox {2}first frame/);
    {
      using _ = pausedRenders(watching);
      await fox.locator('img[data-first]').waitFor();
      await expect
        .poll(() => tab.evaluate("document.querySelector('img[data-first]')?.naturalWidth ?? 0"))
        .toBeGreaterThan(100);
      expect(await tab.locator('.shot[data-key=owl]').getAttribute('data-state')).toBe('there');
      stage.write('two.yaml', film('a wolf at night', 15).replace('steps:', 'stepps:'));
      await tab.locator('.mistakes', { hasText: 'stepps' }).waitFor();
      expect(await tab.locator('.mistakes').innerText()).toMatch(/two\.yaml:3:1: error/);
    }
    await saved(film('a wolf', 5));
    await tab.locator('.shot[data-key=fox][data-state=there] video').waitFor();
    await tab.locator('.mistakes').waitFor({ state: 'detached' });
    expect(await fox.locator('video').getAttribute('src')).not.toBe(before);
    const shots = process.env.SHOTLIST_PICTURES;
    if (shots !== undefined) {
      mkdirSync(shots, { recursive: true });
      await tab.screenshot({ path: join(shots, 'watch.png') });
    }
    expect(stage.read('two.yaml')).toContain('a wolf');
  },
);

test('Ctrl-C in the middle of a shot ends clean, and the next watch goes on', async () => {
  await save(watching, 'two.yaml', moving('slow pan left'), /shot {2}first frame/);
  await endWatching(watching);
  const second = await watchFilm(stage);
  // The lock that it wrote itself is no change.
  expect(await endWatching(second)).not.toMatch(/saved/);
  expect(stage.has('two.lock.yaml')).toBe(true);
});
