/** What is wrong with a profile. */
import { and, code, error, warning, withSuggestion } from './foreign/wording.ts';

export const profileMessages = {
  profileModel: (name: string, profile: string, near: string | undefined, known: readonly string[]) =>
    withSuggestion(
      `unknown-profile-model: the profile \`${profile}\` has a model for \`${name}\`, which the file does not have under \`models\`; ${remedy(
        near,
        known,
        `write \`models: { ${name}: … }\` for the file, and \`model: ${name}\` in its steps`,
      )}`,
      name,
      near,
    ),
  profileParam: (name: string, profile: string, near: string | undefined, known: readonly string[]) =>
    withSuggestion(
      `unknown-profile-param: the profile \`${profile}\` has a value for \`${name}\`, which is no param of this file; ${remedy(near, known, `declare \`${name}\` under \`params\``)}`,
      name,
      near,
    ),
  profileOutput: (path: string, where: string, output: string) =>
    `profile-output: ${where} this goes to ${path}, which is the place of the output \`${output}\`; change \`to\` of one of them`,
};

const remedy = (near: string | undefined, known: readonly string[], write: string): string =>
  near !== undefined ? `did you mean \`${near}\`?` : known.length > 0 ? `it has ${and(known)}` : write;

/** Params with `secret: true` and variables of the environment: how they are declared, and where they may not go. */
export const secretMessages = {
  secretInFile: (name: string, key: string) =>
    `secret-in-file: \`${name}\` is a secret, and \`${key}\` would put it into the file and into git; take \`${key}\` out, and give the value with \`--params FILE\``,
  secretNoText: (name: string, type: string) =>
    `secret-type: \`${name}\` is a secret, and a secret is a text, which \`${type}\` is not; write \`type: string\``,
  secretItems: (name: string) =>
    `secret-type: a param is a secret as a whole, not entry by entry; take \`secret\` out of \`${name}.items\``,
  secretInName: (name: string, called: string) =>
    `secret-in-name: \`${name}\` is a secret, and ${called} is shown and kept; a secret may stand in arguments, in \`env\`, in \`files\` and in a request's fields`,
  secretInWords: (name: string, model: string) =>
    warning(
      `secret-in-words: \`${name}\` is a secret, and these are words for ${model}: the service keeps them, and what it makes may show them; take it out, unless that is meant`,
    ),
  secretVariable: (name: string, where: string) =>
    `variable-withheld: \`${name}\` holds a secret of Shotlist itself (${where}), which no film may read; take it out, and give the film a variable of its own`,
  unexposedVariable: (name: string) =>
    `variable-withheld: the worker lets no film read \`${name}\`; start it with \`shotlist team worker --expose ${name}\`, or add \`expose: [${name}]\` to its settings`,
};

/** Other Shotlist files that a step uses: the files, what they are given, what they give. */
export const usesMessages = {
  action: () => 'other-system: this is an action, and actions do not run here; write `run:` with a command',
  computedUse: () => 'computed-use: a file is named, not computed; write its path: `uses: ./clean.yaml`',
  usedFile: (path: string, problem: string) => `used-file: \`${path}\` ${problem}`,
  usesItself: (path: string, uses: readonly string[]) =>
    `uses-cycle: \`${path}\` cannot be used here, for it would use itself: ${uses.join(', and ')}; take one of these out`,
  usedTooDeep: (path: string, deepest: number) =>
    `uses-too-deep: \`${path}\` is used too deep: at most ${deepest} files may use one another in a row`,
  tooManyUsed: (path: string, count: number, most: number) =>
    `too-many-steps: with \`${path}\` the film has ${count.toLocaleString('en-US')} steps; at most ${most.toLocaleString('en-US')} are planned, so make it several films`,
  unknownUsedParam: (name: string, path: string, near: string | undefined, known: readonly string[]) =>
    withSuggestion(
      `unknown-param: \`${path}\` has no param \`${name}\`; ${near ? `did you mean \`${near}\`?` : known.length > 0 ? `it has ${and(known)}` : 'it has none'}`,
      name,
      near,
    ),
  missingUsedParams: (names: readonly string[], path: string) =>
    `missing-param: \`${path}\` needs ${and(names)}; write \`with: { ${names.map(name => `${name}: …`).join(', ')} }\``,
  listOfUsed: (name: string, path: string, step: string) =>
    `max-missing: another step writes \`${name}\`, and step \`${step}\` of \`${path}\` makes one instance for each of its entries; give that step \`max\`, so that the cost is known before the run`,
  takesOfUsed: (name: string, path: string, step: string, what: 'takes' | 'instances' | 'rounds') =>
    `takes-type: \`${name}\` decides how many ${what} step \`${step}\` of \`${path}\` has, which must be known before the run; give a number or a param`,
  secretToUsed: (name: string, path: string) =>
    `secret-param: a secret is given to \`${name}\`, which \`${path}\` would show; write \`secret: true\` at that param there`,
  plainToSecret: (name: string) =>
    `secret-param: \`${name}\` is a secret and must not stand in the file; hand on a secret param or a variable`,
  outputOfUse: (step: string, outputs: readonly string[]) =>
    error(
      'output-of-use',
      outputs.length > 0
        ? `which output of \`${step}\`? Write ${outputs.map(name => code(`\${{ steps.${step}.outputs.${name} }}`)).join(' or ')}`
        : `the file that \`${step}\` uses has no outputs; name some there`,
    ),
};
