/**
 * What a `pick` chooses from and an `approve` shows: results of steps, named by an expression or by several in a list. Which steps these
 * are follows from the form of the expression, before anything of them is known.
 */
import type { ListValue, Value } from '../../model/pipeline.ts';
import { nearestOther } from '../../model/text/nearest.ts';
import type { Expr } from '../expression/tree.ts';
import { readCode } from '../types/cel.ts';
import type { TypeScope } from '../types/path-types.ts';
import { ANY, CHOICE, join, list, type RecordType, record, type Type, withFields } from '../types/types.ts';
import { child, type MapNode, type Node } from '../yaml/syntax-tree.ts';

/** What an expression gives results of: a step, or one output of a file that it uses. */
interface CandidateSource {
  readonly step: string;
  readonly path: readonly string[];
}

/** Empty where it is built in another way. */
export function candidateSources(node: Node | undefined, step: MapNode): readonly CandidateSource[] {
  if (node?.is === 'list') return node.items.flatMap(item => candidateSources(item, step));
  if (node?.is !== 'scalar' || typeof node.value !== 'string') return [];
  const [, code] = /^\s*\$\{\{([\s\S]*)\}\}\s*$/.exec(node.value) ?? [];
  const read = code === undefined ? undefined : readCode(code.trim());
  if (!read || read.is === 'broken') return [];
  if (read.is === 'path') return sourceAt(read.selections[0].segments, step);
  return sourcesIn(read.tree, step);
}

function sourcesIn(tree: Expr, step: MapNode): readonly CandidateSource[] {
  switch (tree.op) {
    case 'read':
      return sourceAt(tree.segments, step);
    case 'list':
      return tree.items.flatMap(item => sourcesIn(item, step));
    case 'choice':
      return [...sourcesIn(tree.yes, step), ...sourcesIn(tree.no, step)];
    case 'binary':
      return tree.operator === '+' ? [...sourcesIn(tree.left, step), ...sourcesIn(tree.right, step)] : [];
    case 'index':
      return sourcesIn(tree.of, step);
    case 'loop': {
      const over = sourcesIn(tree.over, step);
      if (tree.loop === 'filter' || tree.loop === 'sortBy') return over;
      const inner = tree.loop === 'map' ? fieldsOf(tree.body, tree.variable) : undefined;
      return inner ? over.map(source => ({ ...source, path: [...source.path, ...inner] })) : [];
    }
    case 'call':
      return tree.args[0] ? sourcesIn(tree.args[0], step) : [];
    default:
      return [];
  }
}

/** `c.outputs.film` of the loop's own `c`. */
function fieldsOf(body: Expr, variable: string): readonly string[] | undefined {
  if (body.op === 'variable') return body.name === variable ? [] : undefined;
  const inner = body.op === 'member' ? fieldsOf(body.of, variable) : undefined;
  return inner && body.op === 'member' ? [...inner, body.name.name] : undefined;
}

function sourceAt(segments: readonly { readonly name: string }[], step: MapNode): readonly CandidateSource[] {
  const [root, ...path] = segments.map(({ name }) => name);
  const [first, ...rest] = path;
  if (root === 'steps' && first !== undefined) return [{ step: first, path: rest }];
  if (root !== 'each') return [];
  const each = child(step, 'each');
  // Of a join, `each.still`; alone, `each` and its fields.
  const named = each?.is === 'map' ? child(each, first ?? '') : each;
  const source = candidateSources(named, step)[0];
  return source ? [{ ...source, path: each?.is === 'map' ? rest : path }] : [];
}

/** The type of one candidate; undefined where it is none that can be chosen. */
export function candidateType(type: Type): Type | undefined {
  const one = type.is === 'list' ? type.of : type;
  if (one.is === 'any' || one.is === 'wrong') return one;
  return one.is === 'record' && CANDIDATES.has(one.cel) ? one : undefined;
}

const CANDIDATES: ReadonlySet<RecordType['cel']> = new Set(['MediaResult', 'TextResult', 'CommandResult', 'Json']);

/** The fields of a result behind a path of names; undefined where it has none. */
export function typeAt(type: Type, path: readonly string[]): Type | undefined {
  let at: Type | undefined = type;
  for (const name of path) {
    if (at?.is === 'list') at = at.of;
    if (at?.is === 'any') return at;
    at = at?.is === 'record' ? at.fields.get(name) : undefined;
  }
  return at?.is === 'list' ? at.of : at;
}

/** The other step that a text names, perhaps misspelt: `shot`, `steps.shot`. */
export function nameMeant(part: Value, { steps, step }: TypeScope): string | undefined {
  if (part.is !== 'literal') return undefined;
  const name = String(part.value).replace(/^steps\./, '');
  return nearestOther(name, step, steps.keys());
}

/** Names of the other steps whose instances are takes. */
export const stepsWithTakes = (scope: TypeScope): readonly string[] => others(scope, ['take']);

/** Names of the other steps that give several results, those with takes first. */
export const stepsOfMany = (scope: TypeScope): readonly string[] => [...stepsWithTakes(scope), ...others(scope, [])];

const others = ({ steps, step }: TypeScope, coordinates: readonly string[]): readonly string[] =>
  [...steps]
    .filter(
      ([name, other]) =>
        name !== step &&
        other.coordinates.length > 0 &&
        coordinates.every(coordinate => other.coordinates.includes(coordinate)) &&
        candidateType(other.result),
    )
    .map(([name]) => name);

/** The last other step that a person can be shown. */
export const lastShown = ({ steps, step }: TypeScope): string | undefined =>
  [...steps].filter(([name, { result }]) => name !== step && candidateType(result)).at(-1)?.[0];

/** All values that it is made of, each with what it was written as. */
export const partsOf = (value: Value): ListValue['items'] => (value.is === 'list' ? value.items : [value]);

/** What a pick gives beside what the candidate has: who chose it, and which one it is. */
const OF_A_PICK = ['choice', 'matrix', 'take'] as const;

/** What a pick gives: the candidate, who chose it, and its coordinates, as far as they are known before those of any step are. */
export function withChoice(type: Type, isList: boolean): Type {
  const given = withFields(type, [
    ['choice', CHOICE],
    ['matrix', ANY],
    ['take', ANY],
  ]);
  return isList ? list(given) : given;
}

/** What a pick gives may be chosen from again, and a file gives it as it was made. */
export function withoutChoice(type: Type): Type {
  if (type.is === 'list') return list(withoutChoice(type.of));
  if (type.is !== 'record' || type.fields.get('choice') !== CHOICE) return type;
  return { ...type, fields: new Map([...type.fields].filter(([name]) => !OF_A_PICK.some(one => one === name))) };
}

/**
 * The same with the coordinates of the steps that it chooses from. A take is a number where all of them have takes, and no field where none has.
 *
 * @param from the coordinates that each of them has, by name.
 */
export function withCoordinates(type: Type, from: readonly ReadonlyMap<string, Type>[]): Type {
  if (type.is === 'list') return list(withCoordinates(type.of, from));
  const names = [...new Set(from.flatMap(one => [...one.keys()]))];
  const fields = new Map(names.map(name => [name, from.map(one => one.get(name) ?? ANY).reduce(join)]));
  const take = fields.get('take');
  return withFields(withoutChoice(type), [
    ['choice', CHOICE],
    ['matrix', record('its coordinates', fields)],
    ...(take ? [['take', take] as const] : []),
  ]);
}
