/** Other Shotlist files that a step uses: the files, what they are given, what they give. */
import { and, code, error, mended } from './wording.ts';

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
    mended(
      `unknown-param: \`${path}\` has no param \`${name}\`; ${near ? `did you mean \`${near}\`?` : known.length > 0 ? `it has ${and(known)}` : 'it has none'}`,
      name,
      near,
    ),
  missingUsedParams: (names: readonly string[], path: string) =>
    `missing-param: \`${path}\` needs ${and(names)}; write \`with: { ${names.map(name => `${name}: …`).join(', ')} }\``,
  listOfUsed: (name: string, path: string, step: string) =>
    `max-missing: another step writes \`${name}\`, and step \`${step}\` of \`${path}\` makes one instance for each of its entries; give that step \`max\`, so that the cost can be told beforehand`,
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
