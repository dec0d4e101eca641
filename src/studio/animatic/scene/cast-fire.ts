/** A campfire: logs, tongues of flame, and its light on the ground around. Stands before the cast, to the side of it. */
import { css, lch } from '../prompt/palette.ts';
import type { Actor } from './actors.ts';
import { glow, Pen, rows, tube } from './brush.ts';
import type { Stage } from './stage.ts';

export function campfire(stage: Stage): Actor {
  const { width, height, unit, ground, shot } = stage;
  const x = width * (0.5 + (shot.subject ? 0.17 : 0.02) * stage.lit);
  const size = Math.min(width, height) * 0.13;
  const warm = glow(160, lch(0.78, 0.15, 60));
  return {
    depth: 0.66,
    draw(context, at, { seconds }) {
      const [px, py] = [at.x(x), at.y(ground + 12 * unit)];
      const s = size * at.scale;
      const pen = new Pen(context);
      const flicker = 1 + 0.07 * Math.sin(seconds * 13) + 0.05 * Math.sin(seconds * 29 + 2);
      context.save();
      context.globalCompositeOperation = 'screen';
      for (const [reach, flat, alpha] of rows([4.6, 0.34, 0.62], [2.9, 1, 0.5])) {
        context.globalAlpha = alpha * flicker;
        const top = py - s * (flat < 1 ? 0 : 0.5) - s * reach * flat;
        context.drawImage(warm, px - s * reach, top, s * reach * 2, s * reach * 2 * flat);
      }
      context.restore();
      context.save();
      context.translate(px, py);
      context.scale(s, s);
      context.fillStyle = css(lch(0.22, 0.03, 45));
      for (const [from, to] of rows([-0.5, 0.4], [0.5, -0.42], [-0.2, 0.58]))
        context.fill(tube(rows([from, 0.04, 0.075], [to, -0.12, 0.06])));
      for (const [colour, wide, tall, alpha] of rows(
        [lch(0.64, 0.2, 38), 0.4, 1.15, 0.85],
        [lch(0.8, 0.17, 66), 0.28, 0.85, 0.95],
        [lch(0.96, 0.09, 95), 0.15, 0.5, 1],
      )) {
        context.fillStyle = css(colour, alpha);
        for (const [shift, grow, lag] of rows([-0.17, 0.66, 0], [0.16, 0.74, 2], [0, 1, 4])) {
          const lick = Math.sin(seconds * 7.3 + lag) * 0.11;
          const top = -tall * grow * (1 + 0.14 * Math.sin(seconds * 9.7 + lag));
          pen.trace`M${shift - wide * 0.5} 0
  C${shift - wide * 0.72} ${top * 0.4} ${shift - wide * 0.05 + lick * 0.5} ${top * 0.6} ${shift + lick} ${top}
  C${shift + wide * 0.12 + lick * 0.5} ${top * 0.62} ${shift + wide * 0.72} ${top * 0.4} ${shift + wide * 0.5} 0`;
          context.fill();
        }
      }
      pen.ellipse(css(lch(0.98, 0.05, 95), 0.8), 0, -0.03, 0.2, 0.06);
      context.restore();
    },
  };
}
