/** A star under `creates`: a list of files, from the folder of the command to the place where its author wants them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { CommandRunner } from '../../src/machine/process/command-runner.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import type { Probe } from '../../src/run/local/created-files.ts';
import { type CommandToRun, runCommand } from '../../src/run/local/run-command.ts';
import { jsonLine } from '../../src/show/reporters/json-lines.ts';
import { summaryLines } from '../../src/show/text/run-summary.ts';
import { temporaryFolder } from '../support/temp.ts';
import { listOf, NO_LOG, oneFile, PROMISES_NOTHING } from './command-files.ts';
import { eventLines, ran, rig, type StartedRun, withRig } from './rig.ts';

const runner = new CommandRunner({ environment: { PATH: process.env.PATH }, grace: 100 });
afterAll(() => runner.close());

describe('a command', () => {
  let folder: string;
  let store: LocalStore;
  beforeEach(async () => {
    const home = await temporaryFolder();
    folder = join(home, 'step');
    await mkdir(folder);
    store = await LocalStore.open(join(home, 'store'));
  });

  const clips = (script: string, rest: Partial<CommandToRun> = {}, probe: Probe = async () => null) =>
    runCommand(
      {
        ...PROMISES_NOTHING,
        ...{ command: { script, shell: 'sh' }, creates: { clips: 'part_*.txt' }, lists: ['clips'], mostFiles: 40 },
        ...rest,
      },
      { folder, root: folder, runner, store, probe, signal: new AbortController().signal, log: NO_LOG },
    );
  const message = (done: Awaited<ReturnType<typeof clips>>) => (done.is === 'failed' ? done.failure.message : done.is);

  test('gives all files that match, in natural order, each by its name and content', async () => {
    const done = await clips('for n in 10 2 1; do echo $n >part_$n.txt; done; echo x >other.txt; echo x >.part_3.txt');
    if (done.is !== 'ok') throw new Error(message(done));
    const list = listOf(done.result.files, 'clips');
    expect(list.map(({ name }) => name)).toEqual(['part_1.txt', 'part_2.txt', 'part_10.txt']);
    const texts = list.map(({ sha256 }) => readFileSync(store.file(sha256) ?? '', 'utf8'));
    expect(texts).toEqual(['1\n', '2\n', '10\n']);
    expect(list[0]).toMatchObject({ extension: '.txt', bytes: 2, media: null });
  });

  test('gives a file under each of its names, and one that a link of its folder leads to', async () => {
    const done = await clips('echo 1 >part_1.txt; echo 2 >part_2.txt; ln -s part_2.txt part_last.txt', {
      creates: { clips: 'part_*.txt', first: 'part_1.txt' },
    });
    if (done.is !== 'ok') throw new Error(message(done));
    const list = listOf(done.result.files, 'clips');
    expect(list.map(({ name }) => name)).toEqual(['part_1.txt', 'part_2.txt', 'part_last.txt']);
    expect(oneFile(done.result.files, 'first')?.sha256).toBe(list[0]?.sha256);
    expect(list[2]?.sha256).toBe(list[1]?.sha256);
  });

  test('gives equal files twice', async () => {
    const done = await clips('echo a >part_1.txt; echo a >part_2.txt');
    if (done.is !== 'ok') throw new Error(message(done));
    expect(new Set(listOf(done.result.files, 'clips').map(({ sha256 }) => sha256)).size).toBe(1);
  });

  test('finds a star in a folder of its own, that is there before it starts', async () => {
    const creates = { clips: 'parts/*.txt' };
    const done = await clips('echo a >parts/a.txt', { creates });
    expect(done.is === 'ok' && listOf(done.result.files, 'clips')).toMatchObject([{ name: 'a.txt' }]);
  });

  test('takes no other sign of a pattern for one', async () => {
    const done = await clips('echo a >"[a].txt"; echo b >a.txt', { creates: { clips: '[a]*.txt' } });
    expect(done.is === 'ok' && listOf(done.result.files, 'clips')).toMatchObject([{ name: '[a].txt' }]);
  });

  test('that leaves none, or too many, has failed, and is told what it left', async () => {
    expect(message(await clips('echo a >prat_1.txt'))).toBe(
      'the command promised `clips`, but `part_*.txt` matches nothing; it left `prat_1.txt`. Have the command write it, or correct `creates`',
    );
    expect(message(await clips('for n in $(seq 41); do echo $n >part_$n.txt; done'))).toBe(
      'the command left 41 files for `clips` (`part_*.txt`), and 40 is the most; have it leave fewer, or give the step `max: 41`',
    );
  });

  test.each([
    [': >part_1.txt', '`part_1.txt` is empty'],
    ['mkdir part_1.txt', '`part_1.txt` is no file'],
    ['echo a >../outside.txt; ln -s ../outside.txt part_1.txt', '`part_1.txt` is a link that leads out of its folder'],
    ['ln -s nothing part_1.txt', '`part_1.txt` is not there'],
  ])('that leaves something else in one place of the list has failed: %s', async (script, words) => {
    expect(message(await clips(`echo a >part_2.txt; ${script}`))).toContain(
      `the command promised \`clips\`, but ${words}`,
    );
    expect(readdirSync(folder)).toContain('part_2.txt');
  });

  test('whose file is not what its name says has failed, and is told what it is', async () => {
    const creates = { still: 'still.png' };
    const one = (probe: Probe) => clips('echo a >still.png', { creates, lists: [] }, probe);
    expect(message(await one(async () => ({ misfit: 'an HTML page of 2 kB' })))).toBe(
      'the command promised `still`, but `still.png` is no picture but an HTML page of 2 kB. Have the command write what the name says, or give it the name of what it is',
    );
    expect(message(await one(async () => ({ kind: 'video' })))).toContain('`still.png` is no picture but a film.');
    expect(readdirSync(folder)).toEqual(['still.png']);
  });

  test('whose file nobody can look at, or that only lacks its pictures, is believed', async () => {
    const made = async (path: string, facts: MediaFacts | null) =>
      (await clips(`echo a >${path}`, { creates: { it: path }, lists: [] }, async () => facts)).is;
    expect(await made('still.png', null)).toBe('ok');
    expect(await made('line.mp4', { kind: 'audio' })).toBe('ok');
    expect(await made('table.csv', null)).toBe('ok');
    expect(await made('photo.jpg', { kind: 'image', format: 'png' })).toBe('ok');
  });
});

describe('a film', () => {
  withRig();

  const PARTS = `
steps:
  parts:
    run: 'for n in 1 2 10; do echo "part $n" >part_$n.mp4; done'
    creates: { clips: "part_*.mp4" }
  told:
    run: [echo, "\${{ steps.parts.files.clips.map(c, c.name).join(' ') }}", "\${{ steps.parts.files.clips[2].sha256 }}"]
  read:
    files: { clip: "\${{ steps.parts.files.clips[2] }}" }
    run: 'cat "$clip"'
outputs:
  clips: { from: "\${{ steps.parts.files.clips }}", to: "out/part-{n}.mp4" }
`;
  const said = (film: StartedRun, key: string) =>
    film.events.flatMap(event =>
      (event.type === 'succeeded' || event.type === 'reused') && event.key === key && event.result.is === 'command'
        ? [event.result.stdout]
        : [],
    )[0];
  const out = (n: number) => readFileSync(join(rig.folder, `out/part-${n}.mp4`), 'utf8');

  test('reads a list by its places, and puts each of its files where its number says', async () => {
    const { film, outcome } = await ran(PARTS);
    expect(outcome.is).toBe('done');
    expect(said(film, 'told')).toMatch(/^part_1\.mp4 part_2\.mp4 part_10\.mp4 [0-9a-f]{64}$/);
    expect(said(film, 'read')).toBe('part 10');
    expect([out(1), out(2), out(3)]).toEqual(['part 1\n', 'part 2\n', 'part 10\n']);
    const view = emptyRunView();
    for (const event of film.events) reduce(view, event);
    expect(
      summaryLines(view)
        .map(({ text }) => text)
        .slice(1),
    ).toEqual(['out/part-1.mp4', 'out/part-2.mp4', 'out/part-3.mp4']);
    const made = film.events.find(event => event.type === 'succeeded' && event.key === 'parts');
    const { result } = JSON.parse(made ? jsonLine(made, sha256 => `/store/${sha256}`) : '{}');
    expect(
      result.files.clips.map(({ name, file }: { name: string; file: string }) => [name, file.slice(0, 7)]),
    ).toEqual([
      ['part_1.mp4', '/store/'],
      ['part_2.mp4', '/store/'],
      ['part_10.mp4', '/store/'],
    ]);
  });

  test('owns a list by the journal, and by the lock: what is there is not made again', async () => {
    await ran(PARTS);
    const again = await ran(PARTS);
    expect(eventLines(again.film.events).filter(line => /^parts [^o]/.test(line))).toEqual(['parts reused']);
    expect(rig.lockText).toContain('name: part_10.mp4');
    const { lockText } = rig;
    // Its files are elsewhere: a command costs nothing, so it is run again, and gives the same.
    await rig.cloneAfresh();
    await ran(PARTS);
    expect(rig.lockText).toBe(lockText);
    expect(out(3)).toBe('part 10\n');
  });

  test('raises `max` without making anything again, and a list is not what was one file before', async () => {
    await ran(PARTS);
    const more = await ran(PARTS.replace('"part_*.mp4" }', '"part_*.mp4" }\n    max: 50'));
    expect(eventLines(more.film.events).filter(line => /^parts [^o]/.test(line))).toEqual(['parts reused']);
  });

  test('with two outputs that turn out to be one place writes one of them, and tells of the other', async () => {
    const text = `${PARTS}  more: { from: "\${{ steps.parts.files.clips }}", to: "out/part-1{n}.mp4" }
`.replace('for n in 1 2 10', 'for n in 1 2 3 4 5 6 7 8 9 10 11');
    const { outcome } = await ran(text);
    expect(outcome.outputs.filter(({ is }) => is === 'failed')).toMatchObject([
      {
        path: 'out/part-11.mp4',
        reason: expect.stringContaining('another output has this place: change `to:` of one of them'),
      },
    ]);
    expect(out(11)).toMatch(/^part (1|11)\n$/);
  });

  test('whose value brings a star of its own runs nothing', async () => {
    const text = PARTS.replace('  parts:\n', '  parts:\n    matrix: { look: ["a*"] }\n')
      .replace('"part_*.mp4"', '"${{ matrix.look }}_*.mp4"')
      .split('  told:')[0];
    await expect(rig.start(text ?? '')).rejects.toThrow('brings a star of its own');
  });

  test('tells fifty failures of one step once, with the last that it said and where all of it is', async () => {
    const text = `
steps:
  shot:
    matrix: { n: "\${{ range }}" }
    run: 'for l in $(seq 30); do echo "reading frame $l"; done; echo "shot $n: No space left on device"; exit 3'
    env: { n: "\${{ matrix.n }}" }
`.replace('"${{ range }}"', `[${Array.from({ length: 50 }, (_, n) => n).join(', ')}]`);
    const { film, outcome } = await ran(text);
    expect(outcome.counts.failed).toBe(50);
    const view = emptyRunView();
    for (const event of film.events) reduce(view, event);
    const lines = summaryLines(view);
    expect(lines.map(({ role, text: words }) => `${role}: ${words}`).slice(1)).toEqual([
      'failed: shot ×50',
      'detail: shot[n=0], shot[n=1], shot[n=2], shot[n=3], shot[n=4] and 45 more',
      'detail: the command ended with exit code 3; it cost nothing',
      ...Array.from({ length: 19 }, (_, n) => `log: reading frame ${n + 12}`),
      'log: shot 0: No space left on device',
      expect.stringMatching(/^detail: the output of shot\[n=0\]: work\/logs\/.*\/shot\[n=0\]\.log$/),
      'detail: first: mend step shot in film.yaml',
      'next: to go on (what is done is kept, and not paid for again):',
      'command: shotlist run film.yaml',
    ]);
    const log = lines.find(({ text: words }) => words.startsWith('the output of'))?.text.split(': ')[1] ?? '';
    expect(readFileSync(join(rig.folder, log), 'utf8').split('\n')).toHaveLength(32);
    expect(existsSync(join(rig.folder, log))).toBe(true);
  });

  test('runs a command again in a fresh clone whose output was too long for the lock, instead of reading none', async () => {
    const text = `
steps:
  list: { run: 'printf "{\\"beats\\": [\\"%0*d\\"]}" 5000 7' }
  read: { run: [echo, "\${{ steps.list.json.beats[0].size() }}"] }
`;
    expect(said((await ran(text)).film, 'read')).toBe('5000');
    expect(rig.lockText).toContain('left_out: 5015');
    expect(eventLines((await ran(text)).film.events)).toEqual(['list reused', 'read reused', 'run_finished']);
    await rig.cloneAfresh();
    const clone = await ran(text);
    expect(eventLines(clone.film.events).filter(line => line.startsWith('list'))).toEqual([
      'list command_started',
      'list succeeded',
    ]);
    expect(said(clone.film, 'read')).toBe('5000');
  });
});
