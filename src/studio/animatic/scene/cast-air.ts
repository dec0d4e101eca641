/** Subjects that fly: how many there are, how high, and how they go. */

import { mixNumber, Random, smooth } from '../../shared/random.ts';
import { type Colour, css, lch, mix, WHITE } from '../prompt/palette.ts';
import { type Actor, rider } from './actors.ts';
import { ellipse, Pen, rows } from './brush.ts';
import { LitFigure } from './lighting.ts';
import { propFigure } from './prop.ts';
import type { Stage } from './stage.ts';
import { castle } from './subjects/buildings.ts';
import { bird, butterfly, dragon, raptor } from './subjects/creatures.ts';
import { kite } from './subjects/things.ts';

/** How near a shot's size brings what it shows. */
export const NEAR = { 'extreme-wide': 0.5, wide: 1, medium: 1.7, close: 2.3, 'extreme-close': 3 } as const;

const BRIGHT: readonly [Colour, ...Colour[]] = [
  lch(0.62, 0.2, 28),
  lch(0.78, 0.15, 72),
  lch(0.58, 0.14, 250),
  lch(0.66, 0.13, 168),
  lch(0.62, 0.16, 330),
];

const frameOf = ({ width, height }: Stage) => Math.min(height, width * 0.9);
const asked = ({ shot }: Stage): Colour | null => {
  const colour = shot.subject?.person.colour;
  return colour ? lch(...colour) : null;
};

export function birds(stage: Stage, seed: string): Actor[] {
  const random = new Random(`thing|${seed}`);
  const { lit, height } = stage;
  const frame = frameOf(stage);
  const near = NEAR[stage.shot.size];
  if (stage.shot.extras.includes('dragon')) {
    const y = height * (near > 1.5 ? 0.52 : 0.36);
    const flies = rider(stage, dragon, {
      scale: frame * 0.2 * Math.min(2.2, near),
      x: -0.1 * lit,
      y,
      speed: 0.03,
      lift: 0.03,
      roll: 0.05,
    });
    return [flies, ...castleBelow(stage, frame)];
  }
  if (stage.shot.extras.includes('raptor')) {
    const y = height * (near > 1.5 ? 0.46 : 0.34);
    return [
      rider(stage, raptor, {
        scale: frame * 0.15 * Math.min(2.2, near),
        x: -0.06 * lit,
        y,
        speed: 0.03,
        lift: 0.03,
        roll: 0.12,
      }),
    ];
  }
  return Array.from({ length: 7 }, (_, i) => {
    const one = bird(random.next() * 6);
    const scale = frame * random.between(0.022, 0.06) * near;
    const y = height * random.between(0.16, 0.42);
    return rider(stage, one, { scale, x: -0.36 + 0.11 * i, y, speed: 0.07, lift: 0.012 });
  });
}

/** What it flies over. */
const castleBelow = (stage: Stage, frame: number): Actor[] =>
  stage.shot.extras.includes('castle')
    ? [rider(stage, castle(stage), { scale: frame * 0.26, x: 0.2 * stage.lit, y: stage.ground })]
    : [];

export function balloons(stage: Stage, seed: string): Actor[] {
  const random = new Random(`balloons|${seed}`);
  const frame = frameOf(stage);
  const near = NEAR[stage.shot.size];
  const one = (x: number, y: number, size: number, colour: Colour) => {
    const figure = propFigure(stage, 'balloon', { paint: colour, trim: mix(colour, lch(0.96, 0.03, 88), 0.82) });
    const scale = frame * size * near;
    return rider(stage, figure, { scale, x, y: stage.height * y, speed: 0.012, lift: 0.012, roll: 0.02 });
  };
  const far = rows([0.3, 0.3, 0.09], [-0.4, 0.42, 0.07], [0.42, 0.5, 0.055], [-0.24, 0.24, 0.05]);
  return [
    ...far.map(([x, y, size]) => one(x + random.spread() * 0.03, y, size, random.pick(BRIGHT))),
    one(-0.09 * stage.lit, near > 1.5 ? 0.86 : 0.68, 0.3, asked(stage) ?? random.pick(BRIGHT)),
  ];
}

export function planes(stage: Stage): Actor[] {
  const scale = frameOf(stage) * 0.21 * NEAR[stage.shot.size];
  const speed = stage.shot.camera === 'tracking' ? 0 : 0.06;
  const where = { x: -0.05, y: stage.height * 0.34, lift: 0.006, roll: 0.01 };
  return [rider(stage, propFigure(stage, 'plane'), { scale, speed, ...where })];
}

/** In space it cruises; on a planet it lifts off through the whole shot, on a column of smoke. */
export function rockets(stage: Stage): Actor[] {
  const { width, height, unit, ground, shot, palette } = stage;
  const scale = frameOf(stage) * 0.27 * Math.min(1.6, NEAR[shot.size]);
  const lit = new LitFigure(stage, propFigure(stage, 'rocket'), scale, 1);
  const cruises = shot.place === 'space' || shot.place === 'orbit' || shot.place === 'abstract';
  const random = new Random('smoke');
  const smoke = Array.from({ length: 46 }, () => [random.spread(), random.next(), random.between(0.5, 1.2)] as const);
  return [
    {
      depth: 0.62,
      draw(context, at, { seconds, progress }) {
        lit.prepare({ seconds, progress, turns: 0 });
        context.save();
        if (cruises) {
          const go = progress - 0.5;
          context.translate(at.x(width * (0.46 + 0.16 * go)), at.y(height * (0.62 - 0.14 * go)));
          context.rotate(0.95);
          lit.place(context, 0, 0, at.scale);
          context.restore();
          return;
        }
        const rise = smooth(progress) * height * 0.62;
        const x = width * (0.5 - 0.08 * stage.lit);
        const y = ground - unit * 20 - rise;
        const cloud = mix(mix(WHITE, palette.sky[2], 0.35), palette.near, palette.dark * 0.8);
        for (const [aside, up, size] of smoke) {
          const along = up * rise;
          const spread = (rise - along) / height + 0.15;
          const puff = unit * 74 * size * (0.35 + spread * 1.5);
          const warm = Math.max(0, 1 - (rise - along) / (height * 0.2));
          context.fillStyle = css(mix(cloud, lch(0.8, 0.13, 62), warm * 0.65), 0.42);
          const fall = mixNumber(ground, y, up);
          ellipse(context, at.x(x + aside * puff * 0.8), at.y(fall), puff * at.scale, puff * 0.8 * at.scale);
        }
        lit.place(context, at.x(x), at.y(y), at.scale);
        context.restore();
      },
    },
  ];
}

export function butterflies(stage: Stage, seed: string): Actor[] {
  const random = new Random(`wings|${seed}`);
  const near = NEAR[stage.shot.size];
  const close = near > 2;
  const wing = asked(stage) ?? random.pick([lch(0.72, 0.17, 58), lch(0.6, 0.14, 245), lch(0.8, 0.14, 86)]);
  const count = close ? 1 : 5;
  const petal = random.pick([lch(0.7, 0.15, 350), lch(0.86, 0.13, 92), lch(0.62, 0.15, 310)]);
  const flower = propFigure(stage, 'flower', { petal });
  const bloom = rider(stage, flower, { scale: frameOf(stage) * 0.62, x: -0.05 * stage.lit, y: stage.height * 1.3 });
  const wings = Array.from({ length: count }, (_, i) => {
    const scale = frameOf(stage) * (close ? 0.24 : (i === 0 ? 0.075 : random.between(0.03, 0.05)) * near);
    const lit = new LitFigure(stage, butterfly(i === 0 ? wing : random.pick(BRIGHT), i * 2.1), scale, 1);
    const [x, y] =
      i === 0 ? [0.5 - 0.05 * stage.lit, close ? 0.44 : 0.52] : [random.between(0.1, 0.9), random.between(0.3, 0.7)];
    return {
      depth: 0.62,
      draw(context, at, { seconds, progress }) {
        const wander = close ? 0.012 : 0.05;
        const px = at.x(stage.width * (x + Math.sin(seconds * 1.1 + i * 2) * wander));
        const py = at.y(stage.height * (y + Math.sin(seconds * 1.9 + i * 3) * wander * 0.7));
        lit.draw(context, px, py, at.scale, { seconds, progress, turns: 0 });
      },
    } satisfies Actor;
  });
  return close ? [bloom, ...wings] : wings;
}

/** High up, its string down to the hand that holds it. */
export function kites(stage: Stage, seed: string, hand: { readonly x: number; readonly y: number }): Actor {
  const random = new Random(`kite|${seed}`);
  const colour = random.pick(BRIGHT);
  const figure = new LitFigure(stage, kite([colour, random.pick(BRIGHT)]), frameOf(stage) * 0.13, 1);
  return {
    depth: 0.6,
    draw(context, at, { seconds, progress }) {
      const x = at.x(stage.width * (0.5 + 0.24 * stage.lit + Math.sin(seconds * 0.7) * 0.02));
      const y = at.y(stage.height * (0.24 + Math.sin(seconds * 1.1 + 1) * 0.02));
      const [fromX, fromY] = [at.x(hand.x), at.y(hand.y)];
      const string = css(mix(WHITE, stage.palette.light, 0.3), 0.7);
      new Pen(context).stroke(
        string,
        Math.max(0.8, 1.8 * stage.unit),
      )`M${fromX} ${fromY} Q${(fromX + x) / 2} ${(fromY + y) / 2 + stage.height * 0.07} ${x} ${y}`;
      figure.draw(context, x, y, at.scale, { seconds, progress, turns: 0 });
    },
  };
}
