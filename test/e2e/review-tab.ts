/** The page of a review in a real Chromium: opened by the link that the process has printed, closed with it. */
import type { Browser, Page } from 'playwright-core';
import { POLL_PATIENCE } from '../support/patience.ts';
import type { Started } from './stage.ts';

export interface ReviewTab extends AsyncDisposable {
  readonly page: Page;
  readonly review: Started;
  /** What the browser's console said. */
  readonly complaints: readonly string[];
}

export async function openReviewTab(browser: Browser, review: Started): Promise<ReviewTab> {
  const [url] = await review.line(/http:\/\/127\.0\.0\.1:\d+\/\S+\//);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  context.setDefaultTimeout(POLL_PATIENCE);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  await page.goto(url);
  await page.locator('html[data-drawn]').waitFor();
  return {
    ...{ page, review, complaints },
    [Symbol.asyncDispose]: async () => {
      await context.close();
      review.interrupt();
      await review.ended;
    },
  };
}

export const said = (page: Page, words: string): Promise<void> =>
  page.locator('.told p').filter({ hasText: words }).waitFor();
