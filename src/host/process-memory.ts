/** How much memory another process holds. */
import { readFile } from 'node:fs/promises';

/** Bytes that are resident now; null where the system does not tell: Linux does. */
export async function residentBytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
