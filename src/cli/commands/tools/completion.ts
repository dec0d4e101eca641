/** `shotlist tools completion bash|zsh|fish|powershell`: a script for the shell, on standard output. */
import { nothingBehind, UsageError } from '../../arguments.ts';
import { meantValue } from '../../command-line/mistakes.ts';
import { command } from '../../command-line/read-arguments.ts';
import { SHELLS } from '../../command-line/tool-commands.ts';
import { jsonText, print } from '../../outlets.ts';

type Shell = (typeof SHELLS)[number];

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
  const script = await scriptFor(shell);
  print(values.json ? jsonText({ version: 1, shell, script }) : script);
  return 0;
});

async function scriptFor(shell: Shell): Promise<string> {
  switch (shell) {
    case 'bash':
      return (await import('../../completion/bash.ts')).bashCompletion();
    case 'zsh':
      return (await import('../../completion/zsh.ts')).zshCompletion();
    case 'fish':
      return (await import('../../completion/fish.ts')).fishCompletion();
    case 'powershell':
      return (await import('../../completion/powershell.ts')).powershellCompletion();
  }
}
