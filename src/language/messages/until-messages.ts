/** `until`. */
import type { Type } from '../types.ts';
import { typeName } from './type-names.ts';
import { warning } from './wording.ts';

const SAME = {
  request: 'the same request',
  command: 'the same command',
  file: 'the same of that file',
} as const;

export const untilMessages = {
  untilOfEffect: () =>
    'until-of: `until` makes a step again, and a command with `effect: true` acts once; take one of the two out',
  roundTaken: () =>
    'round-taken: `until` calls its rounds `round`, and there is an axis of that name; give the axis another',
  holdsShape: () =>
    'wrong-type: `holds` is one expression about `this`, true or false; write `holds: ${{ this.json.score >= 8 }}`',
  holdsType: (type: Type) =>
    `wrong-type: \`holds\` is true or false, but this is ${typeName(type)}; compare it with something`,
  holdsWithoutThis: () =>
    'holds-without-this: `holds` asks the result that was just made: read it as `this`, `this.json.score >= 8`',
  roundsShape: () => 'wrong-type: `max` of `until` is a number, or one expression that gives one; write `max: 3`',
  roundsNotNumber: (type: Type) => `wrong-type: \`max\` of \`until\` is a whole number, but this is ${typeName(type)}`,
  tooManyRounds: (given: number, most: number) =>
    `out-of-range: \`max\` of \`until\` is at most ${most}, not ${given}; ask for fewer rounds`,
  otherwiseShape: () =>
    'wrong-type: `otherwise` is `last`, or an expression whose highest number is taken; write `otherwise: last`, or `otherwise: ${{ this.json.score }}`',
  otherwiseType: (type: Type) =>
    `wrong-type: \`otherwise\` gives a number, and the highest is taken, but this is ${typeName(type)}`,
  noThis: () =>
    'no-this: `this` is the result just made, and is read in `until` alone; read `steps.NAME`, or `previous`',
  previousInHolds: () =>
    'previous-in-until: in `until` the result just made is `this`; `previous` is for the request of the next round',
  listInRound: (step: string) =>
    `list-in-round: step \`${step}\` of that file is made for each entry of a list that is written in the round itself, and rounds are planned before the first is made; write the list in this file, and give it as a param`,
  sameFromSecondRound: () =>
    warning(
      "same-rounds: nothing in it changes from round 2 on: every later round gets the result of round 2 again; let it read what the round before gave, like `${{ has(previous.text) ? previous.text : '' }}`, or take a model with a `seed`",
    ),
  sameRounds: (what: keyof typeof SAME) =>
    `same-rounds: round 2 would ask for ${SAME[what]} as round 1, and get that result again; let it read \`previous\`, which is the round before: \`\${{ has(previous.text) ? previous.text : '' }}\``,
};
