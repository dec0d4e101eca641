/** Open country: meadows, savanna, a road to the horizon or across the frame. */
import { mixNumber } from '../../../shared/random.ts';
import { css, lch, lighter, mix } from '../../prompt/palette.ts';
import { type Pen, rows } from '../brush.ts';
import { framingSpruces, grass, haze, ridge, snowAt, snowLit } from '../land.ts';
import { standProp } from '../prop.ts';
import { sky } from '../sky.ts';
import type { Stage } from '../stage.ts';
import { roofOf } from '../subjects/things.ts';

/** What goes on wheels goes across the frame, and so must its road. */
export const drives = ({ shot }: Stage): boolean => shot.subject?.kind === 'car' || shot.subject?.kind === 'bike';

export const field = (stage: Stage): void => meadow(stage, { road: false });
export const road = (stage: Stage): void => meadow(stage, { road: true });

function meadow(stage: Stage, { road: withRoad }: { readonly road: boolean }): void {
  const { horizon, unit, height, palette, noise, width, random } = stage;
  const winter = stage.shot.winter;
  const across = withRoad && drives(stage);
  const savanna = stage.shot.extras.includes('savanna');
  const leaf = savanna ? lch(0.7, 0.11, 86) : lch(0.62, 0.11, 120);
  sky(stage);
  ridge(stage, { below: 10, rise: 150, hills: 2.2, distance: 0.85, snow: winter, rim: 0.4 });
  const trees = savanna ? 0 : 44;
  ridge(stage, { below: 46, rise: 80, hills: 3, distance: 0.62, trees, snow: winter, rim: 0.1 });
  haze(stage, horizon + 56 * unit, 80 * unit, 0.6, 0.36);
  const top = horizon + 56 * unit;
  const green = winter
    ? snowAt(stage, 0.4)
    : mix(palette.at(0.5), mix(leaf, palette.light, 0.3), 0.56 * (1 - palette.dark));
  const near = winter
    ? snowAt(stage, 0)
    : mix(palette.near, savanna ? lch(0.46, 0.085, 78) : lch(0.38, 0.08, 130), 0.5 * (1 - palette.dark));
  stage.paint({ depth: 0.56, from: top - 170 * unit }, pen => {
    const far = winter ? snowLit(stage) : mix(green, palette.light, 0.2);
    const shade = pen.down(top, height * 1.05, [0, far], [0.35, mix(green, near, 0.55)], [1, near]);
    pen.fill(shade)`M${stage.land(8, x => top - 24 * unit * noise.ridge((x / width) * 3 + 77, 3))}`;
    const crown = mix(palette.at(0.45), lch(0.4, 0.06, 135), 0.3);
    for (let i = 0; i < 5; i++) {
      const [x, base, way] = [stage.anywhere(), top + unit * random.between(0, 34), random.sign()];
      const tall = unit * random.between(60, 130) * (savanna ? 1.5 : 1);
      const where = { x, base, height: tall, way };
      if (Math.abs(x / width - 0.5) > 0.14)
        standProp(pen.context, stage, savanna ? 'acacia' : 'round-tree', where, { leaf: crown });
    }
    const count = Math.round(1300 * (stage.span / width));
    if (!winter) grass(stage, pen, { from: top, to: height * 1.1, count, blades: [7, 66], colours: [green, near] });
    if (withRoad && !across) lane(stage, pen, top);
    if (across) roadAcross(stage, pen);
  });
  if (stage.shot.extras.includes('village')) village(stage, top, 0.58);
  const tufts = [near, lighter(near, -0.06)] as const;
  if (!withRoad && !winter)
    stage.paint({ depth: 0.93, from: height * 0.8 }, pen =>
      grass(stage, pen, { from: height * 0.98, to: height * 1.14, count: 500, blades: [70, 150], colours: tufts }),
    );
  const spruces = rows([-0.03, 620], [1.02, 700]);
  if (winter) framingSpruces(stage, 0.95, spruces, palette.near, snowAt(stage, 0.1));
  stage.ground = height * (across ? 0.895 : withRoad ? 0.84 : 0.87);
}

function lane(stage: Stage, pen: Pen, top: number): void {
  const { width, height, unit, palette } = stage;
  const asphalt = mix(mix(palette.near, palette.far, 0.24), lch(0.4, 0.01, 260), 0.4);
  const shade = pen.down(top, height, [0, mix(asphalt, palette.light, 0.35)], [1, asphalt]);
  pen.fill(shade)`M${width / 2 - 7 * unit} ${top - 8 * unit}
  L${width / 2 + 7 * unit} ${top - 8 * unit} L${width * 1.06} ${height * 1.2} L${width * -0.06} ${height * 1.2}`;
  for (let i = 0; i < 10; i++) {
    const [from, to] = [(i / 10) ** 2.2, ((i + 0.45) / 10) ** 2.2];
    const [y0, y1] = [mixNumber(top, height * 1.15, from), mixNumber(top, height * 1.15, to)];
    pen.fill(
      css(mix(palette.light, lch(0.95, 0.01, 90), 0.4), 0.75),
    )`M${width / 2 - unit * (1 + 26 * from)} ${y0} L${width / 2 + unit * (1 + 26 * from)} ${y0}
  L${width / 2 + unit * (1 + 26 * to)} ${y1} L${width / 2 - unit * (1 + 26 * to)} ${y1}`;
  }
}

/** Asphalt from side to side with its verge, its line and its posts. */
export function roadAcross(stage: Stage, pen: Pen): void {
  const { height, unit, palette, left, span } = stage;
  const asphalt = mix(mix(palette.near, palette.far, 0.24), lch(0.42, 0.008, 260), 0.5 * (1 - palette.dark) + 0.2);
  const [far, near] = [height * 0.79, height * 0.94];
  pen.box(mix(asphalt, lch(0.55, 0.03, 80), 0.35), left, far - 9 * unit, span, near - far + 22 * unit);
  const lit = mix(asphalt, palette.light, 0.22);
  const shade = pen.down(far, near, [0, lit], [0.3, asphalt], [1, lighter(asphalt, -0.05)]);
  pen.box(shade, left, far, span, near - far);
  pen.context.fillStyle = css(mix(lch(0.95, 0.01, 90), asphalt, 0.25), 0.85);
  pen.context.fillRect(left, far + 7 * unit, span, 3.4 * unit);
  pen.context.fillRect(left, near - 14 * unit, span, 6 * unit);
  for (let x = left; x < left + span; x += 190 * unit)
    pen.context.fillRect(x, (far + near) / 2 - 3 * unit, 96 * unit, 5 * unit);
  for (let x = left + 60 * unit; x < left + span; x += 330 * unit) {
    pen.box(mix(lch(0.9, 0.01, 90), palette.near, 0.2 + palette.dark), x, far - 58 * unit, 9 * unit, 54 * unit);
    pen.box(mix(lch(0.58, 0.2, 28), palette.near, palette.dark * 0.6), x, far - 48 * unit, 9 * unit, 12 * unit);
  }
}

/** Ranges one behind the other, a wooded foreground; in winter, or high up, with snow. `snowfield` is the same without trees near. */
export function mountain(stage: Stage): void {
  const { horizon, unit, height } = stage;
  const { winter } = stage.shot;
  const tall = Math.min(1, stage.width / stage.height) * 0.35 + 0.65;
  const snow = winter || stage.random.chance(0.35);
  sky(stage);
  ridge(stage, { below: 10, rise: 340 * tall, hills: 2, distance: 0.92, snow, rim: 0.5 });
  haze(stage, horizon + 20 * unit, 130 * unit, 0.9, 0.36);
  ridge(stage, { below: 90, rise: 260 * tall, hills: 2.6, distance: 0.68, snow: winter, rim: 0.45 });
  haze(stage, horizon + 110 * unit, 110 * unit, 0.66, 0.3);
  ridge(stage, { below: 190, rise: 190, hills: 3.2, distance: 0.42, trees: 70, snow: winter, rim: 0.2 });
  const near = winter ? { colour: mix(snowAt(stage, 0.1), stage.palette.near, 0.2) } : {};
  ridge(stage, { base: height * 0.9, rise: 120, hills: 1.6, distance: 0.22, octaves: 4, rim: 0.25, ...near });
  stage.ground = height * 0.87;
}

export function snowfield(stage: Stage): void {
  const { horizon, unit, height, palette, noise, width } = stage;
  sky(stage, { clouds: 0.5 });
  ridge(stage, { rise: 240, hills: 1.7, distance: 0.92, snow: true, rim: 0.5 });
  haze(stage, horizon + 10 * unit, 110 * unit, 0.88, 0.45);
  ridge(stage, { below: 24, rise: 70, hills: 2.4, distance: 0.66, trees: 60, snow: true, rim: 0 });
  for (const [depth, line, wave] of rows([0.5, horizon + 46 * unit, 40], [0.68, height * 0.76, 60])) {
    stage.paint({ depth, from: line - wave * unit - 4 }, pen => {
      const shade = pen.down(
        line - wave * unit,
        stage.bottom,
        [0, snowLit(stage)],
        [0.18, snowAt(stage, 1 - depth)],
        [1, mix(snowAt(stage, 0.1), mix(palette.sky[0], lch(0.5, 0.07, 260), 0.4), 0.4)],
      );
      pen.fill(shade)`M${stage.land(5, x => line - wave * unit * noise.ridge((x / width) * 2.2 + depth * 30, 3))}`;
    });
  }
  stage.ground = height * 0.84;
}

/** Houses in two rows where the meadow begins, their windows lit after dark. */
function village(stage: Stage, line: number, depth: number): void {
  const { width, unit, random } = stage;
  stage.paint({ depth, from: line - 170 * unit }, pen => {
    for (const [row, size, distance] of rows([0, 88, 0.5], [1, 128, 0.3]))
      for (let i = 0; i < 9; i++) {
        const x = width * (0.08 + 0.84 * ((i + 0.5 * row + random.between(-0.22, 0.22)) / 9));
        const tall = size * unit * random.between(0.85, 1.1);
        const where = { x, base: line + unit * (18 + row * 46), height: tall };
        standProp(pen.context, stage, 'house', where, { ...roofOf(stage), distance });
      }
  });
}
