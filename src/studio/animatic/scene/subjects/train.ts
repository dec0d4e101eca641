/** A train: carriages behind a railcar, or behind an engine whose steam is drawn out over them. */
import { css, mix, WHITE } from '../../prompt/palette.ts';
import { type Context, ellipse } from '../brush.ts';
import { drawProp, litBy } from '../prop.ts';
import type { Stage } from '../stage.ts';
import type { Figure } from './figure.ts';

const CARRIAGE = 1.62;

export function train(stage: Stage): Figure {
  const steams = stage.shot.extras.includes('steam engine');
  const light = litBy(stage);
  return {
    box: { left: -4.2, top: steams ? -2.4 : -0.95, right: 4.2, bottom: 0.08 },
    stride: 0,
    draw(context, { seconds }) {
      for (let i = -2; i <= 2; i++) {
        context.save();
        context.translate(i * CARRIAGE, 0);
        if (i < 2) drawProp(context, 'carriage', { ...light, seconds });
        else if (steams) {
          steam(context, stage, seconds);
          drawProp(context, 'steam-engine', { ...light, seconds });
        } else drawProp(context, 'railcar', { ...light, seconds });
        context.restore();
      }
    },
  };
}

function steam(context: Context, { palette }: Stage, seconds: number): void {
  const white = mix(mix(WHITE, palette.light, 0.3), palette.near, palette.dark * 0.7);
  for (let i = 0; i < 12; i++) {
    const t = (i / 12 + seconds * 0.42) % 1;
    context.fillStyle = css(white, 0.5 * (1 - t) ** 1.3);
    const size = 0.1 + 0.34 * t;
    ellipse(context, 0.46 - t * 2.6, -1.16 - t * 0.8 + Math.sin(t * 9 + i) * 0.05, size * 1.3, size);
  }
}
