/** Messages about commands that did not do what their step promised. */
import { isAbsolute, normalize } from 'node:path';
import type { Command, CommandOutcome } from '../../host/command-runner.ts';

/** Names of files that are worth listing. */
const NAMES = 10;

/** The message; what the command said itself is told beside it. */
export function badEnding(command: Command, outcome: CommandOutcome, isSilent: boolean): string {
  if (outcome.ended === 'stopped') return 'the command was stopped';
  const silent = isSilent ? '; run it by hand to see why' : '';
  if (outcome.signal !== null) return `the command was killed by ${outcome.signal}${silent}`;
  const program = 'argv' in command ? command.argv[0] : command.shell;
  if (outcome.exit === 127 && 'argv' in command)
    return `there is no program \`${program}\` here: install it, or correct the name`;
  if (outcome.exit === 126 && 'argv' in command)
    return `the program \`${program}\` cannot be started: see that it is a program and may be executed (chmod +x)`;
  return `the command ended with exit code ${outcome.exit}${isSilent ? ' and said nothing; run it by hand to see why' : ''}`;
}

export const timedOut = (timeoutMs: number): string =>
  `the command was stopped after ${timeoutMs / 1000} s, its step's timeout; make it faster or the timeout longer`;

export function notCreated(name: string, path: string, problem: string, left: readonly string[]): string {
  const listed = left.slice(0, NAMES).map(file => `\`${file}\``);
  const more = left.length > NAMES ? ` and ${left.length - NAMES} more` : '';
  const instead = left.length === 0 ? 'it left nothing' : `it left ${listed.join(', ')}${more}`;
  return `the command promised \`${name}\`, but \`${path}\` ${problem}; ${instead}. Have the command write it, or correct \`creates\``;
}

export const tooMany = (name: string, path: string, found: number, most: number): string =>
  `the command left ${found.toLocaleString('en-US')} files for \`${name}\` (\`${path}\`), and ${most.toLocaleString('en-US')} is the most; have it leave fewer, or give the step \`max: ${found}\``;

export const notKept = (why: string): string => `what it made could not be kept: ${why}`;

/** A name that says what a file is not. */
export const misnamed = (name: string, path: string, what: string): string =>
  `the command promised \`${name}\`, but \`${path}\` is ${what}. Have the command write what the name says, or give it the name of what it is`;

/** A path that would lie outside the command's own folder; undefined when all is well. */
export function misplaced(creates: Readonly<Record<string, string>>): string | undefined {
  for (const [name, path] of Object.entries(creates)) {
    const normal = normalize(path).replaceAll('\\', '/');
    if (isAbsolute(path) || normal === '.' || normal === '..' || normal.startsWith('../') || normal.endsWith('/')) {
      return `\`creates\` puts \`${name}\` at \`${path}\`, which is no file inside the command's own folder; write a relative path without \`..\``;
    }
  }
  return undefined;
}

/** A character that no program can receive, and where it stands; undefined when all is well. */
export function nulInside(command: Command, env: Readonly<Record<string, string>>): string | undefined {
  const texts = 'argv' in command ? command.argv : [command.script];
  const where = texts.some(text => text.includes('\0'))
    ? 'the command'
    : Object.keys(env)
        .filter(name => `${name}${env[name]}`.includes('\0'))
        .map(name => `\`${name.replaceAll('\0', '')}\``)[0];
  return where === undefined ? undefined : `${where} holds a NUL character, which no program can receive; take it out`;
}
