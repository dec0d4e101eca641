/** What is said of a hook that could not be told. */
import type { HookName } from '../host/hook-settings.ts';

export const messages = {
  failed: (name: HookName, where: string, many: number, why: string) =>
    `${where} was not told${many > 1 ? ` ${many} times` : ''}: ${why}; the run itself is as told above (${name})`,
  broken: (why: string) => `not everybody was told of the run: ${why}; the run itself is as told above`,
  noVariable: (variable: string) => `the variable ${variable} holds no address; set it, or take \`url_env\` out`,
  wrongVariable: (variable: string, why: string) => `what ${variable} holds ${why}`,
  commandEnded: (program: string, how: string, last: string) => `${program} ${how}${last === '' ? '' : `: ${last}`}`,
  refused: (host: string, status: number) => `${host} answers ${status}`,
  unreached: (host: string, why: string) => `${host} cannot be reached: ${why}`,
  tooLate: (host: string) => `${host} did not answer before the run was over`,
} as const;
