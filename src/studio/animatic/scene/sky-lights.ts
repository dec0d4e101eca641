/** Lights in the sky that only some words ask for: an aurora, fireworks, a rainbow. They hang behind the land. */

import { clamp, hash, smooth } from '../../random.ts';
import { css, lch, mix, WHITE } from '../prompt/palette.ts';
import { rows, texture } from './brush.ts';
import type { Stage } from './stage.ts';

export function skyLights(stage: Stage): void {
  const { extras } = stage.shot;
  if (extras.includes('aurora')) aurora(stage);
  if (extras.includes('rainbow')) rainbow(stage);
  if (extras.includes('fireworks')) fireworks(stage);
}

/** Curtains of light: green at their hem, violet where they fade. One hangs still (and is mirrored by water), two waver over it. */
function aurora(stage: Stage): void {
  const { noise, horizon, top, left, span, width } = stage;
  const curtain = (at: number) =>
    texture(360, 150, (u, v) => {
      const hem = 0.5 + 0.3 * (noise.ridge(u * 2.2 + at, 3) - 0.5) + 0.16 * Math.sin(u * 7 + at);
      const above = hem - v;
      const rays = 0.35 + 0.65 * noise.ridge(u * 34 + at * 3 + v * 0.6, 3);
      const fade = above > 0 ? Math.exp(-above * 4.2) : Math.exp(above * 34);
      const along = smooth(clamp(noise.line(u * 3 + at * 7) * 1.9 - 0.15));
      return [mix(lch(0.84, 0.17, 155), lch(0.6, 0.17, 305), clamp(above * 2.4)), fade * rays * along];
    });
  const tall = horizon - top;
  const still = curtain(3);
  stage.paint({ depth: 0.01, to: horizon, still: true }, pen => {
    pen.set({ globalCompositeOperation: 'screen', globalAlpha: 0.95 });
    pen.context.drawImage(still, left, top, span, tall);
  });
  for (const [i, canvas] of [curtain(11), curtain(23)].entries())
    stage.move({
      depth: 0.01,
      draw(pen, { seconds, pulse }, at) {
        pen.context.globalCompositeOperation = 'screen';
        pen.context.globalAlpha = Math.min(1, 0.66 + 0.25 * Math.sin(seconds * (0.7 + i * 0.4) + i * 2) + pulse * 0.3);
        const slide = Math.sin(seconds * 0.24 + i * 2.4) * width * 0.04;
        pen.context.drawImage(canvas, at.x(left) + slide, at.y(top), span * at.scale, tall * at.scale);
        pen.set({ globalAlpha: 1, globalCompositeOperation: 'source-over' });
      },
    });
}

function rainbow(stage: Stage): void {
  const { width, horizon, unit, lit } = stage;
  stage.paint(0.02, pen => {
    pen.set({ globalCompositeOperation: 'screen', filter: `blur(${Math.max(0.5, 5 * unit)}px)` });
    const radius = Math.min(width * 0.5, horizon * 1.05);
    for (let i = 0; i < 7; i++) {
      pen.set({ strokeStyle: css(lch(0.72, 0.15, 25 + i * 46), 0.3), lineWidth: 13 * unit });
      pen.context.beginPath();
      pen.context.arc(width * (0.5 - 0.14 * lit), horizon * 1.1, radius - i * 11 * unit, Math.PI, Math.PI * 2);
      pen.context.stroke();
    }
  });
}

/** Seconds from one shell's burst to its next. */
const AGAIN = 3.1;

/** Shells that burst one after the other: sparks fly out, slow down, fall and go out. */
function fireworks(stage: Stage): void {
  const { width, height, unit, random, horizon } = stage;
  const shells = Array.from({ length: 9 }, (_, i) => ({
    x: width * random.between(0.1, 0.9),
    y: horizon * random.between(0.16, 0.62),
    wide: Math.min(width, height) * random.between(0.17, 0.36),
    colour: lch(0.8, 0.16, (i * 137 + random.between(0, 40)) % 360),
    late: (i / 9) * AGAIN,
    turn: random.next() * 6,
  }));
  stage.move({
    depth: 0.04,
    sharp: true,
    draw(pen, { seconds, pulse }, at) {
      pen.set({ globalCompositeOperation: 'screen', lineCap: 'round' });
      for (const shell of shells) {
        const t = ((seconds + AGAIN - shell.late) % AGAIN) / 2.1;
        if (t > 1) continue;
        const out = 1 - (1 - t) ** 3;
        const alpha = (1 - t) ** 0.8;
        for (const [colour, wide] of rows([shell.colour, 4.6], [mix(shell.colour, WHITE, 0.7), 2])) {
          pen.set({ strokeStyle: css(colour, alpha), lineWidth: Math.max(0.8, wide * unit * (1 + pulse)) });
          pen.context.beginPath();
          for (let i = 0; i < 44; i++) {
            const angle = shell.turn + (i * Math.PI * 2) / 44;
            const reach = shell.wide * (0.7 + 0.3 * ((hash(`spark${i}`) % 100) / 100));
            const spark = (k: number): readonly [number, number] => [
              at.x(shell.x + Math.cos(angle) * reach * k),
              at.y(shell.y + Math.sin(angle) * reach * k + reach * 0.42 * t * t),
            ];
            pen.context.moveTo(...spark(Math.max(0, out - 0.16 - 0.1 * t)));
            pen.context.lineTo(...spark(out));
          }
          pen.context.stroke();
        }
        if (t > 0.18) continue;
        pen.box(css(mix(shell.colour, WHITE, 0.6), 0.24 * (1 - t / 0.18)), 0, 0, width, horizon);
      }
      pen.context.globalCompositeOperation = 'source-over';
    },
  });
}
