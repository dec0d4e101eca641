/**
 * A film as raw material: its exact rate and number of pictures, and the graph text that brings its pictures and its sound
 * in upright, square-pixelled and at an even beat. `movie=` does none of this by itself: it ignores rotation, and a
 * phone's film has no even beat.
 */

import { type AudioSettings, aac, fpsOf, type Rate, rateOf } from '../encode/encoder-settings.ts';
import { reader } from '../filtergraph.ts';
import { type Libav, libav, type Stream } from '../libav.ts';
import {
  isHidden,
  type Orientation,
  openMedia,
  orientationOf,
  packetsOf,
  readOnly,
  squareWidth,
  ticksOf,
  trackIn,
} from './open-input.ts';

export interface Footage {
  readonly path: string;
  /** Pixels, upright and square. */
  readonly width: number;
  readonly height: number;
  readonly rate: Rate;
  readonly frames: number;
  /** Seconds: frames over rate. */
  readonly seconds: number;
  /** `h264`, … */
  readonly codec: string;
  /** Pictures come at an even beat and upright: packets may be copied. */
  readonly even: boolean;
  /** Graph text up to, and without, the next comma: the pictures, upright, from time zero at an even beat. */
  readonly picture: string;
  /** Null when the film is silent. Spread `track` into a job; put `graph` behind its graph. */
  readonly sound: Sound | null;
}

interface Sound {
  readonly codec: string;
  /** Graph text that ends in `[a]`, or empty where the packets are copied as they are. */
  readonly graph: string;
  readonly track: { readonly audio: AudioSettings } | { readonly copyAudio: string };
}

/**
 * @param soundPath the film with the sound of these pictures; absent: the same.
 * @throws where the file has no pictures: inputs were probed before.
 */
export async function openFootage(path: string, soundPath = path): Promise<Footage> {
  if (soundPath !== path) return { ...(await openFootage(path)), sound: (await openFootage(soundPath)).sound };
  const av = await libav();
  await using file = await openMedia(av, path);
  const video = trackIn(av, file, 'video');
  const audio = trackIn(av, file, 'audio');
  if (video === undefined) throw new Error('a film without pictures came through the probe');
  const times: number[] = [];
  let hidden = 0;
  readOnly(av, file, video);
  for await (const packet of packetsOf(av, file)) {
    if (packet.streamIndex !== video.index) continue;
    if (isHidden(av, packet)) hidden++;
    else times.push(ticksOf(av, packet));
  }
  const beat = beatOf(video, times);
  const start = (Math.min(...times) * video.timeBase.num) / video.timeBase.den;
  const orientation = orientationOf(av, video);
  const turned = orientation.isTurned;
  const wide = squareWidth(video.codecpar.width, video.sampleAspectRatio);
  const { height } = video.codecpar;
  return {
    path,
    width: turned ? height : wide,
    height: turned ? wide : height,
    rate: beat.rate,
    frames: beat.frames,
    seconds: beat.frames / fpsOf(beat.rate),
    codec: av.avGetCodecName(video.codecpar.codecId) ?? 'unknown',
    even:
      beat.even &&
      hidden === 0 &&
      orientation.steps.length === 0 &&
      wide === video.codecpar.width &&
      Math.abs(start) < 0.001,
    picture: pictureGraph(path, { orientation, squeezed: wide !== video.codecpar.width, ...beat }),
    sound: audio ? soundOf(av, path, audio, { start, whole: hidden === 0 }) : null,
  };
}

interface Beat {
  readonly rate: Rate;
  readonly frames: number;
  readonly even: boolean;
}

/** Even when every picture comes one beat after the last, to the precision of the file's clock. */
function beatOf(stream: Stream, times: readonly number[]): Beat {
  const { num, den } = stream.timeBase;
  const sorted = [...times].sort((a, b) => a - b);
  const first = sorted[0] ?? 0;
  const { num: beats, den: per } = stream.avgFrameRate.num > 0 ? stream.avgFrameRate : stream.rFrameRate;
  const rate = beats > 0 && per > 0 ? rateOf(beats / per) : rateOf(25);
  const ticks = (den * rate.den) / (num * rate.num);
  const even = sorted.every((time, i) => Math.abs(time - first - i * ticks) <= Math.max(1, ticks * 0.02));
  if (even) return { rate, frames: sorted.length, even };
  const usual = rateOf(Math.min(60, Math.max(1, Math.round(fpsOf(rate)))));
  const seconds = (((sorted.at(-1) ?? 0) - first) * num) / den + 1 / fpsOf(rate);
  return { rate: usual, frames: Math.max(1, Math.round(seconds * fpsOf(usual))), even };
}

function pictureGraph(
  path: string,
  { orientation, squeezed, rate, frames, even }: Beat & { orientation: Orientation; squeezed: boolean },
): string {
  const beat = `${rate.num}/${rate.den}`;
  return [
    reader('movie', path),
    ...(even
      ? [`settb=${rate.den}/${rate.num}`, 'setpts=N']
      : ['setpts=PTS-STARTPTS', `fps=${beat}`, 'tpad=stop_mode=clone:stop_duration=1', `trim=end_frame=${frames}`]),
    ...(squeezed ? ['scale=trunc(iw*sar/2)*2:ih'] : []),
    ...orientation.steps,
    'setsar=1',
  ].join(',');
}

/** What MP4 carries as it is. AAC without its description (`extradata`) is from a transport stream and needs encoding. */
const CARRIED = ['mp3', 'ac3', 'eac3'];
const CARRIED_WITH_DESCRIPTION = ['aac', 'alac', 'opus', 'flac'];

function soundOf(
  av: Libav,
  path: string,
  stream: Stream,
  { start, whole }: { readonly start: number; readonly whole: boolean },
): Sound {
  const codec = av.avGetCodecName(stream.codecpar.codecId) ?? 'unknown';
  const described = stream.codecpar.extradataSize > 0;
  const carried = CARRIED.includes(codec) || (described && CARRIED_WITH_DESCRIPTION.includes(codec));
  if (carried && whole && Math.abs(start) < 0.001) return { codec, graph: '', track: { copyAudio: path } };
  return { codec, graph: `;${reader('amovie', path)},asetpts=PTS-${start}/TB[a]`, track: { audio: aac() } };
}
