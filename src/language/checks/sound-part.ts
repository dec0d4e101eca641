/**
 * What is left of a film without its mistakes: the steps in which nothing was found and that follow none in which something was.
 * Planning looks at that part, so that a file's first mistake does not hide what only planning finds.
 */
import { type Diagnostic, isError, type Span } from '../../model/diagnostic.ts';
import type { ModelLibrary } from '../../model/model.ts';
import type { CommandStep, GenerateStep, MapValue, Pipeline, Reference, Step, Value } from '../../model/pipeline.ts';
import type { StepName } from '../../model/run/key.ts';
import { nearest } from '../../model/text/nearest.ts';
import { child, type Entry, type MapNode, type Node } from '../yaml/syntax-tree.ts';

/** Undefined where nothing is left, or where a mistake may be felt in every step. */
export function soundPart(pipeline: Pipeline, file: MapNode, found: readonly Diagnostic[]): Pipeline | undefined {
  const part = withoutUnsound(pipeline, file, found);
  return part?.steps.length === 0 ? undefined : part;
}

/** The same where it may be that nothing is left: of params and data, what is sound. */
function withoutUnsound(pipeline: Pipeline, file: MapNode, found: readonly Diagnostic[]): Pipeline | undefined {
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

const isIn = (offset: number, { start, end }: Span): boolean => start <= offset && offset <= end;

/** An alias has another place than its key: each value is looked at where it is written. */
const isInside = (offset: number, node: Node): boolean =>
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
function isKnownIn(step: Step, { params, data }: Pipeline): boolean {
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

/**
 * What can still be known of steps in which a mistake was found: each without its mistaken values, which are unknown.
 * Planning looks at them, so that a step's first mistake does not hide the others. Such a step has no readers: its result is unknown.
 */
export interface ReadablePart {
  /** The steps that are sound, and the others as far as they can be read. */
  readonly pipeline: Pipeline;
  /** Mistakes found there hold whatever the mistaken values should be. */
  readonly isCertain: (found: Diagnostic) => boolean;
}

/** Undefined where no step with a mistake can be planned. */
export function readablePart(
  pipeline: Pipeline,
  file: MapNode,
  found: readonly Diagnostic[],
  library: ModelLibrary,
): ReadablePart | undefined {
  const places = found.filter(isError).flatMap(({ span, source }) => (source === pipeline.source ? [span] : []));
  const base = withoutUnsound(pipeline, file, found);
  if (!base) return undefined;
  const there = new Set(base.steps.map(({ name }) => name));
  const section = child(file, 'steps');
  const nodes = new Map(section?.is === 'map' ? section.entries.map(entry => [entry.name, entry]) : []);
  const read = new Map<string, Step>();
  const readable: Value[] = [];
  for (const step of pipeline.steps) {
    const node = nodes.get(step.name);
    if (step.inside || there.has(step.name) || node?.value.is !== 'map') continue;
    const mistakes = places.filter(place => isInside(place.start, node.value));
    const isMarked = places.some(({ start }) => isIn(start, node.nameAt));
    if (mistakes.length === 0 || isMarked || isFannedOutWrongly(node.value, mistakes)) continue;
    const { step: rest, values } = withoutMistakes(step, mistakes, library);
    if (!rest?.upstream.every(name => there.has(name)) || !isKnownIn(rest, base)) continue;
    read.set(step.name, rest);
    readable.push(...values);
  }
  if (read.size === 0) return undefined;
  const steps = pipeline.steps.flatMap(step => (there.has(step.name) ? [step] : (read.get(step.name) ?? [])));
  return {
    pipeline: { ...base, steps },
    isCertain: ({ span, source }) =>
      source === pipeline.source && readable.some(({ at }) => isIn(span.start, at) && isIn(span.end, at)),
  };
}

/** The instances of such a step, and what it follows, are unknown. */
const isFannedOutWrongly = ({ entries }: MapNode, mistakes: readonly Span[]): boolean =>
  entries
    .filter(({ name }) => INSTANCES.has(name))
    .some(({ nameAt, value }) => mistakes.some(({ start }) => isIn(start, nameAt) || isInside(start, value)));

const INSTANCES: ReadonlySet<string> = new Set(['each', 'matrix', 'takes', 'max', 'key', 'uses']);

interface Rest {
  readonly step?: Step;
  /** What can be read. */
  readonly values: readonly Value[];
}

/** Only of a request and of a command is more known than their values. */
function withoutMistakes(step: Step, mistakes: readonly Span[], library: ModelLibrary): Rest {
  const { if: condition, else: _, ...always } = step;
  // Whether it is made at all is asked where that can be read.
  const asked = condition && isMistaken(condition, mistakes) ? (always as Step) : step;
  if ('with' in asked && !('outputs' in asked)) return requestWithout(asked, mistakes, library);
  if ('command' in asked) return commandWithout(asked, mistakes);
  return { values: [] };
}

function requestWithout(step: GenerateStep, mistakes: readonly Span[], library: ModelLibrary): Rest {
  // A mistake in what differs between its models is none of the others'.
  if (step.byModel) return { values: [] };
  const model = library.get(step.model);
  const { schema, ...rest } = step;
  const fields = fieldsWithout(step.with, mistakes, Object.keys(model?.request.properties ?? {}));
  const isSchemaRead = schema && !isMistaken(schema.value, mistakes) && !mistakes.some(at => isIn(at.start, schema.at));
  return { step: { ...rest, with: fields.map, ...(isSchemaRead && { schema }) }, values: fields.values };
}

function commandWithout(step: CommandStep, mistakes: readonly Span[]): Rest {
  const { command } = step;
  const [env, files, creates] = [step.env, step.files, step.creates].map(map => fieldsWithout(map, mistakes, []));
  const words = 'argv' in command ? { argv: command.argv.map(value => unlessMistaken(value, mistakes)) } : command;
  if (!env || !files || !creates) return { values: [] };
  return {
    step: { ...step, command: words, env: env.map, files: files.map, creates: creates.map },
    values: [...env.values, ...files.values],
  };
}

/** A value is read by the name that was probably meant, as the language has read it; one without such a name is left out. */
function fieldsWithout(
  map: MapValue,
  mistakes: readonly Span[],
  known: readonly string[],
): { readonly map: MapValue; readonly values: readonly Value[] } {
  const values: Value[] = [];
  const given = new Set(map.entries.map(({ name }) => name));
  const entries = map.entries.flatMap(entry => {
    const isNamedWrongly = mistakes.some(({ start }) => isIn(start, entry.nameAt));
    const isMisspelt = isNamedWrongly && !known.includes(entry.name);
    const name = isMisspelt ? nearest(entry.name, known) : entry.name;
    if (name === undefined || (isMisspelt && given.has(name))) return [];
    const value = isNamedWrongly && !isMisspelt ? unread(entry.value) : unlessMistaken(entry.value, mistakes);
    if (value.is !== 'expression' || !value.unread) values.push(value);
    return [{ ...entry, name, value }];
  });
  return { map: { ...map, entries }, values };
}

function unlessMistaken(value: Value, mistakes: readonly Span[]): Value {
  if (!isMistaken(value, mistakes)) return value;
  // One bad entry of a list leaves the others as they are.
  if (
    value.is !== 'list' ||
    mistakes.some(at => isIn(at.start, value.at) && !value.items.some(item => holds(item, at)))
  )
    return unread(value);
  return { ...value, items: value.items.map(item => unlessMistaken(item, mistakes)) };
}

const isMistaken = (value: Value, mistakes: readonly Span[]): boolean => mistakes.some(at => holds(value, at));

function holds(value: Value, at: Span): boolean {
  if (isIn(at.start, value.at)) return true;
  if (value.is === 'map') return value.entries.some(entry => isIn(at.start, entry.nameAt) || holds(entry.value, at));
  if (value.is === 'list') return value.items.some(item => holds(item, at));
  return value.is === 'text' && value.parts.some(part => typeof part !== 'string' && isIn(at.start, part.at));
}

const unread = ({ at }: Value): Value => ({ is: 'expression', code: 'null', at, reads: [], unread: true });
