/** What two machines have of one team's store, alike for each of its forms. */
import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/machine/time/clock.ts';
import { LocalStore } from '../../../src/records/store/local-store.ts';
import { SharedFolder } from '../../../src/records/store/shared/shared-folder.ts';
import type { SharedPlace } from '../../../src/records/store/shared/shared-place.ts';
import { SharedResults } from '../../../src/records/store/shared/shared-results.ts';
import { SharedStore } from '../../../src/records/store/shared/shared-store.ts';
import type { Store } from '../../../src/records/store/store.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { sha } from '../store.cases.ts';
import { BUCKET_TEAM, FOLDER_TEAM, type Team } from './teams.ts';

const FOX = sha('a red fox');
const NEVER = new AbortController().signal;
/** Waits take a moment. */
const hasty = {
  ...systemClock,
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(Math.min(ms, 20), signal),
};

interface Machine {
  readonly store: Store;
  readonly local: LocalStore;
  readonly shared: SharedResults;
}

async function machine(team: Team, { write = true, clock = systemClock } = {}): Promise<Machine> {
  const local = await LocalStore.open(join(await temporaryFolder(), 'store'));
  const shared = new SharedResults({ place: team.place(clock), store: local, clock, write });
  return { local, shared, store: new SharedStore(local, shared) };
}

/** Another machine, which has made the fox and shared it. */
async function made(team: Team, text = 'a red fox') {
  const { local, shared } = await machine(team);
  const { sha256 } = await local.put([Buffer.from(text)], '.mp4');
  shared.share({ sha256, extension: '.mp4' });
  return shared.end({ wait: 'for all' });
}

test('a folder that is mounted again has the result, and says so', async () => {
  const folder = join(await temporaryFolder(), 'team');
  await mkdir(folder);
  const local = await LocalStore.open(join(await temporaryFolder(), 'store'));
  const place = new SharedFolder({ folder, clock: systemClock });
  const shared = new SharedResults({ place, store: local, clock: hasty, write: true });
  await shared.download(FOX, NEVER);
  const { sha256 } = await local.put([Buffer.from('a red fox')], '.mp4');
  await rename(folder, `${folder}.unmounted`);
  const troubles: (string | undefined)[] = [];
  const sent = shared.sent({ sha256, extension: '.mp4' }, NEVER, message => {
    if (troubles.push(message) === 4) void rename(`${folder}.unmounted`, folder);
  });
  expect(await sent).toBe(true);
  expect(troubles.at(-1)).toBeUndefined();
  expect((await shared.end({ wait: 'for all' })).reported.join()).not.toContain('not sent');
});

test('whoever has no time for a place that does not answer is told so in time, and asks it no more for a while', async () => {
  const folder = await FOLDER_TEAM();
  let asked = 0;
  const place: SharedPlace = {
    ...{
      to: 'the moon',
      look: async () => ({ is: 'there', bytes: 1 }),
      send: folder.place().send,
      close: async () => {},
    },
    read: () => {
      asked++;
      // As a drive that hangs: it hears of no abort.
      return new Promise(() => {});
    },
  };
  const store = await LocalStore.open(join(await temporaryFolder(), 'store'));
  const clock = new FakeClock();
  const shared = new SharedResults({ place, store, clock, write: false, patience: 3_000 });
  const downloaded = shared.download(FOX, NEVER);
  await clock.asleep(left => left === 3_000);
  await clock.advance(3_000);
  expect(await downloaded).toEqual({ is: 'failed', message: 'it does not answer within 3 s' });
  expect(await shared.download(sha('another'), NEVER)).toMatchObject({ is: 'failed' });
  expect(asked).toBe(1);
  expect(shared.takeProblems()).toEqual(['the moon: it does not answer within 3 s']);
});

describe.each([
  ['a folder', FOLDER_TEAM],
  ['a bucket', BUCKET_TEAM],
] as const)('%s', (_, kind) => {
  test('a note is what was written last, by whichever machine', async () => {
    const team = await kind();
    const [one, other] = [team.place(), team.place()];
    expect(await one.readNote('team-1.json', NEVER)).toEqual({ is: 'missing' });
    for (const [place, text] of [
      [one, '{"n":1}'],
      [other, '{"n":22}'],
    ] as const) {
      expect(await place.writeNote('team-1.json', text, NEVER)).toEqual({ is: 'there' });
      expect(await one.readNote('team-1.json', NEVER)).toEqual({ is: 'note', text });
    }
    for (const place of [one, other]) await place.close();
  });

  test('what one machine has made another has, with its extension', async () => {
    const team = await kind();
    expect(await made(team)).toMatchObject({ sent: 1, bytes: 9 });
    const { store, shared, local } = await machine(team);
    expect([store.has(FOX), shared.status(FOX)]).toEqual([false, 'not asked']);
    expect(await shared.look()).toBe(false);
    expect(shared.status(FOX)).toBe('there');
    expect(await shared.download(FOX, NEVER)).toEqual({ is: 'ok' });
    expect(await readFile(await store.pathOf(FOX), 'utf8')).toBe('a red fox');
    expect([local.file(FOX)?.endsWith('.mp4'), await readdir(local.partials)]).toEqual([true, []]);
  });

  test('a file that is not here is downloaded when it is read', async () => {
    const team = await kind();
    await made(team);
    const { store } = await machine(team);
    expect(await readFile(await store.pathOf(FOX), 'utf8')).toBe('a red fox');
    await expect(store.pathOf(sha('a blue fox'))).rejects.toThrow('run again to fetch it');
  });

  test('what is missing there is seen before the plan, and is missing to a run', async () => {
    const { shared } = await machine(await kind());
    expect(shared.status(FOX)).toBe('not asked');
    expect(await shared.look()).toBe(true);
    expect(shared.status(FOX)).toBe('missing');
    expect(await shared.download(FOX, NEVER)).toEqual({ is: 'missing' });
  });

  test('other bytes under its name are told, thrown away, and never kept', async () => {
    const team = await kind();
    await team.lie(FOX, 'a dad fox');
    const { shared, store, local } = await machine(team);
    const downloaded = await shared.download(FOX, NEVER);
    expect(downloaded).toMatchObject({ is: 'failed', message: expect.stringContaining('other bytes are kept there') });
    expect([store.has(FOX), store.has(sha('a dad fox')), await readdir(local.partials)]).toEqual([false, false, []]);
    expect((await shared.end({ wait: 'for nothing' })).reported.join()).toContain('other bytes are kept there');
  });

  test('two machines that send the same at once both succeed', async () => {
    const team = await kind();
    const [one, other] = await Promise.all([made(team), made(team)]);
    expect([one.reported, other.reported].flat().filter(text => text.includes('not sent'))).toEqual([]);
    const { shared } = await machine(team);
    expect(await shared.download(FOX, NEVER)).toEqual({ is: 'ok' });
  });

  test('whoever waits until a result is there goes on as soon as it is, also where it is on its way already', async () => {
    const team = await kind();
    const { shared, local } = await machine(team);
    const { sha256 } = await local.put([Buffer.from('a red fox')], '.mp4');
    shared.share({ sha256, extension: '.mp4' });
    const twice = [1, 2].map(() => shared.sent({ sha256, extension: '.mp4' }, NEVER));
    expect(await Promise.all(twice)).toEqual([true, true]);
    const { shared: other } = await machine(team);
    expect(await other.download(FOX, NEVER)).toEqual({ is: 'ok' });
  });

  test('a place that is down is waited for, with its own words, until whoever waits is called off', async () => {
    const team = await kind();
    const { shared, local } = await machine(team, { clock: hasty });
    await shared.download(sha('nothing'), NEVER);
    const { sha256 } = await local.put([Buffer.from('a red fox')], '.mp4');
    await team.cutOff();
    const stop = new AbortController();
    const troubles: (string | undefined)[] = [];
    const sent = shared.sent({ sha256, extension: '.mp4' }, stop.signal, message => {
      if (troubles.push(message) === 5) stop.abort();
    });
    expect(await sent).toBe(false);
    expect(troubles).toHaveLength(5);
    expect(troubles.every(message => message?.includes(shared.to))).toBe(true);
  });

  test('a place that cannot be reached is not a place where it is missing', async () => {
    const team = await kind();
    await made(team);
    const { shared } = await machine(team, { clock: hasty });
    const { shared: writer, local } = await machine(team, { clock: hasty });
    // Both have seen it mounted.
    await Promise.all([shared, writer].map(one => one.download(sha('nothing'), NEVER)));
    await team.cutOff();
    shared.status(FOX);
    expect(await shared.look()).toBe(false);
    expect(shared.status(FOX)).toBe('not asked');
    expect((await shared.download(FOX, NEVER)).is).toBe('failed');
    const { sha256 } = await local.put([Buffer.from('a blue fox')], '.mp4');
    writer.share({ sha256, extension: '.mp4' });
    const { reported: said, sent } = await writer.end({ wait: 'for all' });
    expect(sent).toBe(0);
    expect(said.at(-1)).toMatch(/^1 result not sent to .*; `shotlist store push FILE` sends it later$/);
  });

  test('one that is only read is given nothing', async () => {
    const team = await kind();
    const { local, shared } = await machine(team, { write: false });
    await local.put([Buffer.from('a red fox')], '.mp4');
    shared.share({ sha256: FOX, extension: '.mp4' });
    expect(await shared.end({ wait: 'for all' })).toEqual({ sent: 0, bytes: 0, reported: [] });
    const { shared: reader } = await machine(team);
    expect(await reader.download(FOX, NEVER)).toEqual({ is: 'missing' });
  });

  test('what is wanted by many comes once, and whoever leaves is let go', async () => {
    const team = await kind();
    await made(team);
    const { shared } = await machine(team);
    const left = AbortSignal.abort();
    const all = await Promise.all([
      shared.download(FOX, NEVER),
      shared.download(FOX, left),
      shared.download(FOX, NEVER),
    ]);
    expect(all.map(({ is }) => is)).toEqual(['ok', 'stopped', 'ok']);
  });

  test('a disk that is full here keeps nothing, and is no reason to take it for missing', async () => {
    const team = await kind();
    await made(team);
    const { local, shared } = await machine(team);
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
    local.put = async bytes => {
      for await (const _ of bytes) throw full;
      throw full;
    };
    expect(await shared.download(FOX, NEVER)).toMatchObject({
      is: 'failed',
      message: expect.stringContaining('could not be kept here'),
    });
  });
});
