/** What is worn for work: an astronaut's helmet, a straw hat, a chef's toque. From the front, in the units of `face.ts`. */

import type { Random } from '../../../random.ts';
import { css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { type Context, ellipse, outline, spline } from '../brush.ts';
import { type Complexion, soft, strokes } from './face.ts';

const shellOf = (look: Complexion) => mix(lch(0.93, 0.008, 240), look.shade, 0.14);

/** The bowl behind the head, dark and padded. */
export function insideOfHelmet(context: Context, look: Complexion): void {
  context.fillStyle = css(shellOf(look));
  ellipse(context, 0.01, -0.5, 0.72, 0.76);
  const inside = context.createRadialGradient(0.1, -0.7, 0.1, 0, -0.5, 0.66);
  inside.addColorStop(0, css(mix(lch(0.4, 0.02, 250), look.light, 0.2)));
  inside.addColorStop(1, css(mix(lch(0.16, 0.015, 260), look.shade, 0.3)));
  context.fillStyle = inside;
  ellipse(context, 0.02, -0.48, 0.58, 0.63);
}

/** Shell, visor and the light on its glass; a ring locks it to the suit. */
export function helmet(context: Context, look: Complexion): void {
  const shell = shellOf(look);
  collarRing(context, look);
  const round = context.createRadialGradient(0.3, -0.95, 0.1, 0, -0.5, 0.9);
  round.addColorStop(0, css(mix(lighter(shell, 0.05), look.light, 0.35)));
  round.addColorStop(0.6, css(shell));
  round.addColorStop(1, css(lighter(shell, -0.34)));
  context.fillStyle = round;
  context.beginPath();
  context.ellipse(0.01, -0.5, 0.72, 0.76, 0, 0, Math.PI * 2);
  context.ellipse(0.02, -0.47, 0.555, 0.6, 0, 0, Math.PI * 2);
  context.fill('evenodd');
  for (const side of [-1, 1]) {
    context.fillStyle = css(lighter(shell, side === 1 ? -0.08 : -0.3));
    context.beginPath();
    context.roundRect(side * 0.7 - 0.07, -0.66, 0.14, 0.3, 0.06);
    context.fill();
  }
  context.strokeStyle = css(lighter(shell, -0.3), 0.9);
  context.lineWidth = 0.02;
  context.beginPath();
  context.ellipse(0.02, -0.47, 0.555, 0.6, 0, 0, Math.PI * 2);
  context.stroke();
  glass(context, look);
}

function glass(context: Context, look: Complexion): void {
  context.save();
  context.beginPath();
  context.ellipse(0.02, -0.47, 0.545, 0.59, 0, 0, Math.PI * 2);
  context.clip();
  const tint = context.createLinearGradient(0, -1.06, 0, 0.1);
  tint.addColorStop(0, css(mix(lch(0.74, 0.09, 75), look.light, 0.4), 0.42));
  tint.addColorStop(0.4, css(lch(0.7, 0.07, 70), 0.08));
  tint.addColorStop(1, css(look.shade, 0.3));
  context.fillStyle = tint;
  context.fillRect(-0.6, -1.1, 1.3, 1.3);
  soft(context, 0.02, () => {
    context.fillStyle = 'rgba(255,255,255,0.3)';
    context.fill(spline(outline('0.2 -1.02, 0.42 -0.86, 0.52 -0.6, 0.5 -0.42, 0.4 -0.66, 0.26 -0.84, 0.06 -0.96')));
    context.fillStyle = 'rgba(255,255,255,0.14)';
    context.fill(spline(outline('-0.5 -0.34, -0.42 -0.1, -0.24 0.06, -0.34 -0.12, -0.44 -0.36')));
  });
  context.fillStyle = 'rgba(255,255,255,0.85)';
  ellipse(context, 0.36, -0.83, 0.045, 0.022, 0.75);
  context.restore();
}

function collarRing(context: Context, look: Complexion): void {
  const steel = mix(lch(0.62, 0.012, 250), look.shade, 0.15);
  const tone = context.createLinearGradient(-0.6, 0, 0.6, 0);
  tone.addColorStop(0, css(lighter(steel, -0.24)));
  tone.addColorStop(0.6, css(steel));
  tone.addColorStop(0.85, css(mix(lighter(steel, 0.24), look.light, 0.3)));
  tone.addColorStop(1, css(steel));
  context.fillStyle = tone;
  context.beginPath();
  context.ellipse(0.01, 0.2, 0.5, 0.15, 0, 0, Math.PI);
  context.lineTo(-0.45, 0.08);
  context.ellipse(0.01, 0.08, 0.46, 0.15, 0, Math.PI, 0, true);
  context.closePath();
  context.fill();
  context.fillStyle = css(lch(0.58, 0.19, 28), 0.9);
  ellipse(context, 0.3, 0.285, 0.028, 0.02);
}

/** A cone of straw, its brim's shadow over the brow. */
export function strawHat(context: Context, look: Complexion, random: Random): void {
  const straw = mix(lch(0.74, 0.085, 82), look.shade, 0.16);
  soft(context, 0.03, () => {
    context.fillStyle = css(mix(look.shade, lch(0.15, 0.03, 30), 0.5), 0.6);
    ellipse(context, -0.02, -0.66, 0.37, 0.11);
  });
  const tone = context.createLinearGradient(-0.9, 0, 0.9, 0);
  tone.addColorStop(0, css(lighter(straw, -0.26)));
  tone.addColorStop(0.5, css(lighter(straw, -0.06)));
  tone.addColorStop(0.8, css(mix(lighter(straw, 0.04), look.light, 0.3)));
  tone.addColorStop(1, css(straw));
  context.fillStyle = css(lighter(straw, -0.34));
  ellipse(context, 0, -0.71, 0.9, 0.1);
  context.fillStyle = tone;
  context.beginPath();
  context.moveTo(0, -1.44);
  context.quadraticCurveTo(0.3, -1.14, 0.92, -0.74);
  context.quadraticCurveTo(0.5, -0.63, 0, -0.62);
  context.quadraticCurveTo(-0.5, -0.63, -0.92, -0.74);
  context.quadraticCurveTo(-0.3, -1.14, 0, -1.44);
  context.fill();
  context.save();
  context.clip();
  for (const shade of [-0.1, 0.08]) {
    strokes(context, random, 130, css(lighter(straw, shade), 0.5), 0.007, () => {
      const foot = random.between(-0.92, 0.92);
      const t = random.between(0.05, 0.7);
      return [foot * t, -1.42 + 0.72 * t, foot * (t + 0.3), -1.42 + 0.72 * (t + 0.3)];
    });
  }
  context.strokeStyle = css(lighter(straw, -0.2), 0.45);
  context.lineWidth = 0.01;
  for (const t of [0.3, 0.52, 0.74, 0.92]) {
    context.beginPath();
    context.moveTo(-0.92 * t, -1.44 + 0.7 * t);
    context.quadraticCurveTo(0, -1.44 + 0.98 * t, 0.92 * t, -1.44 + 0.7 * t);
    context.stroke();
  }
  context.restore();
}

/** White and tall, pleated at its band. */
export function toque(context: Context, look: Complexion): void {
  const linen = mix(lch(0.96, 0.008, 90), look.shade, 0.12);
  const tone = context.createLinearGradient(-0.5, 0, 0.5, 0);
  tone.addColorStop(0, css(lighter(linen, -0.22)));
  tone.addColorStop(0.55, css(linen));
  tone.addColorStop(0.85, css(mix(linen, WHITE, 0.7)));
  tone.addColorStop(1, css(lighter(linen, -0.05)));
  context.fillStyle = tone;
  context.fill(
    spline(
      outline(
        '-0.4 -0.92, -0.56 -1.08, -0.54 -1.26, -0.34 -1.36, -0.14 -1.41, 0.1 -1.42, 0.36 -1.36, 0.54 -1.24, 0.55 -1.08, 0.4 -0.92',
      ),
    ),
  );
  context.strokeStyle = css(lighter(linen, -0.2), 0.5);
  context.lineWidth = 0.014;
  for (const x of [-0.3, -0.16, 0.02, 0.18, 0.32])
    context.stroke(
      spline(
        [
          [x, -0.92],
          [x * 1.15, -1.08],
          [x * 1.3 + 0.02, -1.24],
        ],
        { closed: false },
      ),
    );
  context.fillStyle = tone;
  context.beginPath();
  context.roundRect(-0.405, -0.95, 0.81, 0.25, 0.04);
  context.fill();
  soft(context, 0.02, () => {
    context.fillStyle = css(look.shade, 0.3);
    context.fillRect(-0.4, -0.72, 0.8, 0.04);
  });
}
