/** A person seen whole: walking, running or standing, dressed as the words say. Height 1, feet at 0. */

import { Random } from '../../../../shared/random.ts';
import { type Colour, css, lch, lighter, mix } from '../../../prompt/palette.ts';
import type { Person, Subject } from '../../../prompt/read-prompt.ts';
import type { Context, Point } from '../../brush.ts';
import type { Figure, Pose } from '../../lighting.ts';
import { drawProp } from '../../prop.ts';
import type { Stage } from '../../stage.ts';
import { type Gait, joint, pawAt, strideOf } from '../animals/gait.ts';
import rows from '../data/drawings/person.json' with { type: 'json' };
import people from '../data/people.json' with { type: 'json' };
import { draw } from '../drawing.ts';
import { silkOf, umbrellaOver } from '../things.ts';
import { colourOf, coloursOf } from './portrait-brush.ts';

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
  const wear = robot ? ROBOT : wearOf(stage, person, new Random(`person|${seed}`));
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

const ROBOT: Wear = {
  skin: colourOf(people.robot.skin),
  hair: colourOf(people.robot.hair),
  cloth: colourOf(people.robot.cloth),
  trousers: colourOf(people.robot.trousers),
  shoes: colourOf(people.robot.shoes),
};

function wearOf(stage: Stage, { old, colour, headwear }: Person, random: Random): Wear {
  const { skins, hairs, grey, cloths, trousers, shoes } = people.walker;
  const ownCloth = () => {
    if (colour) return lch(...colour);
    if (headwear === 'souwester') return lch(0.82, 0.165, 88);
    if (headwear === 'helmet') return lch(0.92, 0.008, 240);
    return mix(random.pick([stage.palette.second, ...coloursOf(cloths)]), lch(0.45, 0.03, 260), 0.25);
  };
  return {
    skin: random.pick(coloursOf(skins)),
    hair: old ? colourOf(grey) : random.pick(coloursOf(hairs)),
    cloth: ownCloth(),
    trousers: headwear === 'helmet' ? lch(0.86, 0.008, 240) : random.pick(coloursOf(trousers)),
    shoes: colourOf(shoes),
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
  const { action, person } = it;
  const moving = action !== 'stands';
  const bob = moving ? Math.abs(Math.sin(turns * 2 * Math.PI)) * -0.014 : Math.sin(seconds * 1.6) * 0.003;
  const lean = action === 'runs' ? 0.07 : moving ? 0.025 : 0;
  const swing = moving
    ? Math.sin(turns * 2 * Math.PI) * (action === 'runs' ? 0.9 : 0.5)
    : Math.sin(seconds * 0.9) * 0.04;
  const foot = (half: number, stand: number): Point => (moving ? pawAt(turns + half, it.gait) : [stand, 0]);
  context.save();
  if (person.child) context.scale(0.72, 0.72);
  arm(context, it, { angle: -swing, lean, bob, far: true });
  leg(context, it, { foot: foot(0.5, 0.045), bob, far: true });
  leg(context, it, { foot: foot(0, -0.035), bob, far: false });
  torso(context, it, lean, bob, swing);
  head(context, it, lean, bob);
  if (it.silk) umbrellaOver(context, it.silk, lean, bob);
  arm(context, it, { angle: swing, lean, bob, far: false });
  context.restore();
}

interface Limb {
  readonly bob: number;
  readonly far: boolean;
}

function leg(context: Context, { wear, action }: Walker, { foot, bob, far }: Limb & { readonly foot: Point }): void {
  const hip: Point = [far ? 0.012 : -0.012, HIP + bob];
  const ankle: Point = [foot[0], foot[1] - 0.045];
  const knee = joint(hip, ankle, 0.235, 0.235, 1);
  const toe = action === 'stands' ? 0 : Math.min(0.5, -foot[1] * 5);
  const paints = { trousers: lighter(wear.trousers, far ? -0.05 : 0), shoes: lighter(wear.shoes, far ? -0.03 : 0) };
  draw(context, rows.leg, paints, { hip, knee, ankle, toe });
}

function arm(
  context: Context,
  { wear, action, lantern, silk }: Walker,
  { angle, lean, bob, far }: Limb & { readonly angle: number; readonly lean: number },
): void {
  const shoulder: Point = [lean + (far ? 0.03 : -0.025), SHOULDER + 0.03 + bob];
  const held = (lantern || silk !== null) && !far;
  const bend = action === 'runs' ? 1.25 : held ? (silk ? 1.5 : 0.95) : 0.26;
  const turn = held ? 0.55 : angle;
  const elbow: Point = [shoulder[0] + Math.sin(turn) * 0.165, shoulder[1] + Math.cos(turn) * 0.165];
  const down: Point = [Math.sin(turn + bend), Math.cos(turn + bend)];
  const hand: Point = [elbow[0] + down[0] * 0.16, elbow[1] + down[1] * 0.16];
  const paints = { cloth: lighter(wear.cloth, far ? -0.09 : 0.02), skin: wear.skin };
  draw(context, rows.arm, paints, { shoulder, elbow, hand, down, lantern: Number(held && !silk) });
}

function torso(context: Context, { person, wear, robot }: Walker, lean: number, bob: number, swing: number): void {
  const chest = SHOULDER + bob;
  const cut = person.garment === 'raincoat' ? 'coat' : person.garment;
  draw(
    context,
    rows[cut === 'dress' || cut === 'coat' ? cut : 'plain'],
    { cloth: wear.cloth },
    {
      ...{ lean, chest, hip: HIP, sway: swing * 0.03 },
    },
  );
  if (person.headwear !== 'helmet' && !robot) return;
  context.fillStyle = css(lighter(wear.cloth, -0.12));
  context.beginPath();
  context.roundRect(-0.15 + lean, chest - 0.01, 0.08, 0.24, 0.02);
  context.fill();
}

/** A head from the side on its leaning neck, and what is on it. */
function head(context: Context, { person, wear, robot }: Walker, lean: number, bob: number): void {
  const { skin, hair, cloth } = wear;
  const [x, y] = [lean * 1.4 + 0.006, -0.905 + bob];
  draw(context, rows.neck, { skin }, { lean, chest: SHOULDER + bob, x, y });
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
