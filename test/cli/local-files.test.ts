import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { type FileReading, LocalFiles } from '../../src/app/local-files.ts';
import { type Disk, plainDisk } from '../../src/machine/files/disk.ts';
import { Refusal } from '../../src/model/run/decision-page.ts';
import { temporaryFolder } from '../support/temp.ts';

async function room(world: Partial<FileReading> = {}) {
  const folder = await temporaryFolder();
  const files = new LocalFiles(folder, { disk: plainDisk, probe: async () => undefined, ...world });
  const look = async (name: string) => {
    files.get(name);
    await files.load();
    return files.get(name);
  };
  return { folder, look, at: (name: string) => join(folder, name) };
}

const sha = (text: string) => createHash('sha256').update(text).digest('hex');

test('a file, also behind a link, is its content and what it shows', async () => {
  const facts = { kind: 'image', format: 'png' } as const;
  const { look, at } = await room({ probe: async () => facts });
  await writeFile(at('fox.png'), 'a red fox');
  await symlink(at('fox.png'), at('link.png'));
  expect(await look('link.png')).toEqual({
    sha256: sha('a red fox'),
    facts,
    bytes: 9,
    url: pathToFileURL(at('link.png')).href,
  });
  expect(await look('nowhere.png')).toBeUndefined();
});

test.skipIf(process.platform === 'win32')('what is no file is said at once, and nothing waits for it', async () => {
  const probed: string[] = [];
  const { look, at } = await room({ probe: async path => void probed.push(path) });
  execFileSync('mkfifo', [at('pipe')]);
  await mkdir(at('shots'));
  await symlink(at('pipe'), at('link'));
  await symlink(at('loop'), at('loop'));
  const said = async (name: string) => {
    const found = await look(name);
    return found && 'unusable' in found ? found.unusable : found;
  };
  expect([
    await said('pipe'),
    await said('link'),
    await said('shots'),
    await said('/dev/zero'),
    await said('/dev/null'),
    await said('loop'),
    await said('x'.repeat(5000)),
  ]).toEqual([
    'is a pipe, which can be read only once; write it into a file first',
    'is a pipe, which can be read only once; write it into a file first',
    'is a folder; name a file in it',
    'is a device, which has no end; name a file',
    'is a device, which has no end; name a file',
    undefined,
    undefined,
  ]);
  expect(probed).toEqual([]);
});

test('a disk that does not give it is said', async () => {
  const failing = (code: string) =>
    room({
      disk: {
        ...plainDisk,
        open: (async () => {
          throw Object.assign(new Error(`${code}: no, open`), { code, syscall: 'open' });
        }) as Disk['open'],
      },
    });
  for (const [code, unusable] of [
    ['EACCES', 'you may not read; change its permissions, or give another file'],
    ['EIO', 'the disk fails to read; check the disk, or give another file'],
    ['EMFILE', 'cannot be opened, for too many files are; raise the limit (`ulimit -n 4096`)'],
    ['ETXTBSY', 'cannot be read (ETXTBSY: no, open); mend that, or give another file'],
  ] as const) {
    const { look, at } = await failing(code);
    await writeFile(at('fox.png'), 'a red fox');
    expect(await look('fox.png')).toEqual({ unusable });
  }
});

test('a file that this machine could not look at is told as that, and not as no picture', async () => {
  const { look, at } = await room({
    probe: () => Promise.reject(new Refusal('the process was ended twice; run again')),
  });
  await writeFile(at('fox.png'), 'a red fox');
  expect(await look('fox.png')).toEqual({
    unusable: 'could not be looked at on this machine: the process was ended twice; run again',
  });
});

test('a file that changes while it is read is read again, and given up when it never stops', async () => {
  let changes = 0;
  let most = 1;
  const { look, at } = await room({
    probe: async path => {
      if (changes++ >= most) return undefined;
      await writeFile(`${path}.new`, `version ${changes}`);
      if (changes % 2 === 0) await rename(`${path}.new`, path);
      else await writeFile(path, `version ${changes}`);
      await utimes(path, changes, changes);
      return undefined;
    },
  });
  await writeFile(at('fox.png'), 'version 0');
  expect(await look('fox.png')).toMatchObject({ sha256: sha('version 1') });
  [changes, most] = [0, Number.POSITIVE_INFINITY];
  await writeFile(at('cat.png'), 'version 0');
  expect(await look('cat.png')).toEqual({
    unusable: 'changes while it is read; let whatever writes it end, then give the same command again',
  });
  expect(changes).toBe(3);
});

test('a file outside the project is refused, with the folder that is the project and how the file comes into it', async () => {
  const top = await temporaryFolder();
  const root = join(top, 'film');
  await mkdir(join(root, 'films'), { recursive: true });
  await mkdir(join(top, 'footage'));
  await writeFile(join(top, 'footage/clip.mp4'), 'a clip');
  await writeFile(join(root, 'own.mp4'), 'a clip');
  const said = () => {
    const files = new LocalFiles(join(root, 'films'), { disk: plainDisk, probe: async () => undefined }, root);
    expect(files.get('../own.mp4')).toBeUndefined();
    const found = files.get('../../footage/clip.mp4');
    return found && 'unusable' in found ? found.unusable.replaceAll(top, 'TOP') : found;
  };
  const link = 'link or copy it into the project (`ln -s ../footage/clip.mp4 clip.mp4` in TOP/film)';
  expect(said()).toBe(
    `lies outside the project, which is TOP/film; ${link}, or put a \`shotlist.config.yaml\` into TOP`,
  );
  await writeFile(join(root, 'shotlist.config.yaml'), '');
  expect(said()).toBe(
    `lies outside the project, which is TOP/film (it has a \`shotlist.config.yaml\`); ${link}, or move \`shotlist.config.yaml\` from there to TOP, which holds both`,
  );
  await symlink(join(top, 'footage'), join(root, 'footage'));
  const files = new LocalFiles(root, { disk: plainDisk, probe: async () => undefined }, root);
  files.get('footage/clip.mp4');
  await files.load();
  expect(files.get('footage/clip.mp4')).toMatchObject({ sha256: sha('a clip') });
});

test('a name that is nearly there is told, and a file that is certainly no media says what it is', async () => {
  const { look, at } = await room({ probe: async () => ({ notMedia: 'the file is text, not media' }) });
  await writeFile(at('fox.png'), 'words');
  expect(await look('fix.png')).toEqual({ code: 'no-such-file', unusable: 'is not there; did you mean `fox.png`?' });
  expect(await look('bear.jpg')).toBeUndefined();
  expect(await look('fox.png')).toMatchObject({ notMedia: 'the file is text, not media', facts: undefined });
});
