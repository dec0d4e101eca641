/** What every implementation of `Executor` must do. A case speaks to the port alone, and to a world that its implementation works in. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { InstanceKey } from '../../../src/model/run/key.ts';
import type { Store } from '../../../src/records/store/store.ts';
import type { Probe } from '../../../src/run/local/created-files.ts';
import type { FetchResult } from '../../../src/run/local/local-executor.ts';
import type { RenderCut } from '../../../src/run/local/make-cut.ts';
import type {
  CommandOutcome,
  CommandWork,
  CutWork,
  DownloadOutcome,
  Executor,
} from '../../../src/run/ports/executor.ts';
import { POLL_PATIENCE } from '../../support/patience.ts';
import { oneFile, PROMISES_NOTHING } from '../command-files.ts';

export interface ExecutorWorld {
  readonly executor: Executor;
  /** The project's root; commands see it as `$SHOTLIST_PROJECT`. */
  readonly root: string;
  /** What there is at an address: its text, or what a download of it ends with. Absent: it never answers. */
  readonly addresses: Map<string, string | Exclude<DownloadOutcome, { readonly is: 'ok' }>>;
  /**
   * What rendering ends with, in order: text that the film then holds, or a sentence for its author. None left: it never ends by itself.
   */
  readonly renders: ({ readonly film: string } | { readonly message: string })[];
  /** The content with this digest. */
  textOf(sha256: string): Promise<string>;
  /** Resolves once so many commands wait for a free slot. Absent: they wait as soon as they are asked for. */
  waiting?(commands: number): Promise<void>;
}

/** Downloads, renders and probes as a case says: the addresses and renders that it fills in, kept in `store` by way of `folder`. */
export function scriptedWork(store: Pick<Store, 'adopt' | 'pathOf'>, folder: string) {
  const addresses: ExecutorWorld['addresses'] = new Map();
  const renders: ExecutorWorld['renders'] = [];
  const probe: Probe = async path => (path.endsWith('film.mp4') ? { kind: 'video', duration: 1 } : null);
  const renderCut: RenderCut = async ({ cut, to, signal, onProgress }) => {
    const next = renders.shift();
    onProgress(cut.frames / 2);
    if (!next) return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    await writeFile(to, 'film' in next ? next.film : 'half a film');
    onProgress(cut.frames);
    return 'film' in next ? { is: 'ok' } : { is: 'failed', ...next };
  };
  const fetchResult: FetchResult = async (url, id, signal) => {
    const found = addresses.get(url);
    if (found === undefined) {
      await new Promise(resolve => signal.addEventListener('abort', resolve));
      return { is: 'failed', message: 'stopped' };
    }
    if (typeof found !== 'string') return found;
    const part = join(folder, `${id}.part`);
    await writeFile(part, found);
    return { is: 'ok', ...(await store.adopt(part, '.mp4')) };
  };
  const textOf = async (sha256: string) => readFile(await store.pathOf(sha256), 'utf8');
  return { world: { addresses, renders, textOf }, probe, renderCut, fetchResult };
}

/** `open`: a world of the test's own, with so many commands and one cut at once. */
export function executorCases(
  open: (limits: { readonly commands: number }) => Promise<ExecutorWorld>,
  /** Milliseconds after which whatever could have begun has begun. */
  settling = 0,
): void {
  const settled = () => new Promise(resolve => setTimeout(resolve, settling));

  test('a command gives its output, and the files that it promised by their content', async () => {
    const { executor, textOf } = await open(ROOMY);
    const done = await run(executor, {
      ...sh('echo a fox >clip.txt; echo \'{"beats":[1]}\''),
      creates: { clip: 'clip.txt' },
    });
    if (done.is !== 'ok') throw new Error(done.is);
    expect(done.result).toMatchObject({ stdout: '{"beats":[1]}', json: { beats: [1] } });
    expect(Object.keys(done.result.files)).toEqual(['clip']);
    expect(await textOf(oneFile(done.result.files, 'clip')?.sha256 ?? '')).toBe('a fox\n');
  });

  test('a command that does not leave what it promised has failed', async () => {
    const { executor } = await open(ROOMY);
    const done = await run(executor, {
      ...sh('echo a fox >clip.txt'),
      creates: { clip: 'clip.txt', still: 'still.png' },
    });
    expect(done).toMatchObject({ is: 'failed', failure: { code: 'command_failed', exit: 0 } });
  });

  test('a command that ends badly has failed, with how it ended', async () => {
    const { executor } = await open(ROOMY);
    expect(await run(executor, sh('exit 3'))).toMatchObject({
      is: 'failed',
      failure: { code: 'command_failed', exit: 3 },
    });
    expect(await run(executor, { ...sh('sleep 60'), timeoutMs: 50 })).toMatchObject({
      is: 'failed',
      failure: { code: 'timed_out' },
    });
  });

  test('each command has an empty folder of its own, also beside another', async () => {
    const { executor } = await open(ROOMY);
    const outputs = await Promise.all(
      ['fox', 'owl'].map(name => run(executor, sh(`ls; echo ${name} >same.txt; sleep 0.1; cat same.txt`))),
    );
    expect(outputs.map(stdoutOf)).toEqual(['fox', 'owl']);
    expect(stdoutOf(await run(executor, sh('ls')))).toBe('');
  });

  test('a command that acts outside begins once it may', async () => {
    const { executor, root } = await open(ROOMY);
    const acts = { ...sh('echo the fox film >"$SHOTLIST_PROJECT/posted"'), effect: true };
    const order: string[] = [];
    const post = (may: boolean) => {
      const begin = async () => {
        order.push(existsSync(join(root, 'posted')) ? 'asked too late' : 'asked in time');
        return may;
      };
      return executor.runCommand(acts, { priority: 0, started: () => {}, begin }, never());
    };
    expect(await post(false)).toEqual({ is: 'stopped' });
    expect(existsSync(join(root, 'posted'))).toBe(false);
    expect(await post(true)).toMatchObject({ is: 'ok', result: { effect: true } });
    expect(readFileSync(join(root, 'posted'), 'utf8')).toBe('the fox film\n');
    expect(order).toEqual(['asked in time', 'asked in time']);
  });

  test('what acts outside is brought to its end, also where its signal aborts meanwhile', async () => {
    const { executor, root } = await open(ROOMY);
    const stop = new AbortController();
    const acts = { ...sh(`touch "$SHOTLIST_PROJECT/begun"; ${untilThere(root)}; echo posted`), effect: true };
    const begin = async () => true;
    const done = executor.runCommand(acts, { priority: 0, started: () => {}, begin }, stop.signal);
    await vi.waitFor(() => expect(existsSync(join(root, 'begun'))).toBe(true), SOON);
    stop.abort();
    await settled();
    writeFileSync(join(root, 'go'), '');
    expect(await done).toMatchObject({ is: 'ok', result: { stdout: 'posted', effect: true } });
  });

  test('a command whose project is named in its arguments finds it', async () => {
    const { executor, root } = await open(ROOMY);
    writeFileSync(join(root, 'notes.txt'), 'of the project');
    const work = { ...sh(''), command: { argv: ['cat', join(root, 'notes.txt')] } };
    expect(stdoutOf(await run(executor, work))).toBe('of the project');
  });

  test('no more commands run at once than may, and of those that wait the longest path goes first', async () => {
    const { executor, root, waiting } = await open({ commands: 1 });
    const started: string[] = [];
    const begin = (name: string, priority: number, work = sh('true')) =>
      executor.runCommand(
        { ...work, key: name as InstanceKey },
        { priority, started: () => started.push(name) },
        never(),
      );
    const first = begin('first', 0, sh(untilThere(root)));
    await vi.waitFor(() => expect(started).toEqual(['first']), SOON);
    const others = [begin('short', 1), begin('long', 90), begin('middle', 30)];
    await settled();
    await waiting?.(3);
    expect(started).toEqual(['first']);
    writeFileSync(join(root, 'go'), '');
    await Promise.all([first, ...others]);
    expect(started).toEqual(['first', 'long', 'middle', 'short']);
  });

  test('one whose signal aborts while it waits is stopped, and never started', async () => {
    const { executor, root, waiting: queued } = await open({ commands: 1 });
    let hasBegun = false;
    const begun = () => {
      hasBegun = true;
    };
    const first = executor.runCommand(sh(untilThere(root)), { priority: 0, started: begun }, never());
    await vi.waitFor(() => expect(hasBegun).toBe(true), SOON);
    const waiting = new AbortController();
    let isStarted = false;
    const started = () => {
      isStarted = true;
    };
    const second = executor.runCommand(sh('true'), { priority: 0, started }, waiting.signal);
    await settled();
    await queued?.(1);
    waiting.abort();
    await queued?.(0);
    writeFileSync(join(root, 'go'), '');
    expect(await second).toEqual({ is: 'stopped' });
    expect(isStarted).toBe(false);
    expect((await first).is).toBe('ok');
  });

  test('one whose signal aborts while it runs is stopped: it settles when the command has ended', async () => {
    const { executor, root } = await open(ROOMY);
    const stop = new AbortController();
    const done = executor.runCommand(
      sh('echo $$ >"$SHOTLIST_PROJECT/pid.part"; mv "$SHOTLIST_PROJECT/pid.part" "$SHOTLIST_PROJECT/pid"; sleep 60'),
      { priority: 0, started: () => {} },
      stop.signal,
    );
    const pid = join(root, 'pid');
    while (!existsSync(pid)) await new Promise(resolve => setTimeout(resolve, 10));
    stop.abort();
    expect(await done).toEqual({ is: 'stopped' });
    expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow('ESRCH');
  });

  test('a download gives the content by its digest and size; what is no media has no facts', async () => {
    const { executor, addresses, textOf } = await open(ROOMY);
    addresses.set('https://house.test/fox', 'the fox film');
    const done = await executor.download(
      { url: 'https://house.test/fox', id: 'gen-1' },
      { started: () => {} },
      never(),
    );
    if (done.is !== 'ok') throw new Error(done.is);
    expect(done).toMatchObject({ bytes: 12, media: null });
    expect(await textOf(done.sha256)).toBe('the fox film');
  });

  test.each([
    { is: 'gone', message: 'the storage answered 404' },
    { is: 'failed', message: 'the storage answered 503' },
    { is: 'misfit', message: 'a page instead of a film' },
  ] as const)('a download says why there is nothing: $is', async ends => {
    const { executor, addresses } = await open(ROOMY);
    addresses.set('https://house.test/fox', ends);
    const work = { url: 'https://house.test/fox', id: 'gen-1', kind: 'video' } as const;
    expect(await executor.download(work, { started: () => {} }, never())).toEqual(ends);
  });

  test('a cut gives a film by its content, and says how far it is', async () => {
    const { executor, renders, textOf } = await open(ROOMY);
    renders.push({ film: 'a fox, then an owl' });
    const said: (string | number)[] = [];
    const turn = {
      priority: 0,
      started: () => void said.push('started'),
      progress: (one: number) => void said.push(one),
    };
    const made = await executor.makeCut(TITLE, turn, never());
    if (made.is !== 'ok') throw new Error(made.is);
    expect(made.result).toMatchObject({ is: 'media', generation_id: null, cost: 0, media: { kind: 'video' } });
    expect(made.result.result_url).toMatch(/^file:\/\/\/content\/[\da-f]{64}\.mp4$/);
    expect(await textOf(made.result.sha256)).toBe('a fox, then an owl');
    expect(said[0]).toBe('started');
    expect(said.at(-1)).toBe(1);
  });

  test('a cut that cannot be rendered says why', async () => {
    const { executor, renders } = await open(ROOMY);
    renders.push({ message: 'its second clip is broken; make it again' });
    expect(await cut(executor, never())).toEqual({
      is: 'failed',
      failure: { code: 'cut_failed', message: 'its second clip is broken; make it again' },
    });
  });

  test('a cut of a file that is nowhere names it, and nothing is rendered', async () => {
    const { executor } = await open(ROOMY);
    const source = { sha256: 'f'.repeat(64), path: '/content/x.mp4', facts: { kind: 'video' as const } };
    const picture = { is: 'video', source, in: 0, speed: 1, fit: 'crop' } as const;
    const shots = [{ ...TITLE.cut.shots[0]!, picture, name: 'shot[n=2]' }];
    const made = await executor.makeCut({ ...TITLE, cut: { ...TITLE.cut, shots } }, QUIET, never());
    expect(made).toMatchObject({ is: 'failed', failure: { code: 'cut_failed' } });
    expect(made.is === 'failed' && made.failure.message).toContain(
      'the file of shot[n=2] is not on this machine any more',
    );
  });

  test('one cut is rendered at a time; one that is called off stops, and one that is called off while it waits is not begun', async () => {
    const { executor, renders } = await open(ROOMY);
    const [first, second] = [new AbortController(), new AbortController()];
    let begun = 0;
    const turn = { ...QUIET, started: () => void begun++ };
    const endless = executor.makeCut(TITLE, turn, first.signal);
    await vi.waitFor(() => expect(begun).toBe(1), SOON);
    const waiting = executor.makeCut({ ...TITLE, key: 'second' as InstanceKey }, turn, second.signal);
    await settled();
    expect(begun).toBe(1);
    second.abort();
    const last = executor.makeCut({ ...TITLE, key: 'last' as InstanceKey }, turn, never());
    await settled();
    expect(begun).toBe(1);
    renders.push({ film: 'the last' });
    first.abort();
    expect(await endless).toEqual({ is: 'stopped' });
    expect(await waiting).toEqual({ is: 'stopped' });
    expect((await last).is).toBe('ok');
    expect(begun).toBe(2);
  });
}

/** Also of work that another machine begins. */
const SOON = { timeout: POLL_PATIENCE, interval: 5 };

const QUIET = { priority: 0, started: () => {}, progress: () => {} };

/** A title for a second. */
const TITLE: CutWork = {
  key: 'film' as InstanceKey,
  authorPaths: new Map(),
  cut: {
    ...{ size: { width: 64, height: 64 }, rate: { frames: 24, seconds: 1 }, frames: 24 },
    ...{ overlays: [], sounds: [], loudness: null, codec: 'h264' },
    shots: [
      { at: 0, frames: 24, dissolve: 0, fadeIn: 0, fadeOut: 0, name: 'title', picture: { is: 'title', text: 'Fox' } },
    ],
  },
};

const cut = (executor: Executor, signal: AbortSignal) => executor.makeCut(TITLE, QUIET, signal);

const ROOMY = { commands: 4 };
const never = () => new AbortController().signal;
const untilThere = (root: string) => `until test -e '${join(root, 'go')}'; do sleep 0.02; done`;

const sh = (script: string): CommandWork => ({
  ...{ fingerprint: 'f', command: { script, shell: 'sh' } },
  ...{ ...PROMISES_NOTHING, key: 'step' as InstanceKey },
});

const run = (executor: Executor, work: CommandWork): Promise<CommandOutcome> =>
  executor.runCommand(work, { priority: 0, started: () => {} }, never());

const stdoutOf = (done: CommandOutcome) => (done.is === 'ok' ? done.result.stdout : done.is);
