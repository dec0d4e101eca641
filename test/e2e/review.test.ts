/** `shotlist review`, with whole processes and a real Chromium: what is chosen on the page is in the lock, and a run that waits goes on. */
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChromium } from '../support/browser.ts';
import { isMissing } from '../support/needs.ts';
import { ends } from './ended.ts';
import { openReviewTab, said } from './review-tab.ts';
import { Stage } from './stage.ts';

let stage: Stage;
let browser: Browser;

const film = (name: string) => `shotlist: 1
name: ${name}
steps:
  still: { model: I-GEN-A, takes: 3, with: { prompt: a red fox called ${name} } }
  best: { pick: "\${{ steps.still }}", save: out/${name}.webp }
  told: { run: [echo, "\${{ steps.best.sha256 }} \${{ steps.best.choice.who }}"] }
`;
const lockOf = (name: string): string => stage.read(`${name}.lock.yaml`);

describe.skipIf(isMissing('chromium'))('the review of a film', () => {
  beforeAll(async () => {
    stage = new Stage();
    // One that is opened while takes are drawn.
    stage.films = 'drawn once';
    mkdirSync(join(stage.folder, 'bin'));
    stage.write('../bin/git', '#!/bin/sh\necho Ada Lovelace\n');
    chmodSync(join(stage.folder, 'bin/git'), 0o755);
    stage.env = { SHOTLIST_STUDIO_SPEED: 'draft', PATH: `${join(stage.folder, 'bin')}:${process.env.PATH}` };
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    stage.dispose();
  });

  test('a key on the page is in the lock at once, and the run that waits goes on to its end', async () => {
    stage.write('live.yaml', film('live'));
    const terminal = stage.startAtTerminal('run', 'live.yaml');
    await using tab = await open('live.yaml');
    const { page } = tab;
    // Opened while the takes are made: they appear.
    await page.getByText('The run waits for you').waitFor();
    await expect.poll(() => page.locator('.take img').count()).toBe(3);
    await page.keyboard.press('2');
    await said(page, 'best is take 2. In the lock. told goes on.');
    expect(lockOf('live')).toMatch(/chosen: still\[take=2\]\n\s+by: person\n\s+who: Ada Lovelace/);
    expect(await terminal.exit, terminal.text).toBe(0);
    expect(terminal.text).toContain('chosen by Ada Lovelace');
    await page.getByText('All is decided').waitFor();
    expect(tab.complaints).toEqual([]);
  });

  test('after a run that ended waiting: taken back, rejected, chosen by a click; the next run goes on', async () => {
    stage.write('later.yaml', film('later'));
    await ends(stage.run('run', 'later.yaml', '--ui', 'plain'), 5);
    await using tab = await open('later.yaml');
    const { page } = tab;
    await page.getByText('The run has ended, and waits for you').waitFor();
    await page.keyboard.press('1');
    await said(page, 'best is take 1. In the lock.');
    expect(lockOf('later')).toContain('chosen: still[take=1]');
    await page.keyboard.press('z');
    await said(page, 'best is as it was.');
    expect(lockOf('later')).not.toContain('chosen:');
    await page.keyboard.press('r');
    await page.keyboard.type('too dark');
    await page.keyboard.press('Enter');
    await said(page, 'Take 1 of best is rejected: “too dark”. That is in the lock');
    expect(lockOf('later')).toMatch(
      /rejections of studio-draft:\n {4}still\[take=1\]:\n {6}who: Ada Lovelace\n.*\n {6}note: too dark\n/,
    );
    const why = await stage.run('why', 'later.yaml', 'still[take=1]');
    expect(why.stdout).toMatch(/^ {2}rejected by Ada Lovelace on .* UTC: too dark$/m);
    const status = await stage.run('status', 'later.yaml');
    expect(status.stdout).toContain('\n  still[take=1]  rejected by Ada Lovelace: too dark\n');
    // Another page, later: it is still known.
    await page.reload();
    await page.getByText(/rejected by .*: too dark/).waitFor();
    await page.getByRole('button', { name: 'Choose take 3' }).click();
    await said(page, 'best is take 3. In the lock.');
    expect(await page.locator('.told code').innerText()).toBe('shotlist run later.yaml');
    await ends(stage.run('run', 'later.yaml', '--ui', 'plain'), 0);
    expect(lockOf('later')).toContain('chosen: still[take=3]');
  });

  test('what is done to the film elsewhere meanwhile is shown: another’s pick, a broken file, a lock edited by hand, lost results', async () => {
    stage.write('elsewhere.yaml', film('elsewhere'));
    await ends(stage.run('run', 'elsewhere.yaml', '--ui', 'plain'), 5);
    await using tab = await open('elsewhere.yaml');
    const { page } = tab;
    await stage.run('pick', 'elsewhere.yaml', 'best', '3', '--as', 'Grace');
    await said(page, 'best was decided elsewhere, by Grace: take 3.');
    stage.write('elsewhere.yaml', `${film('elsewhere')}  bad: { modell: x }\n`);
    await page.getByText('elsewhere.yaml has a mistake').waitFor();
    expect(await page.getByRole('button', { name: 'Choose take 1' }).isDisabled()).toBe(true);
    stage.write('elsewhere.yaml', film('elsewhere'));
    await expect.poll(() => page.locator('.closed').count()).toBe(0);
    const lock = lockOf('elsewhere');
    const edited = lock.replace('chosen: still[take=3]', 'chosen: still[take=1]').replace('who: Grace', 'who: Linus');
    stage.write('elsewhere.lock.yaml', edited);
    await said(page, 'best was decided elsewhere, by Linus: take 1.');
    stage.write('elsewhere.lock.yaml', `<<<<<<< ours\n${edited}`);
    await page.locator('.closed').waitFor();
    stage.write('elsewhere.lock.yaml', edited);
    await expect.poll(() => page.locator('.closed').count()).toBe(0);
    rmSync(stage.at('.shotlist/store'), { recursive: true });
    stage.write('elsewhere.yaml', `${film('elsewhere')}# seen again\n`);
    await page.locator('.wait').first().waitFor();
    expect(tab.complaints.filter(text => !text.includes('Failed to load resource'))).toEqual([]);
  });

  test('what a run has gone on with is replaced by another choice, and forgotten once it has ended', async () => {
    const two = film('going').replace('  told:', '  other: { pick: "${{ steps.still }}" }\n  told:');
    stage.write('going.yaml', two);
    const terminal = stage.startAtTerminal('run', 'going.yaml');
    await using tab = await open('going.yaml');
    const { page } = tab;
    await page.getByText('The run waits for you').waitFor();
    await expect.poll(() => page.locator('.take img').count()).toBe(3);
    await page.keyboard.press('1');
    await said(page, 'best is take 1.');
    await page.keyboard.press('z');
    await said(page, 'The run has gone on with it already: another number replaces it');
    await page.keyboard.press('2');
    await said(page, 'best is take 2.');
    await page.keyboard.press('z');
    await said(page, 'best is as it was.');
    expect(lockOf('going')).toContain('chosen: still[take=1]');
    await page.keyboard.press('n');
    await page.keyboard.press('3');
    await said(page, 'other is take 3.');
    expect(await terminal.exit, terminal.text).toBe(0);
    expect(lockOf('going')).toMatch(/best:\n\s+chosen: still\[take=1\]/);
  });

  test('a run that is killed is seen to be gone, and whoever closes the review touches nothing', async () => {
    stage.write('killed.yaml', film('killed'));
    const terminal = stage.startAtTerminal('run', 'killed.yaml');
    await terminal.shows(/1–3 chooses/);
    const tab = await open('killed.yaml');
    await tab.page.getByText('The run waits for you').waitFor();
    process.kill(terminal.pid, 'SIGKILL');
    await tab.page.getByText('The run has ended, and waits for you').waitFor();
    tab.review.interrupt();
    expect((await tab.review.ended).exit).toBe(0);
    await tab.page.getByText('This review was closed').waitFor();
    await tab[Symbol.asyncDispose]();
  });

  test('a film that cannot be read, a port that is taken, and words that are too much are told as elsewhere', async () => {
    expect((await stage.run('review', 'none.yaml')).stderr).toContain('there is no such file');
    await ends(stage.run('review', 'live.yaml', '--port', '70000'), 2, '--port is a number from 0 to 65535');
  });
});

const open = (file: string) => openReviewTab(browser, stage.start('review', file, '--no-open'));
