/** The page of a run that did not begin, in a real Chromium: what it was told stands on it as text, and whoever opens it can read it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import { writeNotBegun } from '../../src/show/pages/report/not-begun-page.ts';
import { violations } from '../support/axe.ts';
import { DESK, openTab, PHONE, startChromium } from '../support/browser.ts';
import { isMissing } from '../support/needs.ts';

const EVIL = '<img src=x onerror="document.title=1"><script>document.title = "taken"</script>&amp;\u001b[31m';

describe.skipIf(isMissing('chromium'))('the page', () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shotlist-not-begun-'));
    const said = ['film.yaml:4:18: error: no model is called `V-T2V-Q`'.repeat(4), `${EVIL}\nsecond line`];
    const page = { file: `film${EVIL}.yaml`, brief: 'it has 2 mistakes', exit: 2, said };
    await writeNotBegun(folder, page, systemClock);
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ['light', DESK],
    ['dark', PHONE],
  ] as const)(
    '%s at %o: texts stay texts, nothing is wider than the window, axe finds nothing',
    async (colorScheme, viewport) => {
      const { context, page, asked, complaints } = await openTab(browser, { colorScheme, viewport });
      const address = pathToFileURL(join(folder, 'index.html')).href;
      await page.goto(address);
      expect(await page.locator('h1').textContent()).toContain('<img src=x onerror=');
      expect(await page.locator('pre').last().textContent()).toContain(
        '<script>document.title = "taken"</script>&amp;',
      );
      expect(await page.title()).toMatch(/was not begun · Shotlist$/);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect([asked, complaints]).toEqual([[address], []]);
      expect(await violations(page)).toEqual([]);
      await context.close();
    },
  );
});
