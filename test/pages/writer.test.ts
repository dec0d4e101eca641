/** A report on the disk: what lies there, what it never replaces, and what it leaves behind when it cannot be written. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import type { ReportedMedia, RunReport } from '../../src/model/run/run-report.ts';
import type { LocalStore } from '../../src/records/store/local-store.ts';
import { writeReport, writeSingleReport } from '../../src/show/pages/report/write-report.ts';
import { isMissing } from '../support/needs.ts';
import { mount, unmount } from '../support/small-disk.ts';
import { workFolder } from '../support/temp.ts';
import { hevcOf, largeRun, northLight, shownWith, storeOfFilms } from './runs.ts';

let folder: string;
let store: LocalStore;
let films: readonly [ReportedMedia, ReportedMedia, ReportedMedia];
let report: RunReport;
let places = 0;

beforeAll(async () => {
  folder = await workFolder();
  ({ store, films } = await storeOfFilms(folder));
  report = shownWith(northLight(), films);
});

const signal = new AbortController().signal;
const terms = () => ({ report, store, clock: systemClock, signal });
const plain = { withProxies: false };
/** Nothing is there yet. */
function newPlace(): string {
  const parent = join(folder, `at-${++places}`);
  mkdirSync(parent);
  return join(parent, 'report');
}
const beside = (place: string) => readdirSync(join(place, '..')).sort();

describe('a folder', () => {
  test('holds the page, each medium once and each still once, as files of its own', async () => {
    const place = newPlace();
    const { page, missing } = await writeReport(place, plain, terms());
    expect(missing).toBe(0);
    expect(page).toBe(join(place, 'index.html'));
    expect(readdirSync(place).sort()).toEqual(['index.html', 'media', 'posters']);
    expect(readdirSync(join(place, 'media')).sort()).toEqual(films.map(({ sha256 }) => `${sha256}.mp4`).sort());
    expect(readdirSync(join(place, 'posters')).sort()).toEqual(films.map(({ sha256 }) => `${sha256}.jpg`).sort());
    // Somebody who edits it edits no result.
    const copy = statSync(join(place, 'media', `${films[0].sha256}.mp4`));
    expect({ links: copy.nlink, mode: copy.mode & 0o777 }).toEqual({ links: 1, mode: 0o644 });
    expect(beside(place)).toEqual(['report']);
  });

  test('takes the place of a report of ours, whole, and draws no still again', async () => {
    const place = newPlace();
    await writeReport(place, plain, terms());
    writeFileSync(join(place, 'media', 'stale.mp4'), 'x');
    let drawn = 0;
    await writeReport(place, plain, { ...terms(), onStill: () => drawn++ });
    expect(drawn).toBe(0);
    expect(readdirSync(join(place, 'media'))).toHaveLength(3);
    expect(beside(place)).toEqual(['report']);
  });

  test('written by several processes at once is one of theirs, whole, and nothing is left beside it', async () => {
    const place = newPlace();
    await writeReport(place, plain, terms());
    await Promise.all(Array.from({ length: 4 }, () => writeReport(place, plain, terms())));
    expect(readdirSync(place).sort()).toEqual(['index.html', 'media', 'posters']);
    expect(readdirSync(join(place, 'media'))).toHaveLength(3);
    expect(beside(place)).toEqual(['report']);
  });

  test('takes an empty folder, and follows a link to one', async () => {
    const place = newPlace();
    const real = join(place, '..', 'real');
    mkdirSync(real);
    symlinkSync(real, place);
    await writeReport(place, plain, terms());
    expect(beside(place)).toEqual(['real', 'report']);
    expect(readdirSync(real)).toContain('index.html');
  });

  test.each([
    ['another folder', 'notes.txt', 'holds notes.txt, which is no part of a report', mkdirSync],
    ['another page', 'index.html', 'holds index.html', mkdirSync],
    ['a file beside a report', 'notes.txt', 'holds notes.txt', (at: string) => writeReport(at, plain, terms())],
    ['a file of its name', '', 'is a file, and a report is a folder', () => {}],
    ['a file of its folder’s name', '..', /ENOTDIR|is a file|cannot be written/, () => {}],
  ] as const)('never takes the place of %s', async (_, name, why, begin) => {
    const place = newPlace();
    await begin(place);
    if (name === '..') rmdirSync(join(place, name));
    writeFileSync(join(place, name), 'mine');
    await expect(writeReport(place, plain, terms())).rejects.toThrow(why);
    expect(readFileSync(join(place, name), 'utf8')).toBe('mine');
  });

  test.skipIf(isMissing('the right to mount a disk'))(
    'that does not fit on its disk is refused, nothing of it stays, and what was there does',
    async () => {
      const disk = join(newPlace(), '..');
      expect(mount(disk, 'size=500k')).toBe(true);
      try {
        // An older report, of nothing but a page.
        const bare: RunReport = { ...report, film: null, instances: [] };
        await writeReport(join(disk, 'report'), plain, { ...terms(), report: bare });
        const before = readFileSync(join(disk, 'report', 'index.html'));
        await expect(writeReport(join(disk, 'report'), plain, terms())).rejects.toThrow(
          /the report cannot be written to .*report: .*(no space|disk is full|ENOSPC)/i,
        );
        expect(readFileSync(join(disk, 'report', 'index.html'))).toEqual(before);
        expect(readdirSync(disk)).toEqual(['report']);
      } finally {
        unmount(disk);
      }
    },
  );

  test('leaves nothing of itself when it is stopped, and what was there stays', async () => {
    const place = newPlace();
    await writeReport(place, plain, terms());
    const before = readFileSync(join(place, 'index.html'));
    const stopping = new AbortController();
    stopping.abort(new Error('Ctrl-C'));
    await expect(writeReport(place, plain, { ...terms(), signal: stopping.signal })).rejects.toThrow('Ctrl-C');
    expect(readFileSync(join(place, 'index.html'))).toEqual(before);
    expect(beside(place)).toEqual(['report']);
  });

  test('tells how much is not on this machine, and is written without it', async () => {
    const gone = { ...films[0], sha256: 'a'.repeat(64) };
    const place = newPlace();
    const { missing } = await writeReport(place, plain, {
      ...terms(),
      report: shownWith(report, [gone, films[1], films[2]]),
    });
    expect(missing).toBe(1);
    expect(readdirSync(join(place, 'media'))).toHaveLength(2);
  });

  test('holds an H.264 copy of what many browsers cannot show, where that is asked for', async () => {
    const hevc = await hevcOf(store, films[0], folder);
    const place = newPlace();
    const shown = { ...terms(), report: shownWith(report, [hevc, films[1], films[2]]) };
    await writeReport(place, { withProxies: true }, shown);
    expect(readdirSync(join(place, 'media'))).toContain(`${hevc.sha256}-h264.mp4`);
    expect(readdirSync(join(place, 'media'))).toContain(`${hevc.sha256}.mp4`);
  });
});

describe('one file', () => {
  test('holds the stills and nothing beside', async () => {
    const file = `${newPlace()}.html`;
    expect(await writeSingleReport(file, terms())).toEqual({ page: file, missing: 0 });
    expect(statSync(file).size).toBeLessThan(1e6);
    expect(beside(file)).toEqual(['report.html']);
  });

  test('of 1,000 instances is at most 10 MB, and tells how many stills it has no room for', async () => {
    const large = largeRun(1000);
    for (const { media } of large.instances) {
      if (!media) continue;
      const cache = join(folder, 'store', 'posters', media.sha256.slice(0, 2));
      mkdirSync(cache, { recursive: true });
      // As large as a still gets, and of bytes that no compression makes fewer.
      for (const within of [320, 640]) writeFileSync(join(cache, `${media.sha256}-${within}.jpg`), randomBytes(20_000));
    }
    const file = `${newPlace()}.html`;
    const { missing } = await writeSingleReport(file, { ...terms(), report: large });
    expect(statSync(file).size).toBeGreaterThan(9e6);
    expect(statSync(file).size).toBeLessThanOrEqual(10e6);
    expect(missing).toBeGreaterThan(500);
  });

  test('takes the place of a report, and of nothing else', async () => {
    const file = `${newPlace()}.html`;
    await writeSingleReport(file, terms());
    await writeSingleReport(file, terms());
    writeFileSync(file, '<h1>mine</h1>');
    await expect(writeSingleReport(file, terms())).rejects.toThrow('is there and is no report');
    expect(readFileSync(file, 'utf8')).toBe('<h1>mine</h1>');
    await expect(writeSingleReport(join(file, '..'), terms())).rejects.toThrow('is a folder');
  });
});
