/** `pick` and `approve`. */
import type { Type } from '../types.ts';
import { typeName } from './type-names.ts';
import { or } from './wording.ts';

export const choiceMessages = {
  pickShape: () =>
    'pick-shape: `pick` takes results of steps; write `pick: ${{ steps.shot }}`, a `filter` of them, a list of several, or `pick: takes` beside `each`',
  pickName: (name: string) => `pick-shape: \`pick\` takes an expression; write \`pick: \${{ steps.${name} }}\``,
  pickType: (type: Type, source: string) =>
    `pick-type: a pick chooses among results of steps, but \`${source}\` gives ${typeName(type)}; name the step itself`,
  pickOfOne: (source: string) =>
    `pick-of-one: \`${source}\` is one result, so there is nothing to choose; give that step \`takes: 3\`, or list several: \`[ "\${{ steps.a }}", "\${{ steps.b }}" ]\``,
  takesWithoutEach: () =>
    'pick-takes: `pick: takes` chooses among the takes of the step that `each` names; add `each: ${{ steps.shot }}`',
  takesOfJoin: () => 'pick-takes: `pick: takes` chooses among the takes of one step; name one in `each`',
  takesOfNone: (step: string) =>
    `pick-takes: \`${step}\` has no takes to choose from; give it \`takes: 3\`, or write \`pick: \${{ steps.${step} }}\` to choose one of all`,
  ruleAndJudge: () => 'rule-and-judge: `rule` and `judge` both decide; keep one',
  ruleShape: () =>
    'wrong-type: `rule` is one expression that gives a number; write `rule: ${{ -candidate.media.duration }}`',
  ruleType: (type: Type) =>
    `wrong-type: \`rule\` gives a number, and the highest wins, but this is ${typeName(type)}; write a number, or \`… ? 1 : 0\``,
  noCandidate: () => 'no-candidate: `candidate` is read in the `rule` of a pick, for each result that it chooses from',
  judgeNotChat: (model: string, produces: string) =>
    `judge-model: ${model} makes ${produces}, and a judge writes its scores; name a chat model`,
  judgeBlind: (model: string, kind: string, seeing: readonly string[]) =>
    `judge-model: ${model} reads words alone and cannot be shown ${kind === 'video' ? 'frames of a video' : 'an image'}; ${seeing.length > 0 ? `${or(seeing)} can` : 'name a chat model that sees'}`,
  judgeUnknown: (model: string) =>
    `judge-model: nothing is known of ${model}, and a judge must be a chat model; name a label like \`C-B\``,
  approveShape: () =>
    'approve-shape: `approve` takes results of steps; write `approve: ${{ steps.film }}`, or `${{ each }}` beside `each` for one question each',
  approveType: (type: Type, source: string) =>
    `approve-type: a person approves results of steps, but \`${source}\` gives ${typeName(type)}; name the step itself`,
};
