/** A belief of ours that breaks in the middle of a run. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FilmSet } from './rig.ts';

let set: FilmSet;
beforeEach(() => {
  set = new FilmSet();
});
afterEach(() => set.strike());

test('what is on the wire is awaited, at rest, and then it is thrown', async () => {
  const film = await set.shoot(`
shotlist: 1
name: bug
steps:
  one: { model: V-T2V-B, with: { prompt: "a fox" } }
  two: { model: V-T2V-B, with: { prompt: "an owl" } }
`);
  await film.happened('submit_accepted', 'one');
  await film.happened('submit_accepted', 'two');
  set.fetches.push({
    get is(): 'ok' {
      throw new Error('a belief of ours broke');
    },
  } as never);
  set.service.finish('gen-1');
  await expect(film.done).rejects.toThrow('a belief of ours broke');
});
