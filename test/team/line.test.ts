/** Many films that wait for one model: a place that is freed wakes whoever may have it, and not all of them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import { NO_DEMAND } from '../../src/model/budget.ts';
import type { Event } from '../../src/model/run/event.ts';
import type { GenerationId, InstanceKey, RunId } from '../../src/model/run/key.ts';
import { TeamNews } from '../../src/team/client/team-news.ts';
import { admitted } from '../support/admitted.ts';
import { admissionOf, databaseForTests, TeamWorld } from './team-world.ts';

const FILMS = 30;
const PLACES = 2;
const SHOT = 'shot' as InstanceKey;

const database = databaseForTests();
let world: TeamWorld;
let news: TeamNews;
beforeEach(async () => {
  world = await TeamWorld.open(database());
  await world.team.query(
    "CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint'",
  );
  await world.team.query(`INSERT INTO model_limit VALUES ('house', 'm', ${PLACES})`);
  news = new TeamNews({ team: world.team, clock: systemClock });
});
afterEach(async () => {
  await news[Symbol.asyncDispose]();
  await world.close();
});

type Changed = (ms: number, signal: AbortSignal, places?: number) => Promise<void>;

async function waiting(name: string, told: { decisions: number; served: string[] }, changed: Changed) {
  const { journal, run } = await world.lead(name, { clock: systemClock, changed });
  const decide = journal.decide.bind(journal);
  journal.decide = (on, decision) => {
    if (on.fingerprint !== '') told.decisions++;
    return decide(on, decision);
  };
  const admission = admissionOf({ journal }, systemClock);
  const append = (event: Event) => journal.append(run as RunId, [event]);
  const asked = { key: SHOT, fingerprint: name, model: 'm', demand: NO_DEMAND };
  const intend = () => {
    append({ type: 'submit_intended', ...asked, nonce: name, request: {}, price: 1, account: 'house' });
    return name;
  };
  const { is } = await admitted(admission, { ...asked, shared: true, intend }, new AbortController().signal);
  expect(is).toBe('go');
  told.served.push(name);
  const generation_id = `gen of ${name}` as GenerationId;
  append({ type: 'submit_accepted', key: SHOT, nonce: name, generation_id, found: false });
  await journal.durable();
  await systemClock.sleep(60);
  append({ type: 'failed', key: SHOT, failure: { code: 'generation_failed', generation_id, message: 'no' } });
  await journal.durable();
}

test('thirty films at two places: few decisions for each of them, and all are served', async () => {
  const told = { decisions: 0, served: [] as string[] };
  const films = Array.from({ length: FILMS }, (_, n) => `film ${n}`);
  const heard = (ms: number, signal: AbortSignal, places?: number) => news.placesLeft(places, ms, signal);
  await Promise.all(films.map(film => waiting(film, told, heard)));
  expect([...told.served].sort()).toEqual([...films].sort());
  // Each that is woken by each place would make it more than four hundred.
  expect(told.decisions).toBeLessThan(FILMS * 8);
});

test('films that hear of nothing are served all the same', async () => {
  const told = { decisions: 0, served: [] as string[] };
  const films = Array.from({ length: 6 }, (_, n) => `film ${n}`);
  await Promise.all(films.map(film => waiting(film, told, (ms, signal) => systemClock.sleep(ms, signal))));
  expect([...told.served].sort()).toEqual([...films].sort());
});
