/** What cutting costs: processor time beside the encoder's alone on the same frames, and memory. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FilmJob } from '../../src/media/cut/render-film.ts';
import type { Cut, CutPicture, CutSource, Size } from '../../src/model/media/cut.ts';
import { type Bench, type Case, type Cost, inTurns, inWorker, type Measured, run } from './measure.ts';
import { rendered } from './renders.ts';

export const cutCases: readonly Case[] = [{ name: 'cut', measure: cutting }];

const PROMPT = 'a red fox crossing a frozen river in winter, dawn light, snow falling, wide shot, slow pan right';

async function cutting(bench: Bench): Promise<readonly Measured[]> {
  const duration = bench.quick ? 2 : 5;
  const request = { prompt: PROMPT, seed: 11, resolution: '720P', duration };
  const { input } = await rendered(bench, { label: 'V-T2V-A', request });
  const source: CutSource = { sha256: 'fox', path: '', facts: input.facts };
  const frames = duration * 24;
  const paths = { fox: input.path };
  return [
    await beside(bench, '720p, hard cuts', { cut: plain(source, frames), paths }),
    await beside(bench, '720p, all that lies over it', { cut: dressed(source, frames), paths }),
    await beside(bench, '720p to 1080p', {
      cut: { ...plain(source, frames), size: { width: 1920, height: 1080 } },
      paths,
    }),
  ];
}

async function beside(bench: Bench, name: string, { cut, paths }: Omit<FilmJob, 'out'>): Promise<Measured> {
  const folder = await mkdtemp(join(bench.scratch, 'cut-'));
  const job: FilmJob = { cut, paths, out: join(folder, 'film.mp4') };
  await writeFile(join(folder, 'job.json'), JSON.stringify(job));
  const program = fileURLToPath(new URL('./cut-encoder-alone.ts', import.meta.url));
  const costs: Cost[] = [];
  const cpu = await inTurns(
    bench.quick ? 1 : 3,
    async () =>
      Number((await run({ argv: [process.execPath, program, join(folder, 'job.json')], cwd: folder })).stdout),
    async () => {
      const { cost } = await inWorker(bench, 'cut-program.js', { type: 'film', job });
      costs.push(cost);
      return cost.cpu;
    },
  );
  const memory = Math.round(Math.max(...costs.map(cost => cost.peak)));
  const note = `${cut.frames} frames, the start of the process included; ${memory} MB at most`;
  return { name: `cut ${name}: CPU, the encoder alone`, ...cpu, unit: 's', aim: 1.3, note };
}

const SIZE: Size = { width: 1280, height: 720 };

/** Four shots of one source. */
function plain(source: CutSource, frames: number): Cut {
  const long = Math.floor(frames / 4);
  const video = (from: number): CutPicture => ({ is: 'video', source, in: from, speed: 1, fit: 'crop' });
  return {
    size: SIZE,
    rate: { frames: 24, seconds: 1 },
    frames: long * 4,
    shots: [2, 0, 3, 1].map((place, i) => ({
      ...STILL,
      at: i * long,
      frames: long,
      picture: video((place * long) / 24),
      name: `shot ${i}`,
    })),
    overlays: [],
    sounds: [],
    loudness: null,
    codec: 'h264',
  };
}

const STILL = { dissolve: 0, fadeIn: 0, fadeOut: 0 } as const;

function dressed(source: CutSource, frames: number): Cut {
  const cut = plain(source, frames);
  const title = {
    ...STILL,
    at: 0,
    frames: 12,
    picture: { is: 'title', text: 'The Frozen River' },
    name: 'title',
  } as const;
  let at = title.frames;
  const shots = cut.shots.map((shot, i) => {
    const dissolve = i === 0 ? 0 : 6;
    const placed = { ...shot, at: at - dissolve, dissolve };
    at = placed.at + placed.frames;
    return placed;
  });
  const words = ['The', 'river', 'does', 'not', 'wait'].map((text, i) => ({
    start: 0.6 + i * 0.2,
    end: 0.8 + i * 0.2,
    text,
  }));
  return {
    ...cut,
    frames: at,
    shots: [title, ...shots],
    overlays: [{ at: 0, frames: at, place: 'top left', is: 'text', text: 'Kemijoki, 06:12' }],
    captions: {
      style: 'word',
      place: 'bottom',
      track: false,
      cues: [{ start: 0.6, end: 1.6, text: 'The river does not wait', words }],
    },
  };
}
