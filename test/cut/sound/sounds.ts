/** Made sounds, files of them, cuts of those files, and what one measures in the result. */
import { writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { kitOf } from '../../../src/media/cut/render-film.ts';
import { openFilmSound } from '../../../src/media/cut/sound/film-sound.ts';
import { encoderTrack } from '../../../src/media/decode/tracks.ts';
import type { AudioSettings } from '../../../src/media/encode/encoder-settings.ts';
import { check, filterGraph, libav, newFrame } from '../../../src/media/libav.ts';
import type { Cut, CutSound } from '../../../src/model/media/cut.ts';
import { wavOf } from '../../support/wav.ts';
import { cutOf, fileOf, sourceOf } from '../cuts.ts';

export const RATE = 48_000;

/** One array for each channel. */
export type Channels = readonly Float32Array[];

export const tone = (seconds: number, hertz = 1000, amplitude = 0.25, rate = RATE): Float32Array =>
  Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, i) => amplitude * Math.sin((2 * Math.PI * hertz * i) / rate),
  );

/** The same noise every time. */
export function noise(seconds: number, amplitude = 0.25, seed = 1, rate = RATE): Float32Array {
  let state = seed;
  return Float32Array.from({ length: Math.round(seconds * rate) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return amplitude * (state / 2 ** 31 - 1);
  });
}

/** Noise that is softer the higher it is, as voices and music are: white noise is mostly what an AAC encoder leaves out. */
export function softNoise(seconds: number, amplitude = 0.25, seed = 1): Float32Array {
  let held = 0;
  return noise(seconds, amplitude * 3, seed).map(it => (held += (it - held) * 0.15));
}

export const silence = (seconds: number, rate = RATE): Float32Array => new Float32Array(Math.round(seconds * rate));

export function joined(...parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** 32-bit float samples, as they are. */
export async function wav(folder: string, name: string, channels: Channels, rate = RATE): Promise<string> {
  const path = join(folder, `${name}.wav`);
  const length = channels[0]!.length;
  const body = new Float32Array(length * channels.length);
  for (const [c, channel] of channels.entries()) {
    for (let i = 0; i < length; i++) body[i * channels.length + c] = channel[i]!;
  }
  await writeFile(path, wavOf(Buffer.from(body.buffer), { rate, channels: channels.length, bits: 32 }));
  return path;
}

export interface Coding {
  readonly codec: string;
  readonly format: string;
  readonly rate?: number;
  readonly layout?: string;
  readonly bitRate?: number;
  /** Filters before the encoder. */
  readonly through?: string;
}

/** A sound in another form: its ending says the container. */
export async function coded(wavPath: string, out: string, coding: Coding): Promise<string> {
  const { codec, format, rate = RATE, layout = 'stereo', bitRate = 192_000, through = 'anull' } = coding;
  const av = await libav();
  await using release = new AsyncDisposableStack();
  const shape = `aformat=sample_fmts=${format}:sample_rates=${rate}:channel_layouts=${layout}`;
  const frames = codec.startsWith('pcm') ? '' : `,asetnsamples=n=${FRAME[codec] ?? 1024}:p=0`;
  const text = `amovie=${wavPath},${through},${shape}${frames},abuffersink@out`;
  const { end } = await filterGraph(av, release, text);
  const file = release.adopt(new av.FormatContext(), it => it.freeContext());
  check(av, file.allocOutputContext2(null, MUXER[extname(out)] ?? null, out), 'preparing');
  const settings = { codec, sampleRate: rate, bitRate, options: {} } as unknown as AudioSettings;
  const sink = end('abuffersink@out');
  const track = await encoderTrack(av, release, file, { kind: 'audio', sink, settings });
  check(av, await file.openOutput(), 'opening');
  check(av, await file.writeHeader(null), 'head');
  while (!track.ended) await track.pull();
  check(av, await file.writeTrailer(), 'tail');
  await file.closeOutput();
  return out;
}

const MUXER: Readonly<Record<string, string>> = { '.mkv': 'matroska', '.m4a': 'mp4' };
const FRAME: Readonly<Record<string, number>> = { libmp3lame: 1152, libopus: 960, flac: 4608 };

export type SoundPart = Partial<Omit<CutSound, 'source'>>;

export async function soundOf(path: string, part: SoundPart = {}): Promise<CutSound> {
  const source = await sourceOf(path);
  return {
    ...{ source, role: 'music', at: 0, frames: 24, in: 0, speed: 1, level: 0, fadeIn: 0, fadeOut: 0 },
    ...part,
  };
}

/** A black film of 24 frames a second, with these sounds. */
export const heardCut = (
  frames: number,
  sounds: readonly CutSound[],
  options: Partial<Omit<Cut, 'frames' | 'sounds'>> = {},
): Cut => cutOf([{ frames, picture: { is: 'title', text: '' } }], { sounds, codec: 'prores', ...options });

export interface Heard {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** The sound of a cut as its encoder gets it. */
export async function heard(cut: Cut): Promise<Heard> {
  const paths = Object.fromEntries(cut.sounds.map(({ source: { sha256 } }) => [sha256, fileOf(sha256)]));
  await using sound = await openFilmSound(await kitOf(cut, paths), cut);
  const pieces: Float32Array[] = [];
  await sound.until(cut.frames, async samples => void pieces.push(samples.slice()));
  const all = joined(...pieces);
  const side = (from: 0 | 1) => Float32Array.from({ length: all.length / 2 }, (_, i) => all[i * 2 + from]!);
  return { left: side(0), right: side(1) };
}

/** Samples from second to second. */
export const between = (samples: Float32Array, from: number, to: number): Float32Array =>
  samples.subarray(Math.round(from * RATE), Math.round(to * RATE));

export const rms = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, it) => sum + it * it, 0) / Math.max(1, samples.length));

export const decibels = (ratio: number): number => 20 * Math.log10(ratio);

export const peakOf = (samples: Float32Array): number => samples.reduce((most, it) => Math.max(most, Math.abs(it)), 0);

/** The first sample that is louder than this. */
export const onset = (samples: Float32Array, over = 1e-4): number => samples.findIndex(it => Math.abs(it) > over);
export const lastHeard = (samples: Float32Array, over = 1e-4): number =>
  samples.findLastIndex(it => Math.abs(it) > over);

/** How much of a tone there is: the amplitude of that frequency. */
export function amplitudeOf(samples: Float32Array, hertz: number): number {
  let [re, im] = [0, 0];
  for (const [i, sample] of samples.entries()) {
    const turn = (2 * Math.PI * hertz * i) / RATE;
    re += sample * Math.cos(turn);
    im += sample * Math.sin(turn);
  }
  return (2 * Math.hypot(re, im)) / samples.length;
}

/** Integrated loudness in LUFS and true peak in dBTP, by libav's own meter. */
export async function measured(path: string): Promise<{ readonly loudness: number; readonly truePeak: number }> {
  const av = await libav();
  using release = new DisposableStack();
  const { end } = await filterGraph(av, release, `amovie=${path},ebur128=metadata=1:peak=true,abuffersink@out`);
  const sink = end('abuffersink@out');
  const frame = newFrame(av, release);
  let loudness = Number.NEGATIVE_INFINITY;
  let truePeak = 0;
  while ((await sink.buffersinkGetFrame(frame)) >= 0) {
    const told = frame.getMetadata().getAll();
    loudness = Number(told['lavfi.r128.I'] ?? loudness);
    for (const [key, value] of Object.entries(told)) {
      if (key.startsWith('lavfi.r128.true_peaks_ch')) truePeak = Math.max(truePeak, Number(value));
    }
    frame.unref();
  }
  return { loudness, truePeak: decibels(truePeak) };
}
