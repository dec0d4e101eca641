/** `model:` → the model of that name: a label of the library, or an id of the catalog with a schema that is not known here. */

import { modelLibrary } from '../../api/model-library.ts';
import type { Span } from '../../model/diagnostic.ts';
import { type Model, type ModelLibrary, nearestModel } from '../../model/model.ts';
import type { Findings } from '../checks/findings.ts';
import { messages } from '../messages/index.ts';
import { child, type MapNode, type Node } from '../yaml/syntax-tree.ts';

export interface ResolvedModel {
  /** Label or id. */
  readonly id: string;
  readonly at: Span;
  /** Undefined for an id of the catalog. */
  readonly model: Model | undefined;
}

export type Models = (node: Node | undefined) => ResolvedModel | undefined;

/** The file's own names (`models:`) are looked up before the labels of the library. */
export function readModels(file: MapNode, library: ModelLibrary, wrong: ReadonlySet<Node>, findings: Findings): Models {
  const find = (name: string, at: Span, names: readonly string[]): ResolvedModel | undefined => {
    const model = library.get(name);
    if (!model && name.includes('/')) findings.add(messages.idOfCatalog(name), at);
    if (model || name.includes('/')) return { id: name, at, model };
    else if (name.includes('${{')) findings.add(messages.computedModel(name), at);
    else findings.add(messages.unknownModel(name, nearestModel(name, library, names)), at);
    return undefined;
  };
  const own = new Map<string, ResolvedModel | undefined>();
  const section = child(file, 'models');
  for (const { name, value } of section?.is === 'map' ? section.entries : []) {
    // `{ id: … }` names an id of the catalog, whatever it looks like.
    const named = value.is === 'map' ? child(value, 'id') : value;
    const sound = named?.is === 'scalar' && typeof named.value === 'string' && !wrong.has(value) && !wrong.has(named);
    const isId =
      named !== value && sound && !library.get(named.value as string) && !String(named.value).includes('${{');
    if (isId) own.set(name, { id: String(named.value), at: named.at, model: undefined });
    else own.set(name, sound ? find(String(named.value), named.at, []) : undefined);
  }
  return node => {
    if (node?.is !== 'scalar' || typeof node.value !== 'string' || wrong.has(node)) return undefined;
    if (!own.has(node.value)) return find(node.value, node.at, [...own.keys()]);
    const named = own.get(node.value);
    return named && { ...named, at: node.at };
  };
}

/** `activate: true` under `models:` → the custom models that a run brings up and down. */
export function readDeployments(
  section: MapNode | undefined,
  wrong: ReadonlySet<Node>,
  findings: Findings,
): readonly string[] {
  const models = new Set<string>();
  for (const { value } of section?.entries ?? []) {
    if (value.is !== 'map' || wrong.has(value)) continue;
    const [id, activate] = [child(value, 'id'), child(value, 'activate')];
    if (id?.is !== 'scalar' || typeof id.value !== 'string' || wrong.has(id)) continue;
    if (activate?.is !== 'scalar' || activate.value !== true) continue;
    // The interface document's own models have no deployment of ours; a service's library may hold its custom ones too.
    if (modelLibrary.get(id.value)) findings.add(messages.activatedLabel(id.value), activate.at);
    else models.add(id.value);
  }
  return [...models];
}
