import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { modelLibrary } from '../../../src/api/model-library.ts';
import type { FromWorker } from '../../../src/machine/process/worker-program.ts';
import type { RenderJob } from '../../../src/studio/animatic/job.ts';
import type { RenderAnswer } from '../../../src/studio/animatic/renderer.ts';
import { film } from '../../media/footage.ts';
import { folder, given } from './rig.ts';

const WORKER = new URL('../../../src/studio/animatic/process/render-program.ts', import.meta.url);
let source: string;
beforeAll(async () => {
  source = await film(join(await folder(), 'source.mp4'), { width: 160, height: 90, frames: 12 });
});

type Heard = FromWorker<RenderAnswer>;

const workers: ChildProcess[] = [];
afterEach(() => {
  for (const worker of workers.splice(0)) worker.kill();
});

/** Tells a worker one job and hears everything until it is done or failed. */
async function ask(job: RenderJob): Promise<Heard[]> {
  const worker = fork(WORKER);
  workers.push(worker);
  const heard: Heard[] = [];
  return await new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', code => reject(new Error(`the worker ended with ${code}`)));
    worker.on('message', (message: Heard) => {
      heard.push(message);
      if (message.type === 'ready') worker.send({ id: job.id, job: { type: 'render', job } });
      if (message.type === 'done' || message.type === 'failed') resolve(heard);
    });
  });
}

const jobOf = async (label: string, request: RenderJob['request'], path = source): Promise<RenderJob> => ({
  id: 'g7',
  label,
  kind: modelLibrary.get(label)?.kind ?? 'chat',
  request,
  inputs: { input_video: [path === source ? await given(source) : { path, facts: { kind: 'video' } }] },
  folder: await folder(),
  speed: 'draft',
});

describe('the render worker', () => {
  test('says it is ready, how far it is, and what came out', async () => {
    const heard = await ask(await jobOf('V-RF', { prompt: 'a beach', aspect_ratio: '1:1', resolution: '540p' }));
    expect(heard[0]).toEqual({ type: 'ready' });
    const progress = heard.flatMap(message => (message.type === 'progress' ? [message.fraction] : []));
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.at(-1)).toBe(1);
    expect(heard.at(-1)).toMatchObject({
      type: 'done',
      id: 'g7',
      result: {
        rendered: { file: 'result.mp4', facts: { width: 136, height: 136, duration: 0.5 } },
      },
    });
  });

  test('a refusal reaches the requester as its sentence', async () => {
    const heard = await ask(await jobOf('V-RT', { retake_start_time: 9 }));
    expect(heard.at(-1)).toEqual({
      type: 'failed',
      id: 'g7',
      message: 'retake_start_time 9 s is outside the source: the source ends at 0.5 s; start the section before that',
    });
  });

  test('a bug stays in the studio’s log', async () => {
    const last = (await ask(await jobOf('V-UP', {}, join(await folder(), 'gone.mp4')))).at(-1);
    expect(last).toMatchObject({
      type: 'failed',
      message: 'the studio failed to draw this: the fault is the studio’s, not the request’s; its log says more',
      bug: expect.stringContaining('No such file or directory'),
    });
  });

  test('a kind it cannot draw is refused', async () => {
    expect((await ask(await jobOf('V-DUB', {}))).at(-1)).toEqual({
      type: 'failed',
      id: 'g7',
      message: 'the built-in studio cannot draw V-DUB yet: use a hosted service for this step',
    });
  });

  test('ends at once when its studio is gone', async () => {
    const worker = fork(WORKER);
    workers.push(worker);
    await once(worker, 'message');
    const job = await jobOf('V-UP', { resolution: '1080p', interpolate_frames: true, target_fps: 60 });
    worker.send({ id: job.id, job: { type: 'render', job } });
    worker.disconnect();
    expect(await once(worker, 'exit')).toEqual([null, 'SIGKILL']);
  });

  test('ends also when it is stuck and hears nothing', async () => {
    const stuck = join(await folder(), 'stuck.cjs');
    await writeFile(stuck, STUCK);
    const studio = spawn(process.execPath, ['-e', STUDIO, fileURLToPath(WORKER), stuck], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(await once(createInterface(studio.stdout), 'line')).toEqual(['stuck']);
    studio.kill('SIGKILL');
    // The renderer holds the pipe's other end: it closes when both are gone.
    await once(studio, 'close');
  });
});

/** Turns round and round as soon as it is given a job. */
const STUCK = "process.on('message', () => { require('node:fs').writeSync(1, 'stuck\\n'); for (;;); })";
const STUDIO = `
  const [worker, stuck] = process.argv.slice(1);
  const child = require('node:child_process').fork(worker, {
    execArgv: ['--require', stuck],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.once('message', () => child.send({ id: 'stuck', job: {} }));
`;
