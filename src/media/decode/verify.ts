/**
 * Whether a file is what it should be, by content: what is bought is kept for ever, so nothing is believed that was not looked at.
 *
 *     picture      decoded, all of it; where sharp is not installed, walked through from its head to its end
 *     film, sound  every box lies inside the file · the last packet of every track is there, and holds something · the first
 *                  frame decodes
 *
 * Not decoded to the end: a 5 s film in 1080p takes a second of a core for that, and this takes some tens of milliseconds. Between the
 * first picture and the last packet lies the container's own arithmetic, which a broken download never gets right.
 *
 * Decoders crash and spin over what strangers send: `inspector.ts` has this done in a process of its own.
 */
import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { MediaFacts, MediaKind } from '../../model/media/media.ts';
import { libav, NoEngine, newFrame, newPacket, openDecoder } from '../libav.ts';
import { probe, promisedLength } from '../probe.ts';
import { describeUnexpectedContent, NAMES, NotMedia } from './not-media.ts';
import { openMedia, readOnly, trackIn } from './open-input.ts';

/** What is there instead, as one would say it: `a picture where a film was expected`. */
export interface Misfit {
  readonly misfit: string;
}

/** @throws what the disk throws. */
export async function verifyMedia(path: string, kind: MediaKind): Promise<MediaFacts | Misfit> {
  const facts = await probe(path).catch(error => {
    if (error instanceof NotMedia) return undefined;
    throw error;
  });
  if (facts === undefined) return { misfit: await describeUnexpectedContent(path) };
  const name = NAMES[facts.kind];
  if (facts.kind !== kind) return { misfit: `${name} where ${NAMES[kind]} was expected` };
  const promised = promisedLength(path);
  if (promised !== undefined && promised > statSync(path).size)
    return { misfit: `${name} that breaks off in the middle` };
  if (kind === 'image')
    return (await endsInZeros(path, facts)) ? { misfit: `${name} that breaks off in the middle` } : facts;
  if (!(await endsWithContent(path))) return { misfit: `${name} without its end` };
  const decodes = await firstFrameDecodes(path, kind);
  return decodes === false ? { misfit: `${name} that no player can show` } : facts;
}

/**
 * A hole where bytes never came: WebP and GIF decode it without a word. A GIF never ends in zeros; a WebP does below where it is plain, with
 * up to one for each 40 blocks of 16 × 16 pixels (measured: 794 for 3840 × 2160 of one colour).
 */
async function endsInZeros(path: string, { format, width = 0, height = 0 }: MediaFacts): Promise<boolean> {
  if (format !== 'webp' && format !== 'gif') return false;
  const plain = format === 'webp' ? Math.ceil(((width / 16) * (height / 16)) / 32) : 0;
  const least = MIN_HOLE + plain;
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(least), 0, least, Math.max(0, size - least));
  return buffer.subarray(0, bytesRead).every(byte => byte === 0);
}

/** Bytes. */
const MIN_HOLE = 64;

/** Whether every track's last packet is in the file. True for containers that mediabunny does not know: libav has counted those. */
async function endsWithContent(path: string): Promise<boolean> {
  const { ALL_FORMATS, EncodedPacketSink, FilePathSource, HLS, Input } = await import('mediabunny');
  const formats = ALL_FORMATS.filter(format => format !== HLS);
  using input = new Input({ formats, source: new FilePathSource(path) });
  if (!(await input.canRead())) return true;
  for (const track of await input.getTracks()) {
    if (track.type !== 'video' && track.type !== 'audio') continue;
    const packets = new EncodedPacketSink(track);
    // A track that was announced and never used does no harm: the one that counts has been measured by now.
    if ((await packets.getFirstPacket({ metadataOnly: true }).catch(() => null)) === null) continue;
    const last = await packets.getPacket(Number.POSITIVE_INFINITY).catch(() => null);
    if (last === null || last.data.length === 0) return false;
    // Uncompressed silence is zeros; of all else, zeros are bytes that never came.
    const isSilence = (await track.getCodec())?.startsWith('pcm') === true;
    if (!isSilence && last.data.every(byte => byte === 0)) return false;
  }
  return true;
}

/** Packets that may pass without a frame coming out: decoders hold back a few. */
const MAX_PACKETS = 200;

/** Whether the first picture of a track, or its first moment of sound, can be decoded. Null where that is unknown: without an engine or a decoder. */
async function firstFrameDecodes(path: string, kind: 'video' | 'audio'): Promise<boolean | null> {
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
  for (let n = 0; n < MAX_PACKETS; n++) {
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
