/** A kite on its string: the sails are a prop, the tail of bows swings behind. */
import { type Colour, css, mix, WHITE } from '../../prompt/palette.ts';
import { ellipse } from '../brush.ts';
import { drawProp } from '../prop.ts';
import type { Figure } from './figure.ts';

/** The origin is where its string is tied. */
export const kite = ([one, two]: readonly [Colour, Colour]): Figure => ({
  box: { left: -1.1, top: -0.75, right: 0.75, bottom: 1.7 },
  stride: 0,
  draw(context, { seconds }) {
    context.save();
    context.rotate(0.32 + Math.sin(seconds * 1.7) * 0.07);
    drawProp(context, 'kite', { paints: { paint: one, trim: two } });
    context.restore();
    const tail = (t: number): readonly [number, number] => [
      -0.17 - 0.55 * t + Math.sin(seconds * 3.4 - t * 7) * 0.11 * t,
      0.5 + 1.05 * t,
    ];
    context.strokeStyle = css(mix(one, WHITE, 0.7), 0.8);
    context.lineWidth = 0.013;
    context.beginPath();
    for (let i = 0; i <= 20; i++) context.lineTo(...tail(i / 20));
    context.stroke();
    for (let i = 1; i <= 4; i++) {
      const [x, y] = tail(i / 4.4);
      context.fillStyle = css(i % 2 === 0 ? one : two);
      for (const side of [-1, 1]) ellipse(context, x + side * 0.06, y, 0.06, 0.033, side * 0.5);
    }
  },
});
