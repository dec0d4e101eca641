/** A fall of water over a wall of rock, between the far trees and the near ones. */
import { css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { ellipse, surface } from '../brush.ts';
import type { Stage } from '../stage.ts';
import { leafAt } from './jungle.ts';

/** Water over a ledge into its own mist; the veil slides down for ever. */
export function waterfall(stage: Stage): void {
  const { width, height, unit, palette, random } = stage;
  const x = width * (0.5 + stage.lit * 0.16);
  const wide = width * (width >= height ? 0.13 : 0.24);
  const [top, foot] = [height * 0.16, height * 0.74];
  const white = mix(mix(WHITE, palette.sky[2], 0.3), palette.near, palette.dark * 0.7);
  const rock = mix(palette.at(0.55), lch(0.4, 0.02, 200), 0.4);
  stage.paint(0.4, pen => {
    const ledge = (at: number) =>
      top + (Math.abs(at - x) / wide < 0.6 ? 0 : (stage.noise.ridge(at / (140 * unit), 4) - 0.62) * 150 * unit);
    const wall = pen.down(top, foot, [0, lighter(rock, 0.03)], [1, lighter(rock, -0.06)]);
    pen.fill(wall)`M${stage.land(9, ledge, 9, foot + 20 * unit)}`;
    pen.within(() => {
      for (let i = 0; i < 90; i++) {
        const at = stage.anywhere();
        const y = top + random.next() * (foot - top);
        const paint = css(lighter(rock, random.between(-0.08, 0.06)), 0.5);
        pen.box(paint, at, y, unit * random.between(20, 90), unit * random.between(6, 30));
      }
      pen.context.fillStyle = css(leafAt(stage, 0.5), 0.85);
      for (let i = 0; i < 160; i++) {
        const at = stage.anywhere();
        if (Math.abs(at - x) < wide * 0.62) continue;
        const y = top + unit * random.between(-60, 70) + random.next() ** 3 * (foot - top);
        ellipse(pen.context, at, y, unit * random.between(10, 40), unit * random.between(8, 24));
      }
    });
    const shade = pen.down(top, foot, [0, mix(white, rock, 0.2)], [1, white]);
    pen.fill(shade)`M${x - wide * 0.42} ${top} L${x + wide * 0.42} ${top} L${x + wide * 0.56} ${foot}
  L${x - wide * 0.56} ${foot}`;
  });
  const veil = surface(wide, (foot - top) * 2);
  for (let i = 0; i < 130; i++) {
    const sx = random.next() * wide;
    const y = (random.next() * veil.canvas.height) / 2;
    const long = unit * random.between(60, 240);
    veil.context.strokeStyle = css(random.chance(0.6) ? WHITE : mix(rock, white, 0.4), random.between(0.15, 0.6));
    veil.context.lineWidth = unit * random.between(1.5, 6);
    veil.context.beginPath();
    for (const shift of [-1, 0, 1].map(turn => (turn * veil.canvas.height) / 2)) {
      veil.context.moveTo(sx, y + shift);
      veil.context.lineTo(sx, y + shift + long);
    }
    veil.context.stroke();
  }
  const lens = stage.seen(0.4);
  stage.move({
    depth: 0.4,
    draw(pen, { seconds }, at) {
      const tall = foot - top;
      const from = tall - ((seconds * 360 * unit) % tall);
      pen.context.globalAlpha = 0.8;
      const [left, head] = [at.x(lens.x(x - wide * 0.48)), at.y(lens.y(top))];
      const [across, down] = [wide * 0.96 * lens.lens * at.scale, tall * lens.lens * at.scale];
      pen.context.drawImage(veil.canvas, 0, from, wide, tall, left, head, across, down);
      pen.context.globalAlpha = 1;
    },
  });
  stage.paint(0.44, pen => {
    pen.context.filter = `blur(${Math.max(0.6, 18 * unit)}px)`;
    for (let i = 0; i < 14; i++) {
      const [mx, my] = [x + random.spread() * wide * 0.9, foot + random.spread() * 18 * unit];
      pen.ellipse(css(white, 0.34), mx, my, unit * random.between(50, 120), unit * random.between(20, 46));
    }
  });
}
