/** Packet by packet: reading what a file holds without decoding it, and writing packets as they are. Splicing lives on this. */

import type { Rate } from '../encode/encoder-settings.ts';
import { check, libav } from '../libav.ts';
import {
  openMedia,
  orientationOf,
  packetsOf,
  readOnly,
  ticksOf,
  trackIn,
  trackKindOf,
  writeComment,
} from './open-input.ts';
import { beginFile, newFile } from './tracks.ts';

export interface MediaPacket {
  /** In the stream's time base. */
  readonly pts: bigint;
  readonly dts: bigint;
  readonly duration: bigint;
  readonly key: boolean;
  readonly data: Buffer;
}

interface StreamFacts {
  readonly kind: 'video' | 'audio';
  /** `h264`, `aac`, … */
  readonly codec: string;
  /** How many packets the file really holds. */
  readonly packets: number;
  /** Seconds, from the packets that are there. */
  readonly seconds: number;
  /** Pixels, after rotation. */
  readonly width: number;
  readonly height: number;
}

/** Every film and sound track, counted. Cover pictures are left out. */
export async function readStreams(path: string): Promise<readonly StreamFacts[]> {
  const av = await libav();
  await using file = await openMedia(av, path);
  const spans = file.streams.map(() => ({ packets: 0, start: Number.POSITIVE_INFINITY, end: 0 }));
  for await (const packet of packetsOf(av, file)) {
    const span = spans[packet.streamIndex];
    const stream = file.streams[packet.streamIndex];
    if (!span || !stream) continue;
    const { num, den } = stream.timeBase;
    const from = (ticksOf(av, packet) * num) / den;
    span.packets++;
    span.start = Math.min(span.start, Math.max(0, from));
    span.end = Math.max(span.end, from + (Number(packet.duration) * num) / den);
  }
  return file.streams.flatMap(stream => {
    const kind = trackKindOf(av, stream);
    const span = spans[stream.index];
    if (kind === undefined || !span || span.packets === 0) return [];
    const turned = orientationOf(av, stream).isTurned;
    const { width, height, codecId } = stream.codecpar;
    return [
      {
        kind,
        codec: av.avGetCodecName(codecId) ?? 'unknown',
        packets: span.packets,
        seconds: Math.max(0, span.end - span.start),
        width: turned ? height : width,
        height: turned ? width : height,
      },
    ];
  });
}

/** One track with everything needed to write it again. */
export interface PacketTrack {
  readonly packets: readonly MediaPacket[];
  readonly timeBase: Rate;
  /** Parameter sets: `avcC` for H.264 in MP4. */
  readonly extradata: Buffer;
  readonly codec: string;
}

/** Reads the whole track into memory. Undefined when the file has none of that kind. */
export async function readPackets(path: string, kind: 'video' | 'audio'): Promise<PacketTrack | undefined> {
  const av = await libav();
  await using file = await openMedia(av, path);
  const stream = trackIn(av, file, kind);
  if (stream === undefined) return undefined;
  readOnly(av, file, stream);
  const packets: MediaPacket[] = [];
  for await (const packet of packetsOf(av, file)) {
    if (packet.streamIndex === stream.index && packet.data !== null) {
      const { pts, dts, duration, isKeyframe: key } = packet;
      packets.push({ pts, dts, duration, key, data: Buffer.from(packet.data) });
    }
  }
  const { num, den } = stream.timeBase;
  const extradata = Buffer.from(stream.codecpar.extradata ?? Buffer.alloc(0));
  return { packets, timeBase: { num, den }, extradata, codec: av.avGetCodecName(stream.codecpar.codecId) ?? 'unknown' };
}

/** A track to write: the packets, described as the same kind of track in `like` is, with other parameter sets if given. */
export interface TrackToWrite {
  readonly kind: 'video' | 'audio';
  readonly like: string;
  readonly packets: readonly MediaPacket[];
  readonly extradata?: Buffer;
}

/** Writes packets into an MP4 exactly as they are. */
export async function writePackets(
  out: string,
  tracks: readonly TrackToWrite[],
  { comment }: { comment?: string | undefined } = {},
): Promise<void> {
  const av = await libav();
  await using release = new AsyncDisposableStack();
  const file = newFile(av, release, 'mp4', out);
  if (comment !== undefined) writeComment(av, file, comment);
  const queues = [];
  for (const track of tracks) {
    await using source = await openMedia(av, track.like);
    const from = trackIn(av, source, track.kind);
    if (from === undefined) throw new Error(`there is no ${track.kind} track to write packets like`);
    const stream = file.newStream(null);
    check(av, from.codecpar.copy(stream.codecpar), 'describing a track');
    if (track.extradata) stream.codecpar.extradata = track.extradata;
    stream.codecpar.codecTag = 0;
    const { num, den } = from.timeBase;
    stream.timeBase = new av.Rational(num, den);
    stream.avgFrameRate = from.avgFrameRate;
    queues.push({ stream, packets: track.packets, base: new av.Rational(num, den), at: 0 });
  }
  await beginFile(av, release, file);
  using packet = new av.Packet();
  packet.alloc();
  for (;;) {
    const waiting = queues.filter(queue => queue.at < queue.packets.length);
    const queue = waiting.sort((a, b) => seconds(a) - seconds(b))[0];
    if (queue === undefined) break;
    const { pts, dts, duration, key, data } = queue.packets[queue.at++]!;
    packet.data = data;
    packet.pts = pts;
    packet.dts = dts;
    packet.duration = duration;
    packet.isKeyframe = key;
    packet.streamIndex = queue.stream.index;
    packet.rescaleTs(queue.base, queue.stream.timeBase);
    check(av, await file.interleavedWriteFrame(packet), 'writing to the file');
    packet.unref();
  }
  check(av, await file.writeTrailer(), 'finishing the file');
}

function seconds(queue: { packets: readonly MediaPacket[]; base: Rate; at: number }): number {
  return (Number(queue.packets[queue.at]!.dts) * queue.base.num) / queue.base.den;
}
