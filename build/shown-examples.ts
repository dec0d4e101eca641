/**
 * Descriptions as editors show them. A plain `description` is taken for text, backquotes and all: where there are any, it is said once
 * more as Markdown. Examples stand below it: as `examples` an editor would type them into the file.
 */
import { exampleYaml } from '../src/cli/reference/schema-entries.ts';
import type { Json } from '../src/model/text/json.ts';

type Schema = { readonly [keyword: string]: Json };
type Schemas = { readonly [name: string]: Schema };

/** The same schema, where each key shows its examples. */
export function withShownExamples(schema: Schema): Schema {
  const defs = (schema.$defs ?? {}) as Schemas;
  const show = (name: string, property: Schema): Schema => {
    const target = typeof property.$ref === 'string' ? defs[property.$ref.replace('#/$defs/', '')] : undefined;
    const { examples, ...whole } = { ...target, ...property };
    if (!Array.isArray(examples)) return property;
    const { $ref: _, ...told } = whole as Schema;
    const shown = examples.map(example => ['```yaml', exampleYaml(name, example), '```'].join('\n'));
    return { ...told, markdownDescription: [told.description ?? '', ...shown].join('\n\n') };
  };
  const change = (node: Json): Json => {
    if (Array.isArray(node)) return node.map(change);
    if (typeof node !== 'object' || node === null) return node;
    return mapEntries(node as Schema, (keyword, value) =>
      keyword === 'properties'
        ? mapEntries(value as Schemas, (name, key) => change(show(name, key as Schema)))
        : change(value),
    );
  };
  return change(schema) as Schema;
}

/** The same schema, where a description with code in it is Markdown. */
export function withMarkdown(node: Schema): Schema {
  const change = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(change);
    if (typeof value !== 'object' || value === null) return value;
    const inner = mapEntries(value as Schema, (_, part) => change(part));
    const { description } = inner;
    if (typeof description !== 'string' || !description.includes('`') || 'markdownDescription' in inner) return inner;
    return { ...inner, markdownDescription: description };
  };
  return change(node) as Schema;
}

const mapEntries = (map: Schema, change: (name: string, value: Json) => Json): Schema =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(name, value)]));
