/** Open water to the horizon: swells that roll, light broken on them. `sea` is shared with the coast. */

import { mixNumber } from '../../../shared/random.ts';
import { type Colour, css, lch, mix, WHITE } from '../../prompt/palette.ts';
import { type Pen, samples, surface } from '../brush.ts';
import { ridge } from '../land.ts';
import { sky } from '../sky.ts';
import type { Stage } from '../stage.ts';

export function ocean(stage: Stage): void {
  sky(stage, { clouds: 0.75 });
  if (stage.random.chance(0.6)) ridge(stage, { below: 4, rise: 70, hills: 2.2, distance: 0.92, octaves: 5, rim: 0.3 });
  sea(stage, { rough: stage.shot.storm ? 1 : 0.3 });
  stage.ground = stage.height * 0.82;
}

/** Water under one sky: its colours, and how rough it is. */
interface Water {
  readonly stage: Stage;
  readonly rough: number;
  readonly middle: Colour;
  readonly low: Colour;
  readonly deep: Colour;
}

/** One row of swells, from 0 far away; `t` is 0 at the horizon to 1 here. */
interface Swell {
  readonly row: number;
  readonly t: number;
  readonly wide: number;
  readonly tall: number;
  readonly amplitude: number;
}

/** `rough` 0 a calm evening, 1 a gale. */
export function sea(stage: Stage, { rough }: { readonly rough: number }): void {
  const { horizon, unit, palette, bottom, random, span } = stage;
  const [zenith, middle, low] = palette.sky;
  const deep = mix(mix(zenith, palette.near, 0.5), lch(0.32, 0.05, 225), 0.35);
  stage.paint({ depth: 0.2, from: horizon }, pen => {
    const [far, half, near] = [mix(low, middle, 0.4), mix(middle, deep, 0.5), mix(deep, palette.near, 0.4)];
    pen.box(pen.down(horizon, bottom, [0, far], [0.16, half], [1, near]), ...stage.from(horizon));
  });
  const rows = 7;
  for (let row = 0; row < rows; row++) {
    const t = (row + 0.5) / rows;
    const y = mixNumber(horizon + 8 * unit, stage.height * 0.98, t ** 1.6);
    const amplitude = unit * mixNumber(3, 22 + 34 * rough, t);
    const tall = unit * mixNumber(46, 260, t);
    const depth = mixNumber(0.2, 0.92, t);
    const phase = random.next() * 6;
    const speed = random.between(0.5, 1) * (row % 2 === 1 ? 1 : -0.6) * mixNumber(8, 46, t) * unit * (1 + rough);
    const canvas = paintSwell({ stage, rough, middle, low, deep }, { row, t, wide: span * 1.25, tall, amplitude });
    const lens = stage.seen(depth);
    stage.move({
      depth,
      draw(pen, { seconds }, at) {
        const left = at.x(lens.x(stage.left - span * 0.12)) + Math.sin(seconds * 0.35 + phase) * speed * 3;
        const lift = Math.sin(seconds * (1.1 + rough * 0.5) + phase) * (amplitude * 0.5);
        const top = at.y(lens.y(y)) - amplitude * 1.6 * lens.lens + lift;
        const [wide, tall] = [canvas.width * at.scale * lens.lens, canvas.height * at.scale * lens.lens];
        pen.context.drawImage(canvas, left, top, wide, tall);
      },
    });
  }
}

function paintSwell(water: Water, swell: Swell) {
  const { middle, low, deep, rough, stage } = water;
  const { wide, tall, t } = swell;
  const { palette, sun, span, width } = stage;
  const { canvas, pen } = surface(wide, tall);
  const colour = mix(mix(middle, deep, 0.35 + t * 0.45), palette.near, 0.1 + t * 0.3);
  const crest = mix(colour, mix(low, palette.light, 0.4), 0.5);
  const height = heightsOf(water, swell);
  const shade = pen.down(0, tall, [0, crest, 0.95], [0.16, colour, 0.92], [0.55, colour, 0.5], [1, colour, 0]);
  const body = pen.fill(shade)`M0 ${tall} L${samples(0, wide, 4, height)} L${wide} ${tall} Z`;
  pen.within(body, () => {
    const sunX = sun.x - stage.left + span * 0.12;
    const path = [sunX, 0, 0, sunX, 0, width * mixNumber(0.12, 0.34, t)] as const;
    const shine = 0.5 * (1 - rough * 0.45);
    pen.box(pen.radial(path, [0, palette.light, shine], [1, palette.light, 0]), 0, 0, wide, tall);
    glitter(pen, water, swell, sunX);
    foam(pen, water, swell, height);
  });
  return canvas;
}

/** No two swells are alike: the row's beat is bent and its height comes and goes. */
function heightsOf({ stage: { noise }, rough }: Water, { row, t, wide, amplitude }: Swell): (x: number) => number {
  const period = wide / Math.round(mixNumber(26, 6, t));
  return x => {
    const beat = x / period;
    const turn = (beat + 0.8 * noise.line(beat * 0.5 + row * 23)) * Math.PI * 2;
    const high = 0.25 + 1.15 * noise.line(beat * 0.43 + row * 17 + 5);
    const peaked = Math.abs(Math.sin(turn * 0.5 + 1 + row)) ** (0.7 + rough);
    return (
      amplitude * 1.6 -
      amplitude * high * (Math.sin(turn) * 0.4 + peaked * 0.8) -
      amplitude * 0.6 * noise.ridge(beat * 3 + row * 9, 3)
    );
  };
}

/** Light broken on the water below the sun, denser the farther away. */
function glitter(pen: Pen, { stage, rough }: Water, { wide, tall, t }: Swell, sunX: number): void {
  const { palette, random, unit, width } = stage;
  pen.context.lineCap = 'round';
  const shine = mix(palette.light, WHITE, 0.35);
  for (let i = 0; i < 90 * (1 - rough * 0.6); i++) {
    const x = sunX + random.spread() * width * mixNumber(0.05, 0.16, t);
    if (x < 0 || x > wide) continue;
    const y = random.next() * tall * 0.55;
    const long = unit * mixNumber(4, 34, t) * random.between(0.4, 1.3);
    const paint = css(shine, random.between(0.1, 0.6) * (1 - y / tall));
    pen.stroke(paint, unit * mixNumber(1.1, 3.2, t))`M${x - long / 2} ${y} L${x + long / 2} ${y}`;
  }
}

function foam(pen: Pen, { stage, rough, low }: Water, { wide, amplitude }: Swell, height: (x: number) => number): void {
  const { palette, random } = stage;
  const white = mix(mix(WHITE, low, 0.3), palette.near, palette.dark * 0.6);
  pen.context.lineCap = 'round';
  for (let i = 0; i < 60 + 120 * rough; i++) {
    const x = random.next() * wide;
    const length = amplitude * random.between(0.8, 3.4);
    const high = height(x) < amplitude * 0.9;
    pen.context.strokeStyle = css(white, (high ? 0.7 : 0.26) * random.between(0.3, 1) * (0.45 + 0.55 * rough));
    pen.context.lineWidth = Math.max(0.7, amplitude * random.between(0.03, high ? 0.16 : 0.06));
    const drop = high ? 0 : random.between(0.3, 2.4) * amplitude;
    pen.context.beginPath();
    for (let s = 0; s <= 6; s++) pen.context.lineTo(x + (s / 6) * length, height(x + (s / 6) * length) + drop + 1);
    pen.context.stroke();
  }
}
