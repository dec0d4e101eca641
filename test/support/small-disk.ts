/** A small file system, mounted over a folder. It takes the right to mount one. */
import { spawnSync } from 'node:child_process';

/** `options` of tmpfs: `size=64k`. False where it cannot be mounted. */
export const mount = (folder: string, ...options: readonly string[]): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options.join(','), 'tmpfs', folder]).status === 0;

/** What is mounted there gets other options, such as `ro`. */
export const remount = (folder: string, option: string): boolean =>
  spawnSync('mount', ['-o', `remount,${option}`, folder]).status === 0;

export const unmount = (folder: string): boolean => spawnSync('umount', ['--lazy', folder]).status === 0;
