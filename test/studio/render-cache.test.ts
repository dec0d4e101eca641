/** What is drawn is drawn once: the cache of renders, over a renderer that counts. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { plainDisk } from '../../src/machine/files/disk.ts';
import { thisProcess } from '../../src/machine/process/process-group.ts';
import { systemClock } from '../../src/machine/time/clock.ts';
import { CachedRenderer, type CachedRendererOptions } from '../../src/studio/animatic/cache/cached-renderer.ts';
import { DRAWING_FOLDERS, DRAWING_PROGRAMS, digestOfCode } from '../../src/studio/animatic/cache/drawing-code.ts';
import { type RenderJob, RenderRefusal } from '../../src/studio/animatic/job.ts';
import type { Renderer } from '../../src/studio/animatic/renderer.ts';
import { faultyDisk } from '../support/faulty-disk.ts';
import { imports } from '../support/source.ts';
import { temporaryFolder } from '../support/temp.ts';

const FACTS = { kind: 'video', format: 'mp4', duration: 1 } as const;

/** Writes what it was asked for into a film and its plate, each time anew. */
class CountingRenderer implements Renderer {
  drawn = 0;
  probed = 0;
  looked = 0;
  standing = 0;
  /** What a render waits for. */
  ready: Promise<void> = Promise.resolve();

  async render({ request, folder, speed }: RenderJob, { progress }: Parameters<Renderer['render']>[1]) {
    this.drawn++;
    await this.ready;
    if (request.prompt === 'refuse') throw new RenderRefusal('no');
    progress(0.5);
    await writeFile(join(folder, 'result.mp4'), `${JSON.stringify(request)} ${speed}`);
    await writeFile(join(folder, 'plate.mp4'), 'plate');
    await writeFile(join(folder, 'first-frame.jpg'), 'early');
    return { file: 'result.mp4', cleanPlate: 'plate.mp4', facts: FACTS };
  }
  async probe() {
    this.probed++;
    return FACTS;
  }
  async colours() {
    this.looked++;
    return [{ rgb: [1, 2, 3], share: 1 }] as const;
  }
  standBy() {
    this.standing++;
  }
  async close() {}
}

async function stage(options: Partial<CachedRendererOptions> = {}) {
  const place = await temporaryFolder();
  const folder = join(place, 'cache');
  const renderer = new CountingRenderer();
  const log: string[] = [];
  const cached = (more: Partial<CachedRendererOptions> = {}) =>
    new CachedRenderer(renderer, {
      ...{ folder, clock: systemClock, log: line => log.push(line), drawnBy: async () => 'this code' },
      ...options,
      ...more,
    });
  let jobs = 0;
  const input = join(place, 'input.mp4');
  const plate = join(place, 'plate.png');
  await writeFile(input, 'input');
  await writeFile(plate, 'plate');
  const job = async (change: Partial<RenderJob> = {}): Promise<RenderJob> => {
    const id = `job-${++jobs}`;
    await mkdir(join(place, id));
    const inputs = { input_video: [{ path: input, cleanPlate: plate, facts: FACTS }] };
    return {
      ...{ id, label: 'V-RF', kind: 'reframe', request: { prompt: 'a fox', seed: 1 }, inputs, speed: 'draft' },
      ...change,
      folder: join(place, id),
    };
  };
  const signal = new AbortController().signal;
  /** What lies in the folder of a job after it was drawn, or found. */
  const draw = async (by: Renderer, change: Partial<RenderJob> = {}) => {
    const asked = await job(change);
    const progress: number[] = [];
    const result = await by.render(asked, { signal, progress: fraction => progress.push(fraction) });
    const files: Record<string, string> = {};
    for (const name of await readdir(asked.folder)) files[name] = await readFile(join(asked.folder, name), 'utf8');
    return { result, progress, files };
  };
  const entries = async () => (await readdir(folder)).filter(name => /^[\da-f]{64}$/.test(name));
  return { place, folder, renderer, log, cached, draw, job, input, plate, signal, entries };
}

test('what was drawn once is copied, with its facts, and no renderer is asked', async () => {
  const { cached, renderer, draw, folder } = await stage();
  const first = await draw(cached());
  // Another process, so to say: nothing is held in memory.
  const second = await draw(cached());
  expect(renderer.drawn).toBe(1);
  expect(second.result).toEqual(first.result);
  expect(second.progress).toEqual([1]);
  const { 'first-frame.jpg': early, ...kept } = first.files;
  expect(early).toBe('early');
  expect(second.files).toEqual(kept);
  expect((await readdir(folder)).filter(name => name.startsWith('.') || name.endsWith('.claim'))).toEqual(['.swept']);
});

test('everything that reaches the pictures makes another entry, and nothing else does', async () => {
  const { cached, renderer, draw, input, plate, place, entries } = await stage();
  await draw(cached());
  const copy = join(place, 'a-copy.mp4');
  await writeFile(copy, await readFile(input));
  const media = (path: string, cleanPlate?: string) => ({
    inputs: { input_video: [{ path, ...(cleanPlate ? { cleanPlate } : {}), facts: FACTS }] },
  });
  await draw(cached(), { id: 'another' });
  await draw(cached(), { request: { seed: 1, prompt: 'a fox' } });
  await draw(cached(), { request: { prompt: 'a fox', seed: 1, input_video: 'http://127.0.0.1:4000/results/1/a.mp4' } });
  await draw(cached(), media(copy, plate));
  expect(renderer.drawn).toBe(1);

  await writeFile(join(place, 'more.mp4'), 'inpux');
  await writeFile(join(place, 'more.png'), 'platx');
  await writeFile(join(place, 'input.mkv'), 'input');
  await draw(cached(), { request: { prompt: 'a fox', seed: 2 } });
  await draw(cached(), { speed: 'full' });
  await draw(cached(), { label: 'V-UP' });
  await draw(cached(), media(join(place, 'more.mp4'), plate));
  await draw(cached(), media(input, join(place, 'more.png')));
  await draw(cached(), media(input));
  await draw(cached(), media(join(place, 'input.mkv'), plate));
  await draw(cached(), { inputs: { input_video: [{ path: input, cleanPlate: plate, facts: { ...FACTS, fps: 3 } }] } });
  await draw(cached({ drawnBy: async () => 'other code' }));
  expect(renderer.drawn).toBe(10);
  expect(await entries()).toHaveLength(10);
});

test('the facts and the colours of a file are known by its bytes', async () => {
  const { cached, renderer, input, place, signal } = await stage();
  const copy = join(place, 'copy.mp4');
  await writeFile(copy, 'input');
  for (const path of [input, copy]) {
    expect(await cached().probe(path, signal)).toEqual(FACTS);
    expect(await cached().colours(path, signal)).toEqual([{ rgb: [1, 2, 3], share: 1 }]);
  }
  expect([renderer.probed, renderer.looked]).toEqual([1, 1]);
  await writeFile(copy, 'other');
  await cached().probe(copy, signal);
  expect(renderer.probed).toBe(2);
});

test.each([
  ['a byte of the film', 'result.mp4', (text: string) => text.replace('fox', 'fix')],
  ['the end of the plate', 'plate.mp4', () => 'plat'],
  ['a fact', 'entry.json', (text: string) => text.replace('"duration":1', '"duration":9')],
  ['all that is known of it', 'entry.json', () => ''],
])('an entry in which %s was damaged is drawn again and replaced, never served', async (_, name, damage) => {
  const { cached, renderer, draw, entries, folder, log } = await stage();
  const first = await draw(cached());
  const file = join(folder, (await entries())[0]!, name);
  await writeFile(file, damage(await readFile(file, 'utf8')));
  expect(await draw(cached())).toEqual(first);
  expect(renderer.drawn).toBe(2);
  expect(log).toEqual([expect.stringMatching(/is damaged \(.* has other bytes\): it is drawn again$/)]);
  expect((await draw(cached())).result).toEqual(first.result);
  expect(renderer.drawn).toBe(2);
});

test('an entry of which a file is gone is drawn again', async () => {
  const { cached, renderer, draw, entries, folder } = await stage();
  const first = await draw(cached());
  await rm(join(folder, (await entries())[0]!, 'plate.mp4'));
  expect(await draw(cached())).toEqual(first);
  await draw(cached());
  expect(renderer.drawn).toBe(2);
});

test('a refusal is not kept, and leaves the next one free to draw', async () => {
  const { cached, renderer, draw, entries } = await stage();
  const refused = { request: { prompt: 'refuse' } };
  await expect(draw(cached(), refused)).rejects.toThrow(RenderRefusal);
  await expect(draw(cached(), refused)).rejects.toThrow(RenderRefusal);
  expect(renderer.drawn).toBe(2);
  expect(await entries()).toEqual([]);
});

test('two that want the same at once: one draws, the other waits for it', async () => {
  const { cached, renderer, draw } = await stage();
  const ready = Promise.withResolvers<void>();
  renderer.ready = ready.promise;
  const both = Promise.all([draw(cached()), draw(cached())]);
  await expect.poll(() => renderer.drawn).toBe(1);
  ready.resolve();
  const [first, second] = await both;
  expect(second.result).toEqual(first.result);
  expect(renderer.drawn).toBe(1);
});

test('whoever waits draws when the one that drew was refused, and stops when it is called off', async () => {
  const { cached, renderer, draw, job } = await stage();
  const ready = Promise.withResolvers<void>();
  renderer.ready = ready.promise;
  const asked = { request: { prompt: 'refuse' } };
  const both = Promise.allSettled([draw(cached(), asked), draw(cached(), asked)]);
  await expect.poll(() => renderer.drawn).toBe(1);
  const calledOff = new AbortController();
  const third = cached().render(await job(asked), { signal: calledOff.signal, progress: () => {} });
  calledOff.abort(new Error('called off'));
  await expect(third).rejects.toThrow('called off');
  expect(renderer.drawn).toBe(1);
  ready.resolve();
  await both;
  expect(renderer.drawn).toBe(2);
});

test('the claim of a process that is gone holds up nobody', async () => {
  const { cached, renderer, draw, entries, folder } = await stage();
  await draw(cached());
  const [key = ''] = await entries();
  await rm(join(folder, key), { recursive: true });
  const { pid } = spawnSync(process.execPath, ['--version']);
  await mkdir(join(folder, `${key}.claim`));
  await writeFile(join(folder, `${key}.claim`, `${thisProcess().machine}-${pid}`), '');
  await draw(cached());
  expect(renderer.drawn).toBe(2);
  expect(await readdir(folder)).not.toContain(`${key}.claim`);
});

test('on a full disk everything is drawn, and the log says once why', async () => {
  // Each of the things that are done to the disk fails once.
  const counting = faultyDisk({ nth: -1, code: '' });
  const { cached, draw } = await stage({ disk: counting });
  await draw(cached());
  expect(counting.done.length).toBeGreaterThan(10);
  for (let nth = 0; nth < counting.done.length; nth++) {
    const { cached, draw, log } = await stage({ disk: faultyDisk({ nth, code: 'ENOSPC', lasting: true }) });
    const renderer = cached();
    for (const seed of [1, 2, 1]) {
      const { files } = await draw(renderer, { request: { seed } });
      expect(files['result.mp4']).toBe(`{"seed":${seed}} draft`);
    }
    await renderer.close();
    expect(log.filter(line => !/nothing more is kept in the cache .*: the disk is full/.test(line))).toEqual([]);
    expect(log.length).toBeLessThan(2);
  }
});

test('a folder that can only be read still gives what is in it', async () => {
  const { cached, renderer, draw, log } = await stage();
  await draw(cached());
  const refuse = async () => {
    throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS', syscall: 'mkdir' });
  };
  const readOnly = { ...plainDisk, mkdir: refuse, rename: refuse, utimes: refuse };
  const reading = cached({ disk: readOnly });
  await draw(reading);
  expect(renderer.drawn).toBe(1);
  await draw(reading, { speed: 'full' });
  await draw(reading, { speed: 'full' });
  expect(renderer.drawn).toBe(3);
  expect(log).toEqual([expect.stringContaining('the disk can only be read')]);
});

test('the folder keeps its size: what was not used for longest goes first', async () => {
  const { cached, renderer, draw, folder } = await stage({ maxBytes: 1700 });
  const long = { request: { prompt: 'x'.repeat(250) } };
  const renderers = ['one', 'two', 'three'].map(name => ({ name, request: { ...long.request, name } }));
  for (const { request } of renderers) await draw(cached(), { request });
  // The first is used again, and everything else was used an hour and more before it.
  for (const name of await readdir(folder)) {
    const entry = join(folder, name, 'entry.json');
    if (name.length === 64) await utimes(entry, 1, 1);
  }
  await draw(cached(), { request: renderers[0]!.request });
  await utimes(join(folder, '.swept'), 1, 1);
  await mkdir(join(folder, '.left-behind.tmp'));
  await utimes(join(folder, '.left-behind.tmp'), 1, 1);
  const last = cached();
  await draw(last, { request: { ...long.request, name: 'four' } });
  await last.close();
  expect(renderer.drawn).toBe(4);
  expect(await readdir(folder)).not.toContain('.left-behind.tmp');
  await draw(cached(), { request: renderers[0]!.request });
  expect(renderer.drawn).toBe(4);
  await draw(cached(), { request: renderers[1]!.request });
  expect(renderer.drawn).toBe(5);
});

test('a renderer is kept warm from the first thing on that has to be drawn', async () => {
  const { cached, renderer, draw } = await stage();
  await draw(cached());
  const warm = cached();
  warm.standBy?.();
  await draw(warm);
  expect(renderer.standing).toBe(0);
  await draw(warm, { speed: 'full' });
  await draw(warm, { label: 'V-UP' });
  expect(renderer.standing).toBe(1);
});

test('the code that draws is known by its text and its packages, and the version of Shotlist is neither', async () => {
  const root = await temporaryFolder();
  const code = join(root, 'draw.ts');
  const digest = async (version: string, sharp: string, text: string) => {
    await writeFile(join(root, 'package.json'), JSON.stringify({ version, optionalDependencies: { sharp } }));
    await writeFile(code, text);
    return digestOfCode(root, [code], ['optionalDependencies']);
  };
  const first = await digest('0.1.0', '1.0.0', 'draw()');
  expect(await digest('0.2.0', '1.0.0', 'draw()')).toBe(first);
  expect(await digest('0.1.0', '1.0.1', 'draw()')).not.toBe(first);
  expect(await digest('0.1.0', '1.0.0', 'draw(1)')).not.toBe(first);
});

test('the sources that the renderer reaches lie in the folders whose text stands for it', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const reached = new Set<string>(DRAWING_PROGRAMS);
  for (const path of reached) {
    if (!path.endsWith('.ts')) continue;
    const used = imports(readFileSync(join(root, path), 'utf8')).filter(
      ({ from, types }) => from.startsWith('.') && !types,
    );
    for (const { from } of used) reached.add(join(dirname(path), from).replaceAll('\\', '/'));
  }
  expect(reached.size).toBeGreaterThan(100);
  const outside = [...reached].filter(path => !DRAWING_FOLDERS.some(folder => path.startsWith(`${folder}/`)));
  // It says which packages may be missing; their versions stand for it.
  expect(outside).toEqual(['package.json']);
});
