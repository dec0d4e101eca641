/** Whether a track is more than a promise: its first picture, or its first moment of sound, is decoded. */

import { libav, NoEngine } from './libav.ts';
import { openMedia, trackKindOf } from './open-input.ts';

/** Packets that may pass without a frame coming out: decoders hold back a few. */
const MOST_PACKETS = 200;

/** Null where nobody can tell: without an engine, or a decoder for it. */
export async function firstFrameDecodes(path: string, kind: 'video' | 'audio'): Promise<boolean | null> {
  const av = await libav().catch(error => {
    if (error instanceof NoEngine) return undefined;
    throw error;
  });
  if (av === undefined) return null;
  // The other reader understood the file: this one does not judge what it cannot open.
  const source = await openMedia(av, path).catch(() => undefined);
  if (source === undefined) return null;
  await using file = source;
  const stream = file.streams.find(it => trackKindOf(av, it) === kind);
  const codec = stream && av.Codec.findDecoder(stream.codecpar.codecId);
  if (!stream || !codec) return null;
  for (const other of file.streams) if (other.index !== stream.index) other.discard = av.c.AVDISCARD_ALL;
  using release = new DisposableStack();
  const decoder = release.adopt(new av.CodecContext(), it => it.freeContext());
  decoder.allocContext3(codec);
  if (decoder.parametersToContext(stream.codecpar) < 0) return false;
  decoder.threadCount = 1;
  if ((await decoder.open2(codec, null)) < 0) return false;
  const packet = release.adopt(new av.Packet(), it => it.free());
  packet.alloc();
  const frame = release.adopt(new av.Frame(), it => it.free());
  frame.alloc();
  for (let n = 0; n < MOST_PACKETS; n++) {
    const ended = (await file.readFrame(packet)) < 0;
    if (!ended && packet.streamIndex !== stream.index) {
      packet.unref();
      continue;
    }
    // A packet that cannot be decoded may be followed by one that can: players begin there, too.
    await decoder.sendPacket(ended ? null : packet);
    packet.unref();
    if ((await decoder.receiveFrame(frame)) >= 0) return true;
    if (ended) return false;
  }
  return false;
}
