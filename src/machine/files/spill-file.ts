/** A file for bytes that wait. It loses its name as soon as it is open, so that nothing of it is left however this process ends. */
import { closeSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface SpillFile {
  append(bytes: Uint8Array): void;
  take(most: number): Uint8Array;
  close(): void;
}

/** @throws errors of the disk. */
export function openSpillFile(folder = tmpdir()): SpillFile {
  const own = mkdtempSync(join(folder, 'shotlist-'));
  let file: number;
  try {
    file = openSync(join(own, 'waiting'), 'wx+', 0o600);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  let [read, written] = [0, 0];
  return {
    append(bytes) {
      for (let from = 0; from < bytes.length; ) {
        const now = writeSync(file, bytes, from, bytes.length - from, written);
        from += now;
        written += now;
      }
    },
    take(most) {
      const bytes = Buffer.allocUnsafe(Math.min(most, written - read));
      const length = bytes.length === 0 ? 0 : readSync(file, bytes, 0, bytes.length, read);
      read += length;
      // The space is given back to the disk when nothing waits.
      if (read === written && written > 0) {
        ftruncateSync(file, 0);
        [read, written] = [0, 0];
      }
      return bytes.subarray(0, length);
    },
    close: () => closeSync(file),
  };
}
