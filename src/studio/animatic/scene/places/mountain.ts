/** Ranges one behind the other, a wooded foreground; in winter, or high up, with snow. `snowfield` is the same without trees near. */
import { lch, mix } from '../../prompt/palette.ts';
import { rows } from '../brush.ts';
import { haze, ridge, snowAt, snowLit } from '../land.ts';
import { sky } from '../sky.ts';
import type { Stage } from '../stage.ts';

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
