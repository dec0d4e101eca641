/** What a process and all that it has started have worked, those that have ended included, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of a hundredth of a second, which is what the kernel tells. */
const TICK = 10;

/** Milliseconds of processor time; 0 where Linux does not tell. */
export function processorTimeOf(root: number): number {
  const all = readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));
  const children = Map.groupBy(all, ({ parent }) => parent);
  const below = (pid: number): number =>
    (all.find(one => one.pid === pid)?.ms ?? 0) +
    (children.get(pid) ?? []).reduce((sum, child) => sum + below(child.pid), 0);
  return below(root);
}

/** See proc(5). Undefined: it has ended. */
function statOf(pid: number): { readonly pid: number; readonly parent: number; readonly ms: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name of its program, which may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, of) => sum + Number(of), 0);
    return { pid, parent: Number(fields[1]), ms: ticks * TICK };
  } catch {
    return undefined;
  }
}
