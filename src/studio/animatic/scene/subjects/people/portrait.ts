/** A person from the chest up, for medium and close shots. Rigid: painted once with eyes open and once shut, then only breathed and swayed. */

import { Random } from '../../../../shared/random.ts';
import { type Colour, lch, mix } from '../../../prompt/palette.ts';
import type { Person } from '../../../prompt/prompt.ts';
import type { Context } from '../../brush.ts';
import type { Figure } from '../../lighting.ts';
import { drawProp } from '../../prop.ts';
import type { Stage } from '../../stage.ts';
import people from '../data/people.json' with { type: 'json' };
import { umbrellaBehind } from '../things.ts';
import { paintBody } from './clothes.ts';
import { paintFace } from './face.ts';
import { paintBehindHead, paintHead } from './hair.ts';
import { type Complexion, colourOf, coloursOf, type Worn } from './portrait-brush.ts';

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
  const { skin, hair, light, shade } = look;
  const worn: Worn = { look, cloth, paints: { skin, hair, light, shade, cloth, accent: stage.palette.accent } };
  const { paints } = worn;
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
      if (robot) drawProp(context, 'robot', { paints });
      else {
        if (stage.shot.extras.includes('umbrella')) umbrellaBehind(context, stage);
        rounded(context, person);
        paintBehindHead(context, person, worn, random);
        context.restore();
        context.save();
        if (person.child) context.scale(0.8, 0.86);
        paintBody(context, person, worn, random, stage.shot.weather.includes('rain'));
        context.restore();
        rounded(context, person);
        paintFace(context, person, look, random, {
          eyesShut,
          gaze: gaze * stage.lit,
          speaking,
          smiling: stage.shot.mood === 'joyful',
        });
        paintHead(context, person, worn, random);
        context.restore();
        if (person.garment === 'raincoat') drawProp(context, 'raincoat-collar', { paints });
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

function complexionOf(stage: Stage, person: Person, random: Random): Complexion {
  const { palette } = stage;
  const [first, ...others] = people.portrait.colourings;
  // Skin, hair and eyes that are found together.
  const { skin, hairs, eyes } = random.pick([first!, ...others]);
  const weathered = person.beard && person.old;
  return {
    skin: weathered ? lch(0.72, 0.075, 50) : colourOf(skin),
    hair: person.old ? colourOf(people.portrait.grey) : random.pick(coloursOf(hairs)),
    eyes: weathered ? lch(0.52, 0.055, 235) : random.pick(coloursOf(eyes)),
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
  return mix(random.pick([stage.palette.second, ...coloursOf(people.portrait.cloths)]), lch(0.4, 0.03, 260), 0.3);
}
