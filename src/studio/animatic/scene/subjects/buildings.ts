/** Buildings that are subjects: a lighthouse and its beam, a house with lit windows. */
import { css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { across, type Context, glow } from '../brush.ts';
import type { Projection } from '../camera.ts';
import type { Stage } from '../stage.ts';

interface Standing {
  readonly x: number;
  readonly base: number;
  readonly height: number;
  /** 0 here, 1 at the horizon: how much air is before it. */
  readonly distance: number;
}

export function drawLighthouse(context: Context, stage: Stage, { x, base, height, distance }: Standing): void {
  const { palette, lit } = stage;
  const far = (colour: Parameters<typeof mix>[0]) =>
    mix(mix(colour, palette.near, palette.dark * 0.9), palette.at(0.8), distance * 0.55);
  const white = far(lch(0.9, 0.012, 85));
  const red = far(lch(0.52, 0.16, 27));
  const iron = far(lch(0.2, 0.015, 260));
  const side = (colour: typeof white) =>
    across(
      context,
      -0.16,
      0.16,
      lit === 1
        ? [
            [0, lighter(colour, -0.2)],
            [0.55, lighter(colour, -0.05)],
            [0.85, mix(colour, palette.light, 0.4)],
            [1, colour],
          ]
        : [
            [0, colour],
            [0.15, mix(colour, palette.light, 0.4)],
            [0.45, lighter(colour, -0.05)],
            [1, lighter(colour, -0.2)],
          ],
    );
  context.save();
  context.translate(x, base);
  context.scale(height, height);
  context.beginPath();
  context.moveTo(-0.155, 0.02);
  context.quadraticCurveTo(-0.1, -0.35, -0.088, -0.79);
  context.lineTo(0.088, -0.79);
  context.quadraticCurveTo(0.1, -0.35, 0.155, 0.02);
  context.closePath();
  context.save();
  context.clip();
  for (const [i, [from, to]] of (
    [
      [0.02, -0.19],
      [-0.19, -0.4],
      [-0.4, -0.6],
      [-0.6, -0.8],
    ] as const
  ).entries()) {
    context.fillStyle = side(i % 2 === 0 ? white : red);
    context.fillRect(-0.2, to, 0.4, from - to + 0.004);
  }
  context.restore();
  context.fillStyle = css(iron);
  context.fillRect(-0.022, -0.5, 0.034, 0.05);
  context.fillRect(-0.022, -0.27, 0.034, 0.05);
  context.fillRect(-0.125, -0.815, 0.25, 0.028);
  context.fillRect(-0.12, -0.85, 0.24, 0.008);
  for (let i = 0; i <= 8; i++) context.fillRect(-0.12 + i * 0.0295, -0.85, 0.005, 0.04);
  context.fillStyle = css(mix(palette.light, lch(0.93, 0.11, 85), 0.6));
  context.fillRect(-0.062, -0.925, 0.124, 0.11);
  context.fillStyle = css(iron);
  for (const bar of [-0.066, -0.024, 0.018, 0.058]) context.fillRect(bar, -0.925, 0.008, 0.11);
  context.beginPath();
  context.moveTo(-0.09, -0.922);
  context.quadraticCurveTo(-0.05, -1, 0, -1.02);
  context.quadraticCurveTo(0.05, -1, 0.09, -0.922);
  context.fill();
  context.fillRect(-0.005, -1.08, 0.01, 0.08);
  context.restore();
}

export interface Beam {
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
    context.fillStyle = across(context, px, px + length, [
      [0, colour, 0.62 * strength],
      [0.35, colour, 0.26 * strength],
      [1, colour, 0],
    ]);
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

export function drawHouse(context: Context, stage: Stage, { x, base, height, distance }: Standing): void {
  const { palette, lit } = stage;
  const far = (colour: Parameters<typeof mix>[0]) =>
    mix(mix(colour, palette.near, palette.dark), palette.at(0.8), distance * 0.5);
  const wood = far(lch(0.4, 0.06, 45));
  const roof = stage.shot.winter ? far(mix(WHITE, palette.sky[1], 0.3)) : far(lch(0.3, 0.03, 30));
  const window = stage.dark ? lch(0.88, 0.13, 78) : mix(palette.light, lch(0.88, 0.11, 78), 0.5);
  context.save();
  context.translate(x, base);
  context.scale(height, height);
  context.fillStyle = across(
    context,
    -0.62,
    0.62,
    lit === 1
      ? [
          [0, lighter(wood, -0.07)],
          [1, mix(wood, palette.light, 0.2)],
        ]
      : [
          [0, mix(wood, palette.light, 0.2)],
          [1, lighter(wood, -0.07)],
        ],
  );
  context.fillRect(-0.6, -0.52, 1.2, 0.54);
  context.strokeStyle = css(lighter(wood, -0.08), 0.5);
  context.lineWidth = 0.01;
  for (let y = -0.46; y < 0; y += 0.065) {
    context.beginPath();
    context.moveTo(-0.6, y);
    context.lineTo(0.6, y);
    context.stroke();
  }
  context.fillStyle = css(far(lch(0.34, 0.03, 40)));
  context.fillRect(0.26, -1.06, 0.13, 0.34);
  context.fillStyle = css(roof);
  context.beginPath();
  context.moveTo(-0.74, -0.47);
  context.lineTo(-0.08, -0.98);
  context.lineTo(0.08, -0.98);
  context.lineTo(0.74, -0.47);
  context.closePath();
  context.fill();
  context.strokeStyle = css(palette.light, 0.5);
  context.lineWidth = 0.016;
  context.beginPath();
  context.moveTo(lit * 0.08, -0.98);
  context.lineTo(lit * 0.74, -0.47);
  context.stroke();
  for (const left of [-0.42, 0.16]) {
    context.fillStyle = css(window);
    context.fillRect(left, -0.38, 0.22, 0.22);
    context.fillStyle = css(lighter(wood, -0.12));
    context.fillRect(left + 0.1, -0.38, 0.018, 0.22);
    context.fillRect(left, -0.28, 0.22, 0.016);
  }
  context.fillStyle = css(lighter(wood, -0.14));
  context.fillRect(-0.1, -0.34, 0.18, 0.36);
  if (stage.dark) {
    context.globalCompositeOperation = 'screen';
    context.globalAlpha = 0.6;
    const light = glow(48, window);
    for (const left of [-0.31, 0.27]) context.drawImage(light, left - 0.4, -0.67, 0.8, 0.8);
  }
  context.restore();
}
