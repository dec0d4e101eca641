/** The report in a real Chromium, opened from a disk: what it asks for, how it reads and answers, on a screen, on a phone and on paper. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import type { ReportedInstance, ReportedMedia, RunReport } from '../../src/model/run/run-report.ts';
import type { LocalStore } from '../../src/records/store/local-store.ts';
import type { MediaPlace } from '../../src/show/pages/page-data.ts';
import { writeNotBegun } from '../../src/show/pages/report/not-begun-page.ts';
import { reportHtml } from '../../src/show/pages/report/report-html.ts';
import { writeReport, writeSingleReport } from '../../src/show/pages/report/write-report.ts';
import { violations } from '../support/axe.ts';
import { DESK, openTab, PHONE, startChromium } from '../support/browser.ts';
import { isMissing } from '../support/needs.ts';
import { hevcOf, largeRun, northLight, shownWith, storeOfFilms } from './runs.ts';

let browser: Browser;
let folder: string;
let store: LocalStore;
let films: readonly [ReportedMedia, ReportedMedia, ReportedMedia];
let report: RunReport;
/** The page of North Light. */
let page: string;

const terms = (of: RunReport) => ({ report: of, store, clock: systemClock, signal: new AbortController().signal });
const written = async (name: string, of: RunReport): Promise<string> =>
  (await writeReport(join(folder, name), { withProxies: false }, terms(of))).page;

describe.skipIf(isMissing('chromium'))('the report', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shotlist-report-'));
    ({ store, films } = await storeOfFilms(folder));
    report = shownWith(northLight(), films);
    page = await written('north-light', report);
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('asks for nothing but its own media, and its policy holds', async () => {
    await using tab = await open(page);
    await tab.page.locator('.cell').first().hover();
    await tab.page.locator('.tile[data-key="shot[beat=1,take=1]"]').hover();
    await tab.page.locator('.tile video.on').first().waitFor();
    expect(tab.asked.filter(url => !url.startsWith(pathToFileURL(join(folder, 'north-light')).href))).toEqual([]);
    expect(tab.complaints).toEqual([]);
    // What is not allowed by name does not run, and nothing reaches a network.
    const said = await tab.page.evaluate(`new Promise(done => {
      const said = [];
      addEventListener('securitypolicyviolation', event => {
        said.push(event.effectiveDirective);
        if (said.length === 4) done(said.sort());
      });
      const script = document.createElement('script');
      script.textContent = 'document.title = "taken"';
      document.body.append(script);
      const image = new Image();
      image.src = 'https://example.com/x.png';
      fetch('https://example.com/').catch(() => {});
      const style = document.createElement('style');
      style.textContent = 'body { display: none }';
      document.body.append(style);
    })`);
    expect(said).toEqual(['connect-src', 'img-src', 'script-src-elem', 'style-src-elem']);
    expect(await tab.page.title()).toBe('North Light · Shotlist');
  });

  test('tells the film, its money, and a failure with the command that goes on', async () => {
    await using tab = await open(page);
    expect(await tab.page.locator('#title').textContent()).toBe('North Light');
    const [values, words] = await Promise.all(
      ['dd', 'dt'].map(part => tab.page.locator(`#figures ${part}`).allTextContents()),
    );
    const figures = values?.map((value, at) => `${value} ${words?.[at]}`);
    expect(figures).toEqual([
      '26 made',
      '16 reused',
      '1 failed',
      '$5.16 spent, budget $12.00, $2.88 saved',
      '3:16 2 min 26 s of it people',
    ]);
    expect(await tab.page.locator('.notice').innerText()).toMatch(
      /tall\[beat=4\] failed: .+\. It cost \$0\.24\. film_tall was not made\.[\s\S]*shotlist run pipelines\/north-light\.yaml film_tall/,
    );
    expect(await tab.page.locator('.cuts button').allTextContents()).toEqual([
      'opening',
      ...[1, 2, 3, 4, 5, 6].map(beat => `final[beat=${beat}]`),
    ]);
    expect(await tab.page.locator('#film').getAttribute('preload')).toBe('none');
  });

  test('shows the words of the take that was chosen, what is approved, what a chat wrote, and what a command said last', async () => {
    const told = {
      script: { text: '{"title":"North Light","beats":[{"words":"a fox crosses"}]}' },
      ok: { text: null },
      'tall[beat=4]': {
        ...{ kind: 'run', text: null, log: { lines: ['1 of 1', 'prores4444: no such codec'] } },
        failure: {
          ...{ code: 'command_failed', message: 'the command ended with exit code 3: prores4444: no such codec' },
          ...{ cost: 0, first: null, command: 'shotlist run film.yaml' },
        },
      },
    };
    const instances = report.instances.map(one => ({
      ...{ ...one, prompt: one.step === 'shot' ? `the words of ${one.key}` : one.prompt },
      ...(Object.hasOwn(told, one.key) && told[one.key as keyof typeof told]),
    }));
    await using tab = await open(await written('told', { ...report, instances } as RunReport));
    const { page: shown } = tab;
    const cell = (key: string) => shown.locator(`.cell:has([data-key="${key}"])`);
    // The first beat's pick is its second take.
    expect(await shown.locator('.words .asked').first().textContent()).toBe('the words of shot[beat=1,take=2]');
    expect(await cell('script').locator('.answer p').allTextContents()).toEqual([
      ...['title North Light', 'beats ', '1 words a fox crosses'],
    ]);
    expect(await shown.locator('.notice p').textContent()).toContain('exit code 3: prores4444: no such codec.');
    await goTo(tab, 'tall[beat=4]');
    expect(await shown.locator('#drawer').innerText()).toContain('prores4444: no such codec');
    expect(await shown.locator('#the-trouble').innerText()).toMatch(/^Trouble\s+1 failure\s[\s\S]*1 of 1\nprores4444/);
    await goTo(tab, 'ok');
    expect(await shown.locator('#drawer video').count()).toBe(1);
    await shown.keyboard.press('Escape');
    await shown.locator('#find').fill('approve');
    await cell('ok').locator('img').waitFor();
    expect(await cell('ok').locator('.f').innerText()).toBe('approved by the producer: “Ship the wide one.”');
  });

  test('goes to a shot of the film, and shows which one is on', async () => {
    const film = report.film!;
    const shots = film.shots.map((shot, at) => ({ ...shot, at: at / 8, for: 1 / 8 }));
    const short = await written('short', { ...report, film: { ...film, shots } });
    await using tab = await open(short);
    await tab.page.locator('.cuts button').nth(3).click();
    await tab.page.locator('.cuts button[aria-current]').waitFor();
    const time = await tab.page.evaluate('document.getElementById("film").currentTime');
    expect(time).toBeGreaterThanOrEqual(3 / 8);
    expect(await tab.page.locator('#film').getAttribute('controls')).toBe('');
  });

  test('plays the takes of a beat in step, on one clock, and lets go of them', async () => {
    await using tab = await open(page);
    const tile = tab.page.locator('.tile[data-key="shot[beat=1,take=1]"]');
    await tile.focus();
    await tab.page.keyboard.press(' ');
    await tab.page.locator('.tile video.on').nth(2).waitFor();
    expect(await tab.page.locator('.tile video').count()).toBe(3);
    // Seconds. At some moment: where the films begin again, one of them is at its end and another at its beginning.
    const apart = () =>
      tab.page.evaluate<number>(`(times => Math.max(...times) - Math.min(...times))(
        [...document.querySelectorAll('.tile video')].map(video => video.currentTime))`);
    await expect.poll(apart).toBeLessThan(0.25);
    // A space on a button plays, and opens nothing.
    expect(await tab.page.locator('#drawer').isHidden()).toBe(true);
    await tab.page.keyboard.press(' ');
    await until(tab, 'document.querySelectorAll(".tile video").length === 0');
  });

  test('has at most six players, and none before it is asked', async () => {
    const one = report.instances.find(({ key }) => key === 'shot[beat=1,take=1]')!;
    const takes = Array.from({ length: 9 }, (_, at) => ({
      ...one,
      ...{ key: `shot[beat=1,take=${at + 1}]` as typeof one.key, coordinates: { beat: '1', take: String(at + 1) } },
      label: `shot[beat=1,take=${at + 1}]`,
    }));
    const many = { ...report, instances: [...takes, ...report.instances.filter(({ step }) => step === 'best')] };
    await using tab = await open(await written('nine', many), { viewport: PHONE });
    expect(await tab.page.locator('video:not(#film)').count()).toBe(0);
    await tab.page.locator('.tile').first().focus();
    await tab.page.keyboard.press(' ');
    await tab.page.locator('.tile video.on').first().waitFor();
    expect(await tab.page.locator('.tile video').count()).toBe(6);
  });

  test('opens an instance by its address, and gives the focus back', async () => {
    await using tab = await open(`${pathToFileURL(page).href}#${encodeURIComponent('shot[beat=3,take=2]')}`);
    await tab.page.locator('#drawer').waitFor();
    expect(await tab.page.locator('#drawer-key').textContent()).toBe('shot[beat=3,take=2]');
    await tab.page.keyboard.press('Escape');
    expect(await tab.page.locator('#drawer').isHidden()).toBe(true);
    expect(await tab.page.evaluate('document.activeElement.dataset.key')).toBe('shot[beat=3,take=2]');
    expect(await tab.page.evaluate('location.hash')).toBe('');
    await tab.page.evaluate('location.hash = "#shot[beat=4,take=1]"');
    await until(tab, 'document.getElementById("drawer-key").textContent === "shot[beat=4,take=1]"');
  });

  test('tells why in a table, with the words that went and the words that came', async () => {
    await using tab = await open(`${pathToFileURL(page).href}#shot[beat=3,take=2]`);
    const row = tab.page.locator('.why tr[data-is="changed"]').first();
    expect(await row.locator('del').allTextContents()).toEqual(['holds', 'fog,']);
    expect(await row.locator('ins').allTextContents()).toEqual(['raises', 'rain,']);
    expect(await tab.page.locator('.why tr[data-is="same"]').count()).toBe(4);
    const facts = await tab.page.locator('.facts').innerText();
    for (const word of ['made', 'V-T2V-A', '$0.30', 'queued 0.4 s', 'sha256:', 'script']) expect(facts).toContain(word);
    expect(await tab.page.locator('.yaml').last().textContent()).toContain('prompt: "Close-up, push in');
  });

  test('is read and worked with the keyboard alone', async () => {
    await using tab = await open(page);
    const { keyboard } = tab.page;
    const at = () => tab.page.evaluate('document.activeElement.dataset.key ?? document.activeElement.id');
    await keyboard.press('/');
    expect(await at()).toBe('find');
    await keyboard.type('lighthouse keeper');
    await until(tab, 'document.getElementById("shown").textContent.startsWith("3 instances")');
    await keyboard.press('Escape');
    await until(tab, 'document.getElementById("shown").textContent === "44 instances"');
    await keyboard.press('Escape');
    await tab.page.locator('.tile').first().focus();
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    expect(await at()).toBe('relit');
    await keyboard.press('ArrowDown');
    expect(await at()).toBe('shot[beat=1,take=3]');
    await keyboard.press('Enter');
    expect(await tab.page.locator('#drawer-key').textContent()).toBe('shot[beat=1,take=3]');
    await keyboard.press('j');
    expect(await tab.page.locator('#drawer-key').textContent()).toBe('shot[beat=2,take=1]');
    await keyboard.press('k');
    await keyboard.press('Escape');
    expect(await at()).toBe('shot[beat=1,take=3]');
    // One tab stop for all of the pictures.
    expect(await tab.page.locator('#gallery [tabindex="0"]').count()).toBe(1);
    await keyboard.press('g');
    expect(await at()).toBe('sheet');
    await keyboard.press('t');
    expect(await at()).toBe('ruler');
    const before = await tab.page.locator('#ruler span').allTextContents();
    await keyboard.press('+');
    expect(await tab.page.locator('#ruler span').allTextContents()).not.toEqual(before);
    await keyboard.press('0');
    expect(await tab.page.locator('#ruler span').allTextContents()).toEqual(before);
    await keyboard.press('?');
    expect(await tab.page.locator('#help').isVisible()).toBe(true);
    await keyboard.press('Escape');
    expect(await tab.page.locator('#help').isVisible()).toBe(false);
  });

  test('narrows the list and the time to a step that is chosen in the graph', async () => {
    await using tab = await open(page);
    await tab.page.locator('g.node[data-node="tall"]').press('Enter');
    expect(await tab.page.locator('#shown').textContent()).toBe('6 instances of 44 in tall');
    expect(await tab.page.locator('#time-said').textContent()).toContain('5 attempts');
    expect(await tab.page.locator('g.node.lit text:nth-of-type(1)').allTextContents()).toEqual([
      'script',
      'shot',
      'best',
      'tall',
      'film_tall',
    ]);
    await tab.page.getByText('Show every step again').click();
    expect(await tab.page.locator('#shown').textContent()).toBe('44 instances');
  });

  test.each([DESK, PHONE])('at %o axe finds nothing, with the details open and without', async viewport => {
    await using tab = await open(page, { viewport });
    for (const colorScheme of SCHEMES) {
      await tab.page.emulateMedia({ colorScheme });
      expect(await violations(tab.page)).toEqual([]);
      const [whole, ...others] = ['shot[beat=3,take=2]', 'tall[beat=4]', 'best[beat=3]', 'script'] as const;
      await goTo(tab, whole);
      expect(await violations(tab.page)).toEqual([]);
      // The page around the details is the same.
      for (const key of others) {
        await goTo(tab, key);
        expect(await violations(tab.page, '#drawer')).toEqual([]);
      }
      await tab.page.keyboard.press('Escape');
      await tab.page.keyboard.press('?');
      expect(await violations(tab.page)).toEqual([]);
      await tab.page.keyboard.press('Escape');
    }
  });

  test('of a run that goes on is read as well, each wait with its reason', async () => {
    const states = ['waiting', 'queued', 'running', 'fetching', 'asks', 'not_run', 'skipped', 'left_out'] as const;
    const going = (one: ReportedInstance, at: number): ReportedInstance => ({
      ...{ ...one, media: null, chosenBy: [], state: states[at % states.length]!, fraction: 0.4, cost: null },
      ...{ waitsFor: at % 2 === 0 ? 'place 4' : null, attempts: one.attempts.map(it => ({ ...it, ended: null })) },
    });
    const instances = report.instances.map((one, at) => (one.step === 'shot' ? going(one, at) : one));
    const run = { ...report.run, ended: null, outcome: 'running', isWhole: false };
    await using tab = await open(await written('going', { ...report, instances, run }));
    expect(await tab.page.locator('#about').textContent()).toContain(
      'It goes on: this is how it stood when the report was drawn. Some of what was planned is not known any more.',
    );
    expect(await tab.page.getByText('Waits for place 4').count()).toBeGreaterThan(0);
    for (const colorScheme of SCHEMES) {
      await tab.page.emulateMedia({ colorScheme });
      expect(await violations(tab.page)).toEqual([]);
      await goTo(tab, 'shot[beat=1,take=1]');
      expect(await violations(tab.page)).toEqual([]);
      await tab.page.keyboard.press('Escape');
    }
  });

  test('fits a phone: nothing but the takes and the graph scrolls sideways', async () => {
    await using tab = await open(page, { viewport: PHONE, hasTouch: true, isMobile: true });
    const widths = await tab.page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
    expect(widths).toEqual([390, 390]);
    await tab.page.evaluate('location.hash = "#shot[beat=3,take=2]"');
    await tab.page.locator('#drawer').waitFor();
    expect((await tab.page.locator('#drawer').boundingBox())?.width).toBe(390);
    expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('stands on paper with every row, without what can only be pressed', async () => {
    await using tab = await open(page);
    const before = await tab.page.locator('.row').count();
    await tab.page.evaluate('dispatchEvent(new Event("beforeprint"))');
    await tab.page.emulateMedia({ media: 'print' });
    expect(await tab.page.locator('.tile').count()).toBe(44);
    expect(await tab.page.locator('.line').count()).toBe(29);
    for (const gone of ['.top', '.chips', '#zoom-in', '.copy >> nth=0'])
      expect(await tab.page.locator(gone).first().isVisible()).toBe(false);
    expect(await tab.page.locator('#film-print').isVisible()).toBe(true);
    // Nothing is cut off at the width of the paper, whatever the screen's was.
    await tab.page.setViewportSize({ width: 720, height: 1000 });
    const right = await tab.page.evaluate(
      'Math.max(...[...document.querySelectorAll(".tile, .cap, .line")].map(one => one.getBoundingClientRect().right))',
    );
    expect(right).toBeLessThanOrEqual(720);
    expect((await tab.page.pdf({ format: 'A4' })).length).toBeGreaterThan(10_000);
    await tab.page.emulateMedia({ media: 'screen' });
    await tab.page.evaluate('dispatchEvent(new Event("afterprint"))');
    expect(await tab.page.locator('.row').count()).toBeLessThanOrEqual(before + 2);
  });

  test('of 250 instances is printed whole, each with its picture', async () => {
    const { media, run } = await withPictures(largeRun(250), 40);
    const large = join(folder, 'paper.html');
    writeFileSync(large, await reportHtml(run, media, { isSingle: false }));
    await using tab = await open(large);
    const before = await tab.page.locator('.tile').count();
    await tab.page.evaluate(
      'addEventListener("beforeprint", () => { window.printed = document.querySelectorAll(".tile").length; })',
    );
    const paper = await tab.page.pdf({ format: 'A4' });
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(paper)), { mergePages: true });
    const read = text.replaceAll(/\s/g, '');
    const missing = run.instances.filter(({ label }) => !read.includes(/\[(.+)\]$/.exec(label)?.[1] ?? label));
    expect(missing.map(({ label }) => label)).toEqual([]);
    expect(await tab.page.evaluate('printed')).toBe(run.instances.length);
    expect(read).not.toContain('Onpaper:');
    expect(paper.toString('latin1').match(/\/Width 64\s*\/Height 36\b/g)).toHaveLength(40);
    // And on the screen it is as it was.
    expect(await tab.page.locator('.tile').count()).toBeLessThanOrEqual(before + 10);
  });

  test('of more than paper holds is printed to a limit that it tells, and what a filter leaves is printed whole', async () => {
    const large = join(folder, 'too-much-paper.html');
    writeFileSync(large, await reportHtml(largeRun(2600), {}, { isSingle: false }));
    await using tab = await open(large);
    const onPaper = async () => {
      await tab.page.evaluate('dispatchEvent(new Event("beforeprint"))');
      await tab.page.emulateMedia({ media: 'print' });
      const told = await tab.page.locator('#on-paper').innerText();
      const tiles = await tab.page.locator('.tile').count();
      await tab.page.evaluate('dispatchEvent(new Event("afterprint"))');
      await tab.page.emulateMedia({ media: 'screen' });
      return { told, tiles };
    };
    const first = await onPaper();
    expect(first.told).toBe('On paper: the first 2,000 of these 2,600 instances. Filter the list to print others.');
    expect(first.tiles).toBeLessThanOrEqual(2000);
    expect(first.tiles).toBeGreaterThan(1990);
    await tab.page.locator('#find').fill('beat=8');
    await until(tab, 'document.getElementById("shown").textContent.includes("of 2,600")');
    const filtered = await onPaper();
    expect(filtered.told).toBe('');
    expect(filtered.tiles).toBe(
      await tab.page.evaluate('Number.parseInt(document.getElementById("shown").textContent)'),
    );
  });

  test('plays nothing by itself where calm is asked for', async () => {
    await using tab = await open(page, { reducedMotion: 'reduce' });
    await tab.page.clock.install();
    await tab.page.locator('.tile[data-key="shot[beat=1,take=1]"]').hover();
    await tab.page.clock.runFor(2_000);
    expect(await tab.page.locator('.tile video').count()).toBe(0);
  });

  test('shows hostile words as words, everywhere', async () => {
    await using tab = await open(await written('hostile', hostile(report)));
    await tab.page.evaluate('document.getElementById("the-trouble").scrollIntoView()');
    for (const { key } of hostile(report).instances.slice(0, 12)) await goTo(tab, key);
    expect(await tab.page.evaluate('window.taken ?? null')).toBeNull();
    expect(tab.asked.filter(url => !url.startsWith('file:'))).toEqual([]);
    expect(tab.complaints).toEqual([]);
    expect(
      await tab.page.locator('main script, main iframe, main object, [onerror], [onclick], [onload]').count(),
    ).toBe(0);
    expect(await tab.page.locator('#title').textContent()).toBe(report.run.name + EVIL.join(''));
    const links: string[] = await tab.page.evaluate(
      '[...document.querySelectorAll("a[href]")].map(one => one.getAttribute("href"))',
    );
    expect(links.filter(href => !/^(#the-|media\/)/.test(href))).toEqual([]);
  });

  test('says what a browser does not show, with its still and a download', async () => {
    const hevc = await hevcOf(store, films[0], folder);
    const lacking = shownWith(report, [hevc, hevc, films[2]]);
    await using tab = await open(await written('hevc', lacking));
    const canPlay = await tab.page.evaluate(
      'document.createElement("video").canPlayType(\'video/mp4; codecs="hvc1.1.6.L120.B0"\')',
    );
    // A Chromium that has the codec plays it.
    if (canPlay) return;
    expect(await tab.page.locator('#screen .lacking').textContent()).toBe(
      'This browser does not show HEVC. Download it, or draw the report with --proxies.',
    );
    expect(await tab.page.locator('#screen .lacking a').getAttribute('href')).toBe(`media/${hevc.sha256}.mp4`);
    expect(await tab.page.locator('#screen img').isVisible()).toBe(true);
    expect(await tab.page.locator('#screen video').count()).toBe(0);
    expect(await violations(tab.page)).toEqual([]);
    const proxied = await writeReport(join(folder, 'proxied'), { withProxies: true }, terms(lacking));
    await using second = await open(proxied.page);
    await second.page.locator('#screen .start').click();
    await until(second, 'document.getElementById("film").currentTime > 0');
  });

  test('in one file has its stills, plays nothing, and asks for nothing', async () => {
    const file = join(folder, 'single.html');
    await writeSingleReport(file, terms(report));
    await using tab = await open(file);
    await tab.page.locator('.tile img').first().waitFor();
    expect(
      await tab.page.locator('.screen img').evaluate(it => (it as unknown as { naturalWidth: number }).naturalWidth),
    ).toBe(320);
    await tab.page.evaluate('location.hash = "#shot[beat=3,take=2]"');
    await tab.page.locator('#drawer img').first().waitFor();
    expect(await tab.page.locator('video').count()).toBe(0);
    expect(tab.asked.filter(url => !url.startsWith('data:'))).toEqual([pathToFileURL(file).href]);
    expect(tab.complaints).toEqual([]);
    expect(await violations(tab.page)).toEqual([]);
  });

  test('of one still: the picture is large, and nothing stands that has nothing to tell', async () => {
    const [still] = report.instances.filter(({ step, media }) => step === 'shot' && media);
    const alone = {
      ...still!,
      key: 'shot' as const,
      label: 'shot',
      coordinates: {},
      chosenBy: [],
      needs: [],
      attempts: [],
    };
    const steps = report.steps.filter(({ name }) => name === 'shot').map(step => ({ ...step, needs: [] }));
    const one = { ...report, steps, instances: [alone], film: null, outputs: [] } as unknown as RunReport;
    await using tab = await open(await written('one', one));
    expect((await tab.page.locator('.tile').boundingBox())?.width).toBeGreaterThan(400);
    for (const gone of ['#the-graph', '#ruler', '#legend', '#zoom-in', '#the-trouble', '#stage'])
      expect(await tab.page.locator(gone).isVisible(), gone).toBe(false);
    expect(await tab.page.locator('.top nav a:visible').allTextContents()).toEqual(['Film', 'Instances', 'Time']);
    await tab.page.keyboard.press('g');
    for (const colorScheme of SCHEMES) {
      await tab.page.emulateMedia({ colorScheme });
      expect(await violations(tab.page)).toEqual([]);
    }
  });

  test('of 1,000 instances has at most 600 KB, and is drawn with two seconds of work', async () => {
    const large = join(folder, 'large.html');
    writeFileSync(large, await reportHtml(largeRun(1000), {}, { isSingle: false }));
    expect(statSync(large).size).toBeLessThanOrEqual(600_000);
    await using tab = await open(large);
    // Of the processor: a clock on the wall counts what others do on a busy machine as well.
    expect(await tab.worked()).toBeLessThan(2);
    // Rows are drawn near the window alone.
    expect(await tab.page.locator('.row').count()).toBeLessThan(30);
    expect(await violations(tab.page)).toEqual([]);
  });

  test('of a run that did not begin has its messages as text, fits a phone, and axe finds nothing', async () => {
    const [evil = ''] = EVIL;
    const said = ['film.yaml:4:18: error: no model is called `V-T2V-Q`'.repeat(4), `${evil}\u001b[31m\nsecond line`];
    const place = join(folder, 'not-begun');
    await writeNotBegun(
      place,
      { file: `film${evil}.yaml`, brief: 'it has 2 mistakes', exit: 2, lines: said },
      systemClock,
    );
    const address = pathToFileURL(join(place, 'index.html')).href;
    for (const [colorScheme, viewport] of [['light', DESK] as const, ['dark', PHONE] as const]) {
      const { context, page, asked, complaints } = await openTab(browser, { colorScheme, viewport });
      await page.goto(address);
      expect(await page.locator('h1').textContent()).toContain(evil);
      expect(await page.locator('pre').last().textContent()).toContain(evil);
      expect(await page.title()).toMatch(/was not begun · Shotlist$/);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await page.evaluate('window.taken ?? null')).toBeNull();
      expect([asked, complaints]).toEqual([[address], []]);
      expect(await violations(page)).toEqual([]);
      await context.close();
    }
  });

  test('of 10,000 instances is drawn, and says how many it shows', async () => {
    const huge = join(folder, 'huge.html');
    writeFileSync(huge, await reportHtml(largeRun(10_000), {}, { isSingle: false }));
    await using tab = await open(huge);
    expect(await tab.page.locator('#shown').textContent()).toMatch(
      /^5,000 of 10,000 instances: all that failed or wait/,
    );
    expect(await tab.page.locator('.tile[data-key="tall[beat=4]"]').count()).toBe(0);
    await tab.page.locator('.figures .bad button').click();
    await tab.page.locator('.tile[data-key="tall[beat=4]"]').waitFor();
    await tab.page.getByRole('button', { name: /^All/ }).click();
    await tab.page.locator('#find').fill('beat=900,');
    await until(tab, 'document.getElementById("shown").textContent.startsWith("3 instances")');
  });
});

const SCHEMES = ['dark', 'light'] as const;

/** Its media have stills, so many different ones, beside the page. */
async function withPictures(run: RunReport, many: number) {
  const pictures = await Promise.all(
    Array.from({ length: many }, async (_, at) => {
      const file = `still-${at}.jpg`;
      const background = { r: (at * 37) % 256, g: (at * 59) % 256, b: (at * 83) % 256 };
      await sharp({ create: { width: 64, height: 36, channels: 3, background } }).toFile(join(folder, file));
      return file;
    }),
  );
  const media: Record<string, MediaPlace> = {};
  for (const [at, { media: one }] of run.instances.entries())
    if (one) media[one.sha256] = { file: null, poster: pictures[at % many] ?? null, proxy: null };
  return { run, media };
}

/** What a stranger could put into a prompt, a file's name or an answer. */
const EVIL = [
  '</script><script>window.taken=1</script>',
  '<img src=x onerror="window.taken=1">',
  '"><svg onload=window.taken=1>',
  '<!--<script>',
  "' onclick='window.taken=1",
  'javascript:window.taken=1',
  '\u2028window.taken=1\u2029',
  '\u202Egnp.exe',
  '{{constructor.constructor("window.taken=1")()}}',
  ']]>&lt;script&gt;',
];

/** Every text of it holds all of the above; keys, digests and words of a closed list stay. */
function hostile(of: RunReport): RunReport {
  const kept = new Set(['sha256', 'state', 'is', 'kind', 'format', 'code', 'video_codec', 'audio_codec', 'outcome']);
  const keys = new Map(of.instances.map(({ key }, at) => [key as string, `${key}${EVIL[at % EVIL.length]}`]));
  const steps = new Map(of.steps.map(({ name }, at) => [name as string, `${name}${EVIL[at % EVIL.length]}`]));
  const spoilt = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') {
      if (kept.has(name)) return value;
      return keys.get(value) ?? steps.get(value) ?? value + EVIL.join('');
    }
    if (Array.isArray(value)) return value.map(it => spoilt(it, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, spoilt(it, key)]));
  };
  return spoilt(of) as RunReport;
}

interface Tab {
  readonly page: Page;
  /** Addresses, in the order they were asked for. */
  readonly asked: string[];
  readonly complaints: string[];
  /** Seconds for which the page's thread has worked since it was opened. */
  worked(): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function open(file: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const { context, page: tab, ...heard } = await openTab(browser, options);
  const devtools = await context.newCDPSession(tab);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await tab.goto(file.startsWith('file:') ? file : pathToFileURL(file).href);
  await tab.locator('html[data-drawn]').waitFor();
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  return { page: tab, ...heard, worked, [Symbol.asyncDispose]: () => context.close() };
}

/** Opens the details of an instance, as a link to them does. */
async function goTo(tab: Tab, key: string): Promise<void> {
  await tab.page.evaluate(`location.hash = ${JSON.stringify(`#${encodeURIComponent(key)}`)}`);
  await until(tab, `document.getElementById("drawer-key").textContent === ${JSON.stringify(key)}`);
}

/** The page's policy lets nothing be evaluated in it: it is asked again and again from outside. */
const until = ({ page }: Tab, claim: string): Promise<void> => expect.poll(() => page.evaluate(claim)).toBe(true);
