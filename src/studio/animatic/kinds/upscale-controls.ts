/**
 * V-UP's controls as filters. The document shows their names and one example each, not their bounds or units: here each is
 * 0 (off) to 1 (all the way), and what lies outside is taken as the nearer end.
 *
 * They are applied in the order a restorer would: take away what compression and noise left, enlarge, bring details back,
 * undo the halos that sharpening draws, lay film grain over it.
 */
import { resize } from '../../../media/encoder.ts';
import type { FrameSize } from '../request/frame-size.ts';

export interface Controls {
  /** Takes block edges and mosquito noise away. */
  readonly compression: number;
  /** Takes noise away, in the picture and between pictures. */
  readonly noise: number;
  /** Brings fine texture forward. */
  readonly details: number;
  /** Undoes softness: wider strokes than `details`. */
  readonly blur: number;
  /** Takes away the bright and dark rims that sharpening draws. */
  readonly halo: number;
  /** Lays film grain over it. */
  readonly grain: number;
}

/** Grain from the same seed is the same grain. */
const GRAIN_SEED = 7;

/** Filters from a picture in yuv420p to one of the asked size, joined to a chain; `[in]` and `[out]` stand outside. */
export function restored(size: FrameSize, controls: Controls): string {
  const { compression, noise, halo, grain } = bounded(controls);
  const before = [...(compression > 0 ? deblocked(compression) : []), ...(noise > 0 ? denoised(noise) : [])];
  const enlarged = [...before, resize(size.width, size.height)].join(',');
  const sharp = sharpened(bounded(controls));
  const grained = grain > 0 ? `,noise=c0s=${Math.max(1, Math.round(60 * grain))}:c0f=t+u:c0_seed=${GRAIN_SEED}` : '';
  if (sharp.length === 0) return enlarged + grained;
  if (halo === 0) return [enlarged, ...sharp].join(',') + grained;
  return `${enlarged},${withoutHalos(sharp, halo)}${grained}`;
}

function bounded(controls: Controls): Controls {
  const entries = Object.entries(controls).map(([name, value]) => [name, Math.min(1, Math.max(0, value))]);
  return Object.fromEntries(entries) as unknown as Controls;
}

function deblocked(amount: number): string[] {
  const edge = (from: number, by: number) => (from + by * amount).toFixed(3);
  const tight = edge(0.03, 0.12);
  return [
    `deblock=filter=strong:block=8:alpha=${edge(0.05, 0.2)}:beta=${tight}:gamma=${tight}:delta=${tight}`,
    `hqdn3d=${(1.5 * amount).toFixed(2)}:${(2.5 * amount).toFixed(2)}:${(1.5 * amount).toFixed(2)}:2`,
  ];
}

function denoised(amount: number): string[] {
  const still = `${(1 + 7 * amount).toFixed(2)}:${(1 + 6 * amount).toFixed(2)}`;
  const between = (2 + 9 * amount).toFixed(2);
  return [`hqdn3d=${still}:${between}:${between}`];
}

function sharpened({ blur, details }: Controls): string[] {
  return [
    ...(blur > 0 ? [`unsharp=9:9:${(1.6 * blur).toFixed(3)}:5:5:${(0.4 * blur).toFixed(3)}`] : []),
    ...(details > 0
      ? [`cas=strength=${details.toFixed(3)}:planes=1`, `unsharp=5:5:${(1.5 * details).toFixed(3)}:5:5:0`]
      : []),
  ];
}

/** A sharpened pixel may not leave the range its neighbours had before: what it would overshoot by is the halo. */
function withoutHalos(sharp: readonly string[], halo: number): string {
  const allowed = Math.round(10 * (1 - halo));
  return [
    `split=3[unsharp][low][high];[unsharp]${sharp.join(',')}[sharp]`,
    '[low]erosion,erosion[darkest]',
    '[high]dilation,dilation[brightest]',
    `[sharp][darkest][brightest]maskedclamp=undershoot=${allowed}:overshoot=${allowed}:planes=1`,
  ].join(';');
}
