/**
 * The bed: pads, a bass note, plucked notes, the air of each place, a breath of noise into every cut. 48 kHz stereo, from the seed alone.
 * The tempo is bent so that the film ends on a bar. Levels are set by loudness as people hear it (ITU-R BS.1770, K-weighted), −16 LUFS.
 */
import type { StereoSound } from '../../../media/encode/encoder-settings.ts';
import { clamp, mixNumber, Random, smooth } from '../../shared/random.ts';
import type { Mood, Place, TimeOfDay, WeatherKind } from '../../shared/vocabulary.ts';
import tables from './data/bed.json' with { type: 'json' };
import { levelled } from './loudness.ts';

export const RATE = 48_000;
const TURN = 2 * Math.PI;

/** What the bed needs to know of a shot; a `Shot` of prompt.ts is one. */
export interface SoundShot {
  /** Seconds. */
  readonly start: number;
  readonly end: number;
  readonly time: TimeOfDay;
  readonly place: Place;
  readonly weather: readonly WeatherKind[];
  readonly mood: Mood;
}

interface BedOptions {
  /** Seconds. */
  readonly duration: number;
  readonly shots: readonly SoundShot[];
  readonly seed: string;
  /** The end leads into the beginning. */
  readonly loop?: boolean;
}

/** Exactly `duration` long, no clicks at the ends. */
export function soundBed({ duration, shots, seed, loop = false }: BedOptions): StereoSound {
  const length = Math.round(duration * RATE);
  const mix = new Mix(length, loop);
  const random = new Random(`bed|${seed}`);
  const lead = shots[0] ?? { start: 0, end: duration, time: 'dusk', place: 'abstract', weather: [], mood: 'calm' };
  music(mix, random, lead, duration);
  room(mix, loop);
  // The last shot's air of a loop reaches over its end, under the first one's.
  for (const shot of shots) air(mix, loop && shot === shots.at(-1) ? { ...shot, end: shot.end + MEETING } : shot, seed);
  for (const shot of shots.slice(1)) cut(mix, shot.start, seed);
  return levelled(mix.left, mix.right, { loudness: -16, fade: loop ? 0 : 0.04, fadeOut: loop ? 0 : 0.3 });
}

/** How loud the film is along its way, 0 to 1, in `bins` steps. */
export function envelope({ left, right }: StereoSound, bins: number): Float32Array {
  const levels = new Float32Array(bins);
  let loudest = 1e-6;
  for (let bin = 0; bin < bins; bin++) {
    const from = Math.floor((bin / bins) * left.length);
    const to = Math.max(from + 1, Math.floor(((bin + 1) / bins) * left.length));
    let sum = 0;
    let count = 0;
    for (let i = from; i < to; i += 4) {
      const l = left[i] ?? 0;
      const r = right[i] ?? 0;
      sum += l * l + r * r;
      count += 2;
    }
    levels[bin] = Math.sqrt(sum / count);
    loudest = Math.max(loudest, levels[bin] ?? 0);
  }
  return levels.map(level => level / loudest);
}

/** Cut or filled with silence to exactly `duration`, with a short fade where it was cut. */
export function fittedToLength(sound: StereoSound, duration: number): StereoSound {
  const length = Math.round(duration * RATE);
  const fade = Math.min(480, length);
  const trimmed = (channel: Float32Array) => {
    const out = new Float32Array(length);
    out.set(channel.subarray(0, length));
    if (channel.length > length)
      for (let i = 0; i < fade; i++) out[length - 1 - i] = (out[length - 1 - i] ?? 0) * (i / fade);
    return out;
  };
  return { left: trimmed(sound.left), right: trimmed(sound.right) };
}

class Mix {
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly length: number;
  readonly #loop: boolean;

  constructor(length: number, loop: boolean) {
    this.length = length;
    this.#loop = loop;
    this.left = new Float32Array(length);
    this.right = new Float32Array(length);
  }

  /** `pan` 0 left to 1 right. */
  add(at: number, value: number, pan: number): void {
    const i = this.#loop ? ((at % this.length) + this.length) % this.length : at;
    if (i < 0 || i >= this.length) return;
    this.left[i] = (this.left[i] ?? 0) + value * (1 - pan);
    this.right[i] = (this.right[i] ?? 0) + value * pan;
  }
}

interface Feel {
  /** Beats a minute. */
  readonly tempos: readonly [number, ...number[]];
  /** Chance that a plucked note sounds. */
  readonly busy: number;
  readonly bass: number;
  /** Of a mood that is major or minor at any hour. */
  readonly scale?: readonly number[];
}
interface Air {
  /** How much of the noise's highs is let through, 0 to 1. */
  readonly open: number;
  readonly level: number;
  /** Swell: depth 0 to 1 and seconds. */
  readonly swell: readonly [depth: number, period: number];
  readonly places: readonly Place[];
  readonly weather?: WeatherKind;
}
const {
  scales,
  moods,
  changes: CHANGES,
  airs,
} = tables as unknown as {
  readonly scales: { readonly [time in TimeOfDay]: readonly number[] };
  readonly moods: { readonly [mood in Mood]: Feel };
  /** Degrees of the scale that chords stand on. */
  readonly changes: readonly [readonly number[], ...(readonly number[])[]];
  /** The first that fits sounds. */
  readonly airs: { readonly [air: string]: Air } & { readonly wind: Air };
};
const frequency = (note: number) => 440 * 2 ** ((note - 69) / 12);

function music(mix: Mix, random: Random, lead: SoundShot, duration: number): void {
  const feel = moods[lead.mood];
  const scale = feel.scale ?? scales[lead.time];
  const root = random.whole(43, 50);
  const note = (degree: number) => root + 12 * Math.floor(degree / 7) + (scale[((degree % 7) + 7) % 7] ?? 0);
  const beats = Math.max(2, Math.round((duration * random.pick(feel.tempos)) / 60 / 2) * 2);
  const changes = random.pick(CHANGES);
  const chords = Math.max(1, Math.round(beats / 4));
  const bar = duration / chords;
  for (let c = 0; c < chords; c++) {
    const degree = changes[c % changes.length] ?? 0;
    for (const [voice, step] of [0, 2, 4, 7].entries())
      pad(mix, random, frequency(note(degree + step) + 12), c * bar, bar, 0.25 + voice * 0.17);
    bass(mix, frequency(note(degree) - 12), c * bar, bar, feel.bass);
  }
  const step = duration / beats / 2;
  for (let i = 0; i < beats * 2; i++) {
    if (!random.chance(feel.busy)) continue;
    const degree = changes[Math.floor((i * step) / bar) % changes.length] ?? 0;
    pluck(
      mix,
      frequency(note(degree + random.pick([0, 2, 4, 7, 9])) + 24),
      i * step,
      random.between(0.025, 0.06),
      random.between(0.25, 0.75),
    );
  }
}

function pad(mix: Mix, random: Random, pitch: number, start: number, bar: number, pan: number): void {
  const first = Math.floor((start - 0.25) * RATE);
  const length = Math.floor((bar + 0.7) * RATE);
  let one = random.next() * TURN;
  let two = random.next() * TURN;
  const wide = pitch + random.pick([-0.7, 0.6]);
  for (let i = 0; i < length; i++) {
    const u = i / length;
    one += (TURN * pitch) / RATE;
    two += (TURN * wide) / RATE;
    const shape = smooth(Math.min(1, u * 4)) * smooth(Math.min(1, (1 - u) * 3.2));
    mix.add(
      first + i,
      (Math.sin(one) + 0.5 * Math.sin(two) + 0.18 * Math.sin(one * 2) + 0.1 * Math.sin(two * 3)) * shape * 0.046,
      pan,
    );
  }
}

function bass(mix: Mix, pitch: number, start: number, bar: number, weight: number): void {
  const first = Math.floor(start * RATE);
  const length = Math.floor(bar * RATE);
  for (let i = 0; i < length; i++) {
    const u = i / length;
    const wave = Math.sin((TURN * pitch * i) / RATE) + 0.3 * Math.sin((TURN * pitch * 2 * i) / RATE);
    mix.add(
      first + i,
      wave * smooth(Math.min(1, u * 24)) * (1 - u) ** 0.6 * smooth(Math.min(1, (1 - u) * 40)) * 0.05 * weight,
      0.5,
    );
  }
}

function pluck(mix: Mix, pitch: number, start: number, level: number, pan: number): void {
  const first = Math.floor(start * RATE);
  const length = Math.floor(1.1 * RATE);
  for (let i = 0; i < length; i++) {
    const t = i / RATE;
    const body = Math.sin(TURN * pitch * t) + 0.35 * Math.sin(TURN * pitch * 2.005 * t) * Math.exp(-t * 9);
    const shape = Math.exp(-t * 5.2) * Math.min(1, i / 90) * Math.min(1, (length - i) / 2400);
    mix.add(first + i, body * shape * level * 1.4, pan);
  }
}

const airOf = ({ place, weather }: SoundShot): Air =>
  Object.values(airs).find(air => air.places.includes(place) || (air.weather && weather.includes(air.weather))) ??
  airs.wind;

/** Seconds in which one shot's air gives way to the next one's: a cut is heard and does not click. */
const MEETING = 0.03;

/** Filtered noise. */
function air(mix: Mix, shot: SoundShot, seed: string): void {
  const { open, level, swell } = airOf(shot);
  const random = new Random(`air|${seed}|${shot.place}`);
  const from = Math.floor(shot.start * RATE);
  const to = Math.floor(shot.end * RATE);
  const meeting = MEETING * RATE;
  let left = 0;
  let right = 0;
  for (let i = from; i < to; i++) {
    left += (random.next() * 2 - 1 - left) * open;
    right += (random.next() * 2 - 1 - right) * open;
    const breath = 1 - swell[0] * (0.5 + 0.5 * Math.sin((TURN * i) / RATE / swell[1] + 1));
    const gain = level * breath * clamp(Math.min(i - from, to - i) / meeting);
    mix.add(i, left * gain * 2, 0);
    mix.add(i, right * gain * 2, 1);
  }
}

/** A rush of air into the cut and a low hit on it. */
function cut(mix: Mix, at: number, seed: string): void {
  const random = new Random(`cut|${seed}|${at}`);
  const middle = Math.floor(at * RATE);
  const before = Math.floor(0.38 * RATE);
  const after = Math.floor(0.25 * RATE);
  let filtered = 0;
  for (let i = -before; i < after; i++) {
    const u = i < 0 ? 1 + i / before : 1 - i / after;
    filtered += (random.next() * 2 - 1 - filtered) * (0.03 + 0.22 * u);
    mix.add(middle + i, filtered * u * u * 0.2, 0.5 + 0.35 * Math.sin(i / 9000));
  }
  for (let i = 0; i < RATE / 2; i++) {
    const t = i / RATE;
    const shape = Math.exp(-t * 8) * Math.min(1, i / 160) * smooth(Math.min(1, (0.5 - t) * 20));
    mix.add(middle + i, Math.sin(TURN * (52 * t - Math.exp(-t * 18))) * shape * 0.3, 0.5);
  }
}

const ECHOES: { readonly [side in 'left' | 'right']: readonly number[] } = {
  left: [1687, 2143, 2791, 3301],
  right: [1753, 2081, 2861, 3253],
};

/** Four feedback delays a side: a hall small enough not to smear the cuts. In a loop it is still full of the end when it begins. */
function room(mix: Mix, loop: boolean): void {
  for (const side of ['left', 'right'] as const) {
    const dry = mix[side];
    const wet = new Float32Array(dry.length);
    for (const delay of ECHOES[side]) {
      const line = new Float32Array(delay);
      let at = 0;
      let damped = 0;
      const through = (i: number): number => {
        const echo = line[at] ?? 0;
        damped = mixNumber(echo, damped, 0.35);
        line[at] = (dry[i] ?? 0) + damped * 0.78;
        at = at + 1 === delay ? 0 : at + 1;
        return echo * 0.085;
      };
      // Three seconds fill the hall: earlier sound has died away.
      if (loop) for (let i = Math.max(0, dry.length - 3 * RATE); i < dry.length; i++) through(i);
      for (let i = 0; i < dry.length; i++) wet[i] = (wet[i] ?? 0) + through(i);
    }
    for (let i = 0; i < dry.length; i++) dry[i] = (dry[i] ?? 0) + (wet[i] ?? 0);
  }
}
