/** What is wrong with one step: its request, its command, its condition. */
import type { Type } from '../types/types.ts';
import { nameFrom } from './foreign/flow-text.ts';
import { and, fieldOf, lowerFirst, or, quoted, typeName, unquote, warning, withSuggestion } from './foreign/wording.ts';

export const stepMessages = {
  unknownRequestField: (name: string, model: string, near: string | undefined, known: readonly string[]) =>
    withSuggestion(
      `unknown-field: ${model} has no field \`${name}\`; ${near ? `did you mean \`${near}\`?` : `it has ${and(known)}`}`,
      name,
      near,
    ),
  undocumentedField: (name: string, model: string) =>
    warning(
      `undocumented-field: ${model} is not known to have a field \`${name}\`; it is sent as it is, the service may refuse it`,
    ),
  missingFields: (names: readonly string[], model: string) =>
    `missing-field: ${model} needs ${and(names)}; add ${names.length === 1 ? 'it' : 'them'} under \`with\``,
  refused: (model: string, reason: string) => `refused-combination: ${model}: ${lowerFirst(reason)}`,
  unusedDefault: (name: string, near: string | undefined) =>
    withSuggestion(
      warning(
        `unused-default: no model in this file has a field \`${name}\`, so this default does nothing; ${near ? `did you mean \`${near}\`?` : 'take it out'}`,
      ),
      name,
      near,
    ),
  unknownGroup: (name: string, near: string) =>
    withSuggestion(
      `unknown-group: \`concurrency\` gives no number for a group \`${name}\`; did you mean \`${near}\`?`,
      name,
      near,
    ),
  unusedGroup: (name: string) =>
    warning(
      `unused-group: no step is in the group \`${name}\`; write \`concurrency: ${name}\` on the steps that it bounds, or take it out`,
    ),
  retryOfWhatGoesOn: () =>
    'retry-goes-on: a generation that took too long goes on at the service and is billed, so it is not asked for anew; add `on_timeout: cancel` to end it first, or take `timed_out` out',
  retryOfLateCall: () =>
    'retry-goes-on: a call that took too long may still be carried out and billed, so it is never sent again; take `timed_out` out',
  onTimeoutWithoutLimit: () =>
    'timeout-missing: `on_timeout` says what becomes of a generation that takes too long; add `timeout: 20m`',
  onTimeoutOfCall: () =>
    'wrong-type: a call that answers at once leaves nothing that could be cancelled; take `on_timeout` out, or ask through the queue',
  ifNotBool: (type: Type) =>
    `wrong-type: \`if\` takes true or false, but this is ${typeName(type)}; compare it with something`,
  ifInQuotes: (given: string) =>
    unquote(`wrong-type: \`if\` takes one expression that is true or false, not \`"${given}"\``, given),
  ifText: (meant: string | undefined) =>
    `wrong-type: \`if\` takes one expression that is true or false; write \`if: \${{ ${meant ?? '…'} }}\``,
  expressionInScript: () =>
    'expression-in-script: a script never gets values pasted in; put the expression under `env:` and use the variable in the script',
  emptyFolder: (path: string) => {
    const name = nameFrom(path.replace(/^.*[/\\]|\.\w+$/g, ''), 'script');
    return `empty-folder: a command runs in an empty folder, which does not hold ${quoted(path)}; bring it in by \`files: { ${name}: ${path} }\` and write it as a script, \`run: … "$${name}"\`, or start it from the project's root as a program, \`run: [./${path.replace(/^\.\//, '')}]\``;
  },
  shellWithArgv: () => 'shell-with-argv: `shell` is for scripts, and `run` is a list of arguments; take `shell` out',
  noShell: (sign: string, words: readonly (string | undefined)[]) =>
    warning(
      `no-shell: no shell reads a list of arguments, so ${quoted(sign)} is handed to ${quoted(words[0] ?? 'the program')} as it stands; write a script${
        words.includes(undefined) ? '' : `: \`run: ${words.join(' ')}\``
      }`,
    ),
  argumentNotScalar: (type: Type, source: string) =>
    `wrong-type: an argument is one plain value, but this is ${typeName(type)}; ${type.is === 'record' ? `read one of its fields, like ${fieldOf(source, type)}` : 'pick one or `join` them'}`,
  fileNotMedia: (type: Type, source: string) =>
    `wrong-type: a file is a result, an address or a path, but this is ${typeName(type)}; ${
      type.is === 'list' && type.of.is === 'record' && type.of.cel === 'ListedFile'
        ? `give one of them, \`${source}[0]\`, or all their paths as an argument: \`${source}.map(f, f.file).join(' ')\``
        : "give a step's result"
    }`,
  pathLeaves: (path: string) =>
    `path-leaves: ${quoted(path)} leads out of its folder; use a relative path without \`..\``,
  starInFolder: () =>
    'star-in-folder: a star stands for a part of the file name; have the command leave its files in one folder, like `parts/part_*.mp4`',
  maxWithoutStar: () =>
    'max-without-star: `max` says how many files a star under `creates` may stand for, and there is none; take it out, or write `clips: "part_*.mp4"`',
  effectWithoutCache: () =>
    'effect-without-cache: `effect: true` is done once for its inputs, and `cache: off` would do it again with every run; take `cache` out, or `effect` where a repetition does no harm',
  effectWithoutCacheByDefault: () =>
    'effect-without-cache: `effect: true` is done once for its inputs, and `cache: off` under `defaults` would do it again with every run; write `cache: on` in this step',
  sameFileTwice: (path: string) => `same-path: ${quoted(path)} is created twice; give each file its own path`,
};

/** `pick` and `approve`. */
export const choiceMessages = {
  pickShape: (step = 'name') =>
    `pick-shape: \`pick\` takes results of steps; write \`pick: \${{ steps.${step} }}\`, a \`filter\` of them, a list of several, or \`pick: takes\` beside \`each\``,
  pickName: (name: string) => `pick-shape: \`pick\` takes an expression; write \`pick: \${{ steps.${name} }}\``,
  pickType: (type: Type, source: string) =>
    `pick-type: a pick chooses among results of steps, but \`${source}\` gives ${typeName(type)}; name the step itself`,
  pickOfOne: (source: string) =>
    `pick-of-one: \`${source}\` is one result, so there is nothing to choose; give that step \`takes: 3\`, or list several: \`[ "\${{ steps.a }}", "\${{ steps.b }}" ]\``,
  pickBeyond: (pick: string, count: number, step: string, takes: number) =>
    warning(
      `pick-count: \`${pick}\` chooses ${count}, and \`${step}\` has ${takes === 1 ? 'one take' : `${takes} takes`}; write ${quoted(`count: ${takes}`)}, or give \`${step}\` more takes`,
    ),
  takesWithoutEach: (steps: readonly string[]) =>
    `pick-takes: \`pick: takes\` chooses among the takes of the step that \`each\` names; ${
      steps.length === 0
        ? 'no step here has any, so give one `takes: 3` and name it: `each: ${{ steps.name }}`'
        : `add ${or(steps.map(step => `\`each: \${{ steps.${step} }}\``))}`
    }`,
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
  approveShape: (step = 'name') =>
    `approve-shape: \`approve\` takes results of steps; write \`approve: \${{ steps.${step} }}\`, or \`\${{ each }}\` beside \`each\` for one question each`,
  approveType: (type: Type, source: string) =>
    `approve-type: a person approves results of steps, but \`${source}\` gives ${typeName(type)}; name the step itself`,
};

/** `until`. */
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
