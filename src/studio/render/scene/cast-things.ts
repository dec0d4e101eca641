/** Subjects that are neither people nor four-legged: how large they are and how they go. */
import { lch } from '../palette.ts';
import { Random } from '../random.ts';
import type { Animal, SubjectKind } from '../words.ts';
import { type Actor, type Ride, rider } from './actors.ts';
import type { Stage } from './stage.ts';
import { beamOfLight } from './subjects/buildings.ts';
import type { Figure } from './subjects/figure.ts';
import { bird, bottle, car, house, lighthouse, ship, train, whale } from './subjects/things.ts';

/** Vehicles, buildings, birds, a whale, a product: size in the frame for a wide shot, and how it moves. */
export function thing(stage: Stage, kind: Exclude<SubjectKind, Animal>, seed: string): Actor[] {
  const random = new Random(`thing|${seed}`);
  const frame = Math.min(stage.height, stage.width * 0.9);
  const near = { 'extreme-wide': 0.5, wide: 1, medium: 1.7, close: 2.3, 'extreme-close': 3 }[stage.shot.size];
  const aside = -0.12 * stage.lit;
  const figure = (it: Figure, size: number, how: Partial<Ride> = {}) =>
    rider(stage, it, { scale: frame * size * near, facing: 1, x: aside, y: stage.ground, speed: 0, lift: 0, ...how });
  switch (kind) {
    case 'bird':
      return Array.from({ length: 7 }, (_, i) =>
        rider(stage, bird(random.next() * 6), {
          scale: frame * random.between(0.022, 0.06) * near,
          facing: 1,
          x: -0.36 + 0.11 * i,
          y: stage.height * random.between(0.16, 0.42),
          speed: 0.07,
          lift: 0.012,
        }),
      );
    case 'whale':
      return [figure(whale, 0.34, { y: stage.height * 0.48, speed: 0.035, lift: 0.018, x: 0 })];
    case 'car':
      return [
        figure(
          car(
            stage,
            paintOf(stage) ??
              random.pick([lch(0.52, 0.19, 27), lch(0.5, 0.11, 250), lch(0.86, 0.02, 90), lch(0.45, 0.09, 160)]),
          ),
          0.2,
          { speed: stage.shot.camera === 'tracking' ? 0 : 0.09, x: 0, shadow: true, lamps: stage.dark },
        ),
      ];
    case 'train':
      return [figure(train(stage), 0.17, { speed: 0.06, x: 0, y: stage.ground - frame * 0.02, shadow: true })];
    case 'ship':
      return [
        figure(ship, 0.2, {
          y:
            stage.shot.place === 'ocean' || stage.shot.place === 'coast' || stage.shot.place === 'river'
              ? stage.horizon + stage.height * 0.075
              : stage.ground,
          speed: 0.02,
          lift: 0.006,
          roll: 0.035,
        }),
      ];
    case 'lighthouse': {
      const tall = frame * 0.52 * Math.min(1.5, near);
      const [x, y] = [stage.width * (0.5 + aside), stage.ground];
      const lamp = { x, y: y - tall * 0.868, reach: stage.width * 0.95, size: stage.unit * 1.4 };
      return [
        figure(lighthouse(stage), (0.52 * Math.min(1.5, near)) / near),
        { depth: 0.64, draw: (context, at, { seconds }) => beamOfLight(context, stage, at, lamp, seconds) },
      ];
    }
    case 'house':
      return [figure(house(stage), 0.24, { shadow: true })];
    case 'product':
      return [
        figure(bottle(stage), Math.min(0.62, 0.42 * near) / near, {
          x: 0,
          y: stage.height * 0.86,
          shadow: true,
          mirrored: true,
        }),
      ];
    default:
      return [];
  }
}

const paintOf = (stage: Stage) => {
  const colour = stage.shot.subject?.person.colour;
  return colour ? lch(...colour) : null;
};
