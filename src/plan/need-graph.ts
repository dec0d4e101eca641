/**
 * Who needs whom, as far as it takes to say which instances a run is to make. An open step stands as one node in the place of the
 * instances that it will have. Groups stay groups, as everywhere: a step of N instances that reads all of another costs N + M.
 */
import { groupWithin, type InstanceKey, type StepName, stepOf } from '../domain/key.ts';
import type { Instance } from '../domain/plan.ts';

/** `key` of an open step is its name. */
export type Node = Pick<Instance, 'key' | 'step' | 'needs' | 'needsAll'> &
  Partial<Pick<Instance, 'forgoes' | 'outer'>> & {
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
   * What nobody needs any more, because whoever needed it does without, and why: takes that lost their pick, and what would be made for
   * them alone. What nobody ever needed is an end of the film, and stays.
   *
   * @param isKept it is asked for by itself.
   */
  forgone(isKept: (node: Node) => boolean): ReadonlyMap<InstanceKey, string> {
    const forgone = new Map<InstanceKey, string>();
    const dropped = new Map<InstanceKey | StepName, string>();
    const needed = new Set<InstanceKey | StepName>();
    for (const node of this.nodes.toReversed()) {
      const names = [node.key, ...groupsOf(node)];
      const why = names.map(name => dropped.get(name)).find(words => words !== undefined);
      const isForgone = why !== undefined && !names.some(name => needed.has(name)) && !isKept(node);
      if (isForgone) forgone.set(node.key, why);
      const { single, whole } = this.needsOf(node);
      for (const name of [...single, ...whole]) {
        if (!isForgone) needed.add(name);
        else if (!dropped.has(name)) dropped.set(name, why);
      }
      for (const key of node.forgoes?.instances ?? []) dropped.set(key, node.forgoes?.why ?? '');
    }
    return forgone;
  }

  /** Without what it does without: then each instance of a group is named by itself. */
  needsOf({ needs, needsAll, forgoes }: Node): {
    readonly single: readonly InstanceKey[];
    readonly whole: readonly StepName[];
  } {
    if (!forgoes) return { single: needs, whole: needsAll };
    const without = new Set(forgoes.instances);
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
