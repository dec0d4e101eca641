/** The page of `run --watch` in a real Chromium: shots as they are drawn, mistakes where they are, a film of many shots, a phone. */
import { createHash } from 'node:crypto';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { ReportedMedia } from '../../src/model/run/run-report.ts';
import type { LocalStore } from '../../src/records/store/local-store.ts';
import { serveReview } from '../../src/show/pages/review/review-server.ts';
import type { LiveShot, LiveState, ReviewQuestion } from '../../src/show/pages/review/review-state.ts';
import { violations } from '../support/axe.ts';
import { DESK, openTab, PHONE, startChromium } from '../support/browser.ts';
import { isMissing } from '../support/needs.ts';
import { workFolder } from '../support/temp.ts';
import { FakeReview, option, question } from './fake-review.ts';
import { storeOfFilms } from './runs.ts';

let browser: Browser;
let store: LocalStore;
let films: readonly [ReportedMedia, ReportedMedia, ReportedMedia];
let jpeg: Buffer;
let first: string;

const MISTAKES = `north-light.yaml:14:7: error: V-T2V-A has no field \`durration\`; did you mean \`duration\`?
  14 |       durration: 5
     |       ^^^^^^^^^

1 error`;

describe.skipIf(isMissing('chromium'))('the page of --watch', () => {
  beforeAll(async () => {
    ({ store, films } = await storeOfFilms(await workFolder()));
    jpeg = await sharp({ create: { width: 480, height: 270, channels: 3, background: '#7a5ba8' } })
      .jpeg()
      .toBuffer();
    first = createHash('sha256').update(jpeg).digest('hex');
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  const shot = (key: string, more: Partial<LiveShot> = {}): LiveShot => ({
    ...{ key: key as InstanceKey, state: 'there', media: films[0], first: null, fraction: null, why: null },
    ...more,
  });
  const writing = (): LiveState => ({
    ...{ savedAt: 1_700_000_000_000, mistakes: null, advice: null },
    shots: [
      shot('opening'),
      shot('shot[beat=1]', { state: 'drawing', first, fraction: 0.42 }),
      shot('shot[beat=2]', { state: 'waiting', media: films[1] }),
      shot('shot[beat=3]', { state: 'waiting', media: null }),
      shot('portrait', { media: films[2] }),
      shot('shot[beat=4]', { state: 'failed', media: null, why: 'the prompt holds no shot' }),
    ],
  });
  const mistaken = (): LiveState => ({ ...writing(), mistakes: MISTAKES });

  async function open(live: LiveState, questions: readonly ReviewQuestion[] = [], context: BrowserContextOptions = {}) {
    const followers = new Set<() => void>();
    const source = {
      state: live,
      picture: (sha256: string) => (sha256 === first ? new Uint8Array(jpeg) : undefined),
      follow: (changed: () => void) => {
        followers.add(changed);
        return () => followers.delete(changed);
      },
    };
    const review = new FakeReview(store, questions, { isFree: true, run: { outcome: 'running', isGoing: true } });
    const mistakes: string[] = [];
    const server = await serveReview({
      ...{ source: review, live: source, clock: systemClock, port: 0, log: line => mistakes.push(line) },
    });
    const tab = await openTab(browser, { reducedMotion: 'reduce', ...context });
    const { page, complaints } = tab;
    await page.goto(server.url);
    await page.locator('html[data-drawn]').waitFor();
    await expect.poll(() => followers.size).toBeGreaterThan(0);
    return {
      ...{ page, complaints, review },
      save: (to: LiveState) => {
        source.state = to;
        for (const changed of followers) changed();
      },
      [Symbol.asyncDispose]: async () => {
        await tab.context.close();
        await server.close();
        expect(mistakes).toEqual([]);
      },
    };
  }

  describe.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ] as const)('on %s', (_, viewport) => {
    test('axe finds nothing, dark and light, with a mistake and without', async () => {
      await using tab = await open(writing(), [], { viewport });
      const { page } = tab;
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator('.shot').first().waitFor();
        expect(await violations(page)).toEqual([]);
        tab.save(mistaken());
        await page.getByText('durration').waitFor();
        expect(await violations(page)).toEqual([]);
        tab.save({ ...writing(), advice: 'north-light.yaml:3:1: warning: `fast` is never read', shots: [] });
        await page.getByText('never read').waitFor();
        expect(await violations(page)).toEqual([]);
        tab.save(writing());
      }
      expect(tab.complaints).toEqual([]);
    });

    test('a film of sixty shots, with long names, is reached to its end, and nothing sticks out', async () => {
      const long = 'a_name_that_no_column_is_wide_enough_for_and_that_goes_on[beat=12,take=3,who=somebody]';
      const shots = Array.from({ length: 60 }, (_, at) => shot(at === 1 ? long : `shot[beat=${at}]`));
      const wide = `${'x'.repeat(400)}\n${MISTAKES}`;
      await using tab = await open({ ...writing(), mistakes: wide, shots }, [], { viewport });
      const { page } = tab;
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      const last = page.locator('.shot').last();
      await last.scrollIntoViewIfNeeded();
      const box = await last.boundingBox();
      expect(box && box.y + box.height <= viewport.height + 1).toBe(true);
      // A browser decodes what is near: not sixty films at once.
      expect(await page.evaluate('document.querySelectorAll(".shot video").length <= 24')).toBe(true);
    });

    test('what is to be chosen stands with the shots, and both are reached', async () => {
      const asked = question(1, [option(1, 1, films[0]), option(1, 2, films[1]), option(1, 3, films[0])]);
      await using tab = await open(writing(), [asked], { viewport });
      const { page } = tab;
      for (const part of [page.locator('.shot').last(), page.getByRole('button', { name: 'Choose take 3' })]) {
        await part.scrollIntoViewIfNeeded();
        expect(await part.isVisible()).toBe(true);
      }
      await page.keyboard.press('2');
      await page.locator('.told p').filter({ hasText: 'Beat 1 is take 2' }).waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });

  test('shots are as large as the window allows, and a mistake is shown once', async () => {
    await using tab = await open({ ...writing(), shots: [shot('opening')] });
    const { page, review } = tab;
    const widths = async () => {
      const boxes = await Promise.all((await page.locator('.shot').all()).map(one => one.boundingBox()));
      expect(boxes.every(box => box && box.y + box.height <= DESK.height)).toBe(true);
      return boxes.map(box => Math.round(box?.width ?? 0));
    };
    await expect.poll(async () => Math.min(...(await widths()))).toBeGreaterThan(1200);
    tab.save({ ...writing(), shots: Array.from({ length: 6 }, (_, at) => shot(`shot[beat=${at}]`)) });
    await expect.poll(async () => Math.min(...(await widths()))).toBeGreaterThan(450);
    const [wide] = await widths();
    // The film cannot be opened now: nothing can be decided, for the same mistake.
    review.change({ head: { ...review.state.head, closed: 'it has a mistake: V-T2V-A has no field `durration`' } });
    tab.save({ ...mistaken(), shots: Array.from({ length: 6 }, (_, at) => shot(`shot[beat=${at}]`)) });
    await page.getByRole('alert').waitFor();
    expect(await page.getByText('durration').count()).toBe(1);
    expect(await page.locator('.count').textContent()).toBe('6 shots as the file was before its mistake.');
    const box = await page.locator('.shot').first().boundingBox();
    expect(Math.round(box?.width ?? 0)).toBe(wide);
  });

  test('a shot is the picture before, then the first of what is drawn, then the film; a mistake changes none of it', async () => {
    const [before, , ...others] = writing().shots;
    const drawn = (more: Partial<LiveShot>): LiveState => ({
      ...writing(),
      shots: [before!, shot('shot[beat=1]', more), ...others],
    });
    await using tab = await open(drawn({ state: 'waiting' }));
    const { page } = tab;
    const now = page.locator('.shot[data-key="shot[beat=1]"]');
    await now.locator(`video[src="media/${films[0].sha256}"]`).waitFor();
    await now.getByText('as it was before').waitFor();
    tab.save(drawn({ state: 'drawing', first, fraction: 0.1 }));
    await now.locator('img[data-first]').waitFor();
    tab.save({ ...drawn({ state: 'drawing', first, fraction: 0.5 }), mistakes: MISTAKES });
    await page.getByRole('alert').getByText('durration').waitFor();
    expect(await now.locator('img[data-first]').count()).toBe(1);
    expect(await now.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('50');
    tab.save(drawn({ media: films[1] }));
    await now.locator(`video[src="media/${films[1].sha256}"]`).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(tab.complaints).toEqual([]);
  });
});
