/** The studio's page in a real Chromium. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { film } from '../media/footage.ts';
import { violations } from '../support/axe.ts';
import { startChromium } from '../support/browser.ts';
import { isMissing } from '../support/needs.ts';
import { POLL_PATIENCE } from '../support/patience.ts';
import { workFolder } from '../support/temp.ts';
import { type Begun, KEY, type TestStudio, testStudio } from './fake-studio.ts';

const STILL = { model: 'I-GEN-A', prompt: 'a red fox on the ice' };
const FILM = { model: 'V-T2V-A', prompt: 'a red fox runs', duration: 2, seed: 11 };

let browser: Browser;
/** What the tabs of a test share. */
let context: BrowserContext;
let footage: Buffer;

describe.skipIf(isMissing('chromium'))('the page', () => {
  beforeAll(async () => {
    browser = await startChromium();
    footage = await readFile(
      await film(path.join(await workFolder(), 'film.mp4'), { width: 160, height: 90, frames: 24 }),
    );
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    context = await browser.newContext();
    context.setDefaultTimeout(POLL_PATIENCE);
  });
  afterEach(() => context.close());

  test('asks for the key, refuses a wrong one, and keeps the right one for this tab alone', async () => {
    await using studio = await testStudio();
    await studio.enqueue(STILL);
    await using tab = await open(`${studio.url}/`);
    const { page } = tab;
    await page.getByRole('heading', { name: 'Behind the key' }).waitFor();
    await page.getByLabel('Key').fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('That is not the key of this studio.').waitFor();
    expect(await page.locator('.job').count()).toBe(0);
    await page.getByLabel('Key').fill(KEY);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('a red fox on the ice').waitFor();
    await page.reload();
    await page.getByText('a red fox on the ice').waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await using other = await open(`${studio.url}/`);
    await other.page.getByLabel('Key').waitFor();
    // The one refusal is the wrong key's; the browser notes it.
    expect(tab.complaints).toEqual([
      'Failed to load resource: the server responded with a status of 401 (Unauthorized)',
    ]);
  });

  test('takes a key from the address, out of it, and never sends it in one', async () => {
    await using studio = await testStudio();
    await studio.enqueue(STILL);
    await using tab = await opened(studio);
    expect(tab.page.url()).toBe(`${studio.url}/`);
    expect(tab.asked.filter(url => url.includes(KEY))).toEqual([]);
    expect(tab.asked.filter(url => !url.startsWith(studio.url))).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });

  test('a refusal of the key before, which comes late, locks out no right one', async () => {
    await using studio = await testStudio();
    await studio.enqueue(STILL);
    const late = Promise.withResolvers<void>();
    await using tab = await open(`${studio.url}/#key=wrong`, page =>
      page.route('**/page/generations*', async route => {
        if (route.request().headers().authorization === 'Bearer wrong') await late.promise;
        await route.continue();
      }),
    );
    const { page } = tab;
    await page.goto(`${studio.url}/#key=${KEY}`);
    late.resolve();
    await page.getByText('a red fox on the ice').waitFor();
    await page.getByText('live', { exact: true }).waitFor();
  });

  test('shows what is drawn grow, and the picture when it is made, without being asked', async () => {
    await using studio = await testStudio();
    await using tab = await opened(studio);
    const { page } = tab;
    await page.getByText('Nothing yet.').waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    await studio.enqueue(STILL);
    await studio.enqueue({ ...STILL, prompt: 'second' });
    const begun = await studio.renderer.next();
    await lookedAt(page);
    begun.hooks.progress(0.4);
    await page.locator('.job[data-is=processing]').filter({ hasText: '40 %' }).waitFor();
    expect(await page.locator('.job').allInnerTexts()).toEqual([
      expect.stringContaining('a red fox on the ice'),
      expect.stringContaining('second'),
    ]);
    expect(await page.title()).toBe('(2) Shotlist studio');
    await begun.finish();
    const card = page.locator('.card');
    await card.waitFor();
    await until(page, 'document.querySelector(".card img").naturalWidth === 3');
    await card.getByText('Request, 1 field').click();
    expect(await card.locator('dl').innerText()).toBe('prompt\na red fox on the ice');
    expect(await card.locator('.facts').innerText()).toBe('3×1, webp');
    expect(tab.complaints).toEqual([]);
  });

  test('cancels what is drawn and what waits, with the studio’s own words for it', async () => {
    await using studio = await testStudio();
    await using tab = await opened(studio);
    const { page } = tab;
    await studio.enqueue({ ...STILL, prompt: 'being drawn' });
    const begun = await studio.renderer.next();
    await studio.enqueue({ ...STILL, prompt: 'still waiting' });
    await lookedAt(page);
    await page.getByRole('button', { name: 'Cancel: still waiting' }).click();
    await page.locator('.card').filter({ hasText: 'still waiting' }).getByText('Cancelled', { exact: true }).waitFor();
    expect(await page.locator('.job').count()).toBe(1);
    await page.getByRole('button', { name: 'Cancel: being drawn' }).click();
    await page.locator('.card').filter({ hasText: 'being drawn' }).getByText('Cancelled', { exact: true }).waitFor();
    expect(begun.hooks.signal.aborted).toBe(true);
    expect(await page.locator('#queue').isVisible()).toBe(false);
    expect(tab.complaints).toEqual([]);
  });

  test('a strict studio cancels nothing, and the page says so', async () => {
    await using studio = await testStudio({ strict: true });
    await using tab = await opened(studio);
    await studio.enqueue({ ...STILL, prompt: 'goes on' });
    await lookedAt(tab.page);
    const button = tab.page.getByRole('button', { name: 'Cancel: goes on' });
    await button.click();
    await button.filter({ hasText: 'Not cancelled' }).waitFor();
    expect(await button.getAttribute('title')).toBe('the studio answered 405');
    expect(await tab.page.locator('.job').count()).toBe(1);
  });

  test.each([
    [90, 900],
    [900, 90],
    [64, 64],
  ])('shows a still of %i×%i whole', async (width, height) => {
    await using studio = await testStudio();
    await using tab = await opened(studio);
    await studio.enqueue(STILL);
    const { job, finish } = await studio.renderer.next();
    await writeFile(
      path.join(job.folder, 'result.png'),
      await sharp({ create: { width, height, channels: 4, background: '#f805' } })
        .png()
        .toBuffer(),
    );
    await finish({ file: 'result.png', facts: { kind: 'image', format: 'png', width, height } });
    await until(tab.page, 'document.querySelector(".card img").naturalWidth > 0');
    const frame = await tab.page.locator('.frame').boundingBox();
    const image = await tab.page.locator('.card img').boundingBox();
    if (!frame || !image) throw new Error('nothing is shown');
    expect(image.width / image.height).toBeCloseTo(width / height, 0);
    expect(Math.round(image.x + image.width)).toBeLessThanOrEqual(Math.round(frame.x + frame.width));
    expect(Math.round(image.y + image.height)).toBeLessThanOrEqual(Math.round(frame.y + frame.height));
    expect(image.y).toBeGreaterThanOrEqual(frame.y - 0.5);
  });

  test('plays a film, and lets it play on while others are made', async () => {
    await using studio = await testStudio();
    await using tab = await opened(studio);
    const { page } = tab;
    await studio.enqueue(FILM);
    await finishFilm(await studio.renderer.next());
    await page.getByRole('button', { name: 'Play: a red fox runs' }).click();
    await until(page, 'document.querySelector("video").currentTime > 0.1');
    await page.evaluate('window.playing = document.querySelector("video")');
    await studio.enqueue(STILL);
    await (await studio.renderer.next()).finish();
    await page.locator('.card').nth(1).waitFor();
    expect(await page.locator('.card .label').allInnerTexts()).toEqual(['I-GEN-A', 'V-T2V-A']);
    expect(await page.evaluate('document.querySelector("video") === window.playing && playing.videoWidth')).toBe(160);
    expect(tab.complaints).toEqual([]);
  });

  test('says so when a film is in HEVC and the browser cannot play it', async () => {
    await using studio = await testStudio();
    await using tab = await opened(studio);
    const { page } = tab;
    await page.evaluate('HTMLMediaElement.prototype.canPlayType = type => type.includes("hvc1") ? "" : "probably"');
    await studio.enqueue(FILM);
    await finishFilm(await studio.renderer.next(), 'hevc');
    const card = page.locator('.card');
    await card.getByText('Made, but not for this browser').waitFor();
    expect(await card.locator('.trouble p').innerText()).toBe(
      'The film is in HEVC (H.265), which this browser does not play. The file is whole: open it in a player.',
    );
    expect(await card.locator('a.save').getAttribute('href')).toBe('/results/gen-1/film.mp4');
    expect(await card.locator('video').count()).toBe(0);
  });

  test('says so when a file turns out not to play at all', async () => {
    await using studio = await testStudio();
    await using tab = await opened(studio);
    await studio.enqueue(FILM);
    await finishFilm(await studio.renderer.next(), 'h264', Buffer.from('no film'));
    await tab.page.getByText('Made, but not for this browser').waitFor();
  });

  test('shows hostile words as words', async () => {
    await using studio = await testStudio();
    await using tab = await opened(studio);
    const { page } = tab;
    const prompt =
      '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script><style>body{display:none}</style>';
    await studio.enqueue({ ...STILL, prompt });
    (await studio.renderer.next()).fail(new Error('no'));
    await page.locator('.card').waitFor();
    expect(await page.locator('.told > .prompt').innerText()).toBe(prompt);
    expect(await page.locator('.card img, .card script, .card style').count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('.card .trouble').innerText()).toContain('Not drawn');
    expect(tab.complaints).toEqual([]);
  });

  test('sets Chinese in the type it brings, and fetches that only then', async () => {
    await using studio = await testStudio();
    await using tab = await opened(studio);
    const { page } = tab;
    await studio.enqueue(STILL);
    await lookedAt(page);
    await page.locator('.job').waitFor();
    const chinese = () => tab.asked.filter(url => /chinese|noto/.test(url));
    expect(chinese()).toEqual([]);
    await studio.enqueue({ ...STILL, prompt: '雪山 黎明' });
    await lookedAt(page);
    await page.getByText('雪山 黎明').waitFor();
    await until(page, 'document.querySelector("link[href=\\"/page/chinese.css\\"]")?.sheet?.cssRules.length > 100');
    expect(chinese()[0]).toBe(`${studio.url}/page/chinese.css`);
    expect(tab.complaints).toEqual([]);
  });

  test('goes on without the event stream', async () => {
    await using studio = await testStudio();
    await using tab = await open(`${studio.url}/#key=${KEY}`, page =>
      page.route('**/api/events', route => route.abort()),
    );
    const { page } = tab;
    await page.getByText('reading every few seconds').waitFor();
    await studio.enqueue(STILL);
    await (await studio.renderer.next()).finish();
    await page.locator('.card').waitFor();
  });

  test('says when the studio has gone, and comes back with it', async () => {
    const first = await testStudio();
    await using tab = await opened(first);
    const { page } = tab;
    await page.getByText('live', { exact: true }).waitFor();
    await page.route('**/*', route => route.abort());
    await first.close();
    await page.getByText('the studio does not answer').waitFor();
    const port = Number(new URL(first.url).port);
    await using again = await testStudio({ folder: first.folder, port });
    await again.enqueue(STILL);
    await page.unroute('**/*');
    await page.getByText('a red fox on the ice').waitFor();
  });

  test.each([
    ['light', 1280],
    ['light', 390],
    ['dark', 1280],
    ['dark', 390],
  ] as const)('fits and reads well: %s, %i wide', async (colorScheme, width) => {
    await using studio = await testStudio({ workers: 3 });
    const long = `${'averylongwordwithoutabreak'.repeat(8)} and more`;
    for (const prompt of [long, 'short', long, 'waiting']) await studio.enqueue({ ...STILL, prompt });
    await (await studio.renderer.next()).finish();
    (await studio.renderer.next()).fail(new Error('no'));
    await using tab = await opened(studio, page =>
      Promise.all([page.emulateMedia({ colorScheme }), page.setViewportSize({ width, height: 844 })]),
    );
    const { page } = tab;
    await page.locator('.card').nth(1).waitFor();
    await page.getByText('Request, 1 field').first().click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const shades = (await page.evaluate(SHADES)) as { name: string; ratio: number }[];
    expect(shades.length).toBeGreaterThan(6);
    expect(shades.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
    expect(await violations(page)).toEqual([]);
    const paper = (await page.evaluate('getComputedStyle(document.body).backgroundColor')) as string;
    const [red = 0] = (paper.match(/\d+/g) ?? []).map(Number);
    expect(colorScheme === 'dark' ? red < 40 : red > 220).toBe(true);
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing in %s: behind the key, empty, and with all there is',
    async colorScheme => {
      await using studio = await testStudio({ workers: 2 });
      await using tab = await open(`${studio.url}/`, page => page.emulateMedia({ colorScheme }));
      const { page } = tab;
      await page.getByLabel('Key').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByLabel('Key').fill(KEY);
      await page.getByRole('button', { name: 'Open' }).click();
      await page.getByText('Nothing yet.').waitFor();
      expect(await violations(page)).toEqual([]);
      await studio.enqueue(FILM);
      await finishFilm(await studio.renderer.next());
      await studio.enqueue(FILM);
      await finishFilm(await studio.renderer.next(), 'prores');
      await studio.enqueue(STILL);
      await (await studio.renderer.next()).finish();
      await studio.enqueue({ ...STILL, prompt: 'not drawn' });
      (await studio.renderer.next()).fail(new Error('no'));
      for (const prompt of ['drawn', 'drawn as well', 'waits']) await studio.enqueue({ ...STILL, prompt });
      (await studio.renderer.next()).hooks.progress(0.4);
      await lookedAt(page);
      await page.locator('.card').nth(3).waitFor();
      await page.locator('.job').nth(2).waitFor();
      await page.getByText('Request, 1 field').first().click();
      expect(await violations(page)).toEqual([]);
      await page.getByText('Not made').click();
      expect(await page.locator('.card:visible').count()).toBe(1);
      expect(await violations(page)).toEqual([]);
    },
  );

  const finishFilm = async ({ job, finish }: Begun, video_codec = 'h264', bytes = footage) => {
    await writeFile(path.join(job.folder, 'film.mp4'), bytes);
    const facts = { kind: 'video', format: 'mp4', width: 160, height: 90, duration: 1, fps: 24, video_codec } as const;
    await finish({ file: 'film.mp4', facts });
  };
});

/** Contrast of text on what is behind it, as WCAG reckons it, for whatever of these is on the page. */
const SHADES = `(() => {
  const rgb = text => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = node => {
    for (let at = node; at; at = at.parentElement) {
      const [r, g, b, a = 1] = rgb(getComputedStyle(at).backgroundColor);
      if (a === 1 && getComputedStyle(at).backgroundColor.startsWith('rgb')) return [r, g, b];
    }
    return [255, 255, 255];
  };
  return ['h2', 'h2 span', '.link', '.kind', '.prompt', '.share', '.facts', 'summary', 'dt', 'dd', '.show label', '.place', '.when']
    .flatMap(name => [...document.querySelectorAll(name)].slice(0, 2).map(node => {
      const [a, b] = [light(rgb(getComputedStyle(node).color)), light(behind(node))].sort((x, y) => y - x);
      return { name, ratio: (a + 0.05) / (b + 0.05) };
    }));
})()`;

interface Tab extends AsyncDisposable {
  readonly page: Page;
  /** Every address the page asked for. */
  readonly asked: string[];
  /** Errors in its console: a broken policy, a script that failed. */
  readonly complaints: string[];
}

async function open(url: string, prepare?: (page: Page) => Promise<unknown>): Promise<Tab> {
  const page = await context.newPage();
  const [asked, complaints]: string[][] = [[], []];
  page.on('request', request => asked?.push(request.url()));
  page.on('pageerror', error => complaints?.push(error.message));
  page.on('console', message => message.type() === 'error' && complaints?.push(message.text()));
  await prepare?.(page);
  await page.goto(url);
  return { page, asked: asked ?? [], complaints: complaints ?? [], [Symbol.asyncDispose]: () => page.close() };
}

/** Asked from outside: the page's own policy lets nobody evaluate anything in it. */
const until = (page: Page, claim: string) => expect.poll(() => page.evaluate(claim)).toBe(true);

/** A person comes back to the tab, which reads at once what is new, and not at its next beat. */
const lookedAt = (page: Page) => page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');

/** With the key in the address, and waits until it is let in. */
async function opened(studio: TestStudio, prepare?: (page: Page) => Promise<unknown>): Promise<Tab> {
  const tab = await open(`${studio.url}/#key=${KEY}`, prepare);
  await tab.page.getByRole('heading', { name: /^Made/ }).waitFor();
  return tab;
}
