/** Errors that pass, because much goes on at once. */
import { expect, test } from 'vitest';
import { type Disk, plainDisk, retryingDisk } from '../../src/machine/files/disk.ts';
import { retryTransient } from '../../src/machine/time/backoff.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** A disk with too many files open, `times` times. */
function crowded(times: number, code = 'EMFILE') {
  const clock = new FakeClock();
  const tried: number[] = [];
  const readFile = async () => {
    tried.push(clock.now());
    if (tried.length <= times) throw Object.assign(new Error(`${code}: made by the test`), { code });
    return 'read';
  };
  const disk = retryingDisk({ ...plainDisk, readFile: readFile as unknown as Disk['readFile'] }, clock);
  const began = clock.now();
  return { clock, disk, waited: () => tried.map(at => at - began) };
}

test.each(['EMFILE', 'ENFILE', 'EAGAIN', 'EINTR', 'EBUSY'])('%s passes, and is waited for', async code => {
  const { clock, disk, waited } = crowded(3, code);
  const read = disk.readFile('/anything', 'utf8');
  for (let n = 0; n < 3; n++) await clock.advance(await clock.asleep());
  expect([await read, waited()]).toEqual(['read', [0, 100, 300, 700]]);
});

test('for about three seconds, however many wait around one another', async () => {
  const { clock, disk, waited } = crowded(Number.POSITIVE_INFINITY);
  const read = retryTransient(clock, () => disk.readFile('/anything', 'utf8')).catch(error => error.code);
  for (let n = 0; n < 5; n++) await clock.advance(await clock.asleep());
  expect([await read, waited()]).toEqual(['EMFILE', [0, 100, 300, 700, 1500, 3100]]);
});

test('anything else is an answer', async () => {
  const { disk, waited } = crowded(1, 'ENOSPC');
  await expect(disk.readFile('/anything', 'utf8')).rejects.toThrow('ENOSPC');
  expect(waited()).toEqual([0]);
});
