/** A place of a film under review that cannot be asked: the page says why, and goes on when it can. */
import { expect, onTestFinished, test } from 'vitest';
import { FilmReview } from '../../src/app/review/film-review.ts';
import type { ReviewPlace } from '../../src/app/review/local-place.ts';
import { Refusal } from '../../src/model/run/decision-page.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import type { SharedResults } from '../../src/records/store/shared/shared-results.ts';
import type { ReviewState } from '../../src/show/pages/review/review-state.ts';
import type { Team } from '../../src/team/client/open-team.ts';
import { TeamReview } from '../../src/team/client/team-review.ts';
import type { RunRow } from '../../src/team/runs/run-rows.ts';
import { question } from '../pages/fake-review.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { settled } from '../support/settled.ts';
import { temporaryFolder } from '../support/temp.ts';

const FOLDER = '/films';
const PROJECT = {
  ...{ root: FOLDER, pipelineFile: `${FOLDER}/fox.yaml`, settingsFile: `${FOLDER}/shotlist.config.yaml` },
  stateFolder: `${FOLDER}/.shotlist`,
};

/** What nobody awaits, and rejects. */
function escaped(): readonly unknown[] {
  const all: unknown[] = [];
  const hear = (error: unknown) => void all.push(error);
  process.on('unhandledRejection', hear);
  onTestFinished(() => void process.off('unhandledRejection', hear));
  return all;
}

/** What a page shows, one after the other: its stream sends no state twice. */
function follow<T>(review: FilmReview, shown: (state: ReviewState) => T) {
  const seen: T[] = [];
  const stop = review.follow(state => {
    const now = shown(state);
    if (now !== seen.at(-1)) seen.push(now);
  });
  return { seen, stop };
}
const whyClosed = ({ head }: ReviewState): string | undefined => head.closed?.split(': ')[1];

test.each<readonly [keyof ReviewPlace]>([['isGoing'], ['progress'], ['report'], ['signs']])(
  'a page is not ended by what %s says, tells it, and goes on',
  async what => {
    const lost = escaped();
    const clock = new FakeClock();
    let isBroken = false;
    let looks = 0;
    const said = async <T>(name: keyof ReviewPlace, value: T): Promise<T> => {
      if (isBroken && (name === what || name === 'report')) throw new Refusal('a row is newer than this version');
      return value;
    };
    const place: ReviewPlace = {
      store: await LocalStore.open(await temporaryFolder()),
      isGoing: () => said('isGoing', true),
      progress: () => said('progress', new Map()),
      report: () => said('report', undefined),
      signs: () => said('signs', String(++looks)),
      pause: signal => clock.sleep(1_000, signal),
      toForget: 'look',
    };
    const film = () => Promise.reject(new Error('it is being saved'));
    const terms = { project: PROJECT, file: 'fox.yaml', profile: undefined, film, who: 'Ada', again: () => '', clock };
    const review = new FilmReview(terms, place);
    const { seen: closed, stop } = follow(review, whyClosed);
    const next = async () => {
      await clock.asleep();
      await clock.advance(1_000);
      await settled();
    };
    await next();
    isBroken = true;
    await next();
    expect((await review.look()).head.run).toEqual({ outcome: 'running', isGoing: true });
    isBroken = false;
    await next();
    stop();
    expect(closed).toEqual(['it is being saved', 'a row is newer than this version', 'it is being saved']);
    expect(lost).toEqual([]);
  },
);

test('a take that the disk here cannot be asked for is no mistake of ours, and is asked for again', async () => {
  const lost = escaped();
  let asked = 0;
  const download = () => {
    asked += 1;
    throw new Error('EIO: i/o error');
  };
  await using review = new TeamReview({
    ...{ team: {} as Team, run: { id: 'fox-1', filmId: 'foxes:fox' } as RunRow, project: PROJECT },
    news: { next: async () => {} },
    store: await LocalStore.open(await temporaryFolder()),
    shared: { download } as unknown as SharedResults,
  });
  const media = { sha256: 'a'.repeat(64) };
  const shown = { ...question(1, []), options: [{ media, isHere: false }] } as unknown as ReturnType<typeof question>;
  for (let n = 1; n <= 2; n++) {
    review.prefetch([shown]);
    await settled();
    expect(asked).toBe(n);
  }
  expect(lost).toEqual([]);
});

test('an outage that began and ended between two looks for changes leaves no page closed', async () => {
  const clock = new FakeClock();
  const place: ReviewPlace = {
    store: await LocalStore.open(await temporaryFolder()),
    isGoing: async () => false,
    progress: async () => new Map(),
    report: async () => undefined,
    signs: async () => 'as ever',
    pause: signal => clock.sleep(1_000, signal),
    toForget: 'look',
  };
  let why = 'the database is starting';
  const film = () => Promise.reject(new Error(why));
  const terms = { project: PROJECT, file: 'fox.yaml', profile: undefined, film, who: 'Ada', again: () => '', clock };
  const review = new FilmReview(terms, place);
  await review.look();
  const { seen: closed, stop } = follow(review, whyClosed);
  for (const now of ['the database is starting', 'it is being saved', 'it is being saved']) {
    why = now;
    await clock.asleep();
    await clock.advance(1_000);
    await settled();
  }
  stop();
  expect(closed).toEqual(['the database is starting', 'it is being saved']);
});

test.each([
  ['nobody has looked', 0],
  ['another page was opened', 1],
])('an outage that only a decision met is told to be over as well, where %s since', async (_, looks) => {
  const clock = new FakeClock();
  let isOut = false;
  const place: ReviewPlace = {
    store: await LocalStore.open(await temporaryFolder()),
    isGoing: async () => {
      if (isOut) throw new Error('the database is away');
      return false;
    },
    progress: async () => new Map(),
    report: async () => undefined,
    signs: async () => 'as ever',
    pause: signal => clock.sleep(1_000, signal),
    toForget: 'look',
  };
  const film = () => Promise.reject(new Error('it is being saved'));
  const terms = { project: PROJECT, file: 'fox.yaml', profile: undefined, film, who: 'Ada', again: () => '', clock };
  const review = new FilmReview(terms, place);
  await review.look();
  const { seen: closed, stop } = follow(review, whyClosed);
  await clock.asleep();
  isOut = true;
  expect((await review.look()).head.closed).toContain('the database is away');
  isOut = false;
  for (let n = 0; n < looks; n++) await review.look();
  await clock.advance(1_000);
  await settled();
  stop();
  expect(closed).toEqual(['it is being saved', 'the database is away', 'it is being saved']);
});

/** A run that goes on until the test ends it; `reading` holds up what is asked of it, by name. */
async function runUnderReview() {
  const clock = new FakeClock();
  const held = new Map<keyof ReviewPlace, Promise<void>>();
  let isGoing = true;
  const asked = async <T>(name: keyof ReviewPlace, value: () => T): Promise<T> => {
    await held.get(name);
    return value();
  };
  const place: ReviewPlace = {
    store: await LocalStore.open(await temporaryFolder()),
    isGoing: () => asked('isGoing', () => isGoing),
    progress: () => asked('progress', () => new Map()),
    report: () => asked('report', () => undefined),
    signs: () => asked('signs', () => String(isGoing)),
    pause: signal => clock.sleep(1_000, signal),
    toForget: 'look',
  };
  const film = () => Promise.reject(new Error('it is being saved'));
  const terms = { project: PROJECT, file: 'fox.yaml', profile: undefined, film, who: 'Ada', again: () => '', clock };
  const hold = (name: keyof ReviewPlace): (() => Promise<void>) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.set(name, promise);
    return async () => {
      held.delete(name);
      resolve();
      await settled();
    };
  };
  const end = () => {
    isGoing = false;
  };
  return { review: new FilmReview(terms, place), clock, hold, end };
}

const isGoing = ({ head }: ReviewState): boolean => head.run?.isGoing ?? false;

test('what changes while a page is being opened is shown on it', async () => {
  const { review, clock, hold, end } = await runUnderReview();
  // The page, and then its stream.
  await review.look();
  const release = hold('signs');
  const { seen, stop } = follow(review, isGoing);
  // Of a second page that is opened at the same moment.
  expect(isGoing(await review.look())).toBe(true);
  end();
  await release();
  await clock.asleep();
  await clock.advance(1_000);
  stop();
  expect(seen).toEqual([true, false]);
});

test('what changes while the film is being read for another page is shown', async () => {
  const { review, clock, hold, end } = await runUnderReview();
  const { seen, stop } = follow(review, isGoing);
  await clock.asleep();
  // It has been read by then that the run goes on.
  const release = hold('progress');
  const other = review.look();
  await settled();
  end();
  await clock.advance(1_000);
  await release();
  expect(isGoing(await other)).toBe(true);
  await settled();
  stop();
  expect(seen).toEqual([true, false]);
});
