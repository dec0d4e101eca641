/** A person from the chest up, for medium and close shots. Rigid: painted once with eyes open and once shut, then only breathed and swayed. */

import { Random } from '../../../random.ts';
import { type Colour, lch, mix } from '../../prompt/palette.ts';
import type { Person } from '../../prompt/prompt.ts';
import type { Context } from '../brush.ts';
import { drawProp } from '../prop.ts';
import type { Stage } from '../stage.ts';
import { paintBody } from './clothes.ts';
import { paintFace } from './face.ts';
import type { Figure } from './figure.ts';
import { paintBehindHead, paintHead } from './hair.ts';
import { type Complexion, wearing } from './portrait-brush.ts';
import { umbrellaBehind } from './things.ts';

interface Pose {
  readonly eyesShut?: boolean;
  readonly robot?: boolean;
  /** −1 left of us, 1 right of us. */
  readonly gaze?: number;
  readonly speaking?: boolean;
}

/** The figure's origin is the chin; a head is 1 high. */
export function portrait(
  stage: Stage,
  person: Person,
  seed: string,
  { eyesShut = false, robot = false, gaze = 0, speaking = false }: Pose = {},
): Figure {
  const look = complexionOf(stage, person, new Random(`look|${seed}`));
  const cloth = clothOf(person, stage, new Random(`cloth|${seed}`));
  return {
    box: { left: -1.5, top: stage.shot.extras.includes('umbrella') ? -2.1 : -1.5, right: 1.6, bottom: 2.4 },
    stride: 0,
    rigid: true,
    rim: 0.9,
    shade: 0.5,
    draw(context) {
      context.save();
      context.scale(stage.lit, 1);
      const random = new Random(`hair|${seed}`);
      if (robot)
        drawProp(context, 'robot', { paints: { ...wearing(look, cloth).paints, accent: stage.palette.accent } });
      else {
        if (stage.shot.extras.includes('umbrella')) umbrellaBehind(context, stage);
        rounded(context, person);
        paintBehindHead(context, person, look, cloth, random);
        context.restore();
        context.save();
        if (person.child) context.scale(0.8, 0.86);
        paintBody(context, person, look, cloth, random, stage.shot.weather.includes('rain'));
        context.restore();
        rounded(context, person);
        paintFace(context, person, look, random, {
          eyesShut,
          gaze: gaze * stage.lit,
          speaking,
          smiling: stage.shot.mood === 'joyful',
        });
        paintHead(context, person, look, cloth, random);
        context.restore();
        if (person.garment === 'raincoat') drawProp(context, 'raincoat-collar', wearing(look, cloth));
      }
      context.restore();
    },
  };
}

/** A child's head is rounder. Ends with the next `restore`. */
function rounded(context: Context, person: Person): void {
  context.save();
  if (person.child) context.transform(1.07, 0, 0, 0.95, 0, 0);
}

interface Colouring {
  readonly skin: Colour;
  readonly hairs: readonly [Colour, ...Colour[]];
  readonly eyes: readonly [Colour, ...Colour[]];
}
const BLACK_HAIR = lch(0.19, 0.012, 40);
const BROWN_EYES = lch(0.35, 0.055, 52);
/** Skin, hair and eyes that are found together. */
const COLOURINGS: readonly [Colouring, ...Colouring[]] = [
  {
    skin: lch(0.79, 0.055, 56),
    hairs: [lch(0.62, 0.09, 72), lch(0.44, 0.1, 48), lch(0.34, 0.05, 50)],
    eyes: [lch(0.52, 0.07, 240), lch(0.5, 0.06, 160), BROWN_EYES],
  },
  { skin: lch(0.75, 0.062, 60), hairs: [lch(0.3, 0.045, 48), BLACK_HAIR], eyes: [BROWN_EYES, lch(0.46, 0.06, 130)] },
  { skin: lch(0.67, 0.072, 56), hairs: [lch(0.24, 0.03, 45), BLACK_HAIR], eyes: [BROWN_EYES] },
  { skin: lch(0.54, 0.07, 50), hairs: [BLACK_HAIR], eyes: [lch(0.3, 0.045, 48)] },
];

function complexionOf(stage: Stage, person: Person, random: Random): Complexion {
  const { palette } = stage;
  const { skin, hairs, eyes } = random.pick(COLOURINGS);
  const weathered = person.beard && person.old;
  return {
    skin: weathered ? lch(0.72, 0.075, 50) : skin,
    hair: person.old ? lch(0.74, 0.012, 80) : random.pick(hairs),
    eyes: weathered ? lch(0.52, 0.055, 235) : random.pick(eyes),
    light: palette.light,
    shade: mix(palette.near, palette.sky[0], 0.35),
  };
}

function clothOf(person: Person, stage: Stage, random: Random): Colour {
  if (person.colour) return lch(...person.colour);
  if (person.headwear === 'helmet') return lch(0.88, 0.008, 240);
  if (person.garment === 'raincoat' || person.headwear === 'souwester') return lch(0.82, 0.165, 88);
  if (/\bknights?\b|\barmou?r\b|骑士/i.test(stage.shot.words)) return lch(0.64, 0.012, 245);
  if (person.headwear === 'toque') return lch(0.93, 0.006, 90);
  if (person.headwear === 'straw') return lch(0.34, 0.055, 265);
  return mix(
    random.pick([
      stage.palette.second,
      lch(0.4, 0.06, 250),
      lch(0.42, 0.05, 140),
      lch(0.45, 0.09, 30),
      lch(0.34, 0.02, 270),
    ]),
    lch(0.4, 0.03, 260),
    0.3,
  );
}
