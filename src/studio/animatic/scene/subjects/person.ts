/** A person seen whole: walking, running or standing, dressed as the words say. Height 1, feet at 0. */

import { Random } from '../../../random.ts';
import { type Colour, css, lch, lighter, mix } from '../../prompt/palette.ts';
import type { Person, Subject } from '../../prompt/prompt.ts';
import { type Context, ellipse, type Joint, outline, type Point, spline, tube } from '../brush.ts';
import { drawProp } from '../prop.ts';
import type { Stage } from '../stage.ts';
import type { Figure, Pose } from './figure.ts';
import { type Gait, joint, pawAt, strideOf } from './gait.ts';
import { silkOf, umbrellaOver } from './umbrella.ts';

const HIP = -0.5;
const SHOULDER = -0.805;

interface Wear {
  readonly skin: Colour;
  readonly hair: Colour;
  readonly cloth: Colour;
  readonly trousers: Colour;
  readonly shoes: Colour;
}

export function walkingPerson(
  stage: Stage,
  person: Person,
  seed: string,
  {
    action,
    robot = false,
    lantern = false,
  }: { readonly action: Subject['action']; readonly robot?: boolean; readonly lantern?: boolean },
): Figure {
  const random = new Random(`person|${seed}`);
  const wear: Wear = robot
    ? {
        skin: lch(0.72, 0.015, 245),
        hair: lch(0.5, 0.015, 245),
        cloth: lch(0.66, 0.02, 245),
        trousers: lch(0.52, 0.02, 245),
        shoes: lch(0.3, 0.02, 245),
      }
    : {
        skin: random.pick([lch(0.76, 0.06, 58), lch(0.66, 0.07, 54), lch(0.5, 0.07, 48)]),
        hair: person.old
          ? lch(0.8, 0.01, 80)
          : random.pick([lch(0.24, 0.03, 45), lch(0.34, 0.06, 50), lch(0.48, 0.09, 60)]),
        cloth: person.colour
          ? lch(...person.colour)
          : person.headwear === 'souwester'
            ? lch(0.82, 0.165, 88)
            : person.headwear === 'helmet'
              ? lch(0.92, 0.008, 240)
              : mix(
                  random.pick([stage.palette.second, lch(0.42, 0.07, 250), lch(0.5, 0.12, 30), lch(0.45, 0.06, 150)]),
                  lch(0.45, 0.03, 260),
                  0.25,
                ),
        trousers:
          person.headwear === 'helmet'
            ? lch(0.86, 0.008, 240)
            : random.pick([lch(0.3, 0.03, 260), lch(0.34, 0.03, 60), lch(0.26, 0.01, 270)]),
        shoes: lch(0.2, 0.02, 50),
      };
  const silk = stage.shot.extras.includes('umbrella') && !robot ? silkOf(stage) : null;
  const gait: Gait = {
    step: action === 'runs' ? 0.24 : 0.17,
    lift: action === 'runs' ? 0.14 : 0.06,
    stance: action === 'runs' ? 0.42 : 0.6,
  };
  return {
    box: { left: -0.55, top: silk ? -1.4 : -1.2, right: 0.6, bottom: 0.06 },
    stride: action === 'stands' ? 0 : strideOf(gait),
    draw: (context, pose) => drawPerson(context, { person, wear, gait, action, robot, lantern, silk }, pose),
  };
}

interface Walker {
  readonly person: Person;
  readonly wear: Wear;
  readonly gait: Gait;
  readonly action: Subject['action'];
  readonly robot: boolean;
  readonly lantern: boolean;
  /** The colour of its umbrella, where it has one. */
  readonly silk: Colour | null;
}

function drawPerson(context: Context, it: Walker, { seconds, turns }: Pose): void {
  const { person, wear, action } = it;
  const moving = action !== 'stands';
  const bob = moving ? Math.abs(Math.sin(turns * 2 * Math.PI)) * -0.014 : Math.sin(seconds * 1.6) * 0.003;
  const leanAt = action === 'runs' ? 0.07 : moving ? 0.025 : 0;
  const swing = moving
    ? Math.sin(turns * 2 * Math.PI) * (action === 'runs' ? 0.9 : 0.5)
    : Math.sin(seconds * 0.9) * 0.04;
  context.save();
  if (person.child) context.scale(0.72, 0.72);
  arm(context, it, -swing, leanAt, bob, true);
  leg(context, it, 0.5, bob, true);
  leg(context, it, 0, bob, false);
  torso(context, it, leanAt, bob, swing);
  head(context, it, leanAt, bob);
  if (it.silk) umbrellaOver(context, it.silk, leanAt, bob);
  arm(context, it, swing, leanAt, bob, false);
  context.restore();

  function leg(target: Context, { gait }: Walker, half: number, lift: number, far: boolean): void {
    const foot: Point = moving ? pawAt(turns + half, gait) : [far ? 0.045 : -0.035, 0];
    const hip: Point = [far ? 0.012 : -0.012, HIP + lift];
    const ankle: Point = [foot[0], foot[1] - 0.045];
    const knee = joint(hip, ankle, 0.235, 0.235, 1);
    const cloth = lighter(wear.trousers, far ? -0.05 : 0);
    target.fillStyle = css(cloth);
    target.fill(
      tube([
        [hip[0], hip[1], 0.062],
        [(hip[0] + knee[0]) / 2, (hip[1] + knee[1]) / 2, 0.054],
        [knee[0], knee[1], 0.042],
      ]),
    );
    target.fill(
      tube([
        [knee[0], knee[1], 0.042],
        [(knee[0] + ankle[0]) / 2 - 0.006, (knee[1] + ankle[1]) / 2, 0.038],
        [ankle[0], ankle[1], 0.027],
      ]),
    );
    target.fillStyle = css(lighter(wear.shoes, far ? -0.03 : 0));
    const toe = moving ? Math.min(0.5, -foot[1] * 5) : 0;
    target.save();
    target.translate(ankle[0], ankle[1] + 0.02);
    target.rotate(toe);
    target.fill(spline(outline('-0.032 -0.02, 0.02 -0.022, 0.075 0.008, 0.085 0.024, -0.034 0.025')));
    target.restore();
  }

  function arm(
    target: Context,
    { lantern, silk }: Walker,
    angle: number,
    lean: number,
    lift: number,
    far: boolean,
  ): void {
    const shoulder: Point = [lean + (far ? 0.03 : -0.025), SHOULDER + 0.03 + lift];
    const held = (lantern || silk !== null) && !far;
    const bend = action === 'runs' ? 1.25 : held ? (silk ? 1.5 : 0.95) : 0.26;
    const down = held ? 0.55 : angle;
    const elbow: Point = [shoulder[0] + Math.sin(down) * 0.165, shoulder[1] + Math.cos(down) * 0.165];
    const hand: Point = [elbow[0] + Math.sin(down + bend) * 0.16, elbow[1] + Math.cos(down + bend) * 0.16];
    target.fillStyle = css(lighter(wear.cloth, far ? -0.09 : 0.02));
    target.fill(
      tube([
        [...shoulder, 0.044],
        [...elbow, 0.034],
        [...hand, 0.026],
      ] satisfies Joint[]),
    );
    target.fillStyle = css(wear.skin);
    ellipse(target, hand[0] + Math.sin(down + bend) * 0.022, hand[1] + Math.cos(down + bend) * 0.022, 0.026, 0.022);
    if (!held || silk) return;
    const [x, y] = [hand[0] + 0.03, hand[1] + 0.07];
    target.fillStyle = css(lch(0.95, 0.12, 85));
    ellipse(target, x, y, 0.035, 0.045);
  }
}

function torso(context: Context, { person, wear, robot }: Walker, lean: number, bob: number, swing: number): void {
  const chest = SHOULDER + bob;
  const sway = swing * 0.03;
  context.fillStyle = css(wear.cloth);
  if (person.garment === 'dress') {
    context.fill(
      spline([
        [-0.06 + lean, chest + 0.01],
        [0.06 + lean, chest],
        [0.055 + lean * 0.7, chest + 0.16],
        [0.1, HIP + 0.05],
        [0.17 + sway, -0.2],
        [0, -0.17],
        [-0.16 + sway, -0.2],
        [-0.1, HIP + 0.05],
        [-0.06 + lean * 0.7, chest + 0.16],
      ]),
    );
  } else if (person.garment === 'raincoat' || person.garment === 'coat') {
    context.fill(
      spline([
        [-0.085 + lean, chest - 0.01],
        [0, chest - 0.035],
        [0.085 + lean, chest - 0.01],
        [0.1 + lean * 0.6, chest + 0.18],
        [0.125 + sway, -0.3],
        [0.13 + sway, -0.24],
        [-0.12 + sway, -0.23],
        [-0.115, -0.3],
        [-0.1 + lean * 0.6, chest + 0.18],
      ]),
    );
    context.strokeStyle = css(lighter(wear.cloth, -0.14), 0.8);
    context.lineWidth = 0.008;
    context.stroke(
      spline(
        [
          [0.035 + lean, chest + 0.03],
          [0.045 + lean * 0.5, chest + 0.25],
          [0.055 + sway, -0.25],
        ],
        { closed: false },
      ),
    );
  } else {
    context.fill(
      spline([
        [-0.085 + lean, chest - 0.005],
        [0, chest - 0.035],
        [0.085 + lean, chest - 0.005],
        [0.09 + lean * 0.6, chest + 0.16],
        [0.078, HIP + 0.045],
        [-0.078, HIP + 0.045],
        [-0.092 + lean * 0.6, chest + 0.16],
      ]),
    );
  }
  if (person.headwear === 'helmet' || robot) {
    context.fillStyle = css(lighter(wear.cloth, -0.12));
    context.beginPath();
    context.roundRect(-0.15 + lean, chest - 0.01, 0.08, 0.24, 0.02);
    context.fill();
  }
}

/** A head from the side on its leaning neck, and what is on it. */
function head(context: Context, { person, wear, robot }: Walker, lean: number, bob: number): void {
  const [x, y] = [lean * 1.4 + 0.006, -0.905 + bob];
  context.fillStyle = css(lighter(wear.skin, -0.06));
  context.fill(
    tube([
      [lean, SHOULDER + bob, 0.034],
      [x - 0.004, y + 0.05, 0.03],
    ]),
  );
  const { skin, hair, cloth } = wear;
  context.save();
  context.translate(x, y);
  for (const piece of robot ? ['robot'] : headPieces(person))
    drawProp(context, `walker-${piece}`, { paints: { skin, hair, cloth } });
  context.restore();
}

const headPieces = ({ woman, beard, headwear }: Person): string[] => [
  ...(woman && headwear === 'none' ? ['long-hair'] : []),
  'head',
  ...(beard ? ['beard'] : []),
  ...(headwear === 'none' ? [] : [headwear]),
];
