/** What the language takes at a place of a file: by the schema, by the model of a step, by the params of a used file. */

import { Findings } from '../../language/checks/findings.ts';
import type { Survey } from '../../language/compile.ts';
import { kindOf } from '../../language/kinds/index.ts';
import { branchesOf, branchOf, fileSchema, resolve, type Schema } from '../../language/pipeline-schema.ts';
import { chatFields } from '../../language/steps/chat-prompt.ts';
import { nodeAt, type Way } from '../../language/yaml/cursor.ts';
import { child, type MapNode, type Node } from '../../language/yaml/syntax-tree.ts';
import { fieldOf, type Model, type ModelLibrary } from '../../model/model.ts';

/** JSON Schema as far as editors use it; `media` as in `FieldSchema`. */
export interface Taken extends Omit<Schema, 'properties' | 'items' | 'anyOf' | 'additionalProperties'> {
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly media?: { readonly kind: string };
  readonly properties?: { readonly [name: string]: Taken };
  readonly items?: Taken;
  readonly anyOf?: readonly Taken[];
  readonly additionalProperties?: boolean | Taken;
  /** It is a field of this model's request. */
  readonly model?: Model;
  /** The request must have it. */
  readonly isRequired?: true;
}

export interface Film {
  readonly survey: Survey;
  readonly library: ModelLibrary;
}

/** All that may be written there; empty where the language defines nothing of it. */
export function takenAt(way: Way, film: Film): readonly Taken[] {
  const [section, name, key, ...rest] = way;
  if (section === 'steps' && name !== undefined) {
    const step = nodeAt(film.survey.node, ['steps', name]);
    const fields = step?.is === 'map' ? fieldsUnder(String(key), rest, step, film) : undefined;
    if (fields) return fields;
    const schema = fileSchema.$defs.step as Schema;
    const kinds = step?.is === 'map' && kindOf(step) ? [branchOf(step, schema)] : branchesOf(schema).map(resolve);
    return descend(kinds as readonly Taken[], way.slice(2));
  }
  if (section === 'defaults' && name === 'with')
    return descend([section_(film.library.labels.flatMap(label => film.library.get(label) ?? []))], way.slice(2));
  return descend([fileSchema as unknown as Taken], way);
}

/** The fields of a step's request, of one of its models alone, or the params of the file that it uses. */
function fieldsUnder(key: string, rest: Way, step: MapNode, film: Film): readonly Taken[] | undefined {
  if (key === 'only' && rest.length > 0) {
    const model = film.library.get(String(rest[0]));
    return model && descend([section_([model])], rest.slice(1));
  }
  if (key !== 'with') return undefined;
  const used = usedBy(step, film);
  if (used) {
    const properties = Object.fromEntries(used.file.params.map(({ name, schema }) => [name, schema as Taken]));
    return descend([{ type: 'object', properties }], rest);
  }
  const models = modelsOf(step, film);
  return models.length === 0 ? undefined : descend([section_(models)], rest);
}

const section_ = (models: readonly Model[]): Taken => ({
  type: 'object',
  properties: Object.fromEntries(
    models.flatMap(model =>
      Object.entries({ ...chatFields(model), ...model.request.properties }).map(([name, field]) => {
        const isRequired = model.request.required.includes(name) && model.kind !== 'chat';
        return [name, { ...(field as Taken), model, ...(isRequired && { isRequired: true as const }) }];
      }),
    ),
  ),
});

/** The file that a step uses, by the name of the step. */
function usedBy(step: MapNode, { survey }: Film) {
  const entry = stepsOf(survey.node).find(({ value }) => value === step);
  return entry && survey.offers.get(entry.name);
}

export const stepsOf = (file: MapNode): MapNode['entries'] => {
  const steps = child(file, 'steps');
  return steps?.is === 'map' ? steps.entries : [];
};

/** The models that a step may be made with: one, or those of an axis. */
export function modelsOf(step: MapNode, { survey, library }: Film): readonly Model[] {
  const named = child(step, 'model');
  if (named?.is !== 'scalar' || typeof named.value !== 'string') return [];
  const axis = /^\s*\$\{\{\s*matrix\.(\w+)\s*\}\}\s*$/.exec(named.value)?.[1];
  const matrix = child(step, 'matrix');
  const values = axis !== undefined && matrix?.is === 'map' ? child(matrix, axis) : undefined;
  const nodes: readonly Node[] = values?.is === 'list' ? values.items : [named];
  return nodes.flatMap(node => modelNamed(node, survey, library) ?? []);
}

function modelNamed(node: Node, { models }: Survey, library: ModelLibrary): Model | undefined {
  if (node.is !== 'scalar' || typeof node.value !== 'string' || node.value.includes('${{')) return undefined;
  return library.get(node.value) ?? models(node)?.model;
}

/** One field of a model, by its name or by a pattern. */
export const fieldNamed = (model: Model, name: string): Taken | undefined =>
  (chatFields(model)[name] ?? fieldOf(model, name)) as Taken | undefined;

function descend(from: readonly Taken[], way: Way): readonly Taken[] {
  let taken = spread(from);
  for (const part of way) taken = spread(taken.flatMap(schema => into(schema, part)));
  return taken;
}

function into(schema: Taken, part: string | number): readonly Taken[] {
  if (typeof part === 'number') return schema.items ? [schema.items] : [];
  const declared = schema.properties && Object.hasOwn(schema.properties, part) ? schema.properties[part] : undefined;
  if (declared) return [declared];
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
}

/** References followed, and each branch of a union on its own; what holds for the whole holds for each. */
const spread = (schemas: readonly Taken[]): readonly Taken[] =>
  schemas.flatMap(schema => {
    const { $ref, ...own } = schema;
    const found = { ...($ref === undefined ? {} : (resolve({ $ref }) as Taken)), ...own };
    if (found.if) return spread(branchesOf(found as Schema) as readonly Taken[]);
    if (!found.anyOf) return [found];
    const { anyOf, ...rest } = found;
    return spread(
      anyOf.map(option => ({ ...rest, ...option, ...(rest.description && { description: rest.description }) })),
    );
  });

/** Findings that are not shown. */
export const unheard = (path: string, text: string): Findings => new Findings({ path, text });
