/** Whether a track is more than a promise: its first picture, or its first moment of sound, is decoded. */

import { libav, NoEngine, newFrame, newPacket, openDecoder } from './libav.ts';
import { openMedia, readOnly, trackIn } from './open-input.ts';

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
  const stream = trackIn(av, file, kind);
  if (!stream) return null;
  readOnly(av, file, stream);
  using release = new DisposableStack();
  const decoder = await openDecoder(av, release, stream, 1).catch(() => 'refused' as const);
  if (decoder === undefined) return null;
  if (decoder === 'refused') return false;
  const packet = newPacket(av, release);
  const frame = newFrame(av, release);
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
