/** The review page in a real Chromium: choosing by key and by click, what others decide, what cannot be shown, how it reads. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { ReportedMedia } from '../../src/model/run/run-report.ts';
import type { LocalStore } from '../../src/records/store/local-store.ts';
import { serveReview } from '../../src/show/pages/review/review-server.ts';
import type { ReviewHead, ReviewQuestion } from '../../src/show/pages/review/review-state.ts';
import { violations } from '../support/axe.ts';
import { DESK, openTab, PHONE, startChromium } from '../support/browser.ts';
import { isMissing } from '../support/needs.ts';
import { workFolder } from '../support/temp.ts';
import { FakeReview, option, question } from './fake-review.ts';
import { hevcOf, storeOfFilms } from './runs.ts';

let browser: Browser;
let folder: string;
let store: LocalStore;
let films: readonly [ReportedMedia, ReportedMedia, ReportedMedia];

const best = (beat: number): string => `best[beat=${beat}]`;
/** Two beats that can be decided, and one whose takes are on their way. */
const beats = (): readonly ReviewQuestion[] => [
  question(1, [option(1, 1, films[0]), option(1, 2, films[1]), option(1, 3, films[0])]),
  question(2, [option(2, 1, films[1]), option(2, 2, null, { fraction: 0.62, since: 1_700_000_000_000 })]),
  question(3, [
    option(3, 1, null, { state: 'queued', place: 4 }),
    option(3, 2, null, { state: 'waiting', waits: 'V-T2V-A has room' }),
  ]),
];

describe.skipIf(isMissing('chromium'))('the review page', () => {
  beforeAll(async () => {
    folder = await workFolder();
    ({ store, films } = await storeOfFilms(folder));
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  test('the question is the words of the shot, and each take has those that only it was made with', async () => {
    const words = ['wide shot', 'close-up, slow push in', 'low angle'];
    const takes = words.map((shot, at) =>
      option(1, at + 1, films[0], { prompt: `a red fox waits, ${shot}, film grain, muted colours` }),
    );
    const answers = [1, 2].map(take =>
      option(2, take, null, { isReady: true, state: 'made', prompt: null, text: `{"title":"Fox ${take}"}` }),
    );
    await using tab = await open([question(1, takes), question(2, answers)]);
    const { page } = tab;
    await page.getByRole('heading', { name: 'a red fox waits, … film grain, muted colours' }).waitFor();
    expect(await page.locator('.take .words').allTextContents()).toEqual(words);
    await page.keyboard.press('w');
    expect(await page.locator('.pair fieldset').first().innerText()).toMatch(/^Take A\s+take 1\s+take 2\s+take 3$/);
    await page.locator('.rail button').nth(1).click();
    await page.getByRole('heading', { name: 'Beat 2' }).waitFor();
    expect(await page.locator('.frame .answer').allTextContents()).toEqual(['title Fox 1', 'title Fox 2']);
  });

  test('a key chooses, n goes on, z takes it back; each says what follows', async () => {
    await using tab = await open(beats());
    const { page, review } = tab;
    await page.keyboard.press('2');
    await said(page, 'Beat 1 is take 2. In the lock. final[beat=1] goes on.');
    expect(review.actions).toEqual([{ do: 'decide', key: best(1), chosen: ['1-2'], note: null, seen: null }]);
    expect(await page.locator('.take[data-chosen]').getAttribute('aria-label')).toBe('take 2');
    expect(await page.locator('.rail [aria-current] .w').innerText()).toBe('take 2');
    // It stays where it is until it is told to go on.
    expect(await page.locator('.told .first').innerText()).toContain('Next undecided');
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'a fox, 2' }).waitFor();
    await page.keyboard.press('2');
    await said(page, 'Take 2 is not made yet. It can be chosen once it has been seen.');
    await page.keyboard.press('z');
    await said(page, 'Beat 1 is as it was.');
    expect(review.actions.at(-1)).toMatchObject({ do: 'forget', key: best(1) });
    expect(review.state.questions[0]?.decided).toBeNull();
    expect(tab.complaints).toEqual([]);
  });

  test('a run that has gone on to its end before the answer is here has gone on', async () => {
    await using tab = await open(beats());
    const { page, review } = tab;
    const decided = review.carryOut;
    review.carryOut = async action => {
      const answer = await decided(action);
      // What it has made is next no more.
      const questions = review.state.questions.map(question => ({ ...question, next: [] }));
      review.change({ head: { ...review.state.head, run: { outcome: 'done', isGoing: false } }, questions });
      return answer;
    };
    await page.keyboard.press('2');
    await said(page, 'Beat 1 is take 2. In the lock. final[beat=1] goes on.');
    expect(await page.locator('.told code').count()).toBe(0);
  });

  test('a click chooses, another changes it, and z brings the first back', async () => {
    await using tab = await open(beats());
    const { page, review } = tab;
    await page.getByRole('button', { name: 'Choose take 1' }).click();
    await said(page, 'Beat 1 is take 1');
    await page.getByRole('button', { name: 'Choose take 3' }).click();
    await said(page, 'Beat 1 is take 3');
    await page.getByRole('button', { name: 'Take it back' }).click();
    await said(page, 'Beat 1 is as it was.');
    expect(review.state.questions[0]?.decided?.chosen).toEqual(['shot[beat=1,take=1]']);
    expect(await page.getByRole('button', { name: 'Approve take 1' }).isDisabled()).toBe(true);
    await page.locator('.frame').nth(1).click();
    await page.keyboard.press('a');
    await said(page, 'Beat 1 is take 2');
    await page.keyboard.press('y');
    await page.getByLabel('It stands in the lock beside the choice').fill('the fox looks up');
    await page.keyboard.press('Enter');
    await page.getByText('“the fox looks up”').waitFor();
    expect(review.actions.at(-1)).toMatchObject({ do: 'decide', chosen: ['1-2'], note: 'the fox looks up' });
  });

  test('a rejection has a note, keeps the others, and tells what another would cost where none is left', async () => {
    await using tab = await open(beats());
    const { page, review } = tab;
    await page.keyboard.press('r');
    // What is typed into a note is no key of the page.
    await page.keyboard.type('2 hats, a wobble');
    await page.keyboard.press('Enter');
    await said(page, 'Take 1 of Beat 1 is rejected: “2 hats, a wobble”.');
    expect(review.actions).toEqual([{ do: 'reject', key: best(1), option: '1-1', note: '2 hats, a wobble' }]);
    for (const _ of [2, 3]) {
      await page.keyboard.press('r');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('.take[data-out]').count()).toBe(_);
    }
    await said(page, 'None of Beat 1 will do. 3 new ones cost $0.90:');
    expect(await page.locator('.told code').innerText()).toBe("shotlist run north-light.yaml --redo 'shot[beat=1]'");
    await page.keyboard.press('z');
    await expect.poll(() => page.locator('.take[data-out]').count()).toBe(2);
    await page.keyboard.press('r');
    await page.keyboard.press('Escape');
    expect(await page.locator('.take[data-out]').count()).toBe(2);
  });

  test('what is typed while the last decision is still on its way means what it would have meant then', async () => {
    await using tab = await open(beats());
    const { page, review } = tab;
    const late = Promise.withResolvers<void>();
    await page.route('**/decide', async route => {
      await late.promise;
      await route.continue();
    });
    await page.keyboard.press('r');
    await page.keyboard.press('Enter');
    // A note that begins with the number of a take chooses none.
    await page.keyboard.press('r');
    await page.keyboard.type('3 legs');
    await page.keyboard.press('Enter');
    late.resolve();
    await said(page, 'Take 2 of Beat 1 is rejected: “3 legs”.');
    expect(review.actions).toEqual([
      { do: 'reject', key: best(1), option: '1-1', note: null },
      { do: 'reject', key: best(1), option: '1-2', note: '3 legs' },
    ]);
  });

  test('several are chosen best first, and let go of by Esc', async () => {
    const [first] = beats();
    await using tab = await open([{ ...first!, count: 2 }]);
    const { page, review } = tab;
    await page.keyboard.press('3');
    await said(page, '1 of 2 chosen, best first. 1 more; Esc lets go of them.');
    await page.keyboard.press('Escape');
    expect(await page.locator('.take[data-begun]').count()).toBe(0);
    await page.keyboard.press('3');
    await page.keyboard.press('1');
    await said(page, 'Beat 1 is take 3 and take 1. In the lock.');
    expect(review.actions).toMatchObject([{ chosen: ['1-3', '1-1'] }]);
    expect(await page.locator('.take[data-chosen]').count()).toBe(2);
  });

  test('an approval says yes to all that is shown, or no with a note', async () => {
    const [first] = beats();
    const approve = { ...first!, key: 'ok' as InstanceKey, is: 'approve' as const, ask: 'may it be published?' };
    await using tab = await open([{ ...approve, options: [approve.options[0]!] }]);
    const { page, review } = tab;
    await page.getByText('may it be published?').waitFor();
    await page.keyboard.press('r');
    await page.keyboard.type('the logo is bent');
    await page.keyboard.press('Enter');
    await said(page, 'ok is not approved.');
    expect(review.actions.at(-1)).toMatchObject({ do: 'decide', key: 'ok', chosen: [], note: 'the logo is bent' });
    await page.keyboard.press('a');
    await said(page, 'ok is approved.');
    expect(review.actions.at(-1)).toMatchObject({ chosen: ['1-1'] });
  });

  test('what others decide is shown, and who was first wins', async () => {
    await using tab = await open(beats());
    const { page, review } = tab;
    review.decide(best(1), ['1-3'], 'Grace');
    await said(page, 'Beat 1 was decided elsewhere, by Grace: take 3.');
    await page.locator('.take[data-chosen]').getByText('chosen by Grace').waitFor();
    // Between the look and the key.
    review.answer = { is: 'taken' };
    await page.keyboard.press('1');
    await said(page, 'Grace was a moment quicker: Beat 1 is take 3. Another choice replaces it.');
    review.answer = { is: 'refused', words: 'the journal cannot be written: nothing was decided' };
    await page.keyboard.press('1');
    await said(page, 'The journal cannot be written: nothing was decided.');
  });

  test('takes appear while others render, and what plays plays on', async () => {
    await using tab = await open(beats());
    const { page, review } = tab;
    await page.keyboard.press('n');
    await page.locator('.wait strong').getByText('62 %').waitFor();
    await page.evaluate('window.before = document.querySelector(".take video")');
    review.changeQuestion(best(2), before => ({ ...before, options: [before.options[0]!, option(2, 2, films[0])] }));
    await said(page, 'Take 2 of Beat 2 has arrived.');
    await expect.poll(() => page.locator('.take video').count()).toBe(2);
    expect(await page.evaluate('document.querySelector(".take video") === window.before')).toBe(true);
    await page.locator('.rail button').nth(2).click();
    await page.locator('.wait').filter({ hasText: 'Place 4' }).waitFor();
    await page.locator('.wait').filter({ hasText: 'V-T2V-A has room' }).waitFor();
    await page.getByText('The run waits for you; 1 take is still being made').waitFor();
  });

  test('takes move frame by frame, together, and the wipe divides two of them', async () => {
    await using tab = await open(beats());
    const { page } = tab;
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    const times = () =>
      page.evaluate(
        '[...document.querySelectorAll(".take video, .wipe video")].map(one => Math.floor(one.currentTime * 24))',
      );
    await expect.poll(times).toEqual([11, 11, 11]);
    expect(await page.locator('.code').innerText()).toBe('0:00:11 12/26');
    await page.keyboard.press('w');
    await expect.poll(times).toEqual([11, 11]);
    const grip = page.getByRole('slider', { name: 'Wipe' });
    await grip.focus();
    await page.keyboard.press('ArrowRight');
    expect(await grip.getAttribute('aria-valuetext')).toBe('52 % take 1');
    await page.keyboard.press('x');
    expect(await grip.getAttribute('aria-valuetext')).toBe('52 % take 2');
    // A reload leads back to the same place.
    await page.reload();
    await page.locator('.wipe').waitFor();
    await page.keyboard.press('Space');
    expect(tab.complaints).toEqual([]);
  });

  test('HEVC is told, and shown by a copy that this browser plays', async () => {
    const hevc = await hevcOf(store, films[0], folder);
    const missing = { ...films[0], sha256: 'b'.repeat(64) };
    await using tab = await open(
      [question(1, [option(1, 1, hevc), option(1, 2, missing, { isHere: false }), option(1, 3, films[1])])],
      { scripts: ['HTMLMediaElement.prototype.canPlayType = type => (type.includes("hvc1") ? "" : "probably")'] },
    );
    const video = tab.page.locator('.take video').first();
    expect(await video.getAttribute('src')).toBe(`copy/${hevc.sha256}`);
    const width = () => tab.page.evaluate('document.querySelector(".take video").videoWidth');
    await expect.poll(width).toBe(320);
    await tab.page.getByText('its content is not on this machine any more').waitFor();
  });

  test('texts, sounds and scores have their place', async () => {
    const text = (take: number, words: string) =>
      option(1, take, null, {
        isReady: true,
        state: 'made',
        text: words,
        score: { score: 7.25 + take, words: 'it rhymes' },
      });
    const decided = {
      by: 'judge',
      who: 'C-B',
      at: 1_700_000_000_000,
      note: null,
      chosen: [option(1, 2, null).key],
      scores: [],
    };
    await using tab = await open([question(1, [text(1, 'once'), text(2, 'upon')], { by: 'judge', decided })]);
    await tab.page.getByText('upon').waitFor();
    await tab.page.getByText('9.25, it rhymes').waitFor();
    await tab.page.getByText('take 2 (the judge, C-B)').waitFor();
    // A person's word outranks it.
    await tab.page.keyboard.press('1');
    await said(tab.page, 'Beat 1 is take 1.');
  });

  test('nothing that came from a run is read as markup', async () => {
    const evil = [
      '<img src=x onerror="window.taken=1">',
      '</script><script>window.taken=1</script>',
      '"><svg onload=window.taken=1>',
      "javascript:window.taken=1//'",
      '<!--<script>',
      '${window.taken=1}',
    ];
    const dirty = (take: number, media: ReportedMedia | null) => {
      const words = evil[take % evil.length]!;
      const score = { score: 1, words };
      const more = { prompt: words, seed: words, model: words, generation: words, score, waits: words };
      const key = `shot[beat=1,take=${words}]` as InstanceKey;
      const rejected = take === 2 ? { who: words, at: 1, note: words } : null;
      return option(1, take, media, { ...more, rejected, key, coordinates: { take: words }, text: words });
    };
    const options = [dirty(0, films[0]), dirty(1, films[1]), dirty(2, films[0]), dirty(3, null), dirty(4, null)];
    const words = evil.join(' ');
    const decided = { by: 'person', who: words, at: 1, note: words, chosen: [options[0]!.key], scores: [] };
    const head = { name: words, file: words, again: words, me: words, closed: words, profile: words };
    await using tab = await open([question(1, options, { ask: words, decided, key: words as InstanceKey })], { head });
    await tab.page.locator('.take').nth(4).waitFor();
    // Nothing can be decided where the film cannot be read, and the page says why.
    expect(
      await tab.page
        .getByRole('button', { name: /^Choose/ })
        .first()
        .isDisabled(),
    ).toBe(true);
    await tab.page.keyboard.press('w');
    // A picture that does not load and is asked for now fails after any of theirs.
    await tab.page.evaluate(`new Promise(failed => {
      const image = new Image();
      image.onerror = () => failed();
      image.src = 'x';
    })`);
    expect(await tab.page.evaluate('window.taken')).toBeUndefined();
    expect(await tab.page.locator('main script, main svg[onload], [onerror], main iframe').count()).toBe(0);
    expect(tab.asked.filter(url => !url.startsWith(tab.origin))).toEqual([]);
  });

  test('a page that lost its program says so, and one that was closed tells how to open it again', async () => {
    await using tab = await open(beats());
    await tab.server.close();
    await tab.page.getByText('This review was closed; shotlist review north-light.yaml opens it again').waitFor();
    await tab.page.keyboard.press('1');
    expect(tab.review.actions).toEqual([]);
  });

  test('two tabs are one review', async () => {
    await using tab = await open(beats());
    const other = await tab.page.context().newPage();
    await other.goto(tab.server.url);
    await other.locator('html[data-drawn]').waitFor();
    await other.keyboard.press('2');
    await said(tab.page, 'Beat 1 was decided elsewhere, by Ada: take 2.');
    await tab.page.keyboard.press('3');
    await said(other, 'Beat 1 was decided elsewhere, by Ada: take 3.');
  });

  test.each(['dark', 'light'] as const)(
    'axe finds nothing, %s, side by side, in the wipe, and in a note',
    async colorScheme => {
      await using tab = await open(beats(), { context: { colorScheme } });
      const { page } = tab;
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('2');
      await said(page, 'Beat 1 is take 2');
      // What has just been chosen is lit for a moment.
      await page.locator('.take[data-now]').waitFor({ state: 'detached' });
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('w');
      await page.locator('.wipe').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('w');
      await page.keyboard.press('n');
      await page.keyboard.press('r');
      await page.getByRole('dialog').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      expect(await violations(page)).toEqual([]);
    },
  );

  test.each([
    ['a desk', DESK],
    ['a small window', { width: 920, height: 620 }],
    ['a phone', PHONE],
  ])('on %s nothing sticks out, and all can be reached', async (_, viewport) => {
    const tall = question(4, [option(4, 1, films[2]), option(4, 2, films[2]), option(4, 3, films[2])]);
    const many = question(
      5,
      Array.from({ length: 9 }, (_, at) => option(5, at + 1, films[at % 2] ?? films[0])),
    );
    await using tab = await open([...beats(), tall, many], { context: { viewport } });
    const { page } = tab;
    for (const at of [0, 1, 3, 4]) {
      await page.locator('.rail button').nth(at).click();
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await page.evaluate('document.querySelectorAll("video").length <= 6')).toBe(true);
      if (viewport !== PHONE)
        expect(await page.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true);
    }
    if (viewport === PHONE) {
      // Whatever is looked at, both words are under the thumb.
      await page.locator('.take').nth(4).scrollIntoViewIfNeeded();
      for (const word of ['Reject', 'Approve take 1']) {
        const box = await page.getByRole('button', { name: word }).boundingBox();
        expect(box && box.y > 0 && box.y + box.height <= PHONE.height).toBe(true);
        await page.getByRole('button', { name: word }).click({ trial: true });
      }
    }
    await page.getByRole('button', { name: 'Choose take 9' }).click();
    await said(page, 'Beat 5 is take 9.');
    if (viewport === PHONE) expect(await violations(page)).toEqual([]);
  });
});

interface Opening {
  readonly context?: BrowserContextOptions;
  readonly head?: Partial<ReviewHead>;
  readonly scripts?: readonly string[];
}

async function open(questions: readonly ReviewQuestion[], { context: options, head, scripts = [] }: Opening = {}) {
  const review = new FakeReview(store, questions, head);
  const mistakes: string[] = [];
  const server = await serveReview({ source: review, clock: systemClock, port: 0, log: line => mistakes.push(line) });
  const { context, page, ...heard } = await openTab(browser, { reducedMotion: 'reduce', ...options });
  for (const script of scripts) await page.addInitScript(script);
  await page.goto(server.url);
  await page.locator('html[data-drawn]').waitFor();
  await expect.poll(() => review.followers).toBe(1);
  return {
    ...{ page, review, server, ...heard, origin: new URL(server.url).origin },
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await server.close();
      expect(mistakes).toEqual([]);
    },
  };
}

const said = (page: Page, words: string): Promise<void> => page.locator('.told p').filter({ hasText: words }).waitFor();
