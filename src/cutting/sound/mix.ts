/** All sounds of the film together, as they were asked for: levels, fades, music under voices. Nothing is limited here. */
import type { Cut } from '../../domain/cut.ts';
import type { Kit } from '../kit.ts';
import { duckedShares, LOOKAHEAD, type SpeechMeter, speechMeter } from './ducking.ts';
import { type HeardSound, openHeardSound } from './heard-sound.ts';
import { type SampleStream, sampleQueue } from './sample-stream.ts';
import { type PlacedSound, placedSounds, sampleAt } from './sound-places.ts';

/** Exactly as long as the film. Only what is heard at a time is open, so a film may have any number of sounds. @throws {CutFailure} */
export function openMix(kit: Kit, cut: Cut): SampleStream {
  const total = sampleAt(cut.frames, cut.rate);
  const sounds = placedSounds(cut);
  const isDucked = ({ sound }: PlacedSound) => sound.role === 'music' && sound.duck === true;
  const ducked = bus(kit, sounds.filter(isDucked));
  const plain = bus(
    kit,
    sounds.filter(it => !isDucked(it) && it.sound.role !== 'voice'),
  );
  const voices = voicesAhead(kit, sounds);
  let at = 0;
  return {
    async read(count) {
      const length = Math.min(count, total - at);
      const mix = new Float32Array(length * 2);
      if (length <= 0) return mix;
      const { samples, shares } = await voices.read(at, length);
      add(mix, samples, 0);
      add(mix, await plain.read(at, length), 0);
      const music = await ducked.read(at, length);
      shares?.forEach((share, i) => {
        music[i * 2]! *= share;
        music[i * 2 + 1]! *= share;
      });
      add(mix, music, 0);
      at += length;
      return mix;
    },
    async [Symbol.asyncDispose]() {
      for (const one of [ducked, plain, voices]) await one[Symbol.asyncDispose]();
    },
  };
}

/** Voices are made before they are heard, so that music knows of them in time. */
function voicesAhead(kit: Kit, all: readonly PlacedSound[]) {
  const voices = all.filter(({ sound }) => sound.role === 'voice');
  const isAnyoneListening = voices.length > 0 && all.some(({ sound }) => sound.duck === true);
  const lookahead = isAnyoneListening ? LOOKAHEAD : 0;
  const meters = new Map<PlacedSound, SpeechMeter>();
  const made = bus(kit, voices, (placed, samples) => {
    if (!isAnyoneListening) return;
    const meter = meters.get(placed) ?? speechMeter(placed.from);
    meters.set(placed, meter);
    meter.push(samples);
  });
  const queue = sampleQueue();
  let next = 0;
  return {
    async read(at: number, count: number) {
      const wanted = at + count + lookahead;
      if (next < wanted) {
        queue.push(await made.read(next, wanted - next));
        next = wanted;
      }
      for (const voice of meters.keys()) if (voice.to + LOOKAHEAD < at) meters.delete(voice);
      const shares = isAnyoneListening ? duckedShares(meters.values(), at, count) : undefined;
      return { samples: queue.take(count), shares };
    },
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  };
}

interface Bus extends AsyncDisposable {
  /** Places never go back. */
  read(at: number, count: number): Promise<Float32Array>;
}

function bus(
  kit: Kit,
  sounds: readonly PlacedSound[],
  heard: (placed: PlacedSound, samples: Float32Array) => void = () => {},
): Bus {
  const open = new Map<PlacedSound, HeardSound>();
  let waiting = sounds.toSorted((a, b) => a.from - b.from);
  return {
    async read(at, count) {
      const sum = new Float32Array(count * 2);
      const later = waiting.findIndex(({ from }) => from >= at + count);
      const beginning = later < 0 ? waiting : waiting.slice(0, later);
      waiting = waiting.slice(beginning.length);
      for (const placed of beginning) open.set(placed, await openHeardSound(kit, placed));
      for (const [placed, sound] of open) {
        const from = Math.max(at, placed.from);
        const to = Math.min(at + count, placed.to);
        const samples = await sound.read(to - from);
        heard(placed, samples);
        add(sum, samples, from - at);
        if (placed.to > at + count) continue;
        open.delete(placed);
        await sound[Symbol.asyncDispose]();
      }
      return sum;
    },
    async [Symbol.asyncDispose]() {
      for (const sound of open.values()) await sound[Symbol.asyncDispose]();
    },
  };
}

function add(sum: Float32Array, samples: Float32Array, from: number): void {
  for (let i = 0, to = from * 2; i < samples.length; i++, to++) sum[to]! += samples[i]!;
}
