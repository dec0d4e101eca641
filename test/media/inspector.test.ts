import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import { Inspector } from '../../src/media/decode/inspector.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { temporaryFolder } from '../support/temp.ts';

/** A reader that does to each file what the file says. */
const READER = `
  const { existsSync, readFileSync, writeFileSync } = require('node:fs');
  process.on('disconnect', () => process.exit());
  process.on('message', ({ id, job: { path } }) => {
    const order = readFileSync(path, 'utf8');
    if (order === 'spin') { writeFileSync(path + '.spins', ''); for (;;); }
    if (order.startsWith('SIG')) process.kill(process.pid, order);
    else if (order === 'leave') process.exit(0);
    else if (order === 'once' && !existsSync(path + '.seen')) { writeFileSync(path + '.seen', ''); process.kill(process.pid, 'SIGKILL'); }
    else process.send({ type: 'done', id, result: { kind: 'image', format: order } });
  });
`;

async function room(clock = new FakeClock()) {
  const folder = await temporaryFolder();
  const entry = join(folder, 'reader.cjs');
  await writeFile(entry, READER);
  const inspector = new Inspector({ clock, entry });
  onTestFinished(() => inspector.close());
  const file = async (order: string) => {
    const path = join(folder, `${order}.bin`);
    await writeFile(path, order);
    return path;
  };
  return { inspector, file, clock };
}

test('a file that crashes its reader is a misfit, and the next one is read', async () => {
  const { inspector, file } = await room();
  const found = await Promise.all([
    inspector.verify(await file('png'), 'image'),
    inspector.verify(await file('SIGSEGV'), 'video'),
    inspector.verify(await file('webp'), 'image'),
    inspector.probe(await file('SIGABRT')).catch(error => `${error.name}: ${error.message}`),
  ]);
  expect(found).toEqual([
    { kind: 'image', format: 'png' },
    { misfit: 'a film over which its reader crashes (SIGSEGV)' },
    { kind: 'image', format: 'webp' },
    'NotMedia: reading it crashed the reader (SIGABRT): export it again',
  ]);
});

test('a file over which its reader never ends is given up, and the next one is read', async () => {
  const { inspector, file, clock } = await room();
  const path = await file('spin');
  const found = inspector.verify(path, 'image');
  await clock.advance(await clock.asleep());
  expect(await found).toEqual({ misfit: 'a picture that takes longer than 30 s to read' });
  expect(await inspector.verify(await file('png'), 'image')).toEqual({ kind: 'image', format: 'png' });
});

test('a reader that somebody else ended, or that had just left, says nothing about the file', async () => {
  const { inspector, file } = await room();
  expect(await inspector.verify(await file('once'), 'image')).toEqual({ kind: 'image', format: 'once' });
  for (const [order, how] of [
    ['SIGKILL', 'SIGKILL'],
    ['leave', 'it left'],
  ] as const)
    await expect(inspector.verify(await file(order), 'image')).rejects.toThrow(
      `the process that looks at media was ended twice (${how}); free some memory, then run again`,
    );
});

test('the real reader reads, and tells pages from pictures', async () => {
  const folder = await temporaryFolder();
  const inspector = new Inspector({ clock: systemClock });
  onTestFinished(() => inspector.close());
  const page = join(folder, 'page.png');
  await writeFile(page, '<html>no</html>');
  expect(await inspector.verify(page, 'image')).toEqual({ misfit: 'an HTML page of 15 B' });
  await expect(inspector.probe(page)).rejects.toThrow('the file is a web page, not media');
  await expect(inspector.verify(join(folder, 'nowhere'), 'image')).rejects.toThrow('ENOENT');
});

test('whoever is called off waits for no reader', async () => {
  const { inspector, file } = await room();
  const stop = new AbortController();
  const found = inspector.verify(await file('spin'), 'image', stop.signal);
  const next = inspector.verify(await file('png'), 'image');
  stop.abort(new Error('stopped'));
  await expect(found).rejects.toThrow('stopped');
  expect(await next).toEqual({ kind: 'image', format: 'png' });
});
