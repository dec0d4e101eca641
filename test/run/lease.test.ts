/** One runner of a film, also where its lock is lost without its holder knowing. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunRig } from './rig.ts';

const FOX = `
steps:
  shot: { model: V-T2V-C, with: { prompt: a fox } }
  next: { needs: [shot], model: V-T2V-C, with: { prompt: an owl } }
`;

let first: RunRig;
beforeEach(() => {
  first = new RunRig();
});
afterEach(() => first.dispose());

test('a runner whose lock was deleted, and whose film another has taken over, writes and sends nothing more', async () => {
  const film = await first.start(FOX);
  await film.happened('submit_accepted', 'shot');
  rmSync(join(first.folder, 'runs'), { recursive: true, force: true });
  const second = new RunRig(first);
  const taken = await second.start(FOX);
  await taken.happened('taken_up', 'shot');
  first.service.finish('gen-1');
  const [lost, won] = await Promise.all([first.runToEnd(film), taken.happened('succeeded', 'shot')]);
  expect([lost.is, lost.reason]).toEqual([
    'unwritable',
    'another shotlist has taken over this pipeline meanwhile: nothing more is written or sent from here; let it go on there',
  ]);
  expect(won).toMatchObject({ key: 'shot' });
  await taken.happened('submit_accepted', 'next');
  // Each of the two requests was sent once, the second one by whoever has the film.
  expect(first.service.posts.length).toBe(2);
  first.service.finish('gen-2');
  expect((await second.runToEnd(taken)).is).toBe('done');
  await second.kill();
});

test('who has the film counts up with each holder', async () => {
  first.service.isQuick = true;
  await first.runToEnd(await first.start(FOX));
  expect(first.journal.lease?.token).toBe(1);
  await first.runToEnd(await first.start(FOX));
  expect(first.journal.lease?.token).toBe(2);
});
