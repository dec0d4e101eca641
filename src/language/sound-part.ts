/**
 * What is left of a film without its mistakes: the steps in which nothing was found and that follow none in which something was.
 * Planning looks at that part, so that a file's first mistake does not hide what only planning finds.
 */
import { type Diagnostic, isError, type Span } from '../domain/diagnostic.ts';
import type { StepName } from '../domain/key.ts';
import type { Pipeline, Reference, Step } from '../domain/pipeline.ts';
import { child, type Entry, type MapNode, type Node } from './syntax-tree.ts';

/** Undefined where nothing is left, or where a mistake may be felt in every step. */
export function soundPart(pipeline: Pipeline, file: MapNode, found: readonly Diagnostic[]): Pipeline | undefined {
  const part = withoutUnsound(pipeline, file, found);
  return part?.steps.length === 0 ? undefined : part;
}

/** The same where it may be that nothing is left: of params and data, what is sound. */
export function withoutUnsound(pipeline: Pipeline, file: MapNode, found: readonly Diagnostic[]): Pipeline | undefined {
  const errors = found.filter(isError);
  const places = errors.flatMap(({ span, source }) => (source === pipeline.source ? [span] : []));
  const others = new Set(errors.map(({ source }) => source));
  const isSound = ({ nameAt, value }: Entry): boolean =>
    !places.some(({ start }) => isIn(start, nameAt) || isInside(start, value));
  const soundNames = (section: string): ReadonlySet<string> => {
    const node = child(file, section);
    return new Set(node?.is === 'map' ? node.entries.filter(isSound).map(({ name }) => name) : []);
  };
  if (!file.entries.filter(({ name }) => name === 'defaults').every(isSound)) return undefined;
  const [params, data, steps, outputs] = ['params', 'data', 'steps', 'outputs'].map(soundNames);
  const part = partOf(
    {
      ...pipeline,
      params: pipeline.params.filter(({ name }) => params?.has(name)),
      data: pipeline.data.filter(({ name }) => data?.has(name)),
    },
    {
      isWanted: step =>
        step.inside
          ? !others.has(step.inside.file.source)
          : steps?.has('pick' in step ? step.pick : step.name) === true,
      isKnown: ({ root, path: [name = ''] }) => root !== 'data' || data?.has(name) === true,
    },
  );
  const saved = new Set(part.steps.map(({ name }) => name as string));
  return { ...part, outputs: part.outputs.filter(({ name }) => outputs?.has(name) || saved.has(name)) };
}

export const isIn = (offset: number, { start, end }: Span): boolean => start <= offset && offset <= end;

/** An alias stands elsewhere than the key it is given to: every value is looked at where it is written. */
export const isInside = (offset: number, node: Node): boolean =>
  isIn(offset, node.at) ||
  (node.is === 'map' && node.entries.some(({ nameAt, value }) => isIn(offset, nameAt) || isInside(offset, value))) ||
  (node.is === 'list' && node.items.some(item => isInside(offset, item)));

interface Wanted {
  readonly isWanted: (step: Step) => boolean;
  /** Whether what the reference leads to has a value now. */
  readonly isKnown: (reference: Reference) => boolean;
}

/** The steps that are wanted, read only what is known, and follow only such steps; and their outputs. */
export function partOf(pipeline: Pipeline, { isWanted, isKnown }: Wanted): Pipeline {
  const params = new Set(pipeline.params.map(({ name }) => name));
  const there = new Map(pipeline.steps.map(step => [step.name, step]));
  const sound = new Map<StepName, boolean>();
  const isSound = (name: StepName): boolean => {
    const known = sound.get(name);
    if (known !== undefined) return known;
    // Steps that wait for each other are not sound.
    sound.set(name, false);
    const step = there.get(name);
    const is =
      step !== undefined &&
      isWanted(step) &&
      step.upstream.every(isSound) &&
      !anyReference(
        { ...step, inside: undefined, file: undefined },
        read =>
          // A used file has params and data of its own, and is sound as a whole.
          !(step.inside && (read.root === 'params' || read.root === 'data')) &&
          ((read.root === 'params' && !params.has(read.path[0] ?? '')) || !isKnown(read)),
      );
    sound.set(name, is);
    return is;
  };
  // A used file is sound as a whole: the step that uses it follows all that is inside.
  const isWhole = ({ name, inside }: Step): boolean => isSound(name) && (!inside || isWhole(there.get(inside.by)!));
  const steps = inDepth(pipeline.steps).filter(isWhole);
  const kept = new Set(steps);
  return {
    ...pipeline,
    steps: pipeline.steps.filter(step => kept.has(step)),
    outputs: pipeline.outputs.filter(({ from }) => kept.has(there.get(from)!)),
  };
}

/** Whether all that the step reads of params and of data is known in that film. */
export function isKnownIn(step: Step, { params, data }: Pipeline): boolean {
  const known = { params: new Set(params.map(({ name }) => name)), data: new Set(data.map(({ name }) => name)) };
  return !anyReference(
    { ...step, inside: undefined, file: undefined },
    ({ root, path: [name = ''] }) => (root === 'params' || root === 'data') && !known[root].has(name),
  );
}

/** Upstream steps first, so that no chain is as deep as the file is long. */
function inDepth(steps: readonly Step[]): readonly Step[] {
  const byName = new Map(steps.map(step => [step.name, step]));
  const done = new Set<Step>();
  const open: Step[] = [...steps].reverse();
  const seen = new Set<Step>();
  const ordered: Step[] = [];
  while (open.length > 0) {
    const step = open.at(-1)!;
    if (seen.has(step)) {
      open.pop();
      if (!done.has(step)) ordered.push(step);
      done.add(step);
      continue;
    }
    seen.add(step);
    for (const name of step.upstream) {
      const before = byName.get(name);
      if (before && !seen.has(before)) open.push(before);
    }
  }
  return ordered;
}

/** Whether something that an expression of the step reads is so. Expressions are found wherever a kind of step keeps them. */
function anyReference(value: unknown, test: (read: Reference) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ('is' in value && value.is === 'expression' && 'reads' in value) return (value.reads as Reference[]).some(test);
  return Object.values(value).some(inner => anyReference(inner, test));
}
