/** Results are content: nothing that is kept of a run names a place on this machine, and whoever uses a file finds it where it is then. */
import { renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RunRig, ran, rig, withRig } from './rig.ts';

const CUT = `
steps:
  shot: { model: V-T2V-C, with: { prompt: a fox } }
  copy:
    run: 'cat "$clip" "$again" >copy.mp4; echo "$clip"'
    env: { again: "\${{ steps.shot.file }}" }
    files: { clip: "\${{ steps.shot }}" }
    creates: { film: copy.mp4 }
  size: { run: [ wc, -c, "\${{ steps.copy.files.film.file }}" ] }
`;

withRig();

test('a command is given the real path, alone and among other words; what is kept names none', async () => {
  rig.service.isQuick = true;
  const { film, outcome } = await ran(CUT);
  expect(outcome.is).toBe('done');
  const said = (key: string) => {
    const result = [...outcome.results].find(([name]) => name === key)?.[1].result;
    return result?.is === 'command' ? result.stdout : '';
  };
  expect(said('copy')).toMatch(new RegExp(`^${rig.folder}/store/[0-9a-f]{2}/[0-9a-f]{64}-\\d+\\.mp4$`));
  expect(said('size')).toMatch(new RegExp(`^\\d+ ${rig.folder}/store/`));
  const kept = film.events.map(event =>
    event.type === 'succeeded' && event.result.is === 'command' ? { ...event.result, stdout: '' } : event,
  );
  expect(JSON.stringify(kept)).not.toContain(rig.folder);
  expect(rig.lockText?.replaceAll(/stdout: .*/g, '')).not.toContain(rig.folder);
});

test.each([
  ['a command', ''],
  ['a command that acts outside', ', effect: true'],
])(
  '%s reads a file by its address: it is downloaded first, and what cannot be downloaded fails it unstarted',
  async (_, effect) => {
    const film = (name: string) =>
      `steps:\n  show: { run: 'cat "$clip"', files: { clip: "https://house.test/${name}.mp4" }${effect} }\n`;
    const { film: read } = await ran(film('fox'));
    expect(await read.happened('succeeded')).toMatchObject({
      result: { stdout: 'the film at https://house.test/fox.mp4' },
    });
    rig.fetches.push({ is: 'gone', message: 'the storage answered 404' });
    const { film: gone } = await ran(film('owl'));
    const message = 'files.clip could not be fetched from https://house.test/owl.mp4: the storage answered 404';
    expect(await gone.happened('failed')).toMatchObject({ failure: { code: 'command_failed', message } });
    expect(gone.events.some(({ type }) => type === 'command_started')).toBe(false);
    rig.fetches.push({ is: 'failed', message: 'reset' });
    expect((await ran(film('hare').replace(' }\n', ', retry: { attempts: 2, backoff: 1s } }\n'))).outcome.is).toBe(
      'done',
    );
  },
);

test('a project that was moved owns all it owned', async () => {
  rig.service.isQuick = true;
  await ran(CUT);
  await rig.kill();
  const moved = new RunRig(rig);
  renameSync(rig.folder, `${rig.folder}-moved`);
  (moved as { folder: string }).folder = `${rig.folder}-moved`;
  moved.lockText = rig.lockText;
  const again = await moved.start(CUT);
  expect([...again.plan.instances].map(({ decision }) => decision.is)).toEqual(['hit', 'hit', 'hit']);
  expect((await moved.runToEnd(again)).is).toBe('done');
  await moved.dispose();
});
