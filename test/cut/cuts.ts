/** Small films whose every picture carries its number, and cuts of them. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import { type CutOutcome, renderCut } from '../../src/media/cut/index.ts';
import { renderFilm } from '../../src/media/cut/render-film.ts';
import { type DecodedFrame, readFrames } from '../../src/media/decode/decode.ts';
import { encode } from '../../src/media/encode/encoder.ts';
import { h264, rateOf, type VideoSettings } from '../../src/media/encode/encoder-settings.ts';
import { DRAWN } from '../../src/media/filtergraph.ts';
import { probe } from '../../src/media/probe.ts';
import { type Cut, type CutPicture, type CutShot, type CutSource, sourcesOf } from '../../src/model/media/cut.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';

const BITS = 8;

/** Frame n is n in white and black stripes, the lowest bit at the left. */
export function* numbers({ width, height, frames, from = 0 }: Numbered): Generator<Uint8Array> {
  const picture = new Uint8Array(width * height * 4);
  for (let n = from; n < from + frames; n++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const lit = (n >> Math.floor((x * BITS) / width)) & 1;
        picture.fill(lit ? 235 : 20, (y * width + x) * 4, (y * width + x) * 4 + 3);
        picture[(y * width + x) * 4 + 3] = 255;
      }
    }
    yield picture;
  }
}

export interface Numbered {
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  readonly from?: number;
}

export const SIZE = { width: 160, height: 90 } as const;

export interface SourceFilm extends Partial<Numbered> {
  readonly fps?: number;
  readonly graph?: string;
  readonly video?: VideoSettings;
}

/** A film of numbers, kept as content; `name` is its digest. */
export async function numbered(folder: string, name: string, film: SourceFilm = {}): Promise<string> {
  const { width = SIZE.width, height = SIZE.height, frames = 24, from = 0, fps = 24, graph = DRAWN } = film;
  const out = join(folder, `${name}.mp4`);
  const pixels = numbers({ width, height, frames, from });
  const video = film.video ?? h264(rateOf(fps), { crf: 10 });
  await encode({ frames: { width, height, fps: rateOf(fps), pixels }, graph, video, out });
  return out;
}

export interface Part {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The number that the stripes of a picture (or of a part of it) say. */
export function numberIn({ width, pixels }: DecodedFrame, part: Part = { x: 0, y: 0, ...SIZE }): number {
  const row = part.y + Math.floor(part.height / 2);
  let number = 0;
  for (let bit = 0; bit < BITS; bit++) {
    const column = part.x + Math.floor(((bit + 0.5) * part.width) / BITS);
    if ((pixels[row * width + column] ?? 0) > 128) number |= 1 << bit;
  }
  return number;
}

/** `facts` where the probe has no words for it. */
export async function sourceOf(path: string, facts?: MediaFacts): Promise<CutSource> {
  const sha256 = createHash('sha256').update(path).digest('hex');
  places.set(sha256, path);
  return { sha256, path: `/content/${sha256}.mp4`, facts: facts ?? (await probe(path)) };
}

const places = new Map<string, string>();
export const fileOf = (sha256: string): string => places.get(sha256)!;

export async function video(
  path: string,
  options: { in?: number; speed?: number; fit?: 'crop' | 'pad' | 'blur'; facts?: MediaFacts } = {},
) {
  const { in: from = 0, speed = 1, fit = 'crop', facts } = options;
  return { is: 'video', source: await sourceOf(path, facts), in: from, speed, fit } as const;
}

export type ShotPart = Partial<Omit<CutShot, 'at' | 'picture' | 'frames'>> & {
  readonly frames: number;
  readonly picture: CutPicture;
};

/** Shots one after the other. */
export function cutOf(parts: readonly ShotPart[], options: Partial<Omit<Cut, 'shots' | 'frames'>> = {}): Cut {
  let at = 0;
  const shots = parts.map(({ dissolve = 0, fadeIn = 0, fadeOut = 0, name = 'shot', ...part }) => {
    const shot = { at: at - dissolve, dissolve, fadeIn, fadeOut, name, ...part };
    at = shot.at + part.frames;
    return shot;
  });
  return {
    size: SIZE,
    rate: { frames: 24, seconds: 1 },
    frames: at,
    shots,
    overlays: [],
    sounds: [],
    loudness: null,
    codec: 'h264',
    ...options,
  };
}

/** Rendered in this process: one of its own costs half a second. */
export async function rendered(cut: Cut, folder: string, name = 'film'): Promise<string> {
  const out = filmPath(cut, folder, name);
  const paths = Object.fromEntries(sourcesOf(cut).map(({ sha256 }) => [sha256, fileOf(sha256)]));
  await renderFilm({ cut, paths, out }, () => {});
  return out;
}

/** Rendered in a process of its own, as a run does it. @param entry the program that cuts, where it is another than ours. */
export async function renderedApart(cut: Cut, folder: string, name = 'film', entry?: string): Promise<string> {
  const to = filmPath(cut, folder, name);
  expect(await tried(cut, to, entry)).toEqual({ is: 'ok' });
  return to;
}

const filmPath = ({ codec }: Cut, folder: string, name: string) =>
  join(folder, `${name}.${codec === 'prores' ? 'mov' : 'mp4'}`);

/** The outcome of a process of its own. */
export const tried = (cut: Cut, to: string, entry?: string): Promise<CutOutcome> =>
  renderCut({
    ...(entry !== undefined && { entry }),
    cut,
    to,
    fileOf,
    clock: systemClock,
    signal: new AbortController().signal,
    log: line => console.error(line),
  });

/** Luma of every frame. */
export async function lumaOf(path: string): Promise<readonly DecodedFrame[]> {
  const frames: DecodedFrame[] = [];
  for await (const frame of readFrames(path, { pixelFormat: 'gray' })) frames.push(frame);
  return frames;
}

export const numbersIn = async (path: string): Promise<readonly number[]> =>
  (await lumaOf(path)).map(frame => numberIn(frame));

export const mean = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((a, b) => a + b, 0) / values.length;
