/** Loudness as people hear it (ITU-R BS.1770-4): two filters shaped like a head, mean square in overlapping 400 ms blocks, quiet blocks left out. */
import type { StereoSound } from '../../../media/encode/encoder-settings.ts';

/** The two biquads of the recommendation at 48 kHz: b0 b1 b2 a1 a2. */
const HEAD = [1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585] as const;
const LOW_CUT = [1, -2, 1, -1.99004745483398, 0.99007225036621] as const;
const BLOCK = 19_200;
const HOP = 4_800;

/** LUFS; −70 for silence. */
export function loudness({ left, right }: StereoSound): number {
  const powers = [weighted(left), weighted(right)];
  const blocks: number[] = [];
  for (let at = 0; at === 0 || at + BLOCK <= left.length; at += HOP) {
    const end = Math.min(left.length, at + BLOCK);
    let sum = 0;
    for (const power of powers) for (let i = at; i < end; i++) sum += power[i] ?? 0;
    blocks.push(sum / Math.max(1, end - at));
  }
  const loud = blocks.filter(block => lufs(block) > -70);
  if (loud.length === 0) return -70;
  const gate = lufs(mean(loud)) - 10;
  return lufs(mean(loud.filter(block => lufs(block) > gate)));
}

/** Brought to the asked loudness; peaks are rounded off below −1 dB instead of clipped. */
export function levelled(
  left: Float32Array,
  right: Float32Array,
  to: { readonly loudness: number; readonly fade: number; readonly fadeOut: number },
): StereoSound {
  const rise = Math.max(1, to.fade * 48_000);
  const fall = Math.max(1, to.fadeOut * 48_000);
  const length = left.length;
  const shape = Float32Array.from(
    { length },
    (_, i) => (to.fade > 0 ? Math.min(1, i / rise) : 1) * (to.fadeOut > 0 ? Math.min(1, (length - 1 - i) / fall) : 1),
  );
  // Measured as it will be heard: the fades are most of a very short sound.
  const shaped = (channel: Float32Array) => channel.map((sample, i) => sample * shape[i]!);
  const now = loudness({ left: shaped(left), right: shaped(right) });
  const gain = now <= -70 ? 1 : 10 ** ((to.loudness - now) / 20);
  const finish = (channel: Float32Array) => channel.map((sample, i) => soft(sample * gain) * shape[i]!);
  return { left: finish(left), right: finish(right) };
}

/** Straight up to 0.6, then bending towards 0.89. */
function soft(sample: number): number {
  const size = Math.abs(sample);
  return size <= 0.6 ? sample : Math.sign(sample) * (0.6 + 0.29 * Math.tanh((size - 0.6) / 0.29));
}

function weighted(channel: Float32Array): Float32Array {
  const once = filtered(channel, HEAD);
  const twice = filtered(once, LOW_CUT);
  return twice.map(sample => sample * sample);
}

function filtered(
  input: Float32Array,
  [b0, b1, b2, a1, a2]: readonly [number, number, number, number, number],
): Float32Array {
  const output = new Float32Array(input.length);
  let x1 = 0;
  let x2 = 0;
  let y1 = 0;
  let y2 = 0;
  for (let i = 0; i < input.length; i++) {
    const x = input[i] ?? 0;
    const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
    x2 = x1;
    x1 = x;
    y2 = y1;
    y1 = y;
    output[i] = y;
  }
  return output;
}

const lufs = (power: number) => -0.691 + 10 * Math.log10(Math.max(power, 1e-12));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
