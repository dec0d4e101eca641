#!/usr/bin/env node
/**
 * argv → objects → exit code. Everything a command needs is imported when it is called for: `--help` loads nothing.
 */
import { enableCompileCache } from 'node:module';
import { HELP } from './help.ts';

const LEAST_NODE = 24;
const VERSION = '0.1.0';

const commands: Readonly<
  Record<string, () => Promise<{ readonly main: (args: readonly string[]) => Promise<number> }>>
> = {
  check: () => import('./commands/check.ts'),
  plan: () => import('./commands/plan.ts'),
  run: () => import('./commands/run.ts'),
  studio: () => import('./commands/studio.ts'),
};

process.exitCode = await main(process.argv.slice(2));

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${VERSION}\n`);
    return 0;
  }
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    return 0;
  }
  if (Number.parseInt(process.versions.node, 10) < LEAST_NODE) {
    process.stderr.write(
      `shotlist needs Node ${LEAST_NODE} and this is ${process.version}; \`npx shotlist\` brings its own\n`,
    );
    return 2;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) {
    const { nearest } = await import('../domain/nearest.ts');
    const near = nearest(name, Object.keys(commands));
    process.stderr.write(
      `there is no command \`${name}\`${near ? `; did you mean \`${near}\`?` : ''} See shotlist --help\n`,
    );
    return 2;
  }
  enableCompileCache();
  const { main: command } = await load();
  return command(args);
}
