/** Finds a command's file: `team submit` is `commands/team/submit.ts`. The bundler makes a piece of each file of these two forms. */
import type { CommandName } from './command-line/commands.ts';
import type { ExitCode } from './errors/exit-codes.ts';

interface Command {
  readonly main: (args: readonly string[]) => Promise<ExitCode>;
}

export async function loadCommand(name: CommandName): Promise<Command> {
  const [first, second] = name.split(' ');
  return second === undefined
    ? await import(`./commands/${first}.ts`)
    : await import(`./commands/${first}/${second}.ts`);
}
