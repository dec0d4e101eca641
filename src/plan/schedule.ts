/**
 * Order and time. Steps stand behind everything they read; otherwise they keep the order of the file.
 * `remaining` of an instance is the longest expected path from its start to the end of the film: the scheduler starts the
 * longest first. Groups are kept as groups (`needsAll`): a step of N instances that reads all of another costs N + M, not N × M.
 */
import { groupWithin, type InstanceKey, type StepName } from '../domain/key.ts';
import type { Pipeline, Step } from '../domain/pipeline.ts';
import type { Instance, Plan } from '../domain/plan.ts';

export function topologicalOrder({ steps }: Pipeline): readonly Step[] {
  const byName = new Map(steps.map(step => [step.name, step]));
  const ordered = new Set<Step>();
  const place = (step: Step): void => {
    // An explicit stack: a chain of 10,000 steps is legal.
    const stack = [{ step, seen: 0 }];
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const name = ordered.has(top.step) ? undefined : top.step.upstream[top.seen++];
      if (name === undefined) {
        ordered.add(top.step);
        stack.pop();
        continue;
      }
      const before = byName.get(name);
      if (before && !ordered.has(before)) stack.push({ step: before, seen: 0 });
    }
  };
  for (const step of steps) place(step);
  return [...ordered];
}

type Timed = Pick<Instance, 'key' | 'step' | 'needs' | 'needsAll' | 'expected'> & { readonly isOpen?: true };
/** An open step in the place of the instances it will have. */
export type OpenPlace = Timed & { readonly isOpen: true };

interface Schedule {
  /** In the order of the instances given. */
  readonly remaining: readonly number[];
  readonly criticalPath: Plan['criticalPath'];
}

/** `instances` in topological order. An open step counts as one instance, and is no key of the path. Everything waits for what it names, also where nothing of it is read. */
export function schedule(instances: readonly Timed[]): Schedule {
  const remaining = new Array<number>(instances.length).fill(0);
  // The longest path behind an instance, or behind a step as a whole, and the instance that begins it.
  const behindOne = new Map<InstanceKey, Behind>();
  const behindAll = new Map<StepName, Behind>();
  const next = new Map<InstanceKey, Timed>();
  let first: Behind | undefined;
  for (let index = instances.length - 1; index >= 0; index--) {
    const instance = instances[index]!;
    const behind = longer(behindOne.get(instance.key), behindAllOf(instance, behindAll));
    const seconds = instance.expected + (behind?.seconds ?? 0);
    remaining[index] = seconds;
    if (behind) next.set(instance.key, behind.first);
    const me = { seconds, first: instance };
    for (const key of instance.needs) behindOne.set(key, longer(behindOne.get(key), me)!);
    for (const name of instance.needsAll) behindAll.set(name, longer(behindAll.get(name), me)!);
    // Later in this loop is earlier in the film: an equal path that begins earlier is the one to show.
    if (!first || seconds >= first.seconds) first = me;
  }
  const keys: InstanceKey[] = [];
  for (let at = first?.first; at; at = next.get(at.key)) if (at.expected > 0 && !at.isOpen) keys.push(at.key);
  return { remaining, criticalPath: { keys, seconds: first?.seconds ?? 0 } };
}

/** Behind the step as a whole, or behind the group of it that this one belongs to. */
function behindAllOf({ key, step }: Timed, behindAll: ReadonlyMap<StepName, Behind>): Behind | undefined {
  const ofStep = behindAll.get(step.name);
  return step.inside ? longer(ofStep, behindAll.get(groupWithin(step.name, key))) : ofStep;
}

interface Behind {
  readonly seconds: number;
  readonly first: Timed;
}

function longer(a: Behind | undefined, b: Behind | undefined): Behind | undefined {
  if (!a || !b) return a ?? b;
  return b.seconds >= a.seconds ? b : a;
}
