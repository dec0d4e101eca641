/** What `shotlist --help` says: every command in a line, what holds for all, and the exit codes. */
import { EXIT_CODES } from '../errors/exit-codes.ts';
import { COMMAND_NAMES, helpOf } from './commands.ts';

const COLUMN = 37;

export const OVERVIEW = `shotlist - declare a film as a graph of steps, see it for free, render it once

${COMMAND_NAMES.map(name => `  ${`shotlist ${helpOf(name).usage}`.padEnd(COLUMN)} ${helpOf(name).brief}`).join('\n')}

shotlist help COMMAND, or shotlist COMMAND --help: two examples, every option, exit codes

most commands
  --service NAME                  a service of your settings; without one the built-in studio is used, which is free
  --profile NAME                  as this profile of the file has it; \`final\`: as the file stands, which is the default
  --draft                         the built-in studio draws small, quick pictures; no command acts outside
  --param NAME=VALUE              a value for one of the file's params (may be repeated)
  --json                          on every command: one JSON document on standard output, or the events of a run, a line each

part of a film: a step, \`shot\`, or instances, \`'shot[beat=3]'\`: quoted, for zsh reads brackets as a pattern

SHOTLIST_BASE_URL and SHOTLIST_API_KEY name a hosted service.
SHOTLIST_CHAT_UPSTREAM (with _KEY and _MODEL) is a chat service, http://127.0.0.1:11434/v1 say, that the studio passes chat on to.

exit codes
${Object.entries(EXIT_CODES)
  .map(([code, { brief }]) => `  ${code.padEnd(32)}${brief}`)
  .join('\n')}
`;
