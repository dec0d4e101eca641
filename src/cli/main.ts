/** Loads the command, and only what that command needs. */
import type { CommandName, CommandTyped } from './command-line/commands.ts';
import { bugReport } from './errors/bug-report.ts';
import type { ExitCode } from './errors/exit-codes.ts';
import { guardOutlets, say } from './outlets.ts';

/** The exit code of a bug, as of any program of Node. */
const BUG: ExitCode = 1;

export async function main({ name, args }: CommandTyped): Promise<void> {
  // A command fails when its result cannot be written, whatever else went well.
  guardOutlets(() => {
    process.exitCode ||= 1;
  });
  // A bug in a promise that is not awaited. The journal is right; what is in memory cannot be trusted any more.
  process.once('uncaughtException', error => {
    sayBug(error, name);
    process.exit(BUG);
  });
  try {
    const exit = await (await loadCommand(name)).main(args);
    process.exitCode = exit || process.exitCode;
  } catch (error) {
    sayBug(error, name);
    process.exitCode = BUG;
  }
}

const sayBug = (error: unknown, name: string): void => say(bugReport(error, name, process.env).join('\n'));

interface Command {
  readonly main: (args: readonly string[]) => Promise<ExitCode>;
}

export async function loadCommand(name: CommandName): Promise<Command> {
  const [first, second] = name.split(' ');
  return second === undefined
    ? await import(`./commands/${first}.ts`)
    : await import(`./commands/${first}/${second}.ts`);
}
