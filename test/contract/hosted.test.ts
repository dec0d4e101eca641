/**
 * The cases at a service that shares no code with the client: transcripts. Those in `transcript/hosted/` were written by hand, after what
 * services of this shape were observed to do; catalog and fine-tunes are what the studio answered once. And one film, made there from its
 * first request to its last file.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { eventLines } from '../run/rig.ts';
import { SUITES, UNABLE } from './cases.ts';
import { filmAt } from './film-at.ts';
import { replayFixture } from './replay.ts';
import { parse } from './transcript.ts';

const BY_HAND = 'write down what a hosted service would be asked, and what it would say';
const read = (name: string) => parse(readFileSync(new URL(`./transcript/${name}.txt`, import.meta.url), 'utf8'));

describe.each([
  ['queue', 'hosted'],
  ['sync', 'hosted'],
  ['chat', 'hosted'],
  ['catalog', 'studio'],
  ['tuning', 'studio'],
] as const)('the %s of the %s service', (suite, folder) => {
  const transcript = read(`${folder}/${suite}`);
  const cases = Object.entries(SUITES[suite]);
  for (const [name, story] of cases) {
    if (UNABLE.hosted[name] === undefined)
      test(name, async () => {
        const lines = transcript.get(name);
        if (lines === undefined) throw new Error(`this case is not in ${folder}/${suite}.txt: ${BY_HAND}`);
        await story(() => replayFixture(lines, BY_HAND));
      });
  }
  test('nothing is written that no case tells', () => {
    const told = cases.map(([name]) => name).filter(name => UNABLE.hosted[name] === undefined);
    expect([...transcript.keys()].filter(name => !told.includes(name))).toEqual([]);
  });
});

const FILM = `
shotlist: 1
name: fox
steps:
  still:
    model: I-GEN-A
    with: { prompt: a red fox }
  shot:
    model: V-I2V-A
    with:
      prompt: it turns its head
      input_image: \${{ steps.still.result_url }}
`;

test('a film is made there, whatever it calls the time between', async () => {
  const [lines = []] = [...read('hosted/film').values()];
  const { outcome, events } = await filmAt(FILM, await replayFixture(lines, BY_HAND));
  const said = events.flatMap(event => (event.type === 'progress' ? [`${event.key} ${event.status}`] : []));
  expect(said).toEqual(['still queued', 'still processing', 'still moderating', 'shot awaiting_capacity']);
  const steps = ['submit_intended', 'submit_accepted', 'generated', 'succeeded'];
  expect(eventLines(events)).toEqual([
    'stream_changed',
    ...['still', 'shot'].flatMap(step => steps.map(what => `${step} ${what}`)),
    'still billed',
    'shot billed',
    'run_finished',
  ]);
  expect(events.flatMap(event => (event.type === 'billed' ? [event.cost] : []))).toEqual([0.01, 0.42]);
  const got = [...outcome.results.values()].map(({ result }) =>
    result.is === 'media' ? [result.bytes, result.extension] : [],
  );
  expect(got).toEqual([
    [36, '.webp'],
    [12, '.mp4'],
  ]);
});
