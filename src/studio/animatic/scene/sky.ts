/** Skies: a gradient, a sun or a moon and its glow, stars, and clouds lit from where the light stands. */

import { clamp, hash, smooth } from '../../shared/random.ts';
import { type Colour, css, lch, lighter, mix, WHITE } from '../prompt/palette.ts';
import { ellipse, glow, type Pen, rows, texture } from './brush.ts';
import type { Stage } from './stage.ts';

export function sky(stage: Stage, { clouds = 0.6 }: { readonly clouds?: number } = {}): void {
  stage.paint(0, pen => {
    const [zenith, middle, low] = stage.palette.sky;
    const [high, deep] = [mix(zenith, middle, 0.45), mix(middle, low, 0.7)];
    const stops = rows([0, zenith], [0.25, high], [0.55, middle], [0.82, deep], [1, low]);
    pen.box(pen.down(stage.top, stage.horizon * 1.04, ...stops), ...stage.all);
    stars(stage, pen);
    sun(stage, pen, !stage.shot.storm && stage.palette.time !== 'overcast');
  });
  if (stage.shot.storm) cloudBank(stage, { cover: 0.62, depth: 0.05, drift: 0.012, height: 1.02, heavy: true });
  else if (clouds > 0)
    cloudBank(stage, { cover: clouds * openness(stage), depth: 0.05, drift: 0, height: 0.96, heavy: false });
  skyLights(stage);
}

/** Lights in the sky want it open. */
const openness = ({ shot }: Stage): number =>
  shot.extras.some(extra => extra === 'aurora' || extra === 'fireworks') ? 0.3 : 1;

function stars(stage: Stage, pen: Pen): void {
  const { palette, random, unit } = stage;
  if (palette.stars <= 0.05) return;
  for (let i = 0; i < 460 * palette.stars; i++) {
    const y = stage.top + random.next() ** 1.4 * (stage.horizon - stage.top) * 0.92;
    pen.context.fillStyle = css(mix(palette.light, palette.sky[2], random.next() * 0.4), random.between(0.25, 0.95));
    const size = (random.next() ** 3 * 1.9 + 0.5) * unit;
    ellipse(pen.context, stage.anywhere(), y, size, size);
  }
}

function sun(stage: Stage, pen: Pen, disc: boolean): void {
  const { palette, unit } = stage;
  const { x, y } = stage.sun;
  const wide = Math.max(stage.width, stage.height) * 0.72;
  const night = palette.time === 'night';
  pen.shine(glow(256, palette.light), night ? 0.34 : 0.66, x, y, wide);
  pen.shine(glow(128, palette.light), 0.55, x, y, wide * 0.3);
  if (!disc) return;
  const radius = unit * (night ? 44 : palette.time === 'day' ? 48 : 62);
  const face = mix(palette.light, WHITE, 0.6);
  const edge = mix(face, palette.light, 0.35);
  const shade = pen.radial([x, y, radius * 0.2, x, y, radius], [0, face], [0.93, edge], [1, palette.light, 0]);
  pen.ellipse(shade, x, y, radius);
  if (!night) return;
  pen.context.fillStyle = css(palette.sky[1], 0.16);
  for (const [dx, dy, size] of rows([-0.2, -0.1, 0.28], [0.3, 0.25, 0.18], [0.05, 0.45, 0.13], [0.35, -0.35, 0.12])) {
    ellipse(pen.context, x + dx * radius, y + dy * radius, size * radius, size * radius);
  }
}

interface Clouds {
  /** 0 clear to 1 closed. */
  readonly cover: number;
  readonly depth: number;
  /** Parts of the frame's width in a second. Still clouds become one layer with the sky, which saves two draws of every frame. */
  readonly drift: number;
  /** Down to this part of the horizon's height. */
  readonly height: number;
  readonly heavy: boolean;
}

function cloudBank(stage: Stage, { cover, depth, drift, height, heavy }: Clouds): void {
  const { noise, palette } = stage;
  const [zenith, middle, low] = palette.sky;
  const bright: Colour = heavy ? mix(low, palette.light, 0.45) : mix(palette.light, WHITE, 0.25);
  const shade: Colour = heavy ? lighter(mix(zenith, lch(0.2, 0.03, 262), 0.55), -0.03) : mix(middle, zenith, 0.4);
  const wide = Math.round(clamp(stage.span / 4, 80, heavy ? 420 : 340));
  const sunU = (stage.sun.x - stage.left) / stage.span;
  const scale = heavy ? 3.4 : 4.6;
  const picture = texture(wide, Math.round(wide / 2), (u, v) => {
    const bend = noise.plane(u * 3, v * 4) * 1.4;
    const flat = heavy ? 5.5 : 8.5;
    const body = noise.cloud(u * scale * 1.3 + 3, v * flat + bend, 6);
    const above = noise.cloud(u * scale * 1.3 + 3.04 * (sunU > u ? 1 : 0.995), v * flat + bend + 0.26, 4);
    const band = smooth(v / (heavy ? 0.02 : 0.15) + (heavy ? 1 : 0)) * smooth((1 - v) / 0.3);
    const alpha = clamp((body - (0.66 - cover * 0.34)) * (heavy ? 3.2 : 4)) * band;
    const towards = 1 - clamp(Math.abs(u - sunU) * 1.7);
    const edge = clamp((above - body) * 5 + 0.36 + (heavy ? v * 0.5 : 0.12) + towards * 0.22);
    return [mix(shade, bright, edge * (heavy ? 0.25 + 0.75 * v * v + 0.2 * towards : 1)), alpha * (heavy ? 0.96 : 0.8)];
  });
  const bottom = stage.top + (stage.horizon * height - stage.top);
  stage.paint({ depth, to: bottom, drift: stage.width * drift }, pen => {
    pen.context.imageSmoothingQuality = 'high';
    pen.context.drawImage(picture, stage.left - stage.width * 0.04, stage.top, stage.span * 1.08, bottom - stage.top);
  });
}

/** Lights that only some words ask for; they hang behind the land. */
function skyLights(stage: Stage): void {
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
