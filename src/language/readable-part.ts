/**
 * What can still be known of steps in which a mistake was found: each without the values that are mistaken, of which nothing is known.
 * Planning looks at them, so that a step's first mistake does not hide the others. Nobody follows such a step: what it gives is not known.
 */
import { type Diagnostic, isError, type Span } from '../domain/diagnostic.ts';
import type { ModelLibrary } from '../domain/model.ts';
import { nearest } from '../domain/nearest.ts';
import type { CommandStep, GenerateStep, MapValue, Pipeline, Step, Value } from '../domain/pipeline.ts';
import { isIn, isInside, isKnownIn, withoutUnsound } from './sound-part.ts';
import { child, type MapNode } from './syntax-tree.ts';

export interface ReadablePart {
  /** The steps that are sound, and the others as far as they can be read. */
  readonly pipeline: Pipeline;
  /** What is found there is wrong whatever stands in the place of the mistakes. */
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

/** Of such a step nobody knows which instances it has, or what it follows. */
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

/** A value is read by the name that was probably meant, as the language has read it; one without such a name is nobody's. */
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
