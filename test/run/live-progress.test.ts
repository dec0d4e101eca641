/** How far a run's generations are, told to other processes: written now and then, gone with the run, believed only where it can be read. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ProgressFile, progressFile, readProgress } from '../../src/app/reports/live-progress.ts';
import type { Event, RecordedEvent } from '../../src/model/run/event.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { workFolder } from '../support/temp.ts';

const [one, two] = ['shot[take=1]', 'shot[take=2]'] as InstanceKey[];
const at = (event: Event): RecordedEvent => ({ ...event, seq: 0, at: 0 });
const progress = (key: InstanceKey, status: string, position: number | null, fraction: number | null) =>
  at({ type: 'progress', key, status, position, fraction });

test('what is told within a moment is one write; what is over is told no more; with the run all of it goes', async () => {
  const folder = join(await workFolder(), 'runs');
  const clock = new FakeClock();
  const file = new ProgressFile(folder, clock);
  file.report(progress(one!, 'queued', 4, null));
  file.report(progress(one!, 'processing', null, 0.25));
  file.report(progress(two!, 'queued', 1, null));
  expect(await readProgress(folder)).toEqual(new Map());
  await clock.advance(500);
  await expect.poll(async () => (await readProgress(folder)).size).toBe(2);
  expect((await readProgress(folder)).get(one!)).toEqual({ status: 'processing', position: null, fraction: 0.25 });
  file.report(at({ type: 'download_started', key: one!, bytes: null }));
  await clock.advance(500);
  await expect.poll(async () => [...(await readProgress(folder)).keys()]).toEqual([two]);
  await file.close();
  await expect.poll(() => existsSync(progressFile(folder))).toBe(false);
});

test('one that is in pieces, or holds something else, tells nothing', async () => {
  const folder = await workFolder();
  mkdirSync(folder, { recursive: true });
  for (const text of [
    '',
    '{',
    '[]',
    'null',
    '{"a":{"status":1}}',
    '{"a":{"status":"queued","position":"4","fraction":null}}',
  ]) {
    writeFileSync(progressFile(folder), text);
    expect([text, (await readProgress(folder)).size]).toEqual([text, 0]);
  }
});
