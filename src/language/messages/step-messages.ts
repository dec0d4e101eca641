/** What is wrong with one step: its request, its command, its condition. */
import type { Type } from '../types.ts';
import { nameFrom } from './flow-text.ts';
import { fieldOf, typeName } from './type-names.ts';
import { and, lowerFirst, mended, quoted, unquote, warning } from './wording.ts';

export const stepMessages = {
  unknownRequestField: (name: string, model: string, near: string | undefined, known: readonly string[]) =>
    mended(
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
    mended(
      warning(
        `unused-default: no model in this file has a field \`${name}\`, so this default does nothing; ${near ? `did you mean \`${near}\`?` : 'take it out'}`,
      ),
      name,
      near,
    ),
  unknownGroup: (name: string, near: string) =>
    mended(
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
    'retry-goes-on: nobody can tell whether a call that took too long is carried out and billed all the same, so it is never sent anew; take `timed_out` out',
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
