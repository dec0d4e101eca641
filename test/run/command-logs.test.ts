/** The logs of commands: where they are, how long they may be, and what they never hold. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { CommandLogs, LOG_BOUNDS } from '../../src/run/local/command-logs.ts';
import { temporaryFolder } from '../support/temp.ts';

const key = (name: string) => name as InstanceKey;
const clock = { now: () => Date.UTC(2026, 10, 22, 8, 20, 11) };

async function logsIn(bounds = LOG_BOUNDS) {
  const root = await temporaryFolder();
  const folder = join(root, '.shotlist/runs/fox/logs');
  return { root, folder, logs: new CommandLogs({ root, folder, clock, bounds }) };
}

test('each attempt has a file of its own, by its instance, in a folder of the run', async () => {
  const { root, logs } = await logsIn();
  const paths = ['shot[seed=2]', 'shot[seed=2]', 'a/b[look="x y"]'].map(name => {
    const log = logs.begin(key(name));
    log.line(name);
    log.line('done');
    return log.close() ?? '';
  });
  expect(paths).toEqual([
    '.shotlist/runs/fox/logs/2026-11-22T08-20-11/shot[seed=2].log',
    '.shotlist/runs/fox/logs/2026-11-22T08-20-11/shot[seed=2].2.log',
    expect.stringMatching(/^\.shotlist\/runs\/fox\/logs\/2026-11-22T08-20-11\/a-b\[look=-x-y-\]-[0-9a-f]{8}\.log$/),
  ]);
  expect(readFileSync(join(root, paths[0] ?? ''), 'utf8')).toBe('shot[seed=2]\ndone\n');
});

test('a command that says nothing leaves none, and neither does a run of such commands', async () => {
  const { folder, logs } = await logsIn();
  expect(logs.begin(key('shot')).close()).toBeUndefined();
  expect(existsSync(folder)).toBe(false);
});

test('of a long log the beginning and the end are kept, and it says how much is left out', async () => {
  const { root, logs } = await logsIn({ ...LOG_BOUNDS, first: 40, last: 24 });
  const log = logs.begin(key('shot'));
  for (let n = 1; n <= 1000; n++) log.line(`frame ${n}`);
  const text = readFileSync(join(root, log.close() ?? ''), 'utf8');
  expect(text).toBe(
    'frame 1\nframe 2\nframe 3\nframe 4\nframe 5\n… 10 kB are left out here …\nframe 999\nframe 1000\n',
  );
});

test('a command that writes without end fills neither the disk nor the memory', async () => {
  const { root, logs } = await logsIn();
  const log = logs.begin(key('shot'));
  const line = 'a'.repeat(1023);
  const before = process.memoryUsage().arrayBuffers;
  for (let n = 0; n < 100_000; n++) log.line(line);
  // Of 100 MB; how soon what is read no more is let go of is the collector's business.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 2 ** 20);
  const { length } = readFileSync(join(root, log.close() ?? ''));
  expect(length).toBeGreaterThan(8.9 * 2 ** 20);
  expect(length).toBeLessThan(9 * 2 ** 20 + 100);
});

test('all logs of a run together have a bound: what comes after is kept no more, and fails nothing', async () => {
  const { root, logs } = await logsIn({ ...LOG_BOUNDS, run: 20 });
  const [first, second, third] = ['a', 'b', 'c'].map(name => logs.begin(key(name)));
  first?.line('twelve bytes');
  second?.line('twelve bytes');
  third?.line('twelve bytes');
  expect([first?.close() === undefined, second?.close(), third?.close()]).toEqual([false, undefined, undefined]);
  expect(readdirSync(join(root, '.shotlist/runs/fox/logs/2026-11-22T08-20-11'))).toEqual(['a.log', 'b.log']);
});

test('the logs of ten runs are kept', async () => {
  const { folder, logs } = await logsIn();
  for (let day = 1; day <= 12; day++)
    mkdirSync(join(folder, `2026-11-${String(day).padStart(2, '0')}T00-00-00`), { recursive: true });
  const log = logs.begin(key('shot'));
  log.line('hello');
  log.close();
  await expect.poll(() => readdirSync(folder).sort().at(0)).toBe('2026-11-04T00-00-00');
  expect(readdirSync(folder)).toHaveLength(10);
});

test('a disk that takes no log fails no command', async () => {
  const { root, folder } = await logsIn();
  mkdirSync(join(root, '.shotlist/runs/fox'), { recursive: true });
  writeFileSync(folder, 'a file in the place of the folder');
  const logs = new CommandLogs({ root, folder, clock });
  const log = logs.begin(key('shot'));
  log.line('hello');
  expect(log.close()).toBeUndefined();
});
