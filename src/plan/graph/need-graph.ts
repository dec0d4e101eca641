/**
 * Which instance needs which, as far as it takes to decide which instances a run is to make. An open step is one node in the place of the instances
 * that it will have. Groups stay groups, as everywhere: a step of N instances that reads all of another costs N + M.
 */

import type { Pipeline, Step } from '../../model/pipeline.ts';
import type { Instance, Plan } from '../../model/plan.ts';
import {
  calledAs,
  groupInside,
  groupWithin,
  type InstanceKey,
  localName,
  type StepName,
  stepOf,
} from '../../model/run/key.ts';
import type { UsedReads } from '../obstacles.ts';
import { outputsOf } from '../values/value-reads.ts';
import { fansOut, type PlanGraph, type Slot, stepsInside } from './plan-graph.ts';

/** `key` of an open step is its name. */
export type Node = Pick<Instance, 'key' | 'step' | 'needs' | 'needsAll'> &
  Partial<Pick<Instance, 'excludes' | 'outer'>> & {
    /** Absent for an open step. */
    readonly decision?: Instance['decision'];
    readonly isOpen: boolean;
  };

export class NeedGraph {
  /** In topological order. */
  readonly nodes: readonly Node[];
  readonly #byKey: ReadonlyMap<InstanceKey, Node>;
  readonly #groups = new Map<StepName, Node[]>();

  /** @param nodes in topological order. */
  constructor(nodes: readonly Node[]) {
    const open = new Set(nodes.filter(({ isOpen }) => isOpen).map(({ step }) => step.name));
    // A group of an open step is not known yet: it is waited for as a whole.
    const isUnknown = (name: StepName) => name.includes('[') && open.has(stepOf(name));
    this.nodes = nodes.map(node =>
      open.size > 0 && node.needsAll.some(isUnknown)
        ? { ...node, needsAll: node.needsAll.map(name => (isUnknown(name) ? stepOf(name) : name)) }
        : node,
    );
    this.#byKey = new Map(this.nodes.map(node => [node.key, node]));
    for (const node of this.nodes)
      for (const group of groupsOf(node)) {
        const members = this.#groups.get(group);
        if (members) members.push(node);
        else this.#groups.set(group, [node]);
      }
  }

  get(key: InstanceKey): Node | undefined {
    return this.#byKey.get(key);
  }

  /** The instances of a step, or of a group of them; an open step is its own one. */
  of(name: StepName): readonly Node[] {
    return this.#groups.get(name) ?? [];
  }

  /** These, and all that they need to be made. What is owned needs nothing; nor does what is `excluded`. */
  withNeeds(roots: Iterable<InstanceKey>, excluded: ReadonlySet<InstanceKey> = new Set()): ReadonlySet<InstanceKey> {
    return this.#back(roots, node => isOwned(node) || excluded.has(node.key));
  }

  /** These, and all that is before them, owned or not. */
  upTo(roots: Iterable<InstanceKey>): ReadonlySet<InstanceKey> {
    return this.#back(roots, () => false);
  }

  /** These, and all that is behind them. */
  from(roots: Iterable<InstanceKey>): ReadonlySet<InstanceKey> {
    const reached = new Set(roots);
    const groups = new Set<StepName>();
    for (const node of this.nodes) {
      if (
        !reached.has(node.key) &&
        (node.needs.some(key => reached.has(key)) || node.needsAll.some(name => groups.has(name)))
      )
        reached.add(node.key);
      if (reached.has(node.key)) for (const group of groupsOf(node)) groups.add(group);
    }
    return reached;
  }

  /**
   * What is unneeded, because its readers go without it, and why: takes that lost their pick, and what would be made for them alone. What never had
   * a reader is an end of the film, and stays. @param isKept it is asked for by itself.
   */
  unneeded(isKept: (node: Node) => boolean): ReadonlyMap<InstanceKey, string> {
    const unneeded = new Map<InstanceKey, string>();
    const dropped = new Map<InstanceKey | StepName, string>();
    const needed = new Set<InstanceKey | StepName>();
    for (const node of this.nodes.toReversed()) {
      const names = [node.key, ...groupsOf(node)];
      const why = names.map(name => dropped.get(name)).find(words => words !== undefined);
      const isExcluded = why !== undefined && !names.some(name => needed.has(name)) && !isKept(node);
      if (isExcluded) unneeded.set(node.key, why);
      const { single, whole } = this.needsOf(node);
      for (const name of [...single, ...whole]) {
        if (!isExcluded) needed.add(name);
        else if (!dropped.has(name)) dropped.set(name, why);
      }
      for (const key of node.excludes?.instances ?? []) dropped.set(key, node.excludes?.why ?? '');
    }
    return unneeded;
  }

  /** Without what it does without: then each instance of a group is named by itself. */
  needsOf({ needs, needsAll, excludes }: Node): {
    readonly single: readonly InstanceKey[];
    readonly whole: readonly StepName[];
  } {
    if (!excludes) return { single: needs, whole: needsAll };
    const without = new Set(excludes.instances);
    const all = [...needs, ...needsAll.flatMap(name => this.of(name).map(({ key }) => key))];
    return { single: all.filter(key => !without.has(key)), whole: [] };
  }

  #back(roots: Iterable<InstanceKey>, isEnd: (node: Node) => boolean): ReadonlySet<InstanceKey> {
    const reached = new Set<InstanceKey>();
    const groups = new Set<StepName>();
    const rest = [...roots];
    for (let key = rest.pop(); key !== undefined; key = rest.pop()) {
      const node = this.#byKey.get(key);
      if (!node || reached.has(key)) continue;
      reached.add(key);
      if (isEnd(node)) continue;
      const { single, whole } = this.needsOf(node);
      rest.push(...single);
      for (const name of whole) {
        if (groups.has(name)) continue;
        groups.add(name);
        for (const member of this.of(name)) rest.push(member.key);
      }
    }
    return reached;
  }
}

/** Its result is here, or can be had again without being made. */
const isOwned = ({ decision }: Pick<Node, 'decision'>): boolean => decision?.is === 'hit' || decision?.is === 'fetch';

/** The names under which it is waited for together with others. */
export function groupsOf({ key, step, isOpen }: Pick<Node, 'key' | 'step' | 'isOpen'>): readonly StepName[] {
  const group = step.inside && !isOpen ? groupWithin(step.name, key) : step.name;
  return group === step.name ? [group] : [step.name, group];
}

// What an instance waits for: single instances, and steps as a whole.

export interface Waits {
  readonly needs: readonly InstanceKey[];
  readonly needsAll: readonly StepName[];
}

/** Of one instance: what its values have asked for so far, and what replaces it. */
export function waitsOfUsed(graph: PlanGraph, slot: Slot, used: UsedReads, standIn: InstanceKey | undefined): Waits {
  const around = aroundOf(slot);
  const asked = waitsOf(graph, [...needsOf(slot), ...around.steps, ...insideOf(graph, slot), ...used.steps]);
  const instances = standIn === undefined ? [...used.instances] : [...used.instances, standIn];
  return { needs: [...new Set([...around.instances, ...asked.needs, ...instances])], needsAll: asked.needsAll };
}

/** `needs`, within one instance of the step that uses the file; what is deeper inside, as a whole. */
function needsOf({ step: { needs, inside }, outer }: Slot): readonly StepName[] {
  if (!outer || !inside) return needs;
  return needs.map(name => {
    const local = name.slice(calledAs(inside.by).length + 1);
    return local.includes('/') ? name : groupInside(outer.key, local);
  });
}

/** What those are made from and behind that stand around it: all that is inside waits for it. */
function aroundOf({ outer }: Slot): {
  readonly instances: readonly InstanceKey[];
  readonly steps: readonly StepName[];
} {
  if (!outer) return { instances: [], steps: [] };
  const further = aroundOf(outer);
  // A round is made behind the one before it, and so is all that is inside.
  const before = outer.round !== undefined && outer.previous !== undefined ? [outer.previous] : [];
  return {
    instances: [...(outer.each ?? []), ...before, ...further.instances],
    steps: [...needsOf(outer), ...further.steps],
  };
}

/** What an instance of a `uses` step gathers: the makers of its outputs, or all that is inside where it has none. */
export function insideOf({ pipeline }: Pick<PlanGraph, 'pipeline'>, { key, step }: Slot): readonly StepName[] {
  const outputs = outputsOf(step);
  if (!outputs) return [];
  const makers =
    outputs.length > 0 ? outputs.map(({ from }) => from) : stepsInside(pipeline, step.name).map(({ name }) => name);
  return [...new Set(makers)].map(name => groupInside(key, localName(name)));
}

/** A step that does not fan out is waited for as its one instance, any other as a whole. */
export function waitsOf({ pipeline, instances }: PlanGraph, steps: readonly StepName[]): Waits {
  const names = [...new Set(steps)];
  const isSingle = (name: StepName) => !fansOut(pipeline, name) && !instances.isOpen(name);
  return {
    needs: names.filter(isSingle).flatMap(name => instances.of(name).map(({ key }) => key)),
    needsAll: names.filter(name => !isSingle(name)),
  };
}

// Order and time. Steps stand behind everything they read; otherwise they keep the order of the file. `remaining` of an instance is the
// longest expected path from its start to the end of the film: the scheduler starts the longest first. Groups are kept as groups
// (`needsAll`): a step of N instances that reads all of another costs N + M, not N × M.

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
