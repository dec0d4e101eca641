/** Subjects that are neither people nor four-legged: how large they are and how they go. */

import { mixNumber, Random, smooth } from '../../shared/random.ts';
import type { Animal, SubjectKind } from '../../shared/vocabulary.ts';
import type { GlyphHome } from '../prompt/glyphs.ts';
import { type Colour, css, lch, mix, WHITE } from '../prompt/palette.ts';
import { type Actor, type Ride, rider } from './actors.ts';
import { ellipse, Pen, rows } from './brush.ts';
import type { Figure } from './lighting.ts';
import { LitFigure } from './lighting.ts';
import { isWare } from './places/tabletop.ts';
import { propFigure } from './prop.ts';
import type { Stage } from './stage.ts';
import { bird, butterfly, dragon, raptor, whale } from './subjects/creatures.ts';
import colours from './subjects/data/colours.json' with { type: 'json' };
import { glyph } from './subjects/glyph.ts';
import { coloursOf } from './subjects/people/portrait-brush.ts';
import { beamOfLight, bicycle, bowl, castle, cup, house, kite, lighthouse, train } from './subjects/things.ts';

/** What a thing is cast from. */
interface Casting {
  readonly stage: Stage;
  readonly seed: string;
  readonly random: Random;
  readonly frame: number;
  readonly near: number;
  /** Where on the frame's width, from its middle. */
  readonly aside: number;
  readonly tracked: boolean;
  readonly figure: (it: Figure, size: number, how?: Partial<Ride>) => Actor;
}

/** Vehicles, buildings, birds, a whale, a product: size in the frame for a wide shot, and how it moves. */
export function thing(stage: Stage, kind: Exclude<SubjectKind, Animal>, seed: string): Actor[] {
  const random = new Random(`thing|${seed}`);
  const frame = Math.min(stage.height, stage.width * 0.9);
  const near = NEAR[stage.shot.size];
  const aside = -0.12 * stage.lit;
  const tracked = stage.shot.camera === 'tracking';
  const figure = (it: Figure, size: number, how: Partial<Ride> = {}) =>
    rider(stage, it, { scale: frame * size * near, x: aside, y: stage.ground, ...how });
  return THINGS[kind]?.({ stage, seed, random, frame, near, aside, tracked, figure }) ?? [];
}

const THINGS: { readonly [kind in Exclude<SubjectKind, Animal>]?: (casting: Casting) => Actor[] } = {
  bird: ({ stage, seed }) => birds(stage, seed),
  butterfly: ({ stage, seed }) => butterflies(stage, seed),
  balloon: ({ stage, seed }) => balloons(stage, seed),
  plane: ({ stage }) => planes(stage),
  rocket: ({ stage }) => rockets(stage),
  bike: ({ stage, random, tracked, figure }) => {
    const paint = paintOf(stage) ?? random.pick([lch(0.55, 0.19, 28), lch(0.5, 0.12, 235), lch(0.72, 0.15, 75)]);
    const cloth = random.pick([lch(0.4, 0.06, 250), lch(0.82, 0.1, 88), lch(0.5, 0.1, 160)]);
    const motor = stage.shot.extras.includes('motor');
    const bike = motor ? propFigure(stage, 'motorcycle', { paint, cloth }) : bicycle(stage, paint, cloth);
    return [figure(bike, 0.26, { speed: tracked ? 0 : 0.07, x: 0, shadow: true })];
  },
  whale: ({ stage, figure }) => [figure(whale, 0.34, { y: stage.height * 0.48, speed: 0.035, lift: 0.018, x: 0 })],
  car: ({ stage, random, tracked, figure }) => {
    const paints = [lch(0.52, 0.19, 27), lch(0.5, 0.11, 250), lch(0.86, 0.02, 90), lch(0.45, 0.09, 160)] as const;
    const car = propFigure(stage, 'car', { paint: paintOf(stage) ?? random.pick(paints) });
    return [figure(car, 0.2, { speed: tracked ? 0 : 0.09, x: 0, shadow: true, lamps: stage.dark })];
  },
  train: ({ stage, frame, figure }) => [
    figure(train(stage), 0.17, { speed: 0.06, x: 0, y: stage.ground - frame * 0.02, shadow: true }),
  ],
  ship: ({ stage, figure }) => {
    const afloat = ['ocean', 'coast', 'river'].includes(stage.shot.place);
    const y = afloat ? stage.horizon + stage.height * 0.075 : stage.ground;
    return [figure(propFigure(stage, 'ship'), 0.2, { y, speed: 0.02, lift: 0.006, roll: 0.035 })];
  },
  lighthouse: ({ stage, frame, near, aside, figure }) => {
    const tall = frame * 0.52 * Math.min(1.5, near);
    const [x, y] = [stage.width * (0.5 + aside), stage.ground];
    const lamp = { x, y: y - tall * 0.868, reach: stage.width * 0.95, size: stage.unit * 1.4 };
    return [
      figure(lighthouse(stage), (0.52 * Math.min(1.5, near)) / near),
      { depth: 0.64, draw: (context, at, { seconds }) => beamOfLight(context, stage, at, lamp, seconds) },
    ];
  },
  house: ({ stage, figure }) =>
    stage.shot.extras.includes('castle')
      ? [figure(castle(stage), 0.36, { shadow: true })]
      : [figure(house(stage), 0.24, { shadow: true })],
  flower: ({ stage, random, frame }) => flowers(stage, random, frame),
  glyph: ({ stage, frame }) => glyphs(stage, frame),
  product: ({ stage, frame }) => [onPlinth(stage, ...wareOf(stage), frame)],
};

const paintOf = (stage: Stage) => {
  const colour = stage.shot.subject?.person.colour;
  return colour ? lch(...colour) : null;
};

/** How tall a product is in the frame, and how far a near lens lets it grow. */
const WARE_HEIGHT = { 'extreme-wide': 0.3, wide: 0.42, medium: 0.56, close: 0.66, 'extreme-close': 0.86 } as const;

/** What only its glyph shows: on a table as a product is, in the air, in the water, or on the ground; three where the words name several. */
function glyphs(stage: Stage, frame: number): Actor[] {
  const { shot } = stage;
  const drawnGlyph = shot.subject?.glyph;
  if (!drawnGlyph) return [];
  const tints = drawnGlyph.home === 'table' ? WARES : CREATURES;
  const figure = glyph(stage, drawnGlyph.emoji, paintOf(stage) ?? new Random(`glyph|${drawnGlyph.noun}`).pick(tints));
  if (isWare(stage)) return [onPlinth(stage, figure, 0.86, frame)];
  const near = Math.min(2, NEAR[shot.size]);
  const aloft = AFLOAT[drawnGlyph.home];
  const scale = frame * (drawnGlyph.home === 'field' && !drawnGlyph.many ? 0.34 : 0.28) * near;
  const how =
    aloft === undefined
      ? { y: stage.ground, shadow: true }
      : { y: stage.height * aloft + frame * 0.14 * near, lift: 0.012, roll: 0.03 };
  const one = (x: number, size: number) => rider(stage, figure, { scale: scale * size, x, ...how });
  const aside = -0.1 * stage.lit;
  return drawnGlyph.many ? [one(aside - 0.22, 0.8), one(aside + 0.24, 0.88), one(aside, 1)] : [one(aside, 1)];
}

/** Colours that nobody said: of what lives outdoors, and of what is made or eaten. */
const CREATURES = coloursOf(colours.creatures);
const WARES = coloursOf(colours.wares);

/** How high in the frame it floats; on the ground without. */
const AFLOAT: { readonly [home in GlyphHome]?: number } = { sky: 0.34, space: 0.4, water: 0.5, sea: 0.62 };

function onPlinth(stage: Stage, it: Figure, broad: number, frame: number): Actor {
  const { shot } = stage;
  const scale = frame * WARE_HEIGHT[shot.size] * broad;
  // Very near, it stands lower: its face, not its foot, is in the middle.
  const sink = Math.max(0, WARE_HEIGHT[shot.size] - 0.56) * 0.4 * frame;
  return rider(stage, it, { scale, y: stage.ground + sink, shadow: true });
}

/** The product the words name, and how tall it is beside a bottle. */
export function wareOf(stage: Stage): readonly [Figure, number] {
  const { shot, palette } = stage;
  const colour = paintOf(stage);
  const glaze = colour ?? mix(lch(0.93, 0.02, 80), palette.second, 0.1);
  for (const extra of shot.extras)
    switch (extra) {
      case 'perfume':
        return [propFigure(stage, 'flacon', { scent: colour ?? mix(palette.second, lch(0.72, 0.12, 50), 0.5) }), 1];
      case 'cup':
        return [cup(stage, glaze), 0.62];
      case 'bowl':
        return [bowl(stage, colour ?? lch(0.36, 0.08, 30)), 0.62];
      case 'clock':
        return [propFigure(stage, 'clock', { metal: colour ?? lch(0.62, 0.08, 78) }), 1];
      case 'phone':
        return [propFigure(stage, 'phone'), 1];
      case 'shoe':
        return [propFigure(stage, 'shoe', { paint: colour ?? palette.accent }), 0.62];
    }
  return [propFigure(stage, 'bottle'), 1];
}

/** One near, and in a meadow others behind it. */
function flowers(stage: Stage, random: Random, frame: number): Actor[] {
  const shotWords = stage.shot.words;
  const own = /\broses?\b|玫瑰/i.test(shotWords)
    ? lch(0.55, 0.2, 22)
    : /sunflower|向日葵|daffodil/i.test(shotWords)
      ? lch(0.83, 0.16, 84)
      : null;
  const petal =
    paintOf(stage) ??
    own ??
    random.pick([lch(0.6, 0.2, 15), lch(0.84, 0.15, 88), lch(0.7, 0.15, 350), lch(0.93, 0.03, 90)]);
  const near = Math.min(2.2, NEAR[stage.shot.size]);
  const outdoors = stage.shot.place !== 'interior';
  const behind = Array.from({ length: outdoors ? 8 : 0 }, (_, i) => {
    const paint = random.chance(0.6) ? petal : mix(petal, lch(0.9, 0.06, 80), 0.6);
    const scale = frame * random.between(0.1, 0.2) * near;
    const x = -0.5 + (i + random.next()) / 8;
    const y = stage.height * random.between(0.86, 1.02);
    return rider(stage, propFigure(stage, 'flower', { petal: paint }), { scale, x, y, roll: 0.03 });
  });
  const y = stage.height * (near > 2 ? 1.28 : 1.02);
  const flower = propFigure(stage, 'flower', { petal });
  const front = rider(stage, flower, { scale: frame * 0.36 * near, x: -0.06 * stage.lit, y, roll: 0.022 });
  return [...behind, front];
}

/** How near a shot's size brings what it shows. */
const NEAR = { 'extreme-wide': 0.5, wide: 1, medium: 1.7, close: 2.3, 'extreme-close': 3 } as const;

const BRIGHT = coloursOf(colours.bright);

const frameOf = ({ width, height }: Stage) => Math.min(height, width * 0.9);
const asked = ({ shot }: Stage): Colour | null => {
  const colour = shot.subject?.person.colour;
  return colour ? lch(...colour) : null;
};

function birds(stage: Stage, seed: string): Actor[] {
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

function balloons(stage: Stage, seed: string): Actor[] {
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

function planes(stage: Stage): Actor[] {
  const scale = frameOf(stage) * 0.21 * NEAR[stage.shot.size];
  const speed = stage.shot.camera === 'tracking' ? 0 : 0.06;
  const where = { x: -0.05, y: stage.height * 0.34, lift: 0.006, roll: 0.01 };
  return [rider(stage, propFigure(stage, 'plane'), { scale, speed, ...where })];
}

/** In space it cruises; on a planet it lifts off through the whole shot, on a column of smoke. */
function rockets(stage: Stage): Actor[] {
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

function butterflies(stage: Stage, seed: string): Actor[] {
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
