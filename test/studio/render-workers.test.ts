import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import { type RenderWorkersOptions, renderWorkers } from '../../src/studio/animatic/process/render-workers.ts';
import { FakeClock } from '../support/fake-clock.ts';

const folder = await mkdtemp(join(tmpdir(), 'workers-'));
const workplace = join(folder, 'job');
await mkdir(workplace);
afterAll(() => rm(folder, { recursive: true }));

function hire(options: Partial<RenderWorkersOptions> = {}) {
  const clock = new FakeClock();
  const log: string[] = [];
  const entry = join(import.meta.dirname, 'scripted-worker.ts');
  const renderer = renderWorkers({ clock, log: line => log.push(line), environment: {}, entry, ...options });
  const stop = new AbortController();
  let count = 0;
  return {
    clock,
    log,
    stop,
    /** The worker that drew it, or the sentence it failed with. */
    render: async (prompt: string, progress: (fraction: number) => void = () => {}): Promise<string> => {
      const job = {
        id: `job-${++count}`,
        label: 'I-GEN-A',
        kind: 'image_generate',
        request: { prompt },
        inputs: {},
        folder: workplace,
        speed: 'draft',
      } as const;
      try {
        return String((await renderer.render(job, { progress, signal: stop.signal })).facts.format);
      } catch (error) {
        return (error as Error).message;
      }
    },
    /** The worker that looked at it, or the sentence about it. */
    probe: async (file: string): Promise<string> => {
      try {
        return String((await renderer.probe(join(folder, file), stop.signal)).format);
      } catch (error) {
        return `${(error as Error).name}: ${(error as Error).message}`;
      }
    },
    [Symbol.asyncDispose]: () => renderer.close(),
  };
}

const isAlive = (worker: string): boolean => {
  try {
    return process.kill(Number(worker.replace('by ', '')), 0);
  } catch {
    return false;
  }
};

test('one warm worker draws job after job, and tells how far it is', async () => {
  await using crew = hire();
  const progress: number[] = [];
  const first = await crew.render('draw', fraction => progress.push(fraction));
  expect([first, progress]).toEqual([expect.stringMatching(/^by \d+$/), [0.5]]);
  expect(await crew.render('refuse')).toBe('the prompt holds no shot');
  expect(await crew.render('draw')).toBe(first);
});

test('two jobs at once take two workers', async () => {
  await using crew = hire();
  const both = await Promise.all([crew.render('draw'), crew.render('draw')]);
  expect(new Set(both).size).toBe(2);
});

test('a worker is replaced when it has done its share', async () => {
  await using crew = hire({ share: 2 });
  const drawn = [await crew.render('draw'), await crew.render('draw'), await crew.render('draw')];
  expect([drawn[1] === drawn[0], drawn[2] === drawn[0], isAlive(String(drawn[0]))]).toEqual([true, false, false]);
});

test('a native crash fails one job with a sentence, and a new worker takes the next', async () => {
  await using crew = hire();
  expect(await crew.render('crash')).toBe(
    'the renderer crashed while drawing this (it was ended by SIGSEGV); send the request again, or change it',
  );
  expect(await crew.render('leave')).toBe(
    'the renderer crashed while drawing this (it ended with code 3); send the request again, or change it',
  );
  expect(await crew.render('draw')).toMatch(/^by \d+$/);
  expect(crew.log).toEqual([
    'renderer: free(): invalid pointer',
    'job-1 I-GEN-A: the renderer was ended by SIGSEGV, after saying: free(): invalid pointer',
    'job-2 I-GEN-A: the renderer ended with code 3',
  ]);
});

test('a worker that somebody else stops is replaced once, and the job is done again', async () => {
  await using crew = hire();
  expect(await crew.render('be stopped at first')).toMatch(/^by \d+$/);
  expect(await readdir(workplace)).toEqual(['result.txt']);
  expect(await crew.render('be stopped')).toBe(
    'the renderer crashed while drawing this (it was ended by SIGTERM); send the request again, or change it',
  );
});

test('what a crashed worker had started itself ends with it', async () => {
  await using crew = hire();
  expect(await crew.render('leave somebody behind')).toBe(
    'the renderer crashed while drawing this (it ended with code 3); send the request again, or change it',
  );
  expect(crew.log[0]).toMatch(/^renderer: left \d+$/);
});

test('a bug’s stack goes to the log, its sentence to the requester', async () => {
  await using crew = hire();
  expect(await crew.render('stumble')).toBe('the fault is ours');
  expect(crew.log).toEqual(['job-1 I-GEN-A: Error: no frame\n    at draw']);
});

test('a cancel kills a worker that hears nothing', async () => {
  await using crew = hire();
  const warm = await crew.render('draw');
  expect(await crew.render('hang', () => crew.stop.abort())).toBe('This operation was aborted');
  expect(isAlive(warm)).toBe(false);
});

test('a job past its deadline is stopped', async () => {
  await using crew = hire({ deadline: 120_000 });
  expect(await crew.render('hang', () => void crew.clock.advance(120_000))).toBe(
    'rendering took longer than 2 minutes and was stopped: ask for less at once',
  );
});

test('what a file is, is found out by the worker that will draw from it', async () => {
  await using crew = hire({ share: 1 });
  const first = await crew.probe('whole.mp4');
  expect(first).toMatch(/^by \d+$/);
  expect(await crew.probe('text.mp4')).toBe('NotMedia: the file is text, not media: check the address');
  expect(await crew.render('draw')).toBe(first);
  expect(await crew.probe('odd.mp4')).toBe(
    `Error: ${join(folder, 'odd.mp4')} could not be probed: the renderer stumbled`,
  );
  expect(crew.log).toEqual([`${join(folder, 'odd.mp4')}: Error: no clock\n    at probe`]);
});

test('a file whose reading crashes, or never ends, is refused with a sentence, and the next one is read', async () => {
  await using crew = hire();
  expect(await crew.probe('deadly.mp4')).toBe(
    'NotMedia: reading it crashed the reader, which was ended by SIGSEGV: export the file again',
  );
  expect(crew.log).toEqual([`${join(folder, 'deadly.mp4')}: the renderer was ended by SIGSEGV`]);
  const endless = crew.probe('endless.mp4');
  await crew.clock.advance(30_000);
  expect(await endless).toBe('NotMedia: reading it took longer than 30 s: send a shorter or simpler file');
  const cancelled = crew.probe('endless.mp4');
  crew.stop.abort();
  expect(await cancelled).toBe('AbortError: This operation was aborted');
});

test('a program that cannot be started fails the job', async () => {
  await using crew = hire({ entry: join(folder, 'nothing.js') });
  expect(await crew.render('draw')).toBe(
    'the renderer crashed while drawing this (it ended with code 1); send the request again, or change it',
  );
});

test('renderers inherit none of this process’s environment', async () => {
  await using crew = hire({ environment: { TMPDIR: tmpdir() } });
  expect(await crew.render('tell the environment')).toBe('["MALLOC_ARENA_MAX","TMPDIR"]');
});

test('the studio’s own renderer is found from the source', async () => {
  const renderer = renderWorkers({ clock: systemClock, log: () => {}, environment: {} });
  const job = { id: 'job', label: 'X-NONE', kind: 'chat', request: {}, inputs: {}, folder, speed: 'draft' } as const;
  const signal = new AbortController().signal;
  await expect(renderer.render(job, { progress: () => {}, signal })).rejects.toThrow(/draw X-NONE/);
  await renderer.close();
});

test('closing leaves no worker behind', async () => {
  const crew = hire();
  const worker = await crew.render('draw');
  expect(isAlive(worker)).toBe(true);
  await crew[Symbol.asyncDispose]();
  expect(isAlive(worker)).toBe(false);
});

test('a Ctrl-C at the terminal reaches the studio, not its renderers', async () => {
  const studio = spawn(process.execPath, [join(import.meta.dirname, 'interrupted-crew.ts'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const lines = createInterface(studio.stdout)[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value;
  expect(await next()).toBe('rendering');
  process.kill(-Number(studio.pid), 'SIGINT');
  expect([await next(), await next()]).toEqual(['interrupted', 'This operation was aborted']);
});
