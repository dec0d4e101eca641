/** Whether a `schema` is a JSON Schema: every mistake at its place, with the nearest right word. Expressions may stand for values. */
import type { Span } from '../../model/diagnostic.ts';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { nearest } from '../../model/text/nearest.ts';
import { messages } from '../messages/index.ts';
import { calledElsewhere, type Holds, holdsOf, keywords, TYPES } from '../types/schema-keywords.ts';
import { child, type MapNode, type Node, plainJson } from '../yaml/syntax-tree.ts';
import type { Message } from './findings.ts';

type ReportInSchema = (what: Message, at: Span) => void;

export function checkSchema(root: MapNode, report: ReportInSchema): void {
  const check = new SchemaCheck(plainJson(root) as JsonObject, report);
  check.schema(root);
  const type = child(root, 'type');
  if (type?.is === 'scalar' && typeof type.value === 'string' && PLAIN.has(type.value))
    report(messages.schemaOfText(type.value), type.at);
}

/** Texts and numbers alone: an answer is read as JSON only where it is more. */
const PLAIN = new Set(['string', 'integer', 'number', 'boolean', 'null']);

export const isComputed = (node: Node): boolean =>
  node.is === 'scalar' && typeof node.value === 'string' && node.value.includes('${{');

/** Words of people that are near to these are no slips: a `note`, the `cost` of a shot. */
const BY_CHANCE = new Set(['not', 'if', 'then', 'else', 'const', 'id', '$id', 'xml']);

const PLAIN_VALUES: { readonly [holds in Holds]?: keyof Plain } = {
  number: 'number',
  'yes or no': 'boolean',
  text: 'string',
};

class SchemaCheck {
  readonly #root: JsonObject;
  readonly #report: ReportInSchema;

  constructor(root: JsonObject, report: ReportInSchema) {
    this.#root = root;
    this.#report = report;
  }

  schema(node: Node): void {
    if (node.is !== 'map') return;
    for (const { name, nameAt, value } of node.entries) {
      const holds = holdsOf(name);
      if (name.includes('${{')) this.#report(messages.computedName(), nameAt);
      else if (holds) this.#keyword(name, holds, value, nameAt);
      else this.#unknown(name, value, nameAt);
    }
    this.#required(node);
  }

  /** Any word that is near to none is for the model to read. */
  #unknown(name: string, value: Node, at: Span): void {
    if (name.startsWith('x-')) return;
    const near = calledElsewhere(name) ?? nearest(name, keywords());
    const holds = near === undefined || BY_CHANCE.has(near) ? undefined : holdsOf(near);
    if (!near || !holds) return;
    this.#report(messages.unknownKeyword(name, near), at);
    this.#keyword(near, holds, value, at);
  }

  #keyword(name: string, holds: Holds, value: Node, nameAt: Span): void {
    if (isComputed(value)) return;
    const at = value.at.start === value.at.end ? nameAt : value.at;
    const wrong = () => this.#report(messages.schemaKeyword(name, holds, shown(value)), at);
    switch (holds) {
      case 'schema':
        if (value.is === 'map') this.schema(value);
        else if (!isScalar(value, 'boolean')) wrong();
        return;
      case 'schemas by name':
        if (value.is !== 'map') wrong();
        else
          for (const inner of value.entries) {
            if (inner.name.includes('${{')) this.#report(messages.computedName(), inner.nameAt);
            this.#keyword(inner.name, 'schema', inner.value, inner.nameAt);
          }
        return;
      case 'list of schemas':
        if (value.is !== 'list' || value.items.length === 0) wrong();
        else for (const item of value.items) this.#keyword(name, 'schema', item, item.at);
        return;
      case 'types':
        this.#types(value, at);
        return;
      case 'names':
        if (value.is !== 'list' || !value.items.every(item => isScalar(item, 'string'))) wrong();
        return;
      case 'lists of names':
        if (value.is !== 'map') wrong();
        else for (const inner of value.entries) this.#keyword(inner.name, 'names', inner.value, inner.nameAt);
        return;
      case 'values':
        if (value.is !== 'list' || (name === 'enum' && value.items.length === 0)) wrong();
        return;
      case 'count':
        if (!isScalar(value, 'number') || !Number.isInteger(value.value)) wrong();
        else if (value.value < 0) this.#report(messages.negativeCount(name, value.value), at);
        return;
      case 'pattern':
        if (!isScalar(value, 'string')) wrong();
        else if (!isPattern(value.value)) this.#report(messages.badPattern(value.value), at);
        return;
      case 'reference':
        if (!isScalar(value, 'string')) wrong();
        else this.#reference(value.value, at);
        return;
      default: {
        const plain = PLAIN_VALUES[holds];
        if (plain && !isScalar(value, plain)) wrong();
      }
    }
  }

  #types(value: Node, at: Span): void {
    const named = value.is === 'list' ? value.items : [value];
    for (const item of named) {
      if (isComputed(item)) continue;
      if (!isScalar(item, 'string')) {
        this.#report(
          messages.schemaKeyword('type', 'types', shown(item)),
          item.at.start === item.at.end ? at : item.at,
        );
        continue;
      }
      if ((TYPES as readonly string[]).includes(item.value)) continue;
      const near = calledElsewhere(item.value) ?? nearest(item.value, TYPES);
      this.#report(messages.unknownSchemaType(item.value, near, TYPES), item.at);
    }
  }

  #reference(reference: string, at: Span): void {
    if (!reference.startsWith('#')) this.#report(messages.farReference(reference), at);
    else if (target(this.#root, reference) === undefined) {
      const known = ['$defs', 'definitions'].flatMap(under =>
        Object.keys(isObject(this.#root[under]) ? this.#root[under] : {}).map(name => `#/${under}/${name}`),
      );
      this.#report(messages.unknownReference(reference, nearest(reference, known), known), at);
    }
  }

  /** A slip here asks for a property that the model never hears of. */
  #required(node: MapNode): void {
    const [required, properties] = [child(node, 'required'), child(node, 'properties')];
    if (required?.is !== 'list' || properties?.is !== 'map') return;
    const names = properties.entries.map(({ name }) => name);
    for (const item of required.items) {
      if (!isScalar(item, 'string') || names.includes(item.value)) continue;
      const near = nearest(item.value, names);
      if (near) this.#report(messages.requiredUnknown(item.value, near), item.at);
    }
  }
}

/** What `#/$defs/beat` leads to; undefined where nothing is there. An anchor (`#beat`) is left to the validator. */
export function target(root: JsonObject, reference: string): Json | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return true;
  let at: Json | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = (at as readonly Json[])[Number(name)];
    else at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

type Plain = { boolean: boolean; number: number; string: string };
const isScalar = <T extends keyof Plain>(
  node: Node,
  type: T,
): node is Extract<Node, { is: 'scalar' }> & { readonly value: Plain[T] } =>
  node.is === 'scalar' && typeof node.value === type;

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

const shown = (node: Node): string =>
  node.is === 'map'
    ? 'a mapping'
    : node.is === 'list'
      ? node.items.length === 0
        ? 'an empty list'
        : 'a list'
      : node.value === null
        ? 'nothing'
        : `\`${node.value}\``;
