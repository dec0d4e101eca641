/**
 * A fal workflow → steps: each `run` node is one request, its app gives the kind of model, `$input.x` is a param and `$node.images.0.url` a
 * result. Both of its shapes are read: nodes at the top, and nodes within `contents`.
 */
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { type AppKind, appKind } from './fal-apps.ts';
import {
  byName,
  carried,
  clipped,
  type Imported,
  type ImportedCut,
  type ImportedOutput,
  type ImportedParam,
  type ImportedStep,
  type ImportedValue,
  literal,
  MAX_CHAIN,
  outputFile,
  rows,
  shownName,
  shownValue,
  stepName,
  wordIn,
} from './imported.ts';

/** Undefined where it is no fal workflow. */
export function importFal(document: Json, name: string): Imported | undefined {
  if (!isObject(document)) return undefined;
  const contents = isObject(document.contents) ? document.contents : document;
  const all = isObject(contents.nodes) ? contents.nodes : contents;
  const nodes = Object.entries(all).flatMap(([id, node]): readonly FalNode[] =>
    isObject(node) && typeof node.type === 'string' ? [{ id, type: node.type, fields: node }] : [],
  );
  if (!nodes.some(({ type, fields }) => type === 'run' && typeof fields.app === 'string')) return undefined;
  const reader = new FalReader(nodes);
  reader.readParams(contents);
  reader.readSteps();
  reader.readOutputs(contents);
  const { params, steps, outputs, left } = reader;
  const own = typeof document.name === 'string' ? document.name : name;
  return { name: own, from: 'fal', params, steps, outputs, left, files: [] };
}

interface FalNode {
  readonly id: string;
  readonly type: string;
  readonly fields: JsonObject;
}

/** What a reference to a node becomes. */
type Made =
  | { readonly is: 'step'; readonly name: string; readonly kind: 'image' | 'video' | 'text' }
  | { readonly is: 'value'; readonly value: ImportedValue };

class FalReader {
  readonly params: ImportedParam[] = [];
  readonly steps: (ImportedStep | ImportedCut)[] = [];
  readonly outputs: ImportedOutput[] = [];
  readonly left: string[] = [];
  readonly #nodes: readonly FalNode[];
  readonly #made = new Map<string, Made>();
  readonly #open = new Set<string>();
  /** Fields of the input → our params. */
  readonly #named = new Map<string, string>();

  constructor(nodes: readonly FalNode[]) {
    this.#nodes = nodes;
  }

  readParams(contents: JsonObject): void {
    const schema = isObject(contents.schema) && isObject(contents.schema.input) ? contents.schema.input : {};
    for (const [field, of] of Object.entries(schema)) this.#param(field, isObject(of) ? of : {});
    const node = this.#nodes.find(({ type }) => type === 'input');
    const defaults = node && isObject(node.fields.input) ? node.fields.input : {};
    for (const [field, value] of Object.entries(defaults))
      if (!this.#named.has(field)) this.#param(field, { default: value });
  }

  #param(field: string, of: JsonObject): void {
    const name = stepName(field, new Set(this.params.map(one => one.name)));
    const given = of.default;
    const about = [of.label, of.description].find(text => typeof text === 'string' && text !== '');
    const type = TYPES.find(one => one === of.type) ?? typeOf(given);
    const isGiven = given !== undefined && given !== null && given !== '' && !isObject(given) && !Array.isArray(given);
    this.params.push({ name, type, ...(isGiven && { default: given }), ...(typeof about === 'string' && { about }) });
    this.#named.set(field, name);
  }

  readSteps(): void {
    for (const { id, type } of this.#nodes) {
      if (type === 'run') this.#of(id);
      else if (type !== 'display' && type !== 'input')
        this.left.push(`node ${shownName(id)} is of type ${shownName(type)}, which we do not know`);
    }
  }

  readOutputs(contents: JsonObject): void {
    const shown = this.#nodes
      .filter(({ type }) => type === 'display')
      .flatMap(({ fields }) => Object.entries(isObject(fields.fields) ? fields.fields : {}));
    const given = Object.entries(
      isObject(contents.output) && contents.output.type === undefined ? contents.output : {},
    );
    for (const [field, reference] of [...given, ...shown]) {
      const value = this.#value(reference);
      if (value === undefined || value.is !== 'result')
        this.left.push(`output ${shownName(field)} (${shownValue(reference)}): nothing that we make arrives there`);
      else if (!this.outputs.some(({ from }) => from === value.step)) {
        const name = stepName(field, new Set(this.outputs.map(one => one.name)));
        const step = this.steps.find(one => one.name === value.step);
        if (value.makes === 'text')
          this.left.push(`output ${shownName(field)} is a text: it is in the lock, and no file`);
        else this.outputs.push({ name, from: value.step, to: outputFile(name, step) });
      }
    }
  }

  #of(id: string): Made | undefined {
    const known = this.#made.get(id);
    const node = this.#nodes.find(one => one.id === id);
    if (known || node === undefined || this.#open.has(id) || this.#open.size >= MAX_CHAIN) return known;
    this.#open.add(id);
    const made = node.type === 'run' ? this.#read(node) : this.#passed(inputOf(node));
    if (made) this.#made.set(id, made);
    return made;
  }

  #read({ id, fields: node }: FalNode): Made | undefined {
    const app = wordIn(node.app ?? '');
    const input = inputOf({ fields: node });
    const was = `node ${shownName(id)} (${shownName(app)})`;
    const kind = appKind(app, input);
    if (kind === undefined) {
      const passed = this.#passed(input);
      this.left.push(
        `${was}: no model here does that; ${passed ? 'what arrives there goes on as it is' : 'what reads it loses it'}`,
      );
      return passed;
    }
    const taken = new Set(this.steps.map(one => one.name));
    const name = stepName(id.replace(/^node[-_]?/i, '') || id, taken);
    if (kind.is === 'text_join') {
      const parts = Object.values(input)
        .flatMap(given => this.#value(given) ?? [])
        .filter(isText);
      return { is: 'value', value: { is: 'joined', parts } };
    }
    if (kind.is === 'merge') {
      const list = Object.values(input).find(value => Array.isArray(value)) as readonly Json[] | undefined;
      const clips = (list ?? []).flatMap(value => this.#value(value) ?? []);
      if (clips.length === 0) {
        this.left.push(`${was}: no film that we make arrives there`);
        return undefined;
      }
      this.steps.push({ name, was, clips });
      return { is: 'step', name, kind: 'video' };
    }
    return this.#request(kind, { name, was, input });
  }

  /** What a node that we do not know hands on: the first picture or film that arrives. */
  #passed(input: JsonObject): Made | undefined {
    for (const given of Object.values(input)) {
      const value = this.#value(given);
      const [first] = value?.is === 'list' ? value.items : [value];
      if (first?.is === 'result' && first.makes !== 'text') return { is: 'value', value: first };
    }
    return undefined;
  }

  #request(
    kind: AppKind & { readonly is: 'model' },
    { name, was, input }: { readonly name: string; readonly was: string; readonly input: JsonObject },
  ): Made {
    // A field may be called `__proto__`.
    const wanted: Record<string, ImportedValue> = Object.create(null);
    let takes = 1;
    for (const [field, given] of Object.entries(input)) {
      if (field === 'num_images' && typeof given === 'number') {
        takes = given;
        continue;
      }
      const ours = (Object.hasOwn(kind.fields, field) ? kind.fields[field] : undefined) ?? field;
      if (IGNORED.has(field)) continue;
      if (field === 'image_size') {
        const ratio = SIZES.get(wordIn(given));
        if (ratio === undefined) this.left.push(`${was}: image_size ${shownValue(given)} is not carried over`);
        else wanted.aspect_ratio = literal(ratio);
        continue;
      }
      const value = this.#value(given);
      if (value === undefined)
        this.left.push(`${was}: \`${shownName(field)}\` (${shownValue(given)}) is nothing that we make`);
      else wanted[ours] = value;
    }
    if (wanted.prompt === undefined && kind.makes !== 'text' && !PROMPTLESS.has(kind.label)) {
      wanted.prompt = literal('slow, gentle movement');
      this.left.push(`${was}: it has no prompt, and ${kind.label} takes one; one is written in its place`);
    }
    const { fields, left } = kind.makes === 'text' ? chatFields(wanted) : carried(kind.label, wanted);
    for (const line of left) this.left.push(`${was}: ${line}`);
    this.left.push(`${was}: ${kind.label} replaces it`);
    this.steps.push({ name, was, model: kind.label, fields, ...(takes > 1 && { takes }) });
    return { is: 'step', name, kind: kind.makes };
  }

  /** `$input.prompt`, `$node-image.images.0.url`, a list of such, or the value itself; undefined where it is nothing we make. */
  #value(given: Json | undefined): ImportedValue | undefined {
    if (given === undefined || given === null) return undefined;
    if (Array.isArray(given)) {
      const items = given.flatMap((item: Json) => this.#value(item) ?? []);
      return items.length === 0 ? undefined : { is: 'list', items };
    }
    if (typeof given !== 'string') return isObject(given) ? undefined : literal(given);
    const [, whole = ''] = /^\$([\w-]+(?:[.[][^\s$]*)?)$/.exec(given) ?? [];
    // `$5` is a price, and no reference to a node.
    const isReference = this.#isNode(whole) || /^[a-z_][^.]*\./i.test(whole);
    return isReference ? this.#referred(whole) : this.#text(given);
  }

  /** `input.prompt`, `node-image.images.0.url` */
  #referred(reference: string): ImportedValue | undefined {
    const [node = '', field = ''] = reference.split('.');
    if (node === 'input') {
      if (field === '') return undefined;
      if (!this.#named.has(field)) this.#param(field, {});
      return { is: 'param', name: this.#named.get(field) ?? field };
    }
    const made = this.#of(node);
    if (made === undefined || made.is === 'value') return made?.value;
    return { is: 'result', step: made.name, makes: made.kind };
  }

  /** A text with references in it: `a film about $input.topic, at night`. What is no node's name stays as it is: `$5`. */
  #text(given: string): ImportedValue {
    const parts: ImportedValue[] = [];
    let written = '';
    for (const [at, piece] of given.split(/\$([\w-]+(?:\.[\w-]+)+)/).entries()) {
      if (at % 2 === 0) written += piece;
      else if (!this.#isNode(piece)) written += `$${piece}`;
      else {
        const value = this.#referred(piece);
        if (value === undefined || !isText(value))
          this.left.push(`$${shownName(piece)} within a text (${clipped(given)}) is no text that we make`);
        else {
          parts.push(literal(written), value);
          written = '';
        }
      }
    }
    if (parts.length === 0) return literal(written);
    const all = [...parts, literal(written)].filter(part => part.is !== 'literal' || part.value !== '');
    return { is: 'joined', parts: all, between: '' };
  }

  #isNode(reference: string): boolean {
    const [name] = reference.split('.');
    return name === 'input' || this.#nodes.some(({ id }) => id === name);
  }
}

/** The fields of a chat step are not those of a request: a prompt, a system message, images. */
function chatFields(wanted: Readonly<Record<string, ImportedValue>>) {
  const fields: Record<string, ImportedValue> = {};
  const left: string[] = [];
  for (const [name, value] of Object.entries(wanted)) {
    if (CHAT_FIELDS.has(name))
      fields[name] = name === 'images' && value.is !== 'list' ? { is: 'list', items: [value] } : value;
    else if (name !== 'model') left.push(`a chat step takes no \`${shownName(name)}\``);
    else
      left.push(
        `\`model\` (${value.is === 'literal' ? clipped(wordIn(value.value)) : 'of another node'}) is not carried over`,
      );
  }
  return { fields, left };
}

const CHAT_FIELDS: ReadonlySet<string> = new Set(['prompt', 'system', 'images', 'temperature', 'max_tokens', 'top_p']);
const PROMPTLESS: ReadonlySet<string> = new Set(['V-UP', 'V-RT']);
/** What a service decides, and no film shows. */
const IGNORED = byName(rows('sync_mode enable_safety_checker safety_tolerance reasoning priority', true));
const TYPES = ['string', 'number', 'integer', 'boolean'] as const;
const typeOf = (value: Json | undefined): ImportedParam['type'] =>
  typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string';
const SIZES = byName({
  ...rows('square square_hd', '1:1'),
  ...{ portrait_4_3: '3:4', portrait_16_9: '9:16', landscape_4_3: '4:3', landscape_16_9: '16:9' },
});
const inputOf = ({ fields }: Pick<FalNode, 'fields'>): JsonObject => (isObject(fields.input) ? fields.input : {});
/** Whether it can be part of a text. */
const isText = (value: ImportedValue): boolean =>
  value.is === 'literal' ||
  value.is === 'param' ||
  value.is === 'joined' ||
  (value.is === 'result' && value.makes === 'text');
