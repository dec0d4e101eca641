/** One runner of a film, also where its lock is lost without its holder knowing. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beside, rig, withRig } from './rig.ts';

const FOX = `
steps:
  shot: { model: V-T2V-C, with: { prompt: a fox } }
  next: { needs: [shot], model: V-T2V-C, with: { prompt: an owl } }
`;

withRig();

test('a runner whose lock was deleted, and whose film another has taken over, writes and sends nothing more', async () => {
  const film = await rig.start(FOX);
  await film.happened('submit_accepted', 'shot');
  rmSync(join(rig.folder, 'runs'), { recursive: true, force: true });
  const second = beside({ film: rig.film });
  const taken = await second.start(FOX);
  await taken.happened('taken_up', 'shot');
  rig.service.finish('gen-1');
  const [lost, won] = await Promise.all([rig.runToEnd(film), taken.happened('succeeded', 'shot')]);
  expect([lost.is, lost.reason]).toEqual([
    'unwritable',
    'another shotlist has taken over this pipeline meanwhile: nothing more is written or sent from here; let it go on there',
  ]);
  expect(won).toMatchObject({ key: 'shot' });
  await taken.happened('submit_accepted', 'next');
  // Each of the two requests was sent once, the second one by whoever has the film.
  expect(rig.service.posts.length).toBe(2);
  rig.service.finish('gen-2');
  expect((await second.runToEnd(taken)).is).toBe('done');
});

test('who has the film counts up with each holder', async () => {
  rig.service.isQuick = true;
  await rig.runToEnd(await rig.start(FOX));
  expect(rig.journal.lease?.token).toBe(1);
  await rig.runToEnd(await rig.start(FOX));
  expect(rig.journal.lease?.token).toBe(2);
});
