/** Random films, run in a world of their own, give what the language says: no more, no less, and no later. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { StepName } from '../../src/model/run/key.ts';
import { doneFor, endsOf, expectedEnd, fingerprintsOf, spansOf } from './events.ts';
import { cannotGive, type ExpectedFilm, expectedOf, instancesOf } from './expected.ts';
import { type Film, yamlOf } from './film.ts';
import { identityOf, readyAt, scheduleOf } from './list-schedule.ts';
import { property } from './property.ts';
import { cachedFilm, randomFilm } from './random-film.ts';
import { compiled, type Ran, type Way, World } from './world.ts';

const ran = (film: Film, way?: Way): Promise<Ran> => new World().run(compiled(yamlOf(film)), way);

property(
  'every instance gives what the language says: all that it reads, whole and in order, or nothing',
  25,
  [randomFilm({ failing: true })],
  async film => {
    const expected = expectedOf(film);
    const { diagnostics } = new World().plan(compiled(yamlOf(film)));
    const codes = diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
    if (codes.length > 0) {
      // A list that can never be whole is told before the run.
      expect(new Set(codes)).toEqual(new Set(['incomplete']));
      expect(instancesOf(expected).some(cannotGive)).toBe(true);
      return;
    }
    const run = await ran(film);
    const ends = Object.fromEntries(instancesOf(expected).map(one => [one.key, expectedEnd(one)]));
    expect(unlessFailing(expected, endsOf(run))).toEqual(unlessFailing(expected, ends));
    for (const { name, instances } of expected.values()) {
      const keys = run.plan.instances.of(name as StepName).map(({ key }) => key as string);
      expect(keys).toEqual(instances.map(({ key }) => key));
    }
  },
);

/** Where something fails, what is behind it is blocked or skipped, whichever is known first. */
function unlessFailing(film: ExpectedFilm, ends: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (!instancesOf(film).some(cannotGive)) return ends;
  return Object.fromEntries(Object.entries(ends).map(([key, end]) => [key, end === 'blocked' ? 'skipped' : end]));
}

// A command that acts outside does not stand in for an equal one that does not: no two steps run the same.
property(
  'everything begins and ends as early as a list schedule says, and so does the film',
  25,
  [cachedFilm({ apart: true, timed: true })],
  async film => {
    const run = await ran(film);
    const expected = expectedOf(film);
    const scheduled = scheduleOf(expected, openIn(run));
    const spans = spansOf(run);
    const ends = (of: ReadonlyMap<string, { readonly to: number }>) =>
      Object.fromEntries([...of].filter(([key]) => scheduled.has(key)).map(([key, { to }]) => [key, to]));
    const skipped = instancesOf(expected).filter(({ outcome }) => outcome.is === 'skipped');
    // What reads a list that is not known yet may turn out to be skipped before that list is whole.
    if (skipped.some(({ key }) => (spans.get(key)?.to ?? 0) < (scheduled.get(key)?.to ?? 0)))
      expect([...scheduled].filter(([key, { to }]) => (spans.get(key)?.to ?? Infinity) > to)).toEqual([]);
    else expect(ends(spans)).toEqual(ends(scheduled));
  },
);

const openIn = ({ plan }: Ran): ReadonlySet<string> => new Set(plan.open.map(({ step }) => step));

property(
  'no slot is idle while something that could use it is ready',
  15,
  [cachedFilm({ apart: true, timed: true }), fc.integer({ min: 1, max: 3 })],
  async (film, slots) => {
    const run = await ran(film, { limits: { commands: slots, in_flight: slots, per_model: slots } });
    const spans = spansOf(run);
    const expected = expectedOf(film);
    const worked = instancesOf(expected).flatMap(one => {
      const span = spans.get(one.key);
      const ready = readyAt(one, expected, other => spans.get(other.key)?.to, openIn(run));
      return span?.as && ready !== undefined ? [{ ...span, ready, key: one.key }] : [];
    });
    const times = [...new Set(worked.flatMap(({ ready, from, to }) => [ready, from, to]))].sort((a, b) => a - b);
    for (const as of ['command', 'request'])
      for (const [at, time] of times.entries()) {
        const middle = (time + (times[at + 1] ?? time)) / 2;
        const own = worked.filter(one => one.as === as);
        const busy = own.filter(({ from, to }) => from < middle && middle < to);
        const waiting = own.filter(({ ready, from }) => ready < middle && middle < from);
        expect(busy.length).toBeLessThanOrEqual(slots);
        if (busy.length < slots) expect(waiting.map(({ key }) => `${key} waits for a ${as}'s slot`)).toEqual([]);
      }
  },
);

/** Over all films: identity → fingerprint, and back. */
const all = new Map<string, string>();
const back = new Map<string, string>();

property(
  'one fingerprint for the same, another one for anything else; it is paid for once, and every take by itself',
  25,
  [cachedFilm()],
  async film => {
    const world = new World();
    const run = await world.run(compiled(yamlOf(film)));
    const prints = fingerprintsOf(run);
    const paid: string[] = [];
    for (const { key, take, outcome } of instancesOf(expectedOf(film))) {
      if (outcome.is !== 'made' || outcome.work.is === 'none') continue;
      const identity = identityOf(outcome.work, take);
      const print = prints.get(key) ?? '';
      expect([key, all.get(identity) ?? print]).toEqual([key, print]);
      expect([key, back.get(print) ?? identity]).toEqual([key, identity]);
      all.set(identity, print);
      back.set(print, identity);
      if (outcome.work.is === 'chat' || outcome.work.is === 'request') paid.push(identity);
    }
    const done = doneFor(run);
    expect(world.service.taken.length + world.service.asked.length).toBe(new Set(paid).size);
    expect([...done.keys()].filter(key => !prints.has(key))).toEqual([]);
  },
);

const end = fc.oneof(
  fc.record({ diesAfter: fc.integer({ min: 1, max: 120 }) }),
  fc.record({ stopsAfter: fc.integer({ min: 1, max: 60 }) }),
);

property(
  'one go, and any way that is killed or interrupted and gone on with, end with the same results, the same lock and the same bill',
  15,
  [cachedFilm({ repeatable: true }), fc.array(end, { minLength: 1, maxLength: 4 })],
  async (film, ends) => {
    // Of takes whose answers were lost with the process, a history may not tell which is which: a person is asked then.
    fc.pre(!film.steps.some(({ work, takes }) => work.is === 'shoot' && takes !== undefined));
    const pipeline = compiled(yamlOf(film));
    const straight = new World();
    const inOneGo = await straight.run(pipeline);
    const other = new World();
    for (const way of ends) await other.run(pipeline, way);
    const last = await other.run(pipeline);
    expect(endsOf(last)).toEqual(endsOf(inOneGo));
    expect(last.outcome?.is).toBe(inOneGo.outcome?.is);
    expect(other.service.taken.map(({ sha256 }) => sha256).sort()).toEqual(
      straight.service.taken.map(({ sha256 }) => sha256).sort(),
    );
    expect(lockOf(other)).toEqual(lockOf(straight));
    const again = await other.run(pipeline);
    expect([...doneFor(again).keys()]).toEqual([]);
    expect(lockOf(other)).toEqual(lockOf(straight));
  },
);

property(
  'where nobody is there, the run waits; whoever comes later ends with the same film and the same bill, and is never asked again',
  10,
  [cachedFilm({ repeatable: true }), fc.option(end)],
  async (film, way) => {
    fc.pre(!film.steps.some(({ work, takes }) => work.is === 'shoot' && takes !== undefined));
    const pipeline = compiled(yamlOf(film));
    const straight = new World();
    const inOneGo = await straight.run(pipeline);
    const other = new World();
    if (way) await other.run(pipeline, { ...way, isAlone: true });
    const { outcome, events } = await other.run(pipeline, { isAlone: true });
    const isAsked = events.some(({ type }) => type === 'waiting_for');
    expect(outcome?.is).toBe(isAsked ? 'waiting' : 'done');
    expect(endsOf(await other.run(pipeline))).toEqual(endsOf(inOneGo));
    expect(other.service.taken.map(({ sha256 }) => sha256).sort()).toEqual(
      straight.service.taken.map(({ sha256 }) => sha256).sort(),
    );
    const again = await other.run(pipeline, { isAlone: true });
    expect([again.outcome?.is, ...doneFor(again).keys()]).toEqual(['done']);
    expect(lockOf(other)).toEqual(lockOf(straight));
  },
);

const part = fc.record({
  how: fc.constantFrom('steps', 'from', 'until', 'exclude'),
  step: fc.nat(),
  ways: fc.option(end),
});

property(
  'made part by part, in any order and however interrupted, it is the film that is made in one go, and nothing of it is paid twice',
  15,
  [cachedFilm({ repeatable: true }), fc.array(part, { minLength: 1, maxLength: 3 })],
  async (film, parts) => {
    fc.pre(!film.steps.some(({ work, takes }) => work.is === 'shoot' && takes !== undefined));
    const pipeline = compiled(yamlOf(film));
    const straight = new World();
    const inOneGo = await straight.run(pipeline);
    const other = new World();
    for (const { how, step, ways } of parts) {
      const { name = '' } = film.steps[step % film.steps.length] ?? {};
      const selection = { [how]: [name] };
      if (ways) await other.run(pipeline, { ...ways, selection });
      const { outcome } = await other.run(pipeline, { selection });
      expect([outcome?.is, outcome?.counts.unfinished]).toEqual(['done', 0]);
    }
    const last = await other.run(pipeline);
    expect(endsOf(last)).toEqual(endsOf(inOneGo));
    expect(other.service.taken.map(({ sha256 }) => sha256).sort()).toEqual(
      straight.service.taken.map(({ sha256 }) => sha256).sort(),
    );
    expect(lockOf(other)).toEqual(lockOf(straight));
  },
);

/** The lock without the ids of generations, which are told in the order in which they came, and without the time of a choice. */
const lockOf = ({ lock = '' }: World): string =>
  lock
    .replace(/gen-\d+/g, 'gen')
    .replace(/"?(generation: )"?gen"?/g, '$1gen')
    .replace(/^( +at: ).*$/gm, '$1then');
