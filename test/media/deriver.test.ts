import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import { Deriver } from '../../src/media/derived/deriver.ts';
import { probe } from '../../src/media/probe.ts';
import type { DerivedPart } from '../../src/model/media/derived-media.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { temporaryFolder } from '../support/temp.ts';
import { film } from './footage.ts';

const LAST: DerivedPart = { is: 'last_frame' };
const never = () => new AbortController().signal;

/** A program that does to each video what the video says. */
const TAKER = `
  const { readFileSync, unlinkSync, writeFileSync } = require('node:fs');
  process.on('disconnect', () => process.exit());
  process.on('message', ({ id, job: { path, out } }) => {
    const order = readFileSync(path, 'utf8');
    writeFileSync(out, 'half of it');
    if (order === 'spin') for (;;);
    if (order === 'leave once') { unlinkSync(out); writeFileSync(path, 'fine'); process.exit(0); }
    if (order.startsWith('SIG')) process.kill(process.pid, order);
    else if (order.startsWith('it ')) process.send({ type: 'failed', id, message: order });
    else process.send({ type: 'done', id, result: { kind: 'image', format: 'png' } });
  });
`;

async function room(clock = new FakeClock()) {
  const folder = await temporaryFolder();
  const entry = join(folder, 'taker.cjs');
  await writeFile(entry, TAKER);
  const deriver = new Deriver({ clock, entry });
  onTestFinished(() => deriver.close());
  const file = async (order: string) => {
    const path = join(folder, `${order.slice(0, 8)}.bin`);
    await writeFile(path, order);
    return path;
  };
  return { deriver, file, clock, out: join(folder, 'out') };
}

describe('a process of its own', () => {
  test('a video that crashes it fails alone, and the next one is read', async () => {
    const { deriver, file, out } = await room();
    expect(await deriver.take(await file('SIGSEGV'), LAST, `${out}-1`, never())).toEqual({
      is: 'failed',
      message: 'it cannot be read: the process that did so was ended by SIGSEGV, twice',
      here: true,
    });
    expect(await deriver.take(await file('it has no sound'), LAST, `${out}-2`, never())).toEqual({
      is: 'failed',
      message: 'it has no sound',
    });
    expect(await deriver.take(await file('fine'), LAST, `${out}-3`, never())).toMatchObject({ is: 'ok' });
  });

  test('a process that leaves at the moment in which it is asked is started again', async () => {
    const { deriver, file, out } = await room();
    expect(await deriver.take(await file('leave once'), LAST, out, never())).toMatchObject({ is: 'ok' });
  });

  test('a video over which it never ends is given up', async () => {
    const { deriver, file, clock, out } = await room();
    const taken = deriver.take(await file('spin'), LAST, out, never());
    await clock.advance(await clock.asleep());
    expect(await taken).toEqual({ is: 'failed', message: 'it takes longer than 60 s to read', here: true });
  });

  test('it is let go of where nobody waits any more', async () => {
    const { deriver, file, out } = await room(new FakeClock());
    const stop = new AbortController();
    const taken = deriver.take(await file('spin'), LAST, out, stop.signal);
    stop.abort();
    expect(await taken).toEqual({ is: 'stopped' });
    expect(await deriver.take(await file('fine'), LAST, out, stop.signal)).toEqual({ is: 'stopped' });
  });
});

test('the real one takes a frame out of a real video, and says why it cannot take one out of anything else', async () => {
  const folder = await temporaryFolder();
  const deriver = new Deriver({ clock: systemClock });
  onTestFinished(() => deriver.close());
  const path = await film(join(folder, 'fox.mp4'), { width: 64, height: 36, frames: 12, sound: false });
  const out = join(folder, 'last.png');
  expect(await deriver.take(path, LAST, out, never())).toEqual({
    is: 'ok',
    facts: { kind: 'image', format: 'png', width: 64, height: 36 },
  });
  expect(await probe(out)).toMatchObject({ width: 64, height: 36 });
  expect(await deriver.take(path, { is: 'sound' }, join(folder, 'a.wav'), never())).toEqual({
    is: 'failed',
    message: 'it has no sound',
  });
  const lie = join(folder, 'lie.mp4');
  await writeFile(lie, readFileSync(path).subarray(0, 40));
  expect(await deriver.take(lie, LAST, join(folder, 'b.png'), never())).toMatchObject({ is: 'failed' });
  expect(existsSync(join(folder, 'b.png'))).toBe(false);
  // A disk that says no is told in its own words.
  expect(await deriver.take(path, LAST, join(folder, 'none/c.png'), never())).toMatchObject({
    is: 'failed',
    message: expect.stringContaining('the frame cannot be written'),
  });
});
