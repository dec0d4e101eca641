/** Open country: dunes, meadows, a road to the horizon. */
import { css, lch, lighter, mix } from '../../palette.ts';
import { mixNumber } from '../../random.ts';
import { type Context, down } from '../brush.ts';
import { conifer, grass, haze, ridge, snowAt, snowLit } from '../land.ts';
import { sky } from '../sky.ts';
import type { Stage } from '../stage.ts';

export function desert(stage: Stage): void {
  const { horizon, unit, height, palette } = stage;
  const sand = (distance: number) => mix(palette.at(distance), lch(0.66, 0.1, 66), 0.35 * (1 - palette.dark));
  sky(stage, { clouds: 0.2 });
  ridge(stage, {
    base: horizon + 5 * unit,
    rise: 110 * unit,
    hills: 1.4,
    distance: 0.9,
    octaves: 3,
    rim: 0.5,
    colour: sand(0.9),
  });
  haze(stage, horizon + 8 * unit, 70 * unit, 0.85, 0.4);
  for (const [drop, rise, hills, distance] of [
    [70, 150, 1.2, 0.66],
    [190, 190, 1, 0.4],
    [330, 170, 0.9, 0.24],
  ] as const) {
    ridge(stage, {
      base: horizon + drop * unit,
      rise: rise * unit,
      hills,
      distance,
      octaves: 2,
      rim: 0.65,
      colour: sand(distance),
    });
  }
  stage.ground = height * 0.87;
}

export const field = (stage: Stage): void => meadow(stage, { road: false });
export const road = (stage: Stage): void => meadow(stage, { road: true });

function meadow(stage: Stage, { road: withRoad }: { readonly road: boolean }): void {
  const { horizon, unit, height, palette, noise, width, bottom, random, lit } = stage;
  const winter = stage.shot.winter;
  sky(stage);
  ridge(stage, { base: horizon + 10 * unit, rise: 150 * unit, hills: 2.2, distance: 0.85, snow: winter, rim: 0.4 });
  ridge(stage, {
    base: horizon + 46 * unit,
    rise: 80 * unit,
    hills: 3,
    distance: 0.62,
    trees: 44 * unit,
    snow: winter,
    rim: 0.1,
  });
  haze(stage, horizon + 56 * unit, 80 * unit, 0.6, 0.36);
  const top = horizon + 56 * unit;
  const green = winter
    ? snowAt(stage, 0.4)
    : mix(palette.at(0.5), mix(lch(0.62, 0.11, 120), palette.light, 0.3), 0.5 * (1 - palette.dark));
  const near = winter ? snowAt(stage, 0) : mix(palette.near, lch(0.38, 0.08, 130), 0.4 * (1 - palette.dark));
  stage.paint(
    0.56,
    context => {
      context.fillStyle = down(context, top, height * 1.05, [
        [0, winter ? snowLit(stage) : mix(green, palette.light, 0.2)],
        [0.35, mix(green, near, 0.55)],
        [1, near],
      ]);
      context.beginPath();
      context.moveTo(stage.left, bottom + 2);
      for (let x = stage.left; x <= stage.right; x += 8)
        context.lineTo(x, top - 24 * unit * noise.ridge((x / width) * 3 + 77, 3));
      context.lineTo(stage.right, bottom + 2);
      context.fill();
      for (let i = 0; i < 5; i++) {
        const x = stage.left + random.next() * stage.span;
        if (Math.abs(x / width - 0.5) > 0.14)
          roundTree(
            stage,
            context,
            x,
            top + unit * random.between(0, 34),
            unit * random.between(60, 130),
            mix(palette.at(0.45), lch(0.4, 0.06, 135), 0.3),
          );
      }
      if (!winter)
        grass(stage, context, {
          from: top,
          to: height * 1.1,
          count: Math.round(1300 * (stage.span / width)),
          blades: [7 * unit, 66 * unit],
          colours: [green, near],
          bright: palette.light,
        });
      if (withRoad) lane(stage, context, top);
    },
    { from: top - 170 * unit },
  );
  if (!withRoad && !winter) {
    stage.paint(
      0.93,
      context =>
        grass(stage, context, {
          from: height * 0.98,
          to: height * 1.14,
          count: 500,
          blades: [70 * unit, 150 * unit],
          colours: [near, lighter(near, -0.06)],
          bright: palette.light,
        }),
      { from: height * 0.8 },
    );
  }
  if (winter)
    stage.paint(
      0.95,
      context => {
        for (const [x, tall] of [
          [-0.03, 620],
          [1.02, 700],
        ] as const)
          conifer(context, random, {
            x: width * x,
            base: height * 1.05,
            height: tall * unit,
            colour: palette.near,
            snow: snowAt(stage, 0.1),
            light: palette.light,
            lit,
          });
      },
      { still: true },
    );
  stage.ground = height * (withRoad ? 0.84 : 0.87);
}

function roundTree(
  stage: Stage,
  context: Context,
  x: number,
  base: number,
  tall: number,
  colour: ReturnType<typeof lch>,
): void {
  const { random, palette, lit } = stage;
  context.fillStyle = css(lighter(colour, -0.08));
  context.fillRect(x - tall * 0.035, base - tall * 0.4, tall * 0.07, tall * 0.42);
  for (let i = 0; i < 26; i++) {
    const [dx, dy] = [random.spread() * tall * 0.3, random.spread() * tall * 0.24];
    const facing = (dx * lit) / tall - dy / tall;
    context.fillStyle = css(
      facing > 0.02 ? mix(colour, palette.light, 0.12 + facing * 0.6) : lighter(colour, -0.03),
      0.9,
    );
    context.beginPath();
    context.arc(x + dx, base - tall * 0.64 + dy, tall * random.between(0.1, 0.19), 0, Math.PI * 2);
    context.fill();
  }
}

function lane(stage: Stage, context: Context, top: number): void {
  const { width, height, unit, palette } = stage;
  const asphalt = mix(mix(palette.near, palette.far, 0.24), lch(0.4, 0.01, 260), 0.4);
  context.fillStyle = down(context, top, height, [
    [0, mix(asphalt, palette.light, 0.35)],
    [1, asphalt],
  ]);
  context.beginPath();
  context.moveTo(width / 2 - 7 * unit, top - 8 * unit);
  context.lineTo(width / 2 + 7 * unit, top - 8 * unit);
  context.lineTo(width * 1.06, height * 1.2);
  context.lineTo(width * -0.06, height * 1.2);
  context.fill();
  context.fillStyle = css(mix(palette.light, lch(0.95, 0.01, 90), 0.4), 0.75);
  for (let i = 0; i < 10; i++) {
    const [from, to] = [(i / 10) ** 2.2, ((i + 0.45) / 10) ** 2.2];
    const [y0, y1] = [mixNumber(top, height * 1.15, from), mixNumber(top, height * 1.15, to)];
    context.beginPath();
    context.moveTo(width / 2 - unit * (1 + 26 * from), y0);
    context.lineTo(width / 2 + unit * (1 + 26 * from), y0);
    context.lineTo(width / 2 + unit * (1 + 26 * to), y1);
    context.lineTo(width / 2 - unit * (1 + 26 * to), y1);
    context.fill();
  }
}
