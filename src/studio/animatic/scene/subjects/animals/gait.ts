/** How legs go: where a paw is at a moment of the stride, and where the joints above it must then be. */
import { smooth } from '../../../../shared/random.ts';
import type { Point } from '../../brush.ts';

export interface Gait {
  /** Half the step, in the figure's units. */
  readonly step: number;
  /** How high the paw is lifted. */
  readonly lift: number;
  /** Part of the turn that the paw is on the ground. */
  readonly stance: number;
}

/** Where the paw is, seen from the point below its shoulder: on the ground it goes back as fast as the body goes on. */
export function pawAt(turn: number, { step, lift, stance }: Gait): Point {
  const u = ((turn % 1) + 1) % 1;
  if (u < stance) return [step - (2 * step * u) / stance, 0];
  const air = (u - stance) / (1 - stance);
  return [-step + 2 * step * smooth(air), -lift * Math.sin(Math.PI * air) ** 0.8];
}

/** Ground covered in one turn. */
export const strideOf = ({ step, stance }: Gait): number => (2 * step) / stance;

/** The joint between two bones that reach from `from` to `to`. `bend` 1 puts it on the right of the way down, −1 on the left. */
export function joint(from: Point, to: Point, upper: number, lower: number, bend: 1 | -1): Point {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const reach = Math.min(Math.hypot(dx, dy), (upper + lower) * 0.999) || 0.001;
  const along = (upper * upper - lower * lower + reach * reach) / (2 * reach);
  const aside = Math.sqrt(Math.max(0, upper * upper - along * along)) * bend;
  const length = Math.hypot(dx, dy) || 1;
  return [
    from[0] + (dx / length) * along + (dy / length) * aside,
    from[1] + (dy / length) * along - (dx / length) * aside,
  ];
}
