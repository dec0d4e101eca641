/** `each`, `matrix` and `takes` as one step writes them: names and nodes, before anything is known of the other steps. */
import type { Span } from '../../model/diagnostic.ts';
import { nearestOther } from '../../model/text/nearest.ts';
import { messages } from '../messages/index.ts';
import { readCode } from '../types/cel.ts';
import { placeInCode, type ReadContext, readValue } from '../types/values.ts';
import { child, type Entry, type MapNode, type Node } from '../yaml/syntax-tree.ts';

export interface DeclaredFanOut {
  readonly each: readonly DeclaredSource[];
  /** The axes of the matrix; of one that has `include` alone, the names of its first combination. */
  readonly axes: readonly Pick<Entry, 'name' | 'nameAt'>[];
  readonly matrix: MapNode | undefined;
  readonly takes: Entry | undefined;
  readonly key: Entry | undefined;
  readonly max: Entry | undefined;
  /** All takes of what `each` names are one. */
  readonly gathers: 'take' | undefined;
  /** Set when something is wrong: what depends on it is not judged. */
  readonly broken: boolean;
}

interface DeclaredSource {
  readonly step: string;
  readonly at: Span;
  /** Absent where `each` is one step alone. */
  readonly name?: string;
}

/** `steps`: the names of all steps of the file. */
export function declareFanOut(
  { node: step, gathers }: { readonly node: MapNode; readonly gathers?: 'take' },
  name: string,
  steps: ReadonlySet<string>,
  wrong: ReadonlySet<Node>,
  context: ReadContext,
): DeclaredFanOut {
  const entry = (key: string) => {
    const found = step.entries.find(one => one.name === key);
    return found && !wrong.has(found.value) ? found : undefined;
  };
  const each = sourcesOf(child(step, 'each'), { step: name, steps, wrong, context });
  const node = child(step, 'matrix');
  const matrix = node?.is === 'map' ? node : undefined;
  const takes = entry('takes');
  return {
    each: each ?? [],
    axes: matrix ? axesOf(matrix) : [],
    matrix,
    takes,
    key: entry('key'),
    max: entry('max'),
    gathers,
    broken: each === undefined || (node !== undefined && (matrix === undefined || wrong.has(matrix))),
  };
}

const COMBINATIONS = new Set(['include', 'exclude']);

/** The entries of a matrix that are axes. */
export const axisEntries = (matrix: MapNode): readonly Entry[] =>
  matrix.entries.filter(({ name }) => !COMBINATIONS.has(name));

function axesOf(matrix: MapNode): DeclaredFanOut['axes'] {
  const axes = axisEntries(matrix);
  if (axes.length > 0) return axes;
  const include = child(matrix, 'include');
  const first = include?.is === 'list' ? include.items[0] : undefined;
  return first?.is === 'map' ? first.entries : [];
}

interface Naming {
  readonly step: string;
  readonly steps: ReadonlySet<string>;
  readonly wrong: ReadonlySet<Node>;
  readonly context: ReadContext;
}

/** Undefined where something is wrong, which is reported. */
export function sourcesOf(node: Node | undefined, naming: Naming): readonly DeclaredSource[] | undefined {
  if (!node) return [];
  if (naming.wrong.has(node)) return undefined;
  if (node.is !== 'map') {
    const only = sourceOf(node, naming);
    return only && [only];
  }
  const sources: DeclaredSource[] = [];
  for (const { name, nameAt, value } of node.entries) {
    const source = naming.wrong.has(value) ? undefined : sourceOf(value, naming);
    const earlier = source && sources.find(other => other.step === source.step);
    if (earlier)
      naming.context.findings.add(messages.eachTwice(source.step), nameAt, [
        { message: messages.firstHere, span: earlier.at },
      ]);
    if (source) sources.push({ ...source, name });
  }
  return sources.length < node.entries.length ? undefined : sources;
}

function sourceOf(node: Node, { step, steps, context }: Naming): DeclaredSource | undefined {
  if (node.is !== 'scalar' || typeof node.value !== 'string') return undefined;
  const { findings } = context;
  const value = readValue(node, context);
  if (value.is !== 'expression') {
    // `steps.still` and `still.result_url` name the step `still`.
    const [, named = ''] = /^(?:steps\.)?(\w+)/.exec(value.is === 'literal' ? String(value.value) : '') ?? [];
    findings.add(steps.has(named) ? messages.eachName(named) : messages.eachShape(), node.at);
    return undefined;
  }
  const read = readCode(value.code);
  const [root, name, ...rest] = read.is === 'path' ? read.selections[0].segments : [];
  if (root?.name !== 'steps' || name === undefined || rest.length > 0) {
    if (root?.name === 'data' || root?.name === 'params') {
      findings.add(messages.eachOfList(value.code.trim()), value.at);
      return undefined;
    }
    const named = root?.name === 'steps' && name ? name.name : '';
    findings.add(steps.has(named) ? messages.eachName(named) : messages.eachShape(), value.at);
    return undefined;
  }
  const at = placeInCode(findings.source.text, value, name.start, name.end);
  if (name.name === step) findings.add(messages.selfReference(step), at);
  else if (!steps.has(name.name))
    findings.add(messages.unknownStep(step, name.name, nearestOther(name.name, step, steps)), at);
  else return { step: name.name, at };
  return undefined;
}
