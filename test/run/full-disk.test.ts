/**
 * A disk that is full from one write of a run on, for every write there is: commits of the journal, and what the store writes. Whatever
 * had been sent is known to the next run or told to the person, and with room again the film is finished and paid once.
 */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Disk, plainDisk } from '../../src/machine/files/disk.ts';
import { DiskError } from '../../src/machine/files/disk-error.ts';
import { fetchOnto, idsInJournal } from './disk-of-run.ts';
import { RunRig, type StartedRun } from './rig.ts';

/** Two requests beside each other, and a third that waits for one of them. */
const FILM = `
steps:
  shot: { matrix: { n: [1, 2] }, model: V-T2V-A, with: { prompt: "a fox, \${{ matrix.n }}" } }
  framed: { model: V-RF, with: { input_video: "\${{ steps.shot[0].result_url }}", aspect_ratio: "9:16", prompt: snow } }
`;
const REQUESTS = 3;

/** Room for so many writes. */
class Room {
  writes = 0;
  most = Number.POSITIVE_INFINITY;

  /** True from the first write on for which there is no room. */
  isFull(): boolean {
    return this.writes++ >= this.most;
  }
}

/** The real disk, as long as there is room. */
function diskWith(room: Room): Disk {
  const refuseIfFull = (syscall: string, path: unknown) => {
    if (!room.isFull()) return;
    throw Object.assign(new Error(`ENOSPC: no space left on device, ${syscall}`), { code: 'ENOSPC', syscall, path });
  };
  const disk: Disk = { ...plainDisk };
  for (const name of ['copyFile', 'mkdir', 'mkdtemp', 'rename'] as const) {
    const work = plainDisk[name] as (...given: unknown[]) => Promise<unknown>;
    const guarded = async (...given: unknown[]) => {
      refuseIfFull(name, given[0]);
      return work(...given);
    };
    Object.assign(disk, { [name]: guarded });
  }
  return disk;
}

async function rigWith(room: Room): Promise<RunRig> {
  const rig = new RunRig();
  rig.service.isQuick = true;
  Object.defineProperty(rig.disk, 'isFull', { get: () => room.isFull(), set: () => {} });
  rig.storeDisk = diskWith(room);
  rig.live = {
    clock: rig.clock,
    // What a download does with the disk, and says where it refuses: `test/store/disk-faults.test.ts` holds the real one to it.
    fetchResults: fetchOnto(rig, (part, url) => {
      if (room.isFull()) throw new DiskError('ENOSPC', `${part}: the disk is full`, undefined);
      writeFileSync(part, url);
    }),
  };
  return rig;
}

/** Ids that the run told because it could not write them down. */
const told = (film: StartedRun): readonly string[] =>
  film.events.flatMap(event =>
    event.type === 'journal_failed' ? event.unwritten.map(({ generation_id }) => generation_id) : [],
  );

/** How many writes a run makes that nothing hinders. */
async function writesOfARun(): Promise<number> {
  const room = new Room();
  const rig = await rigWith(room);
  const film = await rig.start(FILM);
  expect((await rig.runToEnd(film)).is).toBe('done');
  expect(rig.service.posts).toHaveLength(REQUESTS);
  const { writes } = room;
  await rig.dispose();
  return writes;
}

test('the disk is full from any write of a run on: it ends in order, no id is lost, and the next run pays for nothing twice', async () => {
  const writes = await writesOfARun();
  expect(writes).toBeGreaterThan(20);
  for (let most = 0; most < writes; most++) {
    const room = new Room();
    const rig = await rigWith(room);
    room.most = most;
    const full = await rig.start(FILM).catch((error: Error) => error);
    if (full instanceof Error) {
      expect([most, full.message]).toEqual([most, expect.stringContaining('disk is full')]);
      expect(rig.service.posts).toEqual([]);
    } else {
      const { is, reason = '' } = await rig.runToEnd(full);
      // What is only tidied up at the end of a run may find no room.
      expect([most, is, reason]).toEqual([
        most,
        expect.stringMatching(/^(unwritable|done)$/),
        expect.stringMatching(/^$|the disk is full/),
      ]);
      await rig.kill();
      const known = new Set([...told(full), ...idsInJournal(rig.folder)]);
      expect([most, [...rig.service.records.keys()].filter(id => !known.has(id))]).toEqual([most, []]);
    }
    room.most = Number.POSITIVE_INFINITY;
    const next = await rig.start(FILM);
    expect([most, (await rig.runToEnd(next)).is]).toEqual([most, 'done']);
    expect([most, rig.service.posts.length]).toEqual([most, REQUESTS]);
    await rig.dispose();
  }
});
