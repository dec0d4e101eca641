/** What drawing costs: processor time beside the encoder's alone, memory, and how well the studio answers meanwhile. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { LocalInput } from '../../src/studio/animatic/job.ts';
import { type Bench, type Case, inTurns, type Measured, median, quantile, run } from './measure.ts';
import { type Rendered, rendered } from './renders.ts';

export const renderCases: readonly Case[] = [
  { name: 'render 720p text to video', measure: textToVideo },
  { name: 'render memory at 1080p', measure: memory },
  { name: 'render while the API answers', measure: answers },
];

const FILM = {
  prompt: 'a red fox crossing a frozen river in winter, dawn light, snow falling, wide shot, slow pan right',
  seed: 11,
};

async function textToVideo(bench: Bench): Promise<readonly Measured[]> {
  const duration = bench.quick ? 2 : 5;
  const request = { ...FILM, resolution: '720P', duration };
  const renders: Rendered[] = [];
  const cpu = await inTurns(
    bench.quick ? 1 : 3,
    async () => (await encoderAlone(bench, request)) / duration,
    async () => {
      renders.push(await rendered(bench, { label: 'V-T2V-A', request }));
      return (renders.at(-1)?.cpu ?? 0) / duration;
    },
  );
  const wall = renders.slice(1).map(it => it.wall / duration);
  const name = '720p text to video, for each second of film';
  return [
    {
      name: `${name}: CPU, beside the encoder alone`,
      ...cpu,
      unit: 's',
      note: `a film of ${duration} s, start included`,
    },
    { name: `${name}: time`, ours: wall, unit: 's', aim: 1 },
  ];
}

async function encoderAlone({ scratch }: Bench, request: object): Promise<number> {
  const program = fileURLToPath(new URL('./encoder-alone.ts', import.meta.url));
  const cwd = await mkdtemp(join(scratch, 'encoder-'));
  const { stdout } = await run({ argv: [process.execPath, program, cwd, JSON.stringify(request)], cwd });
  return Number(stdout);
}

/** Each kind in a renderer of its own; the first one's film is what the others work on. */
async function memory(bench: Bench): Promise<readonly Measured[]> {
  const seconds = bench.quick ? 2 : 4;
  const rows: Measured[] = [];
  const measured = async (what: string, order: Parameters<typeof rendered>[1]): Promise<LocalInput> => {
    const { input, peak, cpu } = await rendered(bench, order);
    const note = `${(cpu / (input.facts.duration ?? 1)).toFixed(2)} CPU seconds for each second of film`;
    rows.push({ name: `memory of one job at 1080p: ${what}`, ours: [peak], unit: 'MB', aim: 500, note });
    return input;
  };
  const film = { ...FILM, duration: seconds };
  const wide = await measured('text to video', { label: 'V-T2V-A', request: { ...film, resolution: '1080P' } });
  const small = await rendered(bench, { label: 'V-T2V-A', request: { ...film, resolution: '480P' } });
  const still = await rendered(bench, { label: 'I-GEN-A', request: { ...FILM, width: 1920, height: 1080 } });
  const input_video = [wide];
  await measured('image to video, HEVC', {
    label: 'V-I2V-C',
    request: { prompt: 'slow push in, snow', resolution: '1080p', duration: 3 },
    inputs: { input_image: [still.input] },
  });
  await measured('reframe to 9:16', {
    label: 'V-RF',
    request: { prompt: 'snowy forest', aspect_ratio: '9:16', resolution: '1080p' },
    inputs: { input_video },
  });
  await measured('retake', {
    label: 'V-RT',
    request: { prompt: 'the fox stops', retake_start_time: 0.5, retake_duration: 1 },
    inputs: { input_video },
  });
  await measured('upscale', {
    label: 'V-UP',
    request: { resolution: '1080p', grain: 20, details: 20 },
    inputs: { input_video: [small.input] },
  });
  return rows;
}

/** Many questions, one after the other on each of four connections, while two films are being made. */
async function answers(bench: Bench): Promise<readonly Measured[]> {
  const cwd = await mkdtemp(join(bench.scratch, 'studio-'));
  const key = 'bench';
  const studio = spawn(process.execPath, [bench.shotlist, 'studio'], {
    cwd,
    env: { ...process.env, SHOTLIST_API_KEY: key },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [line] = await once(createInterface(studio.stdout), 'line');
    const url = String(line).replace('studio at ', '');
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const order = (seed: number) => ({ ...FILM, model: 'V-T2V-A', seed, resolution: '720P', duration: 15 });
    const ids: string[] = [];
    for (const seed of [1, 2]) {
      const body = JSON.stringify(order(seed));
      const response = await fetch(`${url}/api/ai/queue`, { method: 'POST', headers, body });
      const told = (await response.json()) as { generations: { generation_id: string }[] };
      ids.push(...told.generations.map(it => it.generation_id));
    }
    const paths = ['/api/ai/models', '/api/ai/generations', ...ids.map(id => `/api/ai/queue/${id}`)];
    // The first frames are being drawn before anybody asks.
    await until(async () => (await status(url, headers, ids[0] ?? '')) === 'processing');
    const times: number[] = [];
    const ask = async (count: number) => {
      for (let n = 0; n < count; n++) {
        const began = performance.now();
        const response = await fetch(url + paths[n % paths.length], { headers });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`${paths[n % paths.length]} answered ${response.status}`);
        times.push(performance.now() - began);
        await new Promise(resolve => setTimeout(resolve, 5));
      }
    };
    await Promise.all([1, 2, 3, 4].map(() => ask(bench.quick ? 50 : 250)));
    const still = await status(url, headers, ids[0] ?? '');
    if (still !== 'processing') throw new Error(`the film was ${still} before the last question: ask for a longer one`);
    return [
      {
        name: 'an answer of the studio while it renders, 99th percentile',
        ours: [quantile(times, 0.99)],
        unit: 'ms',
        aim: 20,
        note: `median ${median(times).toFixed(1)} ms, worst ${Math.max(...times).toFixed(1)} ms of ${times.length}`,
      },
    ];
  } finally {
    studio.kill('SIGTERM');
    await once(studio, 'exit');
  }
}

async function status(url: string, headers: Readonly<Record<string, string>>, id: string): Promise<string> {
  const response = await fetch(`${url}/api/ai/queue/${id}`, { headers });
  return ((await response.json()) as { status: string }).status;
}

async function until(settled: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 30_000; !(await settled()); ) {
    if (performance.now() > end) throw new Error('the studio did not start to render within 30 s');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}
