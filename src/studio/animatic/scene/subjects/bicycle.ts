/** A bicycle and somebody on it, whose legs turn the pedals. */
import { type Colour, css, lch } from '../../prompt/palette.ts';
import { type Context, tube } from '../brush.ts';
import { drawProp, litBy } from '../prop.ts';
import type { Stage } from '../stage.ts';
import type { Figure } from './figure.ts';
import { joint } from './gait.ts';

const HIP = [-0.23, -0.88] as const;
const CRANK = { x: -0.04, y: -0.29, arm: 0.12 };

/** The origin is on the road below the middle; about 1.5 high with its rider. */
export function bicycle(stage: Stage, paint: Colour, cloth: Colour): Figure {
  const light = litBy(stage, { paint, cloth });
  return {
    box: { left: -0.95, top: -1.62, right: 1, bottom: 0.06 },
    stride: 0,
    draw(context, { seconds }) {
      leg(context, HIP, pedal(seconds, Math.PI), lch(0.3, 0.03, 260));
      drawProp(context, 'bicycle', { ...light, seconds });
      leg(context, HIP, pedal(seconds, 0), lch(0.34, 0.03, 260));
      drawProp(context, 'cyclist', light);
    },
  };
}

function pedal(seconds: number, phase: number): readonly [number, number] {
  const turn = seconds * 4.2 + phase;
  return [CRANK.x + Math.cos(turn) * CRANK.arm, CRANK.y + Math.sin(turn) * CRANK.arm];
}

function leg(context: Context, hip: readonly [number, number], foot: readonly [number, number], colour: Colour): void {
  const knee = joint(hip, foot, 0.36, 0.38, -1);
  context.fillStyle = css(colour);
  context.fill(
    tube([
      [...hip, 0.075],
      [...knee, 0.05],
    ]),
  );
  context.fill(
    tube([
      [...knee, 0.05],
      [...foot, 0.032],
    ]),
  );
  context.fillStyle = css(lch(0.22, 0.02, 40));
  context.fill(
    tube([
      [foot[0] - 0.03, foot[1] + 0.02, 0.03],
      [foot[0] + 0.09, foot[1] + 0.03, 0.02],
    ]),
  );
}
