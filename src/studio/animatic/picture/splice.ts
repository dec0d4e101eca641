/**
 * Changing the middle of an H.264 film without touching the rest. Every second of our films is a closed group of pictures:
 * nothing outside it refers into it. So only the groups that a section touches are encoded again; the packets of all others
 * are copied, bit for bit.
 *
 *     groups   |........|........|........|........|
 *     section                ├──────┤
 *     result   | copied | encoded again   | copied |
 */
import type { Footage } from '../../../media/decode/footage.ts';
import { type MediaPacket, type PacketTrack, readPackets, type TrackToWrite } from '../../../media/decode/packets.ts';
import { encode } from '../../../media/encode/encoder.ts';
import { h264, type VideoSettings } from '../../../media/encode/encoder-settings.ts';
import type { FrameSize } from '../request/frame-size.ts';

/** Where a scratch file of that name may lie. */
type Scratch = (name: string) => string;

/** Pictures, the first and the first no longer. */
export interface Section {
  readonly from: number;
  readonly to: number;
}

/** Which part of a film is encoded again, and how. */
interface Splice {
  readonly again: Section;
  readonly video: VideoSettings;
  /** The finished video track; `path` holds what was encoded again. */
  finish(path: string): Promise<TrackToWrite>;
}

/** The whole film is encoded again where its packets cannot be kept: another size, another codec, open groups. */
export async function planSplice(
  source: Footage,
  section: Section,
  size: FrameSize,
  scratch: Scratch,
): Promise<Splice> {
  const kept = source.width === size.width && source.height === size.height && source.even && source.codec === 'h264';
  const found = kept ? await closedFilm(source, section) : undefined;
  if (!found) return whole(source);
  const { first, after, extradata } = found;
  const sets = parameterSets(extradata)!;
  const settings = await matching(source, extradata, sets, size, scratch);
  return {
    again: { from: first.picture, to: after.picture },
    video: settings.video,
    async finish(path) {
      const [fresh, track] = [await readPackets(path, 'video'), await readPackets(source.path, 'video')];
      if (!fresh || !track || fresh.packets.length !== after.packet - first.packet) {
        throw new Error(`a splice of ${after.packet - first.packet} pictures came out with ${fresh?.packets.length}`);
      }
      const packets = [
        ...track.packets.slice(0, first.packet),
        ...inPlace(fresh, track, first.packet),
        ...track.packets.slice(after.packet),
      ];
      const merging = settings.same ? extradata : merged(sets, parameterSets(fresh.extradata)!);
      return { kind: 'video', like: source.path, packets, extradata: merging };
    },
  };
}

/**
 * The groups around the section, where the film is made of closed ones. Its packets are read again when they are copied: a long
 * film is not held while the section is painted.
 */
async function closedFilm(source: Footage, section: Section) {
  const track = await readPackets(source.path, 'video');
  const groups = track && parameterSets(track.extradata) && closedGroups(track);
  if (!track || groups?.[0]?.picture !== 0) return undefined;
  const first = groups.findLast(group => group.picture <= section.from)!;
  const end = { packet: track.packets.length, picture: source.frames };
  const after = groups.find(group => group.picture >= section.to) ?? end;
  return { first, after, extradata: track.extradata };
}

function whole(source: Footage): Splice {
  return {
    again: { from: 0, to: source.frames },
    video: h264(source.rate),
    async finish(path) {
      const fresh = await readPackets(path, 'video');
      if (!fresh) throw new Error('the film that was encoded again has no pictures');
      return { kind: 'video', like: path, packets: fresh.packets };
    },
  };
}

interface Group {
  /** Which packet begins it, and which picture that is. */
  readonly packet: number;
  readonly picture: number;
}

/** Where each group begins; undefined when a key packet is not the clean start (IDR) that splicing needs. */
function closedGroups({ packets }: PacketTrack): readonly Group[] | undefined {
  const ticks = Number(packets[0]?.duration ?? 0n);
  const start = Math.min(...packets.map(packet => Number(packet.pts)));
  if (ticks <= 0) return undefined;
  const groups: Group[] = [];
  for (const [i, packet] of packets.entries()) {
    if (!packet.key) continue;
    if (!isCleanStart(packet.data)) return undefined;
    groups.push({ packet: i, picture: Math.round((Number(packet.pts) - start) / ticks) });
  }
  // In a closed film, a group's packets are its pictures: packet and picture numbers agree at every start.
  return groups.every(group => group.packet === group.picture) ? groups : undefined;
}

/** An IDR picture (NAL unit type 5) among the length-prefixed units of a packet. */
function isCleanStart(data: Buffer): boolean {
  for (let at = 0; at + 4 < data.length; at += 4 + data.readUInt32BE(at)) if ((data[at + 4]! & 31) === 5) return true;
  return false;
}

/**
 * Settings whose parameter sets are those of the film, so that a decoder sees no seam: our own are tried, on one picture.
 * For a film from elsewhere the new groups bring their own sets under an unused id, and no B-pictures: those would need the
 * film's reordering delay, which may be another one.
 */
async function matching(source: Footage, extradata: Buffer, sets: ParameterSets, size: FrameSize, scratch: Scratch) {
  const out = scratch('try.mp4');
  const graph = `color=size=${size.width}x${size.height}:rate=${source.rate.num}/${source.rate.den},trim=end_frame=1[v]`;
  await encode({ graph, video: h264(source.rate), out });
  const tried = await readPackets(out, 'video');
  if (tried?.extradata.equals(extradata)) return { same: true, video: h264(source.rate) };
  const extra = `:sps-id=${firstFreeId(sets)}:bframes=0`;
  return { same: false, video: h264(source.rate, { extra }) };
}

/** New packets in the old one's places: the old decoding times, and the new pictures' times moved to where they belong. */
function inPlace(fresh: PacketTrack, track: PacketTrack, first: number): MediaPacket[] {
  const scale = (fresh.timeBase.num * track.timeBase.den) / (fresh.timeBase.den * track.timeBase.num);
  const base = Number(track.packets[first]!.pts);
  return fresh.packets.map((packet, i) => {
    const old = track.packets[first + i]!;
    const pts = BigInt(base + Math.round(Number(packet.pts) * scale));
    if (pts < old.dts) throw new Error('a spliced picture would be shown before it is decoded');
    return { ...packet, pts, dts: old.dts, duration: old.duration };
  });
}

/** H.264 parameter sets as MP4 keeps them (`avcC`, ISO/IEC 14496-15, 5.3.3.1). */
interface ParameterSets {
  /** Version, profile, compatibility, level, length size. */
  readonly head: Buffer;
  readonly sequence: readonly Buffer[];
  readonly picture: readonly Buffer[];
  /** Chroma format and bit depths, in the high profiles. */
  readonly tail: Buffer;
}

/** Undefined when the bytes are not an `avcC` with four-byte lengths. */
export function parameterSets(extradata: Buffer): ParameterSets | undefined {
  if (extradata.length < 8 || extradata[0] !== 1 || (extradata[4]! & 3) !== 3) return undefined;
  let at = 5;
  const read = (count: number): Buffer[] =>
    Array.from({ length: count }, () => {
      const length = extradata.readUInt16BE(at);
      const set = extradata.subarray(at + 2, at + 2 + length);
      at += 2 + length;
      return set;
    });
  const sequence = read(extradata[at++]! & 31);
  const picture = read(extradata[at++]!);
  return { head: extradata.subarray(0, 5), sequence, picture, tail: extradata.subarray(at) };
}

/** Both films' sets, so that packets of either decode. Their ids must differ. */
export function merged(first: ParameterSets, second: ParameterSets): Buffer {
  const counted = (sets: readonly Buffer[]) =>
    sets.flatMap(set => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(set.length);
      return [length, set];
    });
  const sequence = [...first.sequence, ...second.sequence];
  const picture = [...first.picture, ...second.picture];
  return Buffer.concat([
    first.head,
    Buffer.of(0xe0 | sequence.length),
    ...counted(sequence),
    Buffer.of(picture.length),
    ...counted(picture),
    first.tail,
  ]);
}

/** An id that no sequence parameter set uses yet. x264 gives its picture parameter set the same one. */
export function firstFreeId({ sequence, picture }: ParameterSets): number {
  // An SPS carries its id after four bytes (unit, profile, constraints, level), a PPS after one.
  const used = new Set([
    ...sequence.map(set => exponential(set.subarray(4))),
    ...picture.map(set => exponential(set.subarray(1))),
  ]);
  for (let id = 1; id < 32; id++) if (!used.has(id)) return id;
  throw new Error('a film with 32 parameter sets');
}

/** The first unsigned Exp-Golomb number of some bytes. */
function exponential(bytes: Buffer): number {
  const bits = [...bytes.subarray(0, 4)].map(byte => byte.toString(2).padStart(8, '0')).join('');
  const zeros = bits.indexOf('1');
  return zeros < 0 ? 0 : Number.parseInt(bits.slice(zeros, zeros * 2 + 1), 2) - 1;
}
