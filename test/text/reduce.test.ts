/** The fold of a run's events: states, money, and lines of what is over. */
import { expect, test } from 'vitest';
import type { Event } from '../../src/model/run/event.ts';
import type { StepName } from '../../src/model/run/key.ts';
import { wordsIn } from '../../src/model/text/word-difference.ts';
import { flushAlike, reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView, measuresOf, type RunView, spentIn, unmetNeeds } from '../../src/records/views/run-view.ts';
import { stateText } from '../../src/show/text/state-text.ts';
import {
  accepted,
  generated,
  intended,
  key,
  media,
  planned,
  progress,
  reused,
  START,
  stamped,
  started,
  succeeded,
} from './recordings.ts';

const FILM = [planned('shot', 'V-T2V-A', [], 0.6), planned('framed', 'V-RF', ['shot'], 0.48)];
const viewOf = (...events: readonly Event[]): RunView =>
  stamped(events.map((event, seconds) => [seconds, event])).reduce(reduce, emptyRunView());
const states = ({ instances }: RunView) => [...instances.values()].map(({ label, state }) => `${label} ${state.is}`);
const settled = (run: RunView) =>
  run.settled.map(entry => {
    if (entry.is === 'instance') return entry.instance.label;
    return entry.is === 'group' ? `${entry.instances.length} alike` : entry.is;
  });

test('an instance goes through its states, and what it cost is known when the service has finished it', () => {
  const run = viewOf(started('teaser', FILM), intended('shot', 'V-T2V-A', 0.6), accepted('shot'));
  expect(states(run)).toEqual(['shot queued', 'framed waiting']);
  expect(spentIn(run).usd).toBe(0);
  const framed = run.instances.get(key('framed'))!;
  expect(unmetNeeds(run, framed).map(({ label }) => label)).toEqual(['shot']);
  expect(stateText(run, framed, START)).toBe('waits for shot');
  for (const event of stamped([
    [10, generated('shot', 0.55)],
    [11, succeeded('shot', media('shot', 0.55, {}, 1))],
  ]))
    reduce(run, event);
  expect(states(run)).toEqual(['shot succeeded', 'framed waiting']);
  expect(spentIn(run).usd).toBe(0.55);
  expect(stateText(run, framed, START)).toBe('next up');
});

test('a step that is fanned out during the run adds its instances behind the others', () => {
  const run = viewOf(
    started('teaser', FILM),
    { type: 'expanded', step: 'clip' as StepName, instances: [planned('clip[n=1]', 'V-RF', ['framed'], 0.48)] },
    intended('clip[n=1]', 'V-RF', 0.48),
  );
  expect(states(run)).toEqual(['shot waiting', 'framed waiting', 'clip[n=1] sending']);
  expect(run.instances.get(key('clip[n=1]'))).toMatchObject({ index: 2, price: 0.48 });
  expect(measuresOf(run).widest).toEqual({ label: 9, short: 7, model: 7 });
});

test('news that comes late changes nothing, and an unknown instance is believed', () => {
  const run = viewOf(
    started('teaser', FILM),
    generated('shot', null),
    progress('shot', 'processing', null, 0.9),
    accepted('older'),
  );
  expect(states(run)).toEqual(['shot generated', 'framed waiting', 'older queued']);
  expect(spentIn(run).usd).toBe(0.6);
});

test('up to four instances that end alike are told one by one, more of them in one line', () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => `clip[n=${n}]`);
  const ended = (count: number) => {
    const run = viewOf(
      started(
        'clips',
        names(count).map(name => planned(name, 'V-RF', [], null)),
      ),
      ...names(count).map(name => reused(name, media(name, 0, {}, 1))),
    );
    flushAlike(run);
    return settled(run);
  };
  expect(ended(4)).toEqual(['started', ...names(4)]);
  expect(ended(5)).toEqual(['started', '5 alike']);
});

test('a text that is written in pieces is counted in words, and its end is kept', () => {
  const text = (piece: string): Event => ({ type: 'text_written', key: key('shot'), text: piece });
  const run = viewOf(started('teaser', FILM), text('A red f'), text('ox '), text('runs.'));
  expect(run.instances.get(key('shot'))?.state).toMatchObject({
    ...{ is: 'writing', words: 4, tail: 'A red fox runs.' },
  });
  expect(['', "it's a fox-hunt", '狐が走る', 'a 狐 runs'].map(wordsIn)).toEqual([0, 3, 4, 3]);
});
