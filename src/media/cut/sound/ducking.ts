/**
 * When music gives way, and by how much (pure). A voice counts from its first loud 10 ms to its last, and as still speaking in pauses of
 * less than 0.8 s. Music falls in the 150 ms before, so that it is down when the first word comes, stays 12 dB lower, and rises over
 * the 600 ms after:
 *
 *     0 dB ──╮                        ╭──
 *            │╲      ▂▅▃ ▆▂ ▅▇▂      ╱│
 *   −12 dB   │ ╰────────────────────╯ │
 *           150 ms                 600 ms
 */
import { SAMPLE_RATE } from '../../encode/encoder-settings.ts';

const DEPTH = 12;
const ATTACK = 0.15 * SAMPLE_RATE;
const RELEASE = 0.6 * SAMPLE_RATE;
/** A pause in which music would be back only just before it has to go again. */
const PAUSE = 0.8 * SAMPLE_RATE;
const HOP = SAMPLE_RATE / 100;

/** Decibels below a voice's loudest 10 ms, and decibels of full scale, under which it is the room that one hears. */
const BELOW_LOUDEST = 26;
const FLOOR = -60;

/** Samples of voices that are heard before the music beside them is made: what counts as quiet hangs on what comes, too. */
export const LOOKAHEAD = 2 * SAMPLE_RATE;

/** What has to be known of voices beyond a place: the pause after it. */
const KNOWN_AHEAD = PAUSE + ATTACK;

interface Stretch {
  readonly from: number;
  to: number;
}

/** When one voice speaks. */
export interface SpeechMeter {
  push(samples: Float32Array): void;
  /** Where it speaks, as far as is known of what lies before this sample of the film. */
  before(sample: number): readonly Stretch[];
}

/** @param from the voice's first sample in the film. */
export function speechMeter(from: number): SpeechMeter {
  const undecided: number[] = [];
  const stretches: Stretch[] = [];
  let decided = from;
  let loudest = FLOOR;
  let sum = 0;
  let count = 0;
  return {
    push(samples) {
      for (let i = 0; i < samples.length; i += 2) {
        sum += samples[i]! ** 2 + samples[i + 1]! ** 2;
        if (++count < HOP) continue;
        const level = 10 * Math.log10(sum / (2 * HOP) + 1e-20);
        loudest = Math.max(loudest, level);
        undecided.push(level);
        sum = 0;
        count = 0;
      }
    },
    before(sample) {
      while (decided < sample && undecided.length > 0) {
        if (undecided.shift()! > Math.max(FLOOR, loudest - BELOW_LOUDEST)) addSpeech(stretches, decided, decided + HOP);
        decided += HOP;
      }
      return stretches;
    },
  };
}

function addSpeech(stretches: Stretch[], from: number, to: number): void {
  const last = stretches.at(-1);
  if (last !== undefined && from - last.to < PAUSE) last.to = to;
  else stretches.push({ from, to });
}

/** What music is multiplied with: one number for each sample of the film from `at` on. Undefined: no voice is near. */
export function duckedShares(meters: Iterable<SpeechMeter>, at: number, count: number): Float32Array | undefined {
  const near: Stretch[] = [];
  for (const meter of meters) {
    for (const stretch of meter.before(at + count + KNOWN_AHEAD)) {
      if (stretch.from - KNOWN_AHEAD < at + count && stretch.to + KNOWN_AHEAD > at) near.push(stretch);
    }
  }
  if (near.length === 0) return undefined;
  const together = joined(near);
  const shares = new Float32Array(count);
  let known = 0;
  let share = 1;
  for (let i = 0; i < count; i++) {
    let depth = 0;
    for (const stretch of together) depth = Math.max(depth, depthAt(stretch, at + i));
    if (depth !== known) share = 10 ** ((-DEPTH * depth) / 20);
    known = depth;
    shares[i] = share;
  }
  return shares;
}

/** Voices after one another are one conversation. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const together: Stretch[] = [];
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = together.at(-1);
    if (last !== undefined && from - last.to < PAUSE) last.to = Math.max(last.to, to);
    else together.push({ from, to });
  }
  return together;
}

/** 0 to 1, in decibels: without a corner where it begins or ends. */
function depthAt({ from, to }: Stretch, at: number): number {
  if (at >= from && at < to) return 1;
  const share = at < from ? 1 - (from - at) / ATTACK : 1 - (at - to) / RELEASE;
  return share <= 0 ? 0 : (1 - Math.cos(Math.PI * share)) / 2;
}
