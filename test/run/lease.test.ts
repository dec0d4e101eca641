/** One runner of a film, also where its lock is lost without its holder knowing. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FilmSet } from './rig.ts';

const FOX = `
shotlist: 1
name: fox
steps:
  shot: { model: V-T2V-C, with: { prompt: a fox } }
  next: { needs: [shot], model: V-T2V-C, with: { prompt: an owl } }
`;

let first: FilmSet;
beforeEach(() => {
  first = new FilmSet();
});
afterEach(() => first.strike());

test('a runner whose lock was deleted, and whose film another has taken over, writes and sends nothing more', async () => {
  const film = await first.shoot(FOX);
  await film.happened('submit_accepted', 'shot');
  rmSync(join(first.folder, 'runs'), { recursive: true, force: true });
  const second = new FilmSet(first);
  const taken = await second.shoot(FOX);
  await taken.happened('taken_up', 'shot');
  first.service.finish('gen-1');
  const [lost, won] = await Promise.all([first.toTheEnd(film), taken.happened('succeeded', 'shot')]);
  expect([lost.is, lost.reason]).toEqual([
    'unwritable',
    'another shotlist has taken over this pipeline meanwhile: nothing more is written or sent from here; let it go on there',
  ]);
  expect(won).toMatchObject({ key: 'shot' });
  await taken.happened('submit_accepted', 'next');
  // Each of the two requests was sent once, the second one by whoever has the film.
  expect(first.service.posts.length).toBe(2);
  first.service.finish('gen-2');
  expect((await second.toTheEnd(taken)).is).toBe('done');
  await second.die();
});

test('who has the film counts up with each holder', async () => {
  first.service.isQuick = true;
  await first.toTheEnd(await first.shoot(FOX));
  expect(first.journal.lease?.token).toBe(1);
  await first.toTheEnd(await first.shoot(FOX));
  expect(first.journal.lease?.token).toBe(2);
});
