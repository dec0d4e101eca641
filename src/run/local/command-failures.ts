/** Messages about commands that did not do what their step promised. */
import { isAbsolute, normalize } from 'node:path';
import type { Command, CommandOutcome } from '../../host/command-runner.ts';

/** Lines of the log that are worth repeating. */
const LINES = 8;
/** Names of files that are worth listing. */
const NAMES = 10;

export function badEnding(command: Command, outcome: CommandOutcome): string {
  const log = lastLines(outcome);
  if (outcome.ended === 'stopped') return `the command was stopped${log}`;
  if (outcome.signal !== null)
    return `the command was killed by ${outcome.signal}${log || '; run it by hand to see why'}`;
  const program = 'argv' in command ? command.argv[0] : command.shell;
  if (outcome.exit === 127 && 'argv' in command) {
    return `there is no program \`${program}\` here: install it, or correct the name${log}`;
  }
  if (outcome.exit === 126 && 'argv' in command) {
    return `the program \`${program}\` cannot be started: see that it is a program and may be executed (chmod +x)${log}`;
  }
  return `the command ended with exit code ${outcome.exit}${log || ' and said nothing; run it by hand to see why'}`;
}

export function timedOut(timeoutMs: number, outcome: CommandOutcome): string {
  return `the command was stopped after ${timeoutMs / 1000} s, its step's timeout; make it faster or the timeout longer${lastLines(outcome)}`;
}

export function notCreated(name: string, path: string, problem: string, left: readonly string[]): string {
  const listed = left.slice(0, NAMES).map(file => `\`${file}\``);
  const more = left.length > NAMES ? ` and ${left.length - NAMES} more` : '';
  const instead = left.length === 0 ? 'it left nothing' : `it left ${listed.join(', ')}${more}`;
  return `the command promised \`${name}\`, but \`${path}\` ${problem}; ${instead}. Have the command write it, or correct \`creates\``;
}

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

/** The end of what it wrote to its log, else to its output, each line indented below the message. */
function lastLines({ stderr, stdout }: CommandOutcome): string {
  const log = stderr.trim() === '' ? stdout : stderr;
  const lines = log.trimEnd().split(/\r?\n/);
  return lines.length === 1 && lines[0] === ''
    ? ''
    : `:\n${lines
        .slice(-LINES)
        .map(line => `  ${line.slice(0, 500)}`)
        .join('\n')}`;
}
