/** Buildings that stand in a set as well as play in it: a lighthouse and its beam, a house with lit windows. */
import { lch, mix, WHITE } from '../../prompt/palette.ts';
import { type Context, glow, Pen } from '../brush.ts';
import type { Projection } from '../camera.ts';
import type { Figure } from '../lighting.ts';
import { propFigure } from '../prop.ts';
import type { Stage } from '../stage.ts';

export const lighthouse = (stage: Stage): Figure => propFigure(stage, 'lighthouse', { distance: 0.05 });
export const castle = (stage: Stage): Figure => propFigure(stage, 'castle', {}, { rim: 0.6 });
export const house = (stage: Stage): Figure => propFigure(stage, 'house', roofOf(stage), { rim: 0.5 });

/** Snow lies on it in winter. */
export const roofOf = ({ shot, palette }: Stage) => (shot.winter ? { tiles: mix(WHITE, palette.sky[1], 0.3) } : {});

interface Beam {
  readonly x: number;
  readonly y: number;
  readonly reach: number;
  /** One unit of the stage. */
  readonly size: number;
}

/** Two arms of light that turn; brightest when they point at us. */
export function beamOfLight(
  context: Context,
  stage: Stage,
  at: Projection,
  { x, y, reach, size }: Beam,
  seconds: number,
): void {
  const { palette } = stage;
  const strength = 0.25 + 0.75 * Math.min(1, palette.dark * 2.4);
  const colour = mix(palette.light, lch(0.95, 0.07, 90), 0.5);
  const turn = seconds * 1.15 + 0.7;
  const [px, py] = [at.x(x), at.y(y)];
  context.save();
  context.globalCompositeOperation = 'screen';
  for (const angle of [turn, turn + Math.PI]) {
    const along = Math.cos(angle);
    if (Math.abs(along) < 0.06) continue;
    const length = reach * along * at.scale;
    context.fillStyle = new Pen(context).across(
      px,
      px + length,
      [0, colour, 0.62 * strength],
      [0.35, colour, 0.26 * strength],
      [1, colour, 0],
    );
    const opening = Math.abs(length) * 0.075;
    const tilt = Math.sin(angle) * Math.abs(length) * 0.04;
    context.beginPath();
    context.moveTo(px, py - 4 * size);
    context.lineTo(px + length, py - opening + tilt);
    context.lineTo(px + length, py + opening + tilt);
    context.lineTo(px, py + 4 * size);
    context.fill();
  }
  const radius = size * at.scale * (70 + 110 * Math.max(0, Math.sin(turn)) ** 2);
  context.globalAlpha = strength;
  context.drawImage(glow(48, mix(colour, WHITE, 0.3)), px - radius, py - radius, radius * 2, radius * 2);
  context.restore();
}
