/**
 * Loudness as people hear it, over a whole film (ITU-R BS.1770-4, EBU R 128): two filters shaped like a head, mean power in overlapping
 * 400 ms, quiet parts left out. Holds one number for each 100 ms.
 */

/** The two biquads of the recommendation at 48 kHz: b0 b1 b2 a1 a2. */
const HEAD = [1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585] as const;
const LOW_CUT = [1, -2, 1, -1.99004745483398, 0.99007225036621] as const;
const HOP = 4_800;
const HOPS_IN_BLOCK = 4;

/** LUFS below which there is silence. */
export const SILENCE = -70;

export interface LoudnessMeter {
  push(samples: Float32Array): void;
  /** LUFS over all; −70 for silence. Less than 400 ms are measured as the one part they are. */
  integrated(): number;
  /** The largest sample, of either sign. */
  readonly peak: number;
}

export function loudnessMeter(): LoudnessMeter {
  const left = weighting();
  const right = weighting();
  const hops: number[] = [];
  let sum = 0;
  let count = 0;
  let peak = 0;
  return {
    get peak() {
      return peak;
    },
    push(samples) {
      for (let i = 0; i < samples.length; i += 2) {
        const [l, r] = [samples[i]!, samples[i + 1]!];
        peak = Math.max(peak, Math.abs(l), Math.abs(r));
        sum += left(l) ** 2 + right(r) ** 2;
        if (++count < HOP) continue;
        hops.push(sum / HOP);
        sum = 0;
        count = 0;
      }
    },
    integrated() {
      const blocks =
        hops.length < HOPS_IN_BLOCK
          ? [(hops.reduce((a, b) => a + b, 0) * HOP + sum) / Math.max(1, hops.length * HOP + count)]
          : hops.slice(HOPS_IN_BLOCK - 1).map((_, i) => mean(hops.slice(i, i + HOPS_IN_BLOCK)));
      const heard = blocks.filter(block => lufs(block) > SILENCE);
      if (heard.length === 0) return SILENCE;
      const gate = lufs(mean(heard)) - 10;
      return lufs(mean(heard.filter(block => lufs(block) > gate)));
    },
  };
}

function weighting(): (sample: number) => number {
  const head = biquad(HEAD);
  const lowCut = biquad(LOW_CUT);
  return sample => lowCut(head(sample));
}

function biquad([b0, b1, b2, a1, a2]: readonly [number, number, number, number, number]): (x: number) => number {
  let one = 0;
  let two = 0;
  return x => {
    const y = b0 * x + one;
    one = b1 * x - a1 * y + two;
    two = b2 * x - a2 * y;
    return y;
  };
}

const lufs = (power: number) => -0.691 + 10 * Math.log10(Math.max(power, 1e-20));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
