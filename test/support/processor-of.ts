/** What a process and all that it has started have worked, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of a hundredth of a second, which is what the kernel tells. */
const TICK = 10;

/** Milliseconds of processor time of this process and its children; 0 where Linux does not tell. */
export function processorTimeOf(parent: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = fieldsOf(name);
    if (fields && (Number(name) === parent || Number(fields[1]) === parent))
      ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * TICK;
}

/** Behind the name of its program, which may hold anything. */
function fieldsOf(pid: string): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
