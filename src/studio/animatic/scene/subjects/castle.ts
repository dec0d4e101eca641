/** A castle on its rock: towers with pointed roofs, battlements, a gate, and lights where somebody is awake. */
import { type Colour, css, lch, lighter, mix } from '../../prompt/palette.ts';
import { across, type Context, down, glow, outline, spline } from '../brush.ts';
import type { Stage } from '../stage.ts';

interface Tower {
  readonly x: number;
  readonly wide: number;
  readonly tall: number;
  /** Its roof's height; battlements without. */
  readonly roof: number;
}
const TOWERS: readonly Tower[] = [
  { x: -0.2, wide: 0.13, tall: 1.02, roof: 0.36 },
  { x: 0.16, wide: 0.17, tall: 1.2, roof: 0.44 },
  { x: 0.38, wide: 0.11, tall: 0.86, roof: 0.3 },
  { x: -0.48, wide: 0.15, tall: 0.74, roof: 0 },
  { x: 0.56, wide: 0.14, tall: 0.64, roof: 0 },
];

/** Stands on 0,0; 1.65 high. */
export function drawCastle(context: Context, stage: Stage): void {
  const { palette, lit, dark } = stage;
  const far = (colour: Colour) => mix(colour, palette.near, palette.dark * 0.8);
  const stone = far(lch(0.64, 0.022, 70));
  const slate = far(lch(0.36, 0.06, 265));
  const window = dark ? lch(0.88, 0.13, 78) : far(lch(0.26, 0.02, 260));
  const side = (x: number, wide: number) =>
    across(context, x - wide * lit, x + wide * lit, [
      [0, lighter(stone, -0.14)],
      [0.6, stone],
      [1, mix(lighter(stone, 0.04), palette.light, 0.25)],
    ]);
  context.fillStyle = down(context, -0.34, 0.05, [
    [0, far(lch(0.46, 0.03, 80))],
    [1, far(lch(0.32, 0.03, 90))],
  ]);
  context.fill(spline(outline('-0.86 0.06, -0.7 -0.14, -0.5 -0.26, 0 -0.34, 0.5 -0.27, 0.7 -0.12, 0.88 0.06')));
  for (const tower of TOWERS.slice(0, 3)) paint(tower);
  context.fillStyle = side(0, 0.56);
  context.fillRect(-0.52, -0.62, 1.1, 0.42);
  teeth(-0.52, 1.1, -0.62);
  for (const tower of TOWERS.slice(3)) paint(tower);
  context.fillStyle = css(far(lch(0.24, 0.02, 60)));
  context.beginPath();
  context.moveTo(-0.08, -0.2);
  context.lineTo(-0.08, -0.38);
  context.arc(0.01, -0.38, 0.09, Math.PI, 0);
  context.lineTo(0.1, -0.2);
  context.fill();

  function paint({ x, wide, tall, roof }: Tower): void {
    context.fillStyle = side(x, wide / 2);
    context.fillRect(x - wide / 2, -tall - 0.2, wide, tall);
    if (roof > 0) {
      context.fillStyle = across(context, x - wide * lit, x + wide * lit, [
        [0, lighter(slate, -0.08)],
        [1, mix(lighter(slate, 0.06), palette.light, 0.25)],
      ]);
      context.beginPath();
      context.moveTo(x - wide * 0.68, -tall - 0.2);
      context.lineTo(x, -tall - 0.2 - roof);
      context.lineTo(x + wide * 0.68, -tall - 0.2);
      context.fill();
    } else teeth(x - wide * 0.6, wide * 1.2, -tall - 0.2);
    for (const [k, row] of [
      [-0.16, 0.2],
      [0.14, 0.42],
      [-0.1, 0.66],
    ] as const) {
      if (row > tall - 0.3) continue;
      const [wx, wy] = [x + k * wide, -tall - 0.2 + row];
      context.fillStyle = css(window);
      context.beginPath();
      context.roundRect(wx - 0.011, wy - 0.03, 0.024, 0.06, [0.012, 0.012, 0, 0]);
      context.fill();
      if (!dark) continue;
      context.save();
      context.globalCompositeOperation = 'screen';
      context.globalAlpha = 0.5;
      context.drawImage(glow(24, window), wx - 0.08, wy - 0.08, 0.16, 0.16);
      context.restore();
    }
  }

  function teeth(left: number, wide: number, top: number): void {
    const step = wide / Math.round(wide / 0.055);
    for (let x = left; x < left + wide - step * 0.4; x += step) context.fillRect(x, top - 0.035, step * 0.56, 0.04);
  }
}
