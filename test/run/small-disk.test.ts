/**
 * A film on a real disk that fills up while the answers to its requests are on the way. With room again the next run asks about no lost
 * answer. `npm run disks` tries forty sizes.
 */
import { mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import { check } from '../checker/check.ts';
import { isMissing } from '../support/needs.ts';
import { mount, remount, unmount } from '../support/small-disk.ts';
import { fetchOnto, idsInJournal } from './disk-of-run.ts';
import { RunRig, type StartedRun } from './rig.ts';

const REQUESTS = 12;
const FILM = `
steps:
  shot:
    matrix: { n: [${Array.from({ length: REQUESTS }, (_, at) => at + 1).join(', ')}] }
    model: V-T2V-A
    with: { prompt: "\${{ matrix.n }}: ${'a red fox crosses a frozen river at dawn, '.repeat(11)}" }
`;
const RESULT_BYTES = 30_000;
/** Kilobytes. Below the smallest the journal itself does not fit, and on the largest nothing is amiss. */
const [SMALLEST, LARGEST] = [160, 2_500];
const SIZES = Number(process.env.DISK_SIZES ?? 3);

/** Another program writes until nothing more fits. */
function fill(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail > 0) writeFileSync(join(folder, 'other-program.bin'), Buffer.alloc(bavail * bsize, 1));
}

const ids = (events: readonly RecordedEvent[]): readonly string[] =>
  events.flatMap(event => (event.type === 'submit_accepted' ? [event.generation_id] : []));

/** Each answer takes its own time, and the disk is filled by another program when so many requests have arrived. Returns how to stop the filling. */
function withSlowAnswers(rig: RunRig, fullAt: number): () => void {
  const { service, clock } = rig;
  const enqueue = service.enqueue.bind(service);
  let arrived = 0;
  let isFilled = true;
  service.enqueue = async (request, signal, key) => {
    arrived += 1;
    const place = arrived;
    const answer = await enqueue(request, signal, key);
    if (isFilled && place === fullAt) fill(rig.folder);
    await clock.sleep(50 + ((place * 370) % 1_900));
    return answer;
  };
  return () => {
    isFilled = false;
  };
}

async function onDiskOf(kilobytes: number, fullAt: number): Promise<void> {
  const rig = new RunRig();
  expect(mount(rig.folder, `size=${kilobytes}k`)).toBe(true);
  try {
    mkdirSync(join(rig.folder, 'work'));
    rig.service.isQuick = true;
    rig.live = {
      clock: rig.clock,
      fetchResults: fetchOnto(rig, (part, url) => writeFileSync(part, `${url}\n`.padEnd(RESULT_BYTES, '.'))),
    };
    const stopFilling = withSlowAnswers(rig, fullAt);
    const full: StartedRun | Error = await rig.start(FILM).catch((error: Error) => error);
    if (full instanceof Error) expect(full.message).toMatch(/disk is full/);
    else {
      const { is, reason = '' } = await rig.runToEnd(full);
      expect(is).toMatch(/^(unwritable|failed|done)$/);
      if (is === 'unwritable') expect(reason).toMatch(/disk is full.*make room, then run again$/);
      await rig.kill();
      const written = idsInJournal(rig.folder);
      expect(ids(full.events).filter(id => !written.includes(id))).toEqual([]);
      expect([...rig.service.records.keys()].filter(id => !written.includes(id))).toEqual([]);
    }
    stopFilling();
    expect(remount(rig.folder, 'size=64m')).toBe(true);
    const next = await rig.start(FILM);
    expect((await rig.runToEnd(next)).is).toBe('done');
    expect(next.events.filter(({ type }) => type === 'submit_unknown')).toEqual([]);
    await rig.kill();
    const taken = [...rig.service.records.values()].map(
      ({ generation_id: id, request }) =>
        ({ is: 'taken', at: 0, id, from: 'us', model: request.model, content: String(request.prompt) }) as const,
    );
    expect(check(taken, {})).toEqual([]);
    expect(idsInJournal(rig.folder).toSorted()).toEqual([...rig.service.records.keys()].toSorted());
    expect(taken).toHaveLength(REQUESTS);
  } finally {
    await rig.kill();
    unmount(rig.folder);
    await rig.dispose();
  }
}

const sizes = Array.from({ length: SIZES }, (_, n) => Math.round(SMALLEST + ((LARGEST - SMALLEST) * n) / (SIZES - 1)));

describe.skipIf(isMissing('the right to mount a disk'))('a disk that fills up while answers are on the way', () => {
  test.each(sizes)('of %d kB: the film itself fills it', kilobytes => onDiskOf(kilobytes, -1));
  test.each(sizes)('of %d kB: another program fills it between two requests', kilobytes =>
    onDiskOf(kilobytes, 1 + (kilobytes % REQUESTS)),
  );
});
