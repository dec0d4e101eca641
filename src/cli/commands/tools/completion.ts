/** `shotlist tools completion bash|zsh|fish|powershell`: a script for the shell, on standard output. */
import { nothingBehind, UsageError } from '../../arguments.ts';
import { meantValue } from '../../command-line/mistakes.ts';
import { command } from '../../command-line/read-arguments.ts';
import { SHELLS } from '../../command-line/tool-commands.ts';
import { completionScript } from '../../completion/scripts.ts';
import { jsonText, print } from '../../outlets.ts';

export const main = command('tools completion', async ({ values, positionals }) => {
  const [given, ...more] = positionals;
  if (given === undefined) throw new UsageError(`for which shell? shotlist tools completion ${SHELLS.join('|')}`);
  nothingBehind(more, 'tools completion', 'one shell');
  const shell = SHELLS.find(name => name === given);
  if (shell === undefined) {
    const near = meantValue(given, SHELLS, 'SHELL');
    const instead = near === undefined ? '' : `; did you mean ${near}?`;
    throw new UsageError(`there are completions for ${SHELLS.join(', ')}, and none for \`${given}\`${instead}`);
  }
  const script = completionScript(shell);
  print(values.json ? jsonText({ version: 1, shell, script }) : script);
  return 0;
});
