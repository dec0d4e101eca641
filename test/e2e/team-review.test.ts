/** `shotlist review RUN --on TEAM`: whole processes over a PostgreSQL, and a real Chromium on a machine that has none of the results. */
import { rmSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChaosService } from '../chaos/chaos-service.ts';
import { startChromium } from '../support/browser.ts';
import { isMissing } from '../support/needs.ts';
import { ends } from './ended.ts';
import { openReviewTab, said } from './review-tab.ts';
import { TeamStage } from './team-world.ts';

const film = (name: string) => `shotlist: 1
name: ${name}
params: { what: { type: string, default: fox } }
steps:
  still: { model: I-GEN-A, takes: 2, with: { prompt: "a \${{ params.what }} called ${name}", output_format: png } }
  best: { pick: "\${{ steps.still }}", save: out/${name}.png }
  told: { run: [echo, "\${{ steps.best.sha256 }} \${{ steps.best.choice.who }}"] }
`;

let team: TeamStage;
let browser: Browser;
let service: ChaosService;

describe.skipIf(isMissing('chromium'))("the review of a team's run", () => {
  beforeAll(async () => {
    service = await ChaosService.open(2, { isPrompt: true });
    team = await TeamStage.openWith(service, 'quick');
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await team?.close();
    await service?.close();
  });

  test('takes come from workers while it is open; a key has the run go on to its end', async () => {
    team.write('live.yaml', film('live'));
    const run = await team.submit('live.yaml', '--param', 'what=owl');
    // Opened before anybody leads it.
    await using tab = await open(run);
    const { page } = tab;
    await team.worker();
    await expect.poll(() => page.locator('.take img').count()).toBe(2);
    await page.getByText('The run has ended, and waits for you').waitFor();
    await page.keyboard.press('2');
    await said(page, 'best is take 2. In the lock.');
    expect(team.read('live.lock.yaml')).toMatch(/chosen: still\[take=2\]\n\s+by: person\n\s+who: Ada/);
    const watched = await team.ask('team', 'watch', run);
    expect(watched.exit, watched.stdout + watched.stderr).toBe(0);
    await page.getByText('All is decided').waitFor();
    expect((await team.ask('logs', run, 'told')).stdout).toMatch(/^[\da-f]{64} Ada\n$/);
    expect(tab.complaints).toEqual([]);
  });

  test('what others decide and reject is shown, and known to whoever opens it next, on a machine that has nothing', async () => {
    team.write('shared.yaml', film('shared'));
    const run = await team.submit('shared.yaml');
    expect((await team.ask('team', 'watch', run)).exit).toBe(5);
    rmSync(team.at('.shotlist'), { recursive: true, force: true });
    await using tab = await open(run);
    const { page } = tab;
    await expect.poll(() => page.locator('.take img').count()).toBe(2);
    await page.keyboard.press('r');
    await page.keyboard.type('too dark');
    await page.keyboard.press('Enter');
    await said(page, 'Take 1 of best is rejected: “too dark”.');
    await using other = await open(run);
    await other.page.getByText(/rejected by .*: too dark/).waitFor();
    await ends(team.ask('pick', 'shared.yaml', 'best', '2', '--as', 'Grace'), 0);
    await said(page, 'best was decided elsewhere, by shotlist (as: "Grace"): take 2.');
    await said(other.page, 'best was decided elsewhere, by shotlist (as: "Grace"): take 2.');
    expect((await team.ask('team', 'watch', run)).exit).toBe(0);
  });

  test('while the database is out of reach nothing is decided; when it is back, so is the page', async () => {
    team.write('broken.yaml', film('broken'));
    const run = await team.submit('broken.yaml');
    expect((await team.ask('team', 'watch', run)).exit).toBe(5);
    await using tab = await open(run);
    const { page } = tab;
    await expect.poll(() => page.locator('.take img').count()).toBe(2);
    await team.postgres.kill();
    await page.keyboard.press('1');
    await page.getByText('cannot be read at this moment, and nothing can be decided').first().waitFor();
    const closed = page.locator('.closed');
    await closed.waitFor();
    await team.postgres.start();
    await closed.waitFor({ state: 'hidden' });
    // A connection from before may still be found broken: then the page says so once more, and the person presses again.
    const decides = async () => {
      await page.keyboard.press('1');
      return await page.getByText('All is decided').isVisible();
    };
    await expect.poll(decides).toBe(true);
    expect(team.read('broken.lock.yaml')).toMatch(/chosen: still\[take=1\]\n\s+by: person\n\s+who: Ada/);
    expect((await team.ask('team', 'watch', run)).exit).toBe(0);
  });

  test('what is no run, or was said when it was handed in, is told', async () => {
    const [run] = JSON.parse((await team.ask('team', 'list', '--all', '--json')).stdout).runs;
    expect(await team.ask('review', `${run.run.slice(0, -1)}0`)).toMatchObject({
      ...{ exit: 2, stderr: expect.stringContaining(`did you mean ${run.run}?`) },
    });
    expect(await team.ask('review', run.run, '--param', 'what=owl')).toMatchObject({
      ...{ exit: 2, stderr: expect.stringContaining('--param is for a film that was run here') },
    });
  });
});

const open = (run: string) =>
  openReviewTab(browser, team.start('review', run, '--on', 'house', '--as', 'Ada', '--no-open'));
