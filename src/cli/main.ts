/** Finds the command. Everything one needs is imported when it is called for. */
import { nearest } from '../domain/nearest.ts';

type Command = { readonly main: (args: readonly string[]) => Promise<number> };

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  check: () => import('./commands/check.ts'),
  plan: () => import('./commands/plan.ts'),
  run: () => import('./commands/run.ts'),
  cancel: () => import('./commands/cancel.ts'),
  models: () => import('./commands/models.ts'),
  studio: () => import('./commands/studio.ts'),
  generate: () => import('./commands/generate.ts'),
  chat: () => import('./commands/chat.ts'),
  activate: () => import('./commands/activate.ts'),
  deactivate: () => import('./commands/deactivate.ts'),
  tokenize: () => import('./commands/tokenize.ts'),
};

export async function main(name: string, args: readonly string[]): Promise<void> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load) {
    process.exitCode = await (await load()).main(args);
    return;
  }
  const near = nearest(name, Object.keys(commands));
  process.stderr.write(
    `shotlist: there is no command \`${name}\`; ${near ? `did you mean \`${near}\`?` : 'see shotlist --help'}\n`,
  );
  process.exitCode = 2;
}
