/**
 * New sound for a section of a film. Where the film's sound is AAC as we write it, only the packets of the section are
 * exchanged; a packet overlaps its neighbours, so the new ones are encoded with two packets of the old sound before them to
 * warm up. Other sound is decoded, mixed and encoded again as a whole.
 */
import { readAudio } from '../../../media/decode.ts';
import { aac, encode, SAMPLE_RATE, type StereoSound } from '../../../media/encoder.ts';
import { type MediaPacket, readPackets, type TrackToWrite } from '../../../media/packets.ts';

/** Samples: the first new one and the first old one again. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** Samples in an AAC packet. */
const PACKET = 1024;
/** 8 ms: too short to be heard as a fade, long enough not to click. */
const FADE = 384;

interface SoundChange {
  /** The film, with or without sound. */
  readonly film: string;
  /** Seconds of the film. */
  readonly length: number;
  readonly from: number;
  readonly to: number;
  /** As long as the section. */
  readonly sound: StereoSound;
  /** Where a scratch file of that name may lie. */
  readonly scratch: (name: string) => string;
}

export async function changedSound(change: SoundChange): Promise<TrackToWrite> {
  const { film, length, scratch } = change;
  const old = await readPackets(film, 'audio');
  const heard = old ? await readAudio(film) : silence(Math.round(length * SAMPLE_RATE));
  const part = { from: Math.round(change.from * SAMPLE_RATE), to: Math.round(change.to * SAMPLE_RATE) };
  const mixed = exchanged(heard, change.sound, part);
  const encoded = async (sound: StereoSound, name: string) => {
    const out = scratch(name);
    await encode({ sound, graph: '[pcm]anull[a]', audio: aac(), out });
    return { out, track: (await readPackets(out, 'audio'))! };
  };
  const start = old?.packets[0]?.pts;
  if (old?.codec === 'aac' && start === BigInt(-PACKET) && isEven(old.packets)) {
    const first = Math.max(2, Math.floor((part.from + PACKET) / PACKET));
    const after = Math.min(old.packets.length, Math.ceil((part.to + PACKET) / PACKET) + 1);
    const warm = cut(mixed, (first - 2) * PACKET, (after + 2) * PACKET);
    const { track } = await encoded(warm, 'section.m4a');
    if (track.extradata.equals(old.extradata)) {
      const packets = old.packets.map((packet, i) => {
        const fresh = i >= first && i < after ? track.packets[i - first + 2] : undefined;
        return fresh ? { ...packet, data: fresh.data } : packet;
      });
      return { kind: 'audio', like: film, packets };
    }
  }
  const { out, track } = await encoded(mixed, 'sound.m4a');
  return { kind: 'audio', like: out, packets: track.packets };
}

const isEven = (packets: readonly MediaPacket[]) =>
  packets.every((packet, i) => packet.pts === BigInt((i - 1) * PACKET));

function exchanged(old: StereoSound, fresh: StereoSound, { from, to }: Part): StereoSound {
  const channel = (before: Float32Array, after: Float32Array) =>
    before.map((sample, i) => {
      if (i < from || i >= to) return sample;
      const share = Math.min(1, (i - from) / FADE, (to - i) / FADE);
      return sample * (1 - share) + (after[i - from] ?? 0) * share;
    });
  return { left: channel(old.left, fresh.left), right: channel(old.right, fresh.right) };
}

function cut({ left, right }: StereoSound, from: number, to: number): StereoSound {
  return { left: left.slice(from, to), right: right.slice(from, to) };
}

function silence(samples: number): StereoSound {
  return { left: new Float32Array(samples), right: new Float32Array(samples) };
}
