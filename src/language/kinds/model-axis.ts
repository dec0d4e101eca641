/** `model: ${{ matrix.by }}`: a step whose model is an axis is one step for each of the models that the axis lists. */
import { nearest } from '../../domain/nearest.ts';
import { readCode } from '../cel.ts';
import type { FileContext } from '../file-context.ts';
import { messages } from '../messages/index.ts';
import type { ResolvedModel } from '../model-references.ts';
import { child, type MapNode, type Node } from '../syntax-tree.ts';

export interface ModelAxis {
  readonly axis: string;
  /** By the axis's own value, in its order. Not all that it lists, where one of them is no model: that is told. */
  readonly models: ReadonlyMap<string, ResolvedModel>;
}

/** Undefined where the model is a name; `wrong` where it is computed in a way that nobody can check, which is told. */
export function readModelAxis(step: MapNode, file: FileContext): ModelAxis | 'wrong' | undefined {
  const node = child(step, 'model');
  if (node?.is !== 'scalar' || typeof node.value !== 'string' || !node.value.includes('${{')) return undefined;
  const code = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(node.value)?.[1]?.trim() ?? '';
  const read = readCode(code);
  const [root, axis, ...rest] = read.is === 'path' ? read.selections[0].segments : [];
  if (root?.name !== 'matrix' || !axis || rest.length > 0) {
    file.findings.add(messages.computedModel(), node.at);
    return 'wrong';
  }
  const matrix = child(step, 'matrix');
  const values = matrix?.is === 'map' ? child(matrix, axis.name) : undefined;
  const listed = values?.is === 'list' ? values.items : [];
  if (listed.length === 0 || !listed.every(isName)) {
    file.findings.add(messages.modelAxisList(axis.name), values?.at ?? node.at);
    return 'wrong';
  }
  const models = new Map<string, ResolvedModel>();
  for (const item of listed) {
    const model = file.models(item);
    if (model) models.set(String(item.value), model);
  }
  return models.size === 0 ? 'wrong' : { axis: axis.name, models };
}

type NameNode = Extract<Node, { is: 'scalar' }> & { readonly value: string };
const isName = (node: Node): node is NameNode =>
  node.is === 'scalar' && typeof node.value === 'string' && !node.value.includes('${{');

/** `only: { V-UP: { … } }` → the fields of one of the models; a name that the axis does not list is told. */
export function checkOnly(step: MapNode, axis: ModelAxis | undefined, { findings, wrong }: FileContext): void {
  const only = step.entries.find(({ name }) => name === 'only');
  if (only?.value.is !== 'map' || wrong.has(only.value)) return;
  if (!axis) {
    findings.add(messages.onlyWithoutAxis(), only.nameAt);
    return;
  }
  for (const { name, nameAt } of only.value.entries)
    if (!axis.models.has(name))
      findings.add(messages.onlyOfOther(name, nearest(name, axis.models.keys()), [...axis.models.keys()]), nameAt);
}

/** The fields that are for this model alone. */
export function fieldsOfOnly(step: MapNode, model: string): MapNode | undefined {
  const only = child(step, 'only');
  const fields = only?.is === 'map' ? child(only, model) : undefined;
  return fields?.is === 'map' ? fields : undefined;
}
