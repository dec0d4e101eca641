/** A river or lake between wooded banks; frozen in winter: sky mirrored in the ice, cracks running to the far shore, drifts of snow. */

import { clamp, mixNumber } from '../../../shared/random.ts';
import { css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { glow, type Pen, type Point, rows, surface } from '../brush.ts';
import { conifer, framingSpruces, grass, haze, ridge, snowAt, snowLit } from '../land.ts';
import { sky } from '../sky.ts';
import type { Stage } from '../stage.ts';

export function river(stage: Stage): void {
  const { horizon, unit, palette } = stage;
  const winter = stage.shot.winter;
  const shore = horizon + 34 * unit;
  sky(stage, { clouds: 0.5 });
  ridge(stage, { below: -8, rise: 250, hills: 1.8, distance: 0.93, snow: winter, rim: 0.5 });
  haze(stage, horizon - 10 * unit, 120 * unit, 0.9, 0.42);
  const wood = mix(palette.at(0.66), palette.sky[2], 0.16);
  ridge(stage, { below: 14, rise: 90, hills: 2.4, distance: 0.74, trees: 46, colour: wood, rim: 0.1 });
  haze(stage, horizon + 6 * unit, 70 * unit, 0.7, 0.45);
  farBank(stage, shore);
  water(stage, shore, winter);
  if (winter) {
    haze(stage, shore + 12 * unit, 46 * unit, 0.5, 0.3);
    nearBank(stage);
  } else reeds(stage);
  // Ice carries; at open water one stands on this side, in the reeds, and only boats are on the lake.
  stage.ground = stage.height * (winter ? (stage.shot.size === 'medium' ? 0.82 : 0.79) : 0.92);
  stage.mirror = winter ? 0.34 : 0;
}

/** The opposite shore: a line of land with a wood of spruces in groups. */
function farBank(stage: Stage, shore: number): void {
  const { random, unit, palette, width } = stage;
  const winter = stage.shot.winter;
  const land = winter ? mix(snowAt(stage, 0.3), palette.sky[2], 0.12) : mix(palette.at(0.5), lch(0.5, 0.06, 130), 0.3);
  const tree = mix(palette.at(0.42), lch(0.32, 0.035, 170), 0.3);
  for (const [distance, tall, count] of rows([0.6, 96, 54], [0.5, 140, 40])) {
    stage.paint({ depth: 1 - distance, from: shore - 190 * unit, to: shore + 26 * unit }, pen => {
      const groups = Array.from({ length: 9 }, () => stage.anywhere());
      for (let i = 0; i < (count * stage.span) / width; i++) {
        const x = random.chance(0.7)
          ? (groups[random.whole(0, 8)] ?? 0) + random.spread() * width * 0.07
          : stage.anywhere();
        const gap = clamp(Math.abs(x - stage.sun.x) / (width * 0.16));
        const height = tall * unit * random.between(0.5, 1.12) * mixNumber(0.5, 1, gap);
        const colour = mix(tree, palette.sky[2], distance * 0.34);
        const snow = winter ? snowAt(stage, distance) : undefined;
        conifer(stage, pen, { x, base: shore + 4 * unit, tall: height, colour, snow });
      }
      const foot = mix(land, palette.sky[1], 0.3);
      const bank = pen.down(shore - 14 * unit, shore + 22 * unit, [0, lighter(land, 0.03)], [1, foot]);
      const line = (x: number) => shore - (6 + 16 * stage.noise.ridge((x / width) * 5 + distance * 40, 3)) * unit;
      pen.fill(bank)`M${stage.land(6, line, 0, shore + 24 * unit)}`;
    });
  }
}

function water(stage: Stage, shore: number, frozen: boolean): void {
  const { palette, unit, bottom, random } = stage;
  const picture = stage.reflection(shore, 0.25);
  const mirrored = surface(picture.width, picture.height);
  mirrored.context.filter = `blur(${Math.max(1, 3.4 * unit)}px)`;
  mirrored.context.drawImage(picture, 0, 0);
  const [zenith, middle, low] = palette.sky;
  const cold = lch(0.62, 0.05, 235);
  stage.paint({ depth: 0.52, from: shore }, pen => {
    const deep = frozen ? mix(mix(middle, cold, 0.45), palette.near, 0.24) : mix(zenith, palette.near, 0.45);
    const shade = pen.down(
      shore,
      bottom,
      [0, mix(low, WHITE, frozen ? 0.2 : 0)],
      [0.16, mix(low, middle, 0.5)],
      [0.5, mix(middle, deep, 0.6)],
      [1, mix(deep, palette.near, 0.45)],
    );
    pen.box(shade, ...stage.from(shore));
    pen.context.globalAlpha = frozen ? 0.42 : 0.6;
    pen.context.drawImage(mirrored.canvas, stage.left, shore, stage.span, (bottom - shore) * 0.62);
    pen.context.globalAlpha = 1;
    glitter(stage, pen, shore);
    if (frozen) {
      cracks(stage, pen, shore);
      drifts(stage, pen, shore);
    } else {
      for (let i = 0; i < 220; i++) {
        const t = random.next() ** 0.7;
        const y = mixNumber(shore + 4 * unit, bottom, t * t);
        const paint = css(random.chance(0.5) ? mix(low, palette.light, 0.3) : zenith, random.between(0.08, 0.3));
        pen.ellipse(paint, stage.anywhere(), y, unit * mixNumber(10, 130, t), unit * mixNumber(0.8, 3.6, t));
      }
    }
    pen.box(css(mix(low, WHITE, 0.4), 0.55), stage.left, shore, stage.span, 2 * unit);
  });
}

function glitter(stage: Stage, pen: Pen, shore: number): void {
  const { palette, unit, width, bottom, random, sun } = stage;
  pen.context.save();
  pen.context.globalCompositeOperation = 'screen';
  const wide = width * 0.3;
  pen.context.globalAlpha = 0.5;
  pen.context.drawImage(glow(128, palette.light), sun.x - wide, shore - wide * 0.35, wide * 2, (bottom - shore) * 1.15);
  pen.context.globalAlpha = 1;
  for (let i = 0; i < 130; i++) {
    const t = random.next() ** 0.8;
    const paint = css(palette.light, random.between(0.08, 0.4) * (1 - t * 0.6));
    const x = sun.x + random.spread() * width * mixNumber(0.02, 0.14, t);
    const y = mixNumber(shore + 3 * unit, bottom, t * t);
    pen.ellipse(paint, x, y, unit * mixNumber(4, 60, t), unit * mixNumber(0.7, 2.6, t));
  }
  pen.context.restore();
}

/** Cracks branch and run flat into the distance: perspective squeezes them near the shore. */
function cracks(stage: Stage, pen: Pen, shore: number): void {
  const { palette, unit, bottom, random } = stage;
  pen.set({ lineCap: 'round', lineJoin: 'round' });
  const run = (x: number, t: number, angle: number, length: number, width: number) => {
    const line: Point[] = [];
    for (let i = 0; i < length; i++) {
      line.push([x, mixNumber(shore + 6 * unit, bottom, t * t)]);
      angle += random.spread() * 0.5;
      x += Math.cos(angle) * unit * mixNumber(6, 70, t);
      t = clamp(t + Math.sin(angle) * 0.035, 0.06, 1);
      if (width > 1.4 && random.chance(0.16))
        run(x, t, angle + random.sign() * random.between(0.5, 1.2), Math.round(length * 0.4), width * 0.6);
    }
    const broad = Math.max(0.6, width * unit * mixNumber(0.5, 1.7, t));
    const below = line.map(([px, py]): Point => [px, py + 1.6 * unit]);
    pen.stroke(css(mix(palette.sky[0], palette.near, 0.5), 0.3), broad)`M${below}`;
    pen.stroke(css(mix(WHITE, palette.light, 0.2), 0.55), broad)`M${line}`;
  };
  for (let i = 0; i < 9; i++)
    run(
      stage.anywhere(),
      random.between(0.2, 0.9),
      random.between(-0.4, 0.4) + (random.chance(0.5) ? Math.PI : 0),
      random.whole(10, 22),
      random.between(1.2, 2.6),
    );
}

function drifts(stage: Stage, pen: Pen, shore: number): void {
  const { unit, bottom, random, palette } = stage;
  const snow = mix(snowAt(stage, 0.15), palette.light, 0.12);
  for (let i = 0; i < 64; i++) {
    const t = i < 30 ? random.between(0.05, 0.4) : random.next();
    const y = mixNumber(shore + 4 * unit, bottom, t * t);
    const rx = unit * mixNumber(50, 420, t) * random.between(0.4, 1.2);
    const ry = unit * mixNumber(1.6, 16, t) * random.between(0.5, 1.1);
    const x = stage.anywhere();
    pen.context.save();
    pen.context.translate(x, y);
    pen.context.scale(rx, ry);
    pen.box(pen.radial([0, -0.1, 0.1, 0, 0, 1], [0, snow, 0.78], [0.6, snow, 0.46], [1, snow, 0]), -1, -1, 2, 2);
    pen.context.restore();
  }
}

/** This side: a bank of snow in the corners, with a few spruces that frame the picture. */
function nearBank(stage: Stage): void {
  const { unit, width, height, random, palette, lit } = stage;
  const base = height * 0.97;
  const shaded = mix(snowAt(stage, 0), palette.sky[0], 0.25);
  stage.paint({ depth: 0.9, from: base - 190 * unit }, pen => {
    const line = (x: number) =>
      base +
      30 * unit -
      74 * unit * clamp(Math.abs(x / width - 0.5) * 2.1 - 0.42) -
      16 * unit * stage.noise.ridge((x / width) * 4 + 60, 3);
    const shade = pen.down(base - 60 * unit, stage.bottom, [0, snowLit(stage)], [0.35, snowAt(stage, 0)], [1, shaded]);
    pen.fill(shade)`M${stage.land(5, line)}`;
    const dry = mix(palette.near, lch(0.55, 0.06, 70), 0.45);
    for (let i = 0; i < 70; i++) {
      const x = random.chance(0.5)
        ? stage.left + random.next() * (width * 0.24 - stage.left)
        : width * 0.76 + random.next() * (stage.right - width * 0.76);
      const tall = unit * random.between(20, 84);
      const paint = css(mix(dry, palette.light, random.between(0, 0.4)), 0.9);
      pen.stroke(paint, unit * random.between(1.2, 2.6))`M${x} ${line(x) + 4 * unit}
  Q${x + lit * tall * 0.05} ${line(x) - tall * 0.6} ${x + random.between(-0.5, 0.5) * tall} ${line(x) - tall}`;
    }
  });
  if (stage.shot.size === 'close' || stage.shot.size === 'extreme-close') return;
  const dark = mix(palette.near, palette.at(0.2), 0.35);
  const trees = rows([-0.06, 660], [0.045, 430], [1.03, 760], [0.95, 380]);
  framingSpruces(stage, 0.97, trees, dark, mix(shaded, dark, 0.15), height * 1.05 - 780 * unit);
}

function reeds(stage: Stage): void {
  const { unit, height, palette } = stage;
  const green = mix(palette.near, lch(0.45, 0.09, 130), 0.35);
  stage.paint({ depth: 0.9, from: height * 0.76 }, pen => {
    const shade = pen.down(height * 0.93, stage.bottom, [0, green], [1, palette.near]);
    pen.fill(shade)`M${stage.land(6, x => height * 0.965 - 26 * unit * stage.noise.ridge((x / stage.width) * 4, 3))}`;
    const colours = [green, palette.near] as const;
    grass(stage, pen, { from: height * 0.95, to: stage.bottom, count: 900, blades: [40, 110], colours });
  });
}
