/** What is wrong with a profile. */
import { and, mended } from './wording.ts';

export const profileMessages = {
  profileModel: (name: string, profile: string, near: string | undefined, known: readonly string[]) =>
    mended(
      `unknown-profile-model: the profile \`${profile}\` has a model for \`${name}\`, which the file does not have under \`models\`; ${remedy(
        near,
        known,
        `write \`models: { ${name}: … }\` for the file, and \`model: ${name}\` in its steps`,
      )}`,
      name,
      near,
    ),
  profileParam: (name: string, profile: string, near: string | undefined, known: readonly string[]) =>
    mended(
      `unknown-profile-param: the profile \`${profile}\` has a value for \`${name}\`, which is no param of this file; ${remedy(near, known, `declare \`${name}\` under \`params\``)}`,
      name,
      near,
    ),
  profileOutput: (path: string, where: string, output: string) =>
    `profile-output: ${where} this goes to ${path}, which is the place of the output \`${output}\`; change \`to\` of one of them`,
};

const remedy = (near: string | undefined, known: readonly string[], write: string): string =>
  near !== undefined ? `did you mean \`${near}\`?` : known.length > 0 ? `it has ${and(known)}` : write;
