import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/machine/files/database.ts';
import { MIGRATIONS } from '../../src/studio/service/records/studio-database.ts';
import { isMissing } from '../support/needs.ts';
import { mount, remount, unmount } from '../support/small-disk.ts';
import { temporaryFolder } from '../support/temp.ts';
import { KEY, testStudio } from './fake-studio.ts';

const STILL = { model: 'I-GEN-A', prompt: 'a red fox' };

test('what a killed studio acknowledged is finished by the next one, once', async () => {
  const folder = await temporaryFolder();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'killed-studio.ts'), folder, KEY], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const url = (await lines.next()).value;
  const ids: string[] = [];
  for (const prompt of ['one', 'two', 'three']) {
    const response = await fetch(`${url}/api/ai/queue`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...STILL, prompt }),
    });
    const { generations } = (await response.json()) as { generations: { generation_id: string }[] };
    ids.push(generations[0]?.generation_id ?? '');
  }
  expect((await lines.next()).value).toBe(`rendering ${ids[0]}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await readdir(join(folder, 'scratch', String(ids[0]), 'render'))).toEqual(['half-a-film.mp4']);

  {
    await using studio = await testStudio({ folder });
    for (const id of ids) {
      const render = await studio.renderer.next();
      expect([render.job.id, await readdir(render.job.folder)]).toEqual([id, []]);
      await render.finish();
      await studio.until(id, 'succeeded');
    }
    expect(studio.renderer.begun.map(({ job }) => job.request.prompt)).toEqual(['one', 'two', 'three']);
  }
  {
    await using studio = await testStudio({ folder });
    const { body } = await studio.get('/api/ai/generations?status=succeeded');
    expect(body).toMatchObject({ total_entries: 3, total_cost: '0.03' });
    expect((await fetch(`${studio.url}/results/${ids[2]}/result.webp`)).status).toBe(200);
    expect([studio.renderer.begun, await readdir(join(folder, 'scratch'))]).toEqual([[], []]);
  }
});

test('a studio that closes leaves what it was rendering to the next one', async () => {
  const folder = await temporaryFolder();
  const first = await testStudio({ folder });
  await first.enqueue(STILL);
  const begun = await first.renderer.next();
  await first.close();
  expect([begun.hooks.signal.aborted, first.renderer.closed]).toEqual([true, true]);
  {
    await using second = await testStudio({ folder });
    const again = await second.renderer.next();
    expect(again.job.id).toBe('gen-1');
    await again.finish();
    expect(await second.until('gen-1', 'succeeded')).toMatchObject({
      result_url: `${second.url}/results/gen-1/result.webp`,
    });
  }
});

test.skipIf(isMissing('the right to mount a disk'))(
  'a studio on a full disk refuses requests in words, and keeps every id that it has given',
  async () => {
    const folder = await temporaryFolder();
    mount(folder, 'size=400k');
    const full = await testStudio({ folder });
    const ids: string[] = [];
    for (;;) {
      const { status, body } = await full.post('/api/ai/queue', {
        ...STILL,
        prompt: `${ids.length} `.padEnd(400, 'x'),
      });
      if (status !== 200) {
        const message = "the disk is full: the studio's state cannot be written; make room, then run again";
        expect([status, body]).toEqual([503, { error: { type: 'storage_failed', message } }]);
        break;
      }
      ids.push(`gen-${ids.length + 1}`);
    }
    await full.close();
    expect(remount(folder, 'size=64m')).toBe(true);
    const roomy = await testStudio({ folder });
    expect((await roomy.get('/api/ai/generations')).body).toMatchObject({ total_entries: ids.length });
    for (const id of ids) expect((await roomy.get(`/api/ai/queue/${id}`)).status).toBe(200);
    await roomy.close();
    unmount(folder);
  },
);

test('a folder that a newer studio wrote is refused', async () => {
  const folder = await temporaryFolder();
  const database = new DatabaseSync(join(folder, 'studio.sqlite'));
  database.exec('PRAGMA user_version = 99');
  database.close();
  await expect(testStudio({ folder })).rejects.toThrow(
    `${join(folder, 'studio.sqlite')} was written by a newer shotlist (version 99, this one reads 3): the studio's state records what was paid or made, so use that newer version`,
  );
});

test('what a studio of the first versions holds is there for this one', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'studio.sqlite');
  const words = { what: 'the state', busy: 'busy', damaged: 'damaged' };
  const old = openDatabase({ path, migrations: MIGRATIONS.slice(0, 2), hold: 'alone', words });
  old.exec(
    `INSERT INTO generations (id, model, media_type, request, status, enqueued_at)
     VALUES ('gen-old', 'I-GEN-A', 'image', '{"prompt":"a red fox"}', 'queued', 1700000000)`,
  );
  old.close();
  {
    await using studio = await testStudio({ folder });
    await (await studio.renderer.next()).finish();
    expect(await studio.until('gen-old', 'succeeded')).toMatchObject({ idempotency_key: null });
  }
});
