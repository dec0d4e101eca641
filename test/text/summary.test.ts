/** What a run leaves its author with. */
import { expect, test } from 'vitest';
import type { Event } from '../../src/model/run/event.ts';
import type { Result } from '../../src/model/run/result.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import { summaryLines } from '../../src/show/text/run-summary.ts';
import { finished, key, media, planned, stamped, started, succeeded } from './recordings.ts';

const result = media('shot', 0.6, { width: 1280, height: 720, duration: 6 }, 4_100_000);
const FILM = [planned('shot', 'V-T2V-A', [], 0.6)];
const written: Event = { type: 'output_written', output: 'film', key: key('shot'), path: 'out/teaser.mp4' };

const said = (...events: readonly Event[]): readonly string[] =>
  summaryLines(stamped(events.map((event, seconds) => [seconds, event])).reduce(reduce, emptyRunView()))
    .slice(1)
    .map(({ text }) => text);

test('a film that saves nothing says where its results are, and how to have them under a name', () => {
  const start = { ...started('teaser', FILM), kept_in: '.shotlist/store' } as Event;
  const end = finished('done', { succeeded: 1 }, 0.6);
  expect(said(start, succeeded('shot', result), end)).toEqual([
    'no step is saved, so the results are in .shotlist/store, named by their content; write `save: out/shot` on a step and run again to have it there (nothing is paid twice)',
  ]);
  expect(said(started('teaser', FILM), succeeded('shot', result), written, end)).toEqual([
    expect.stringMatching(/^out\/teaser\.mp4 /),
  ]);
  // Nothing was made: there is nothing to look for.
  expect(said(start, end)).toEqual([]);
});

test('questions that are open are named, the first few, with the page that shows them; no answer is filled in', () => {
  const beats = [1, 2, 3, 4, 5, 6, 7].map(beat => `best[beat=${beat}]`);
  const asking = beats.map(
    (name): Event => ({
      ...{ type: 'waiting_for', key: key(name), is: 'pick', ask: 'which one is best?', count: 1, awaited: [] },
      options: ['shot[take=1]', 'shot[take=3]'].map(one => ({ id: one, key: key(one) })),
    }),
  );
  const start = {
    ...started(
      'teaser',
      beats.map(name => planned(name, 'pick', [], null)),
    ),
    profile: 'draft',
  } as Event;
  expect(said(start, ...asking, finished('interrupted', {}, 0)).slice(0, 7)).toEqual([
    ...beats.slice(0, 5).map(name => `${name} waits for a person: which one is best?`),
    'and 2 more wait for a person',
    'shotlist review pipelines/teaser.yaml --profile draft',
  ]);
});

test("a person's no is the reason why much was skipped, and says how to be asked again", () => {
  const choice = { by: 'person', who: 'Ada', asked: 'may we?', chosen: [], from: [], called: [], note: 'too slow' };
  const no = { is: 'approved', approved: false, choice } as unknown as Result;
  const film = started('teaser', [planned('ok', 'approve', [], 0), ...FILM]);
  const skip: Event = { type: 'skipped', key: key('shot'), why: 'ok was not approved by Ada: too slow' };
  expect(said(film, succeeded('ok', no), skip, finished('done', { succeeded: 1, skipped: 1 }, 0))).toEqual([
    'ok is not approved by Ada: too slow; what waits for it is skipped; to be asked again:',
    'shotlist approve pipelines/teaser.yaml ok --undo',
  ]);
});

test('of many outputs, the first few of each step are listed', () => {
  const shots = Array.from({ length: 21 }, (_, n) => `shot[n=${n + 1}]`);
  const start = started(
    'teaser',
    shots.map(name => planned(name, 'V-T2V-A', [], 0)),
  );
  const outputs = shots.map((name, n): Event => ({ ...written, key: key(name), path: `out/${n + 1}.mp4` }));
  const listed = (count: number) => said(start, ...outputs.slice(0, count), finished('done', {}, 0));
  expect(listed(20)).toHaveLength(20);
  expect(listed(21)).toEqual([1, 2, 3, 4, 5].map(n => `out/${n}.mp4`).concat('…  and 16 more of shot'));
});
