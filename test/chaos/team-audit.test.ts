/** Each of the checks of a team under fire sees the fault that it is there for, and none where there is none. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../src/model/run/event.ts';
import type { InstanceKey, RunId } from '../../src/model/run/key.ts';
import { temporaryFolder } from '../support/temp.ts';
import { databaseForTests, type Lead, TeamWorld } from '../team/team-world.ts';
import { CHAOS_KEY, ChaosService } from './chaos-service.ts';
import {
  AIMS,
  faultOfTakeover,
  faultsAtDoor,
  faultsInTables,
  faultsOfOutputs,
  faultsOfRuns,
  LIMITS,
} from './team-audit.ts';
import { TEAM_BUGS } from './team-bugs.ts';
import { outputsOf } from './team-film.ts';

describe('at the service', () => {
  let service: ChaosService;
  beforeEach(async () => {
    service = await ChaosService.open(1, { isPrompt: true });
  });
  afterEach(() => service.close());
  const send = (prompt: string, model: string = LIMITS.model) =>
    fetch(`${service.url}/api/ai/queue`, {
      ...{ method: 'POST', headers: { authorization: `Bearer ${CHAOS_KEY}` } },
      body: JSON.stringify({ model, prompt }),
    });

  test('what was sent once, and within the limits, is no fault', async () => {
    await Promise.all(['a', 'b'].map(prompt => send(prompt)));
    expect(faultsAtDoor(service.door)).toEqual([]);
  });

  test('a request that was sent twice', async () => {
    await Promise.all(['a', 'b', 'a'].map(prompt => send(prompt)));
    expect(faultsAtDoor(service.door)).toEqual([
      expect.stringMatching(new RegExp(`^double: ${LIMITS.model}: a was taken 2 times: gen-\\d, gen-\\d$`)),
    ]);
  });

  test('more of a model under way than it may have', async () => {
    service.hold();
    await Promise.all([...Array(LIMITS.ofModel + 1).keys()].map(n => send(`fox ${n}`)));
    expect(faultsAtDoor(service.door)).toEqual([`limit: 9 in flight of ${LIMITS.model}, and 8 are allowed`]);
  });

  test('more in any second than it may have', async () => {
    for (const at of [0, 600, 999, 1_500, 1_598, 1_599, 1_600, 1_601, 1_700, 1_800, 1_801, 1_802, 1_998, 2_600]) {
      service.now = () => at;
      await send(`fox at ${at}`);
    }
    expect(faultsAtDoor(service.door)).toEqual(['rate: 11 requests within 1000 ms, and 10 are allowed']);
  });
});

test.each(TEAM_BUGS)('a bug fits the sources as they are: $name', ({ also, ...edit }) => {
  for (const { file, from } of [edit, ...(also ? [also] : [])])
    expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2);
});

test('a run that was never finished, or was given up', () => {
  const run = { id: 'fox', leader: null, reason: null };
  expect(faultsOfRuns([{ ...run, status: 'done' }])).toEqual([]);
  expect(faultsOfRuns([{ ...run, status: 'led', leader: 'one' }])).toEqual(['stuck: fox is led, led by one']);
  expect(faultsOfRuns([{ ...run, status: 'queued' }])).toEqual(['stuck: fox is queued']);
  expect(faultsOfRuns([{ ...run, status: 'failed', reason: 'no' }])).toEqual(['lost: fox failed: no']);
});

test('a takeover that took too long, by what it came after', () => {
  const { dead, leaving } = AIMS;
  const late = (after: 'kill' | 'end' | 'freeze', seconds: number) =>
    faultOfTakeover({ run: 'fox', after, seconds }, 2);
  expect([late('kill', dead), late('freeze', dead), late('end', leaving)]).toEqual([undefined, undefined, undefined]);
  expect(late('kill', dead + 1)).toBe(
    "late: fox was led again 31.0 s after its worker's kill, its job given out 2 times meanwhile",
  );
  expect(late('freeze', dead + 1)).toMatch(/^late: /);
  expect(late('end', leaving + 1)).toMatch(/^late: /);
});

test('an output that is not there, or is another', async () => {
  const project = await temporaryFolder();
  for (const [path, bytes] of outputsOf(1, 2)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), bytes);
  }
  expect(await faultsOfOutputs(project, 'fox', 1, 2)).toEqual([]);
  rmSync(join(project, 'out/1/still-2.png'));
  writeFileSync(join(project, 'out/1/seal-1.txt'), 'another');
  expect(await faultsOfOutputs(project, 'fox', 1, 2)).toEqual([
    expect.stringMatching(/^lost: 2 outputs of fox are not there, or others: out\/1\//),
  ]);
});

describe('in the tables', () => {
  const database = databaseForTests();
  let world: TeamWorld;
  beforeEach(async () => {
    world = await TeamWorld.open(database());
  });
  afterEach(() => world.close());
  const SHOT = 'shot' as InstanceKey;
  const kept = async ({ journal, run }: Lead, ...events: readonly Event[]) => {
    for (const event of events) journal.append(run as RunId, [event]);
    await journal.durable();
  };
  const intent: Event = {
    ...{ type: 'submit_intended', key: SHOT, nonce: 'n', fingerprint: 'f', model: 'm', request: {}, price: 1 },
    account: 'house',
  };
  const refused: Event = { type: 'submit_refused', key: SHOT, nonce: 'n', reason: 'no', retry_at: null };
  const done = (run: string) =>
    world.team.query('INSERT INTO told (run, body) VALUES ($1, $2)', [
      ...[run, JSON.stringify({ type: 'run_finished', outcome: 'done' })],
    ]);

  test('a run that was handed over, and is told as done once, is no fault', async () => {
    await kept(await world.lead('fox'), intent);
    const next = await world.lead('fox');
    await kept(next, refused);
    await world.team.query("UPDATE run SET status = 'done' WHERE id = $1", [next.run]);
    await done(next.run);
    expect(await faultsInTables(world.team)).toEqual([]);
  });

  test('a worker that stood still and writes after its next', async () => {
    const old = await world.lead('fox');
    await kept(old, intent);
    const next = await world.lead('fox');
    await kept(next, refused);
    // As if nothing had held it back.
    await world.team.query(
      `INSERT INTO event (film, epoch, run, seq, at, type, body) VALUES ('fox', $1, $2, 99, 1, 'run_finished', '{}')`,
      [old.epoch, old.run],
    );
    expect(await faultsInTables(world.team)).toEqual(["superseded: 1 events of fox after its next lead's first"]);
  });

  test('a request of which nobody knows the end', async () => {
    await kept(await world.lead('fox'), intent);
    expect(await faultsInTables(world.team)).toEqual(['open: 1 submissions nobody knows the end of']);
  });

  test.each([0, 2])('a run that is told as done %i times', async times => {
    const { run } = await world.lead('fox');
    await world.team.query("UPDATE run SET status = 'done'");
    for (let n = 0; n < times; n++) await done(run);
    expect(await faultsInTables(world.team)).toEqual([`told: ${run} is told as done ${times} times`]);
  });
});
