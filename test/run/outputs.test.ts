import { spawnSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { expect, test } from 'vitest';
import { plainDisk } from '../../src/machine/files/disk.ts';
import { appendPlate } from '../../src/media/encode/clean-plate.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';
import type { PlannedOutput } from '../../src/model/plan.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { CommandResult, MediaResult, Result, TextResult } from '../../src/model/run/result.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { Outputs, type OutputsGiven } from '../../src/run/outputs/outputs.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { temporaryFolder } from '../support/temp.ts';

const key = (name: string) => name as InstanceKey;
const MP4: MediaFacts = { kind: 'video', format: 'mp4' };
const LAST = ', then run again: nothing is paid for twice';

/** A project with a store, outside of which there is somebody's `elsewhere/`. */
async function room() {
  const folder = await temporaryFolder();
  const root = join(folder, 'film');
  await mkdir(root);
  await mkdir(join(folder, 'elsewhere'));
  const store = await LocalStore.open(join(root, '.shotlist/store'));
  const clock = new FakeClock();
  let made = 0;
  const outputsOf = (paths: readonly string[], given: Partial<OutputsGiven> = {}) =>
    new Outputs(
      paths.map((path): PlannedOutput => ({ name: path, instance: key(path), path })),
      { root, store, clock, ...given },
    );
  return {
    folder,
    root,
    store,
    clock,
    /** Outputs of steps that have the names of their paths. */
    outputs: outputsOf,
    media: async (content: string | Buffer, facts: MediaFacts = MP4, end = '.mp4'): Promise<MediaResult> => {
      const draft = join(folder, `made-${made++}`);
      await writeFile(draft, content);
      const { sha256, bytes } = await store.adopt(draft, end);
      const rest = { result_url: '', generation_id: null, request: {}, cost: null, media: facts };
      return { is: 'media', sha256, extension: end, bytes, ...rest };
    },
    /** Places one output that has the name of its path. */
    place: async (path: string, result: Result) => outputsOf([path]).place(key(path), result),
    text: (path: string) => readFile(join(root, path), 'utf8'),
    list: async (path: string) => (await readdir(join(root, path))).sort(),
  };
}
const wrote = (text: string, json: TextResult['json'] = null): TextResult => ({
  is: 'text',
  text,
  json,
  finish_reason: 'stop',
  usage: null,
  request: {},
  cost: null,
});
const written = (path: string, note?: string, name = path) => ({
  is: 'written',
  output: name,
  key: name,
  path,
  ...(note !== undefined && { note }),
});
/** The same bytes were there. */
const inPlace = (...given: Parameters<typeof written>) => ({ ...written(...given), unchanged: true });
const failed = (path: string, why: string) => ({
  is: 'failed',
  output: path,
  key: path,
  path,
  reason: `${why}${LAST}`,
});

/** The same store, whose disk answers with this code where there is one. */
function refusing(store: LocalStore, codeFor: (target: string) => string | undefined): OutputsGiven['store'] {
  return new Proxy(store, {
    get: (target, name) => {
      if (name !== 'materialise') return Reflect.get(target, name).bind(target);
      return async (sha256: string, path: string) => {
        const code = codeFor(path);
        if (code !== undefined) throw Object.assign(new Error('no'), { code });
        return target.materialise(sha256, path);
      };
    },
  });
}

test('a film with its clean plate is placed without it, is written once, and replaces what an earlier version wrote', async () => {
  const { root, outputs, media, place } = await room();
  const slated = Buffer.from('a film with its slate');
  const path = join(root, 'slated.mp4');
  await writeFile(path, slated);
  await writeFile(join(root, 'plate.mp4'), 'the same, clean');
  await appendPlate(path, join(root, 'plate.mp4'));
  const whole = await readFile(path);
  const films = outputs(['out/fox.mp4']);
  await mkdir(join(root, 'out'));
  await writeFile(join(root, 'out/fox.mp4'), whole);
  const made = await media(whole);
  expect(await films.place(key('out/fox.mp4'), made)).toEqual([written('out/fox.mp4')]);
  expect(await readFile(join(root, 'out/fox.mp4'))).toEqual(slated);
  expect(await place('out/fox.mp4', made)).toEqual([inPlace('out/fox.mp4')]);
  expect((await readdir(join(root, 'out'))).length).toBe(1);
});

test('an output is there as soon as its step has succeeded, and is told once', async () => {
  const { outputs, media, text, list } = await room();
  const films = outputs(['out/deep/fox.mp4', 'out/owl.mp4']);
  const fox = await media('a red fox');
  const [first, second] = await Promise.all([
    films.place(key('out/deep/fox.mp4'), fox),
    films.place(key('out/deep/fox.mp4'), fox),
  ]);
  expect([first, second]).toEqual([[written('out/deep/fox.mp4')], []]);
  expect([await text('out/deep/fox.mp4'), await list('out')]).toEqual(['a red fox', ['deep']]);
  const owl = await media('an owl');
  const results = new Map<InstanceKey, Result>([
    [key('out/deep/fox.mp4'), fox],
    [key('out/owl.mp4'), owl],
  ]);
  expect(await films.rest(key => results.get(key))).toEqual([written('out/owl.mp4')]);
  expect(await films.rest(key => results.get(key))).toEqual([]);
  expect(films.placed.map(({ path }) => path)).toEqual(['out/deep/fox.mp4', 'out/owl.mp4']);
  expect(await list('out/deep')).toEqual(['fox.mp4']);
});

test('texts are written as they are, JSON as other programs lay it out', async () => {
  const { outputs, text } = await room();
  const texts = outputs(['out/a.txt', 'out/b.json']);
  await texts.place(key('out/a.txt'), wrote('  a fox\n\n'));
  await texts.place(key('out/b.json'), wrote('{"a":1}', { a: 1 }));
  expect([await text('out/a.txt'), await text('out/b.json')]).toEqual(['  a fox\n', '{\n  "a": 1\n}\n']);
});

test('files of a command are found by their names; one that it did not make is told', async () => {
  const { root, store, clock, media, text } = await room();
  const { sha256, bytes, extension } = await media('one,two\n', MP4, '.csv');
  const made: CommandResult = {
    is: 'command',
    stdout: '',
    json: null,
    files: { table: { sha256, extension, bytes, media: null } },
  };
  const outputs = new Outputs(
    [
      { name: 'a', instance: key('count'), file: 'table', path: 'out/table' },
      { name: 'b', instance: key('count'), file: 'chart', path: 'out/chart.png' },
    ],
    { root, store, clock },
  );
  expect(await outputs.place(key('count'), made)).toEqual([
    { is: 'written', output: 'a', key: 'count', path: 'out/table.csv' },
    { ...failed('out/chart.png', 'its step made no file `chart`: change `from:`'), output: 'b', key: 'count' },
  ]);
  expect(await text('out/table.csv')).toBe('one,two\n');
});

test('a folder in its place, a file on its way, a name too long, links in a circle: each costs no other, and says what to do', async () => {
  const { root, clock, outputs, media, text } = await room();
  const long = `out/${'x'.repeat(252)}.mp4`;
  const paths = ['out/folder.mp4', 'out/file/fox.mp4', long, 'out/round/fox.mp4', 'out/nowhere/fox.mp4', 'out/fox.mp4'];
  await mkdir(join(root, 'out/folder.mp4'), { recursive: true });
  await writeFile(join(root, 'out/file'), 'mine');
  await symlink('round', join(root, 'out/round'));
  await symlink('gone', join(root, 'out/nowhere'));
  const films = outputs(paths);
  const fox = await media('a red fox');
  const news = await films.rest(() => fox);
  expect(news).toEqual([
    failed('out/folder.mp4', 'a folder has its name: move that away, or choose another `to:`'),
    failed('out/file/fox.mp4', 'out/file is a file, and should be a folder: move it away, or choose another `to:`'),
    failed(long, 'its name is 256 bytes long, and a disk takes 255: shorten `to:`'),
    failed('out/round/fox.mp4', 'links on its way lead in a circle: remove them, or choose another place'),
    failed('out/nowhere/fox.mp4', 'out/nowhere is a link to nothing: make a folder of it, or choose another `to:`'),
    written('out/fox.mp4'),
  ]);
  expect([await text('out/fox.mp4'), await text('out/file')]).toEqual(['a red fox', 'mine']);
  // At the end they are tried again; what is as it was is not told again.
  expect([await films.rest(() => fox), clock.sleeping]).toEqual([[], []]);
});

test('a name that just fits the disk fits', async () => {
  const { outputs, media, place, list } = await room();
  const name = `${'x'.repeat(251)}.mp4`;
  expect(await outputs([`out/${name}`]).rest(() => undefined)).toEqual([]);
  expect(await place(`out/${name}`, await media('a red fox'))).toEqual([written(`out/${name}`)]);
  expect(await list('out')).toEqual([name]);
});

test('a pipe or a device in its place is neither read nor replaced', async () => {
  const { root, media, place } = await room();
  await mkdir(join(root, 'out'));
  expect(spawnSync('mkfifo', [join(root, 'out/fox.mp4')]).status).toBe(0);
  expect(await place('out/fox.mp4', await media('a red fox'))).toEqual([
    failed('out/fox.mp4', 'a pipe or a device has its name: remove that, or choose another `to:`'),
  ]);
  expect((await lstat(join(root, 'out/fox.mp4'))).isFIFO()).toBe(true);
});

test.each([
  ['ENOSPC', 'the disk is full: free some space'],
  ['EIO', 'the disk failed (EIO): see whether it is still sound, or choose another place'],
  ['EROFS', 'the disk can only be read: make it writable, or choose another place'],
  ['EACCES', 'this user may not write there: change the rights of the folder, or choose another place'],
  ['EISDIR', 'a folder is in its place: move that away, or choose another name'],
])('%s is told with what to do, and is over once the disk is well again', async (code, words) => {
  const { store, outputs, media, text } = await room();
  let isWell = false;
  const films = outputs(['out/fox.mp4', 'out/owl.mp4'], {
    store: refusing(store, target => (!isWell && target.endsWith('fox.mp4') ? code : undefined)),
  });
  const fox = await media('a red fox');
  expect(await films.rest(() => fox)).toEqual([failed('out/fox.mp4', words), written('out/owl.mp4')]);
  isWell = true;
  expect(await films.rest(() => fox)).toEqual([written('out/fox.mp4')]);
  expect([await text('out/fox.mp4'), films.placed.map(({ is }) => is)]).toEqual(['a red fox', ['written', 'written']]);
});

test('too many open files is waited for, and what was in its place is kept once', async () => {
  const { root, store, clock, outputs, media, list } = await room();
  await mkdir(join(root, 'out'));
  await writeFile(join(root, 'out/fox.mp4'), 'my own cut');
  let trouble = 2;
  const films = outputs(['out/fox.mp4'], {
    store: refusing(store, () => (trouble-- > 0 ? 'EMFILE' : undefined)),
  });
  const placed = films.place(key('out/fox.mp4'), await media('a red fox'));
  for (let n = 0; n < 2; n++) await clock.advance(await clock.asleep());
  expect(await placed).toMatchObject([{ is: 'written' }]);
  expect(await list('out')).toEqual(['fox.before-shotlist.mp4', 'fox.mp4']);
});

test('a text that the full disk cuts leaves nothing behind in the store', async () => {
  const { store, outputs } = await room();
  const full = await LocalStore.open(store.folder, {
    ...plainDisk,
    rename: async () => {
      throw Object.assign(new Error('no'), { code: 'ENOSPC' });
    },
  });
  const texts = outputs(['out/a.txt'], { store: full });
  expect(await texts.place(key('out/a.txt'), wrote('a fox'))).toEqual([
    failed('out/a.txt', 'the disk is full: free some space'),
  ]);
  expect(await readdir(store.partials)).toEqual([]);
});

test('no link leads an output out of the project; one that stays inside is followed', async () => {
  const { folder, root, outputs, media, text } = await room();
  await mkdir(join(root, 'renders'));
  await symlink(join(folder, 'elsewhere'), join(root, 'out'));
  await symlink('renders', join(root, 'inside'));
  await symlink('..', join(root, 'renders/up'));
  const paths = ['out/fox.mp4', 'out/deep/fox.mp4', 'renders/up/../fox.mp4', 'inside/fox.mp4', 'renders/up/owl.mp4'];
  const fox = await media('a red fox');
  const leads = `out is a link that leads out of the project, to ${join(folder, 'elsewhere')}: make a folder of it, or choose another \`to:\``;
  expect(await outputs(paths).rest(() => fox)).toEqual([
    failed('out/fox.mp4', leads),
    failed('out/deep/fox.mp4', leads),
    failed(
      'renders/up/../fox.mp4',
      "renders/up/../fox.mp4 is no path below the project's folder: write `to:` without `..`",
    ),
    written('inside/fox.mp4'),
    written('renders/up/owl.mp4'),
  ]);
  expect([await text('renders/fox.mp4'), await text('owl.mp4')]).toEqual(['a red fox', 'a red fox']);
  expect(await readdir(join(folder, 'elsewhere'))).toEqual([]);
});

test('links inside the project lead neither to hooks, nor to the store, nor over the pipeline', async () => {
  const { root, outputs, media, text } = await room();
  await mkdir(join(root, '.git/hooks'), { recursive: true });
  await writeFile(join(root, 'fox.yaml'), 'name: fox');
  await mkdir(join(root, 'out'));
  await symlink('../.git/hooks', join(root, 'out/hooks'));
  await symlink('../.shotlist', join(root, 'out/state'));
  await symlink('..', join(root, 'out/up'));
  const paths = ['out/hooks/pre-commit', 'out/state/store/x.mp4', 'out/up/FOX.yaml', 'Fox.yaml'];
  const films = outputs(paths, { reserved: ['fox.yaml'] });
  const fox = await media('a red fox');
  const why = (way: string) => `${way} is not for outputs, and a link leads there: choose another \`to:\``;
  expect(await films.rest(one => (one.endsWith('.yaml') ? wrote('a: fox') : fox))).toEqual([
    failed('out/hooks/pre-commit', why('.git/hooks/pre-commit.mp4')),
    failed('out/state/store/x.mp4', why('.shotlist/store/x.mp4')),
    failed('out/up/FOX.yaml', why('FOX.yaml')),
    failed('Fox.yaml', 'Fox.yaml is not for outputs: choose another `to:`'),
  ]);
  expect(await text('fox.yaml')).toBe('name: fox');
});

test('a link in its place is replaced and told; what it led to is as it was', async () => {
  const { folder, root, media, place, text } = await room();
  const mine = join(folder, 'elsewhere/mine.mp4');
  await writeFile(mine, 'mine');
  await mkdir(join(root, 'out'));
  await symlink(mine, join(root, 'out/fox.mp4'));
  expect(await place('out/fox.mp4', await media('a red fox'))).toEqual([
    written('out/fox.mp4', `it was a link to ${mine}, which is as it was`),
  ]);
  expect([await text('out/fox.mp4'), await readFile(mine, 'utf8')]).toEqual(['a red fox', 'mine']);
  await expect(readlink(join(root, 'out/fox.mp4'))).rejects.toThrow('EINVAL');
});

test('an output of an earlier run is replaced without a word; work that is not in the store is kept beside it', async () => {
  const { root, media, place, text, list } = await room();
  const again = async (words: string) => place('out/fox.mp4', await media(words));
  expect(await again('a red fox')).toEqual([written('out/fox.mp4')]);
  expect(await again('a blue fox')).toEqual([written('out/fox.mp4')]);
  expect(await list('out')).toEqual(['fox.mp4']);
  const kept = (name: string) =>
    written('out/fox.mp4', `what had its name was not written by shotlist, and is kept beside it as ${name}`);
  await writeFile(join(root, 'out/fox.mp4'), 'graded by hand');
  expect(await again('a blue fox')).toEqual([kept('fox.before-shotlist.mp4')]);
  await writeFile(join(root, 'out/fox.mp4'), 'graded again');
  expect(await again('a blue fox')).toEqual([kept('fox.before-shotlist-2.mp4')]);
  // The same work is not kept twice, and nothing is nobody's work.
  await writeFile(join(root, 'out/fox.mp4'), 'graded by hand');
  expect(await again('a blue fox')).toEqual([kept('fox.before-shotlist.mp4')]);
  await writeFile(join(root, 'out/fox.mp4'), '');
  expect(await again('a blue fox')).toEqual([written('out/fox.mp4')]);
  expect(await list('out')).toEqual(['fox.before-shotlist-2.mp4', 'fox.before-shotlist.mp4', 'fox.mp4']);
  expect([await text('out/fox.before-shotlist.mp4'), await text('out/fox.before-shotlist-2.mp4')]).toEqual([
    'graded by hand',
    'graded again',
  ]);
});

test('texts are known again too, and what is kept of a long name is a shorter one', async () => {
  const { root, place, list } = await room();
  const long = `${'ü'.repeat(125)}.txt`;
  const again = (words: string) => place(`out/${long}`, wrote(words));
  await again('one');
  expect(await again('two')).toEqual([written(`out/${long}`)]);
  expect(await readFile(join(root, 'out', long), 'utf8')).toBe('two\n');
  await writeFile(join(root, 'out', long), 'mine, all of it');
  expect(await again('two')).toMatchObject([{ is: 'written', note: expect.stringContaining('kept beside it') }]);
  expect(await list('out')).toEqual([`${'ü'.repeat(117)}.before-shotlist.txt`, long].sort());
});

test('what is there already is left alone, even read-only', async () => {
  const { root, outputs, media } = await room();
  const long = 'a red fox'.repeat(1_000);
  const fox = await media(long);
  await outputs(['out/fox.mp4']).rest(() => fox);
  const path = join(root, 'out/fox.mp4');
  await chmod(path, 0o444);
  const { ino } = await stat(path);
  expect(await outputs(['out/fox.mp4']).rest(() => fox)).toEqual([inPlace('out/fox.mp4')]);
  expect((await stat(path)).ino).toBe(ino);
  // Nor is it read: of one length and date it is taken for the same.
  const { atime, mtime } = await stat(path);
  await writeFile(path, long.toUpperCase());
  await utimes(path, atime, mtime);
  expect(await outputs(['out/fox.mp4']).rest(() => fox)).toEqual([inPlace('out/fox.mp4')]);
  expect(await readFile(path, 'utf8')).toBe(long.toUpperCase());
});

const PNG = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478da63fcffff3f030005fe02fea7d6059a0000000049454e44ae426082',
  'hex',
);

test('media get the extension of what they hold, with a note; texts keep theirs, and a wrong one is reported', async () => {
  const { media, place } = await room();
  const webp = await media('webp', { kind: 'image', format: 'webp' }, '.webp');
  const pages = await media(PNG, { kind: 'image' }, '');
  const sound = await media('sound', { kind: 'audio', format: 'mp4' }, '.m4a');
  const renamed = (path: string, asked: string, what: string) =>
    written(path, `it holds ${what}, so it ends in ${extname(path)}, where \`to:\` says ${asked}`, asked);
  const lies = (path: string, what: string, end: string, right: string) =>
    written(path, `it is ${what}, though its name ends in ${end}: end \`to:\` in ${right}, or convert it`);
  expect(await place('a.png', webp)).toEqual([renamed('a.webp', 'a.png', 'WebP')]);
  expect(await place('a.MP4', webp)).toEqual([{ ...renamed('a.webp', 'a.MP4', 'WebP'), unchanged: true }]);
  // It is `a.webp` once more.
  expect(await place('a.txt', webp)).toEqual([{ ...renamed('a.webp', 'a.txt', 'WebP'), unchanged: true }]);
  // Facts that do not tell the format: the bytes do.
  expect(await place('b.jpg', pages)).toEqual([renamed('b.png', 'b.jpg', 'PNG')]);
  expect(await place('c.mp3', wrote('a fox'))).toEqual([lies('c.mp3', 'text', '.mp3', '.txt')]);
  expect(await place('c.json', wrote('a fox'))).toEqual([lies('c.json', 'text', '.json', '.txt')]);
  for (const [path, result] of [
    ['d.webp', webp],
    ['d.PNG', pages],
    ['d.bin', webp],
    ['d.m4a', sound],
    ['d.mp4', sound],
    ['d.md', wrote('a fox')],
    ['d.yaml', wrote('{}', {})],
  ] as const)
    expect(await place(path, result)).toEqual([written(path)]);
});

test('two outputs that differ in their extension alone never become one', async () => {
  const { outputs, media, text } = await room();
  const films = outputs(['fox.webp', 'fox.mp4', 'fox.jpg']);
  const png = (content: string) => media(content, { kind: 'image', format: 'png' }, '.png');
  for (const [path, content] of [
    ['fox.jpg', 'a still'],
    ['fox.webp', 'a poster'],
  ] as const)
    await films.place(key(path), await png(content));
  await films.place(key('fox.mp4'), await media('a film'));
  expect([await text('fox.webp.png'), await text('fox.jpg.png'), await text('fox.mp4')]).toEqual([
    'a poster',
    'a still',
    'a film',
  ]);
});

test('with no extension the right one is added, and told', async () => {
  const { media, place, list } = await room();
  const webp = await media('webp', { kind: 'image', format: 'webp' }, '.jpg');
  expect(await place('out/fox', webp)).toEqual([written('out/fox.webp', undefined, 'out/fox')]);
  expect(await place('out/shot-1.5', webp)).toEqual([written('out/shot-1.5.webp', undefined, 'out/shot-1.5')]);
  expect(await place('out/page', await media(PNG, { kind: 'image' }, ''))).toMatchObject([{ path: 'out/page.png' }]);
  expect(await place('out/odd', await media('?', { kind: 'video', format: '../../x' }, '.mp4'))).toMatchObject([
    {
      path: 'out/odd.mp4',
    },
  ]);
  expect(await place('out/odder', await media('!', { kind: 'video' }, ''))).toMatchObject([{ path: 'out/odder' }]);
  expect(await place('out/words', wrote('a fox'))).toMatchObject([{ path: 'out/words.txt' }]);
  expect(await place('out/beats', wrote('[1]', [1]))).toMatchObject([{ path: 'out/beats.json' }]);
  expect(await list('out')).toHaveLength(7);
});

test('an added extension never makes two outputs one', async () => {
  const { outputs, media, text } = await room();
  const films = outputs(['out/fox', 'out/FOX.mp4']);
  expect(await films.place(key('out/fox'), await media('a red fox'))).toEqual([
    written('out/fox', 'it has no extension, as out/fox.mp4 is another output: give `to:` one'),
  ]);
  await films.place(key('out/FOX.mp4'), await media('a blue fox'));
  expect([await text('out/fox'), await text('out/FOX.mp4')]).toEqual(['a red fox', 'a blue fox']);
});

test('bytes that the store has lost are told, and cost no other output', async () => {
  const { outputs, media } = await room();
  const lost = { ...(await media('a red fox')), sha256: 'ab'.repeat(32) };
  const films = outputs(['out/fox.mp4', 'out/owl.mp4']);
  expect(await films.place(key('out/fox.mp4'), lost)).toEqual([
    failed('out/fox.mp4', 'its bytes are not in the store any more'),
  ]);
  expect(await films.place(key('out/owl.mp4'), await media('an owl'))).toEqual([written('out/owl.mp4')]);
});
