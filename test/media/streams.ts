/** What a film's tracks hold, packet for packet. */
import { createHash } from 'node:crypto';
import { openMedia } from '../../src/media/decode/open-input.ts';
import { libav, newPacket } from '../../src/media/libav.ts';

/** One digest a track, of the bytes of its packets. */
export async function streamDigests(path: string): Promise<readonly string[]> {
  const av = await libav();
  await using release = new AsyncDisposableStack();
  const file = release.use(await openMedia(av, path));
  const hashes = file.streams.map(() => createHash('sha256'));
  const packet = newPacket(av, release);
  while ((await file.readFrame(packet)) !== av.c.AVERROR_EOF) {
    hashes[packet.streamIndex]?.update(packet.data ?? '');
    packet.unref();
  }
  return hashes.map(hash => hash.digest('hex'));
}
