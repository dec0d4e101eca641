/**
 * The sound of a video as WAV: 48 kHz, 16 bit, mono where it is mono and stereo where it has more. It begins with the first picture and
 * is as long as the pictures: what begins later is filled up with silence, what goes on after the last one is cut off, and a gap in it
 * stays a gap.
 */
import { open } from 'node:fs/promises';
import { NotMedia } from '../decode/not-media.ts';
import { openMedia, readOnly, trackIn } from '../decode/open-input.ts';
import { reader } from '../filtergraph.ts';
import { filterGraph, type Libav, newFrame } from '../libav.ts';

const RATE = 48_000;
/** Seconds that clocks of containers may be off without a gap being meant. */
const JITTER = 0.02;
/** Bytes that the head of a WAV can tell of. */
const MOST = 2 ** 32 - 1 - 36;

interface Sound {
  readonly seconds: number;
  readonly channels: 1 | 2;
}

/** @throws {NotMedia} where it has no sound, or none that can be decoded. */
export async function writeSound(av: Libav, path: string, out: string): Promise<Sound> {
  const { start, seconds, channels } = await spanOf(av, path);
  const samples = Math.round(seconds * RATE);
  const width = channels * 2;
  if (samples * width > MOST) throw new NotMedia('its sound is too long for a WAV file (6 hours of stereo)');
  await using file = await open(out, 'wx');
  await file.write(headOf(samples * width, channels));
  let at = 0;
  const write = async (data: Uint8Array) => {
    await file.write(data);
    at += data.length / width;
  };
  const silence = async (until: number) => {
    while (at < until) await write(new Uint8Array(Math.min(until - at, RATE) * width));
  };
  let isSound = false;
  for await (const part of partsOf(av, path, channels)) {
    const place = Math.round((part.time - start) * RATE);
    const isNext = isSound && Math.abs(place - at) <= JITTER * RATE;
    const from = isNext ? at : place;
    isSound = true;
    if (from >= samples) break;
    await silence(Math.min(from, samples));
    const skipped = Math.max(0, at - from);
    const room = Math.min(part.data.length / width - skipped, samples - at);
    if (room > 0) await write(part.data.subarray(skipped * width, (skipped + room) * width));
  }
  if (!isSound) throw new NotMedia('its sound cannot be decoded');
  await silence(samples);
  return { seconds: samples / RATE, channels };
}

/** When its first picture is shown, and for how long there are any: seconds. */
async function spanOf(av: Libav, path: string) {
  await using file = await openMedia(av, path).catch(() => {
    throw new NotMedia('it cannot be opened as a video');
  });
  const video = trackIn(av, file, 'video');
  const audio = trackIn(av, file, 'audio');
  if (!video) throw new NotMedia('it has no pictures');
  if (!audio) throw new NotMedia('it has no sound');
  readOnly(av, file, video);
  using packet = new av.Packet();
  packet.alloc();
  const none = av.c.AV_NOPTS_VALUE;
  const { num, den } = video.timeBase;
  const beat = video.avgFrameRate.num > 0 ? video.avgFrameRate.den / video.avgFrameRate.num : 0;
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  while ((await file.readFrame(packet)) >= 0) {
    const isShown = packet.streamIndex === video.index && (packet.flags & av.c.AV_PKT_FLAG_DISCARD) === 0;
    if (isShown) {
      const time = (Number(packet.pts === none ? packet.dts : packet.pts) * num) / den;
      const lasts = packet.duration > 0n ? (Number(packet.duration) * num) / den : beat;
      start = Math.min(start, time);
      end = Math.max(end, time + lasts);
    }
    packet.unref();
  }
  if (!(end > start)) throw new NotMedia('none of its pictures can be decoded');
  const channels: 1 | 2 = audio.codecpar.channels === 1 ? 1 : 2;
  return { start, seconds: end - start, channels };
}

/** Decoded, in order; `time`: seconds by the file's own clock. */
async function* partsOf(
  av: Libav,
  path: string,
  channels: 1 | 2,
): AsyncGenerator<{ readonly time: number; readonly data: Uint8Array }> {
  using release = new DisposableStack();
  const shape = `aformat=sample_fmts=s16:sample_rates=${RATE}:channel_layouts=${channels === 1 ? 'mono' : 'stereo'}`;
  const { end } = await filterGraph(av, release, `${reader('amovie', path)},${shape},abuffersink@out`);
  const sink = end('abuffersink@out');
  const frame = newFrame(av, release);
  const { num, den } = sink.buffersinkGetTimeBase();
  while ((await sink.buffersinkGetFrame(frame)) >= 0) {
    const data = new Uint8Array(frame.toBuffer()).subarray(0, frame.nbSamples * channels * 2);
    const time = (Number(frame.pts) * num) / den;
    frame.unref();
    yield { time, data };
  }
}

/** RIFF, with the one format that everybody reads. */
function headOf(bytes: number, channels: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE * channels * 2, 28);
  head.writeUInt16LE(channels * 2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(bytes, 40);
  return head;
}
