/** A belief of ours that breaks in the middle of a run. */
import { expect, test } from 'vitest';
import { rig, withRig } from './rig.ts';

withRig();

test('what is on the wire is awaited, at rest, and then it is thrown', async () => {
  const film = await rig.start(`
steps:
  one: { model: V-T2V-B, with: { prompt: "a fox" } }
  two: { model: V-T2V-B, with: { prompt: "an owl" } }
`);
  await film.happened('submit_accepted', 'one');
  await film.happened('submit_accepted', 'two');
  rig.fetches.push({
    get is(): 'ok' {
      throw new Error('a belief of ours broke');
    },
  } as never);
  rig.service.finish('gen-1');
  await expect(film.done).rejects.toThrow('a belief of ours broke');
});
