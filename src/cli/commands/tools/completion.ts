/** `shotlist tools completion bash|zsh|fish|powershell`: a script for the shell, on standard output. */
import { nothingBehind, UsageError } from '../../arguments.ts';
import { meantValue } from '../../command-line/mistakes.ts';
import { readArguments } from '../../command-line/read-arguments.ts';
import { SHELLS } from '../../command-line/tool-commands.ts';
import { withExitCode } from '../../errors/exit-code.ts';
import { print } from '../../outlets.ts';
import { indentedJson } from '../../terminal/indented-json.ts';

type Shell = (typeof SHELLS)[number];

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('tools completion', args);
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
  print(values.json ? `${indentedJson({ version: 1, shell, script })}\n` : script);
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
