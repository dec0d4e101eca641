/** Cycles among steps. Sorting away every step that can start leaves only cycles and what waits for them. */
import type { Span } from '../../model/diagnostic.ts';
import { messages } from '../messages/index.ts';
import type { Findings } from './findings.ts';

/** What a step waits for, with the place in the text. */
export type Edges = ReadonlyMap<string, ReadonlyMap<string, Span>>;

export function findCycles(edges: Edges, findings: Findings): void {
  const stuck = new Map([...edges].map(([step, upstream]) => [step, upstream.size]));
  const downstream = new Map<string, string[]>();
  for (const [step, upstream] of edges)
    for (const name of upstream.keys()) {
      const list = downstream.get(name);
      if (list) list.push(step);
      else downstream.set(name, [step]);
    }
  release(
    [...edges.keys()].filter(step => stuck.get(step) === 0),
    stuck,
    downstream,
  );
  for (let start = firstOnCycle(stuck, edges); start !== undefined; start = firstOnCycle(stuck, edges)) {
    const cycle = shortestCycle(start, stuck, edges);
    report(cycle, edges, findings);
    // A step in two cycles is reported once: the second shows when the first is repaired.
    for (const step of cycle) stuck.delete(step);
    for (const step of cycle) release(waitersOf(step, stuck, downstream), stuck, downstream);
  }
}

function waitersOf(
  step: string,
  stuck: Map<string, number>,
  downstream: ReadonlyMap<string, readonly string[]>,
): string[] {
  const free: string[] = [];
  for (const waiter of downstream.get(step) ?? []) {
    const count = stuck.get(waiter);
    if (count === undefined) continue;
    stuck.set(waiter, count - 1);
    if (count === 1) free.push(waiter);
  }
  return free;
}

function release(
  ready: string[],
  stuck: Map<string, number>,
  downstream: ReadonlyMap<string, readonly string[]>,
): void {
  for (let step = ready.pop(); step !== undefined; step = ready.pop()) {
    stuck.delete(step);
    ready.push(...waitersOf(step, stuck, downstream));
  }
}

/** A step that only waits for a cycle is no part of it: a walk upstream from it ends inside the cycle. */
function firstOnCycle(stuck: ReadonlyMap<string, number>, edges: Edges): string | undefined {
  const seen = new Set<string>();
  let step = stuck.keys().next().value;
  while (step !== undefined && !seen.has(step)) {
    seen.add(step);
    step = [...(edges.get(step)?.keys() ?? [])].find(name => stuck.has(name));
  }
  if (step === undefined) return undefined;
  const cycle = shortestCycle(step, stuck, edges);
  return [...edges.keys()].find(name => cycle.includes(name));
}

function shortestCycle(start: string, stuck: ReadonlyMap<string, number>, edges: Edges): string[] {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const step of queue) {
    for (const name of edges.get(step)?.keys() ?? []) {
      if (name === start) {
        const cycle: string[] = [];
        for (let at: string | undefined = step; at !== undefined; at = cameFrom.get(at)) cycle.unshift(at);
        return cycle;
      }
      if (!stuck.has(name) || cameFrom.has(name)) continue;
      cameFrom.set(name, step);
      queue.push(name);
    }
  }
  throw new Error(`step ${start} is on no cycle, although it waits for itself`);
}

function report(cycle: readonly string[], edges: Edges, findings: Findings): void {
  const places = cycle.map((step, index) => {
    const next = cycle[(index + 1) % cycle.length]!;
    return { message: messages.cycleNote(step, next), span: edges.get(step)!.get(next)! };
  });
  findings.add(messages.cycle(cycle), places[0]!.span, places.slice(1));
}
