/** Random films, of which more is said: what is tried again, what they may come to, and another file that uses them. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import { failuresBefore } from './content.ts';
import { doneFor, endsOf } from './events.ts';
import { documentOf, type Film, formatted, yamlOf } from './film.ts';
import { property } from './property.ts';
import { cachedFilm } from './random-film.ts';
import { compiled, World } from './world.ts';

const digests = ({ service }: World): readonly string[] => service.taken.map(({ sha256 }) => sha256).sort();
/** How often each was taken. */
const counted = (all: readonly string[]): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  for (const one of all) times.set(one, (times.get(one) ?? 0) + 1);
  return times;
};

/** A history may not tell which of several takes was whose, where answers were lost with the process. */
const hasTakesOfFilms = ({ steps }: Film): boolean =>
  steps.some(({ work, takes }) => work.is === 'shoot' && takes !== undefined);

const death = fc.record({ diesAfter: fc.integer({ min: 1, max: 120 }) });

property(
  'what fails and may be tried again ends as if it had not failed, paid for once more each time, in one go and killed',
  10,
  [cachedFilm({ repeatable: true }), fc.option(death)],
  async (film, way) => {
    fc.pre(!hasTakesOfFilms(film));
    const straight = new World();
    const inOneGo = await straight.run(compiled(yamlOf(film)));
    const other = new World();
    other.service.failuresOf = failuresBefore;
    const pipeline = compiled(retrying(film, 3));
    if (way) await other.run(pipeline, way);
    const last = await other.run(pipeline);
    expect(endsOf(last)).toEqual(endsOf(inOneGo));
    const wanted = [...counted(digests(straight))].map(([sha256, times]) => [sha256, times + failuresBefore(sha256)]);
    expect(Object.fromEntries(counted(digests(other)))).toEqual(Object.fromEntries(wanted));
  },
);

property(
  'what fails more often than it may be tried is asked for as often as its author says, and no more, in any one run',
  8,
  [cachedFilm({ repeatable: true }), fc.integer({ min: 1, max: 3 })],
  async (film, attempts) => {
    fc.pre(!hasTakesOfFilms(film));
    const world = new World();
    world.service.failuresOf = () => Number.POSITIVE_INFINITY;
    const { events } = await world.run(compiled(retrying(film, attempts)));
    const failed = events.flatMap(event => (event.type === 'failed' ? [event.key] : []));
    const times = [...counted(digests(world)).values()];
    expect(times).toEqual(times.map(() => attempts));
    if (times.length > 0) expect(failed.length).toBeGreaterThan(0);
  },
);

const limits = fc.oneof(
  fc.record({ generations: fc.integer({ min: 1, max: 6 }) }),
  fc.record({ video_seconds: fc.integer({ min: 5, max: 30 }) }),
);

property(
  'a budget is never exceeded, however often and however it is run; with more of it the film is made, and nothing is paid twice',
  10,
  [cachedFilm({ repeatable: true }), limits, fc.option(death)],
  async (film, budget, way) => {
    fc.pre(!hasTakesOfFilms(film));
    const straight = new World();
    const inOneGo = await straight.run(compiled(yamlOf(film)));
    const other = new World();
    const bounded = compiled(budgeted(film, { ...budget, unpriced: 'allow' }));
    if (way) await other.run(bounded, way);
    for (let run = 0; run < 2; run++) {
      const { outcome } = await other.run(bounded);
      const taken = other.service.taken.length;
      if ('generations' in budget) expect(taken).toBeLessThanOrEqual(budget.generations);
      else expect(5 * taken).toBeLessThanOrEqual(budget.video_seconds);
      expect(outcome?.is).toBe(taken < straight.service.taken.length ? 'budget' : 'done');
    }
    const last = await other.run(compiled(yamlOf(film)));
    expect(endsOf(last)).toEqual(endsOf(inOneGo));
    expect(digests(other)).toEqual(digests(straight));
  },
);

property(
  'brought in by another file, once or several times, it is the same film: made already, or made once for all',
  10,
  [cachedFilm({ repeatable: true }), fc.integer({ min: 1, max: 3 }), fc.boolean()],
  async (film, times, gives) => {
    // Takes that are told apart by where they stand are made for each place.
    fc.pre(!hasTakesOfFilms(film));
    const text = yamlOf(gives ? giving(film) : silent(film));
    const straight = new World();
    const ends = endsOf(await straight.run(compiled(text)));
    const outer = compiled(using(film, times), { [USED]: text });
    const fresh = new World();
    const inside = endsOf(await fresh.run(outer));
    for (const [key, end] of Object.entries(inside)) {
      const name = insideOf(key);
      if (name !== undefined) expect([key, placesOf(end)]).toEqual([key, ends[name]]);
    }
    const names = new Set(Object.keys(inside).flatMap(key => insideOf(key) ?? []));
    expect([...names].sort()).toEqual(Object.keys(ends).sort());
    expect(digests(fresh)).toEqual(digests(straight));
    expect([...doneFor(await straight.run(outer)).keys()]).toEqual([]);
  },
);

/** Nothing that another file could read. */
const silent = ({ steps, ...film }: Film): Film => ({ ...film, steps: steps.map(({ saved: _, ...step }) => step) });

/** It gives its end: of what another file reads of it nothing may be skipped. */
const giving = ({ steps, ...film }: Film): Film => ({
  ...film,
  steps: [
    ...silent({ steps, ...film }).steps,
    {
      ...{ name: 'end', saved: 'out/end.mp4' },
      work: { is: 'shoot', model: 'V-T2V-B', prompt: [{ is: 'plain', text: 'the end' }] },
    },
  ],
});

/** Who stands in is told by where it stands. */
const placesOf = (end: string): string => end.replace(/whole(?:\[part=\d+\])?\//, '');

/** Each request to a model of films may be asked for so often. */
export function retrying(film: Film, attempts: number): string {
  const { steps, ...rest } = documentOf(film);
  const tried = Object.entries(steps as { readonly [name: string]: JsonObject }).map(([name, step]) => [
    name,
    isRequest(step) ? { ...step, retry: { attempts, backoff: '1s', on: ['failed'] } } : step,
  ]);
  return formatted({ ...rest, steps: Object.fromEntries(tried) });
}

const isRequest = ({ model }: JsonObject): boolean => model !== undefined && model !== 'C-D';

export const budgeted = (film: Film, budget: JsonObject): string => formatted({ ...documentOf(film), budget });

/** Where the film lies, for the one that uses it. */
const USED = 'used.yaml';

/** A film that is nothing but another one, so many times. */
export function using(film: Film, times: number): string {
  const { up, n, words } = film.params;
  const parts: Json = { up, n, words: [...words] };
  const part = { uses: `./${USED}`, with: parts, ...(times > 1 && { matrix: { part: `1..${times}` } }) };
  return formatted({ shotlist: 1, name: 'film', steps: { whole: part } });
}

/** What each instance is called in the film that is used; undefined: it is not of it. */
const insideOf = (key: string): string | undefined => /^whole(?:\[part=\d+\])?\/(.*)$/.exec(key)?.[1];
