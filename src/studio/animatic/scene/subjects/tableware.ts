/** What steams on a table: a cup from a little above, a bowl of noodles. Each stands on 0,0 and is about 1 high. */
import { type Colour, css, mix, WHITE } from '../../prompt/palette.ts';
import type { Context } from '../brush.ts';
import { propFigure } from '../prop.ts';
import type { Stage } from '../stage.ts';
import type { Figure } from './figure.ts';

export const cup = (stage: Stage, glaze: Colour): Figure =>
  propFigure(stage, 'cup', { glaze }, { after: (context, { seconds }) => steam(context, stage, seconds) });
export const bowl = (stage: Stage, glaze: Colour): Figure =>
  propFigure(stage, 'bowl', { glaze }, { after: (context, { seconds }) => steam(context, stage, seconds) });

function steam(context: Context, stage: Stage, seconds: number): void {
  const white = mix(WHITE, stage.palette.light, 0.3);
  context.lineCap = 'round';
  for (const [x, lag] of [
    [-0.22, 0],
    [0.02, 1.7],
    [0.24, 3.1],
  ] as const)
    for (const [wide, alpha] of [
      [0.13, 0.07],
      [0.07, 0.1],
      [0.03, 0.13],
    ] as const) {
      context.strokeStyle = css(white, alpha * (0.7 + 0.3 * Math.sin(seconds * 0.9 + lag)));
      context.lineWidth = wide;
      context.beginPath();
      for (let i = 0; i <= 12; i++) {
        const t = i / 12;
        context.lineTo(x + Math.sin(t * 5 - seconds * 1.4 + lag) * 0.11 * t, -0.72 - t * 0.8);
      }
      context.stroke();
    }
}
