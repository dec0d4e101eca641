/** axe over a page in a browser: what of it somebody could not read or reach. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * One line for each element of the page that breaks a rule; of the elements that match `within` where that is given.
 * Waits for colours that are still changing.
 */
export async function violations(page: Page, within?: string): Promise<readonly string[]> {
  // A page's policy stops its scripts, not what the browser itself is told to evaluate.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(AXE);
  return await page.evaluate(`Promise.allSettled(
    document.getAnimations().filter(it => it.effect.getComputedTiming().endTime < Infinity).map(it => it.finished),
  ).then(() => axe.run(${within === undefined ? 'document' : JSON.stringify(within)}, { resultTypes: ['violations'] }))
   .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(node => id + ': ' + node.target.join(' ') + ' ' + (node.any[0]?.message ?? ''))))`);
}
