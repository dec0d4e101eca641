/**
 * Whether this process is in the foreground of its terminal: one in the background (`shotlist run film.yaml &`) is stopped by the system
 * as soon as it touches the keyboard.
 */
import { readFileSync } from 'node:fs';
import { runSmallProgram } from './small-program.ts';

/** Milliseconds. */
const PATIENCE = 1_000;

/** Where nobody can tell it is taken to be in the foreground. */
export async function isInForeground(
  pid: number,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  return onLinux() ?? elsewhere(pid, environment);
}

/** `pid (name) state ppid pgrp session tty_nr tpgid …`: the name may hold anything. */
function onLinux(): boolean | undefined {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foreground;
  } catch {
    return undefined;
  }
}

/** `ps` marks what is in the foreground with a plus. */
async function elsewhere(pid: number, environment: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const end = await runSmallProgram({ argv: ['ps', '-o', 'stat=', '-p', `${pid}`], environment, patience: PATIENCE });
  return end.is !== 'ended' || end.status !== 0 || end.stdout.includes('+');
}
