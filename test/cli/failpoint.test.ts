/** A named point at which the process kills itself: real processes, as there is no other way to see one die. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { failpointFrom } from '../../src/cli/session/failpoint-setting.ts';

const SETTING = new URL('../../src/cli/session/failpoint-setting.ts', import.meta.url).href;

/** Comes to `id-kept` three times, to `generated` once, and ends. */
function life(failpoint: string): readonly [signal: string | null, told: string] {
  const program = `
    import { failpointFrom } from ${JSON.stringify(SETTING)};
    const reached = failpointFrom({ SHOTLIST_FAILPOINT: ${JSON.stringify(failpoint)} });
    for (const point of ['id-kept', 'id-kept', 'generated', 'id-kept']) {
      reached(point);
      process._rawDebug(point);
    }`;
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  return [signal, stderr.trim().split('\n').join(' ')];
}

test('the process dies at the point it was told, the nth time', () => {
  expect(life('id-kept')).toEqual(['SIGKILL', '']);
  expect(life('id-kept:3')).toEqual(['SIGKILL', 'id-kept id-kept generated']);
  expect(life('generated')).toEqual(['SIGKILL', 'id-kept id-kept']);
  expect(life('id-kept:4')).toEqual([null, 'id-kept id-kept generated id-kept']);
  expect(life('')).toEqual([null, 'id-kept id-kept generated id-kept']);
});

test('a point that there is not is a mistake on the command line', () => {
  for (const asked of ['id-keep', 'id-kept:0', 'id-kept:x', 'ID-KEPT'])
    expect(() => failpointFrom({ SHOTLIST_FAILPOINT: asked })).toThrow(
      `SHOTLIST_FAILPOINT is name[:nth], with intent-durable, post-sent, post-answered, id-kept, id-durable, generated, downloading, download-placed, succeeded-kept, output-placing, lock-writing, journal-committing; \`${asked}\` is not`,
    );
});
