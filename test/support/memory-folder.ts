/**
 * Global set-up of a test run: its temporary files lie in memory. Journals and queues sync each commit to the disk, and on a busy disk the
 * tests would mostly wait for that. Where memory has no room for files, or runs no programs, they stay in the usual place.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 4 * 2 ** 30;

export default function useMemory(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined || freeBytes() < MIN_FREE_BYTES) return undefined;
  const folder = mkdtempSync(join(MEMORY, 'test-'));
  // A database server runs as another user, and reaches its own folder in here.
  chmodSync(folder, 0o711);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  if (runsPrograms(folder)) {
    process.env.TMPDIR = folder;
    return remove;
  }
  remove();
  return undefined;
}

function freeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

/** Containers often forbid it. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  try {
    execFileSync(program);
    return true;
  } catch {
    return false;
  }
}
