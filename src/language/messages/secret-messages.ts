/** Params with `secret: true` and variables of the environment: how they are declared, and where they may not go. */
import { warning } from './wording.ts';

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
