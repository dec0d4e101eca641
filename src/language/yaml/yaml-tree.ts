/**
 * YAML text → a tree that keeps every value's place, with the traps of YAML answered (language.md, "YAML traps").
 *
 * The `yaml` package's parser and composer do the reading; its document is turned into a plain tree at once, because
 * its own `toJS` throws on an unresolved alias, its duplicate check is quadratic, and no other file should
 * need to know about pairs, anchors or styles.
 */
import { type Alias, Composer, type Document, isAlias, isMap, isScalar, isSeq, Parser, type YAMLMap } from 'yaml';
import type { Source, Span } from '../../model/diagnostic.ts';
import { isBracketBomb, type Json, MAX_DEPTH } from '../../model/text/json.ts';
import { Findings, type Message } from '../checks/findings.ts';
import { messages } from '../messages/index.ts';
import { type Entry, type MapNode, type Node, plainJson, type ScalarNode } from './syntax-tree.ts';
import { readSimpleYaml } from './yaml-fast-path.ts';
import { colonInExpression, lineStart, yamlProblems } from './yaml-problems.ts';

/** No person writes a larger tree: aliases of aliases multiply. */
const MAX_NODES = 1_000_000;

/** The file's one mapping; undefined when the text cannot be read any further. */
export function readTree(source: Source, findings: Findings): MapNode | undefined {
  const broken = /[\u0000\ufffd]/.exec(source.text);
  if (broken) {
    findings.add(messages.notUtf8(), { start: broken.index, end: broken.index + 1 });
    return undefined;
  }
  const root = readSimpleYaml(source.text) ?? readFullYaml(source, findings);
  // Nearly no file has one: only then is every value looked at.
  if (root && LOST.test(source.text)) warnOfLostText(root, findings);
  return root;
}

/** A `#` that begins a comment for YAML, and looks like a part of the text before it: `slow push in #2`. And `-one` above `-two`, which is one text. */
const LOST = /[^\s#] +#[^\s#!]|^ *-[^\s-].*\n *-[^\s-]/m;

function warnOfLostText(node: Node, findings: Findings): void {
  if (node.is === 'list') for (const item of node.items) warnOfLostText(item, findings);
  if (node.is === 'map') for (const { value } of node.entries) warnOfLostText(value, findings);
  if (node.is !== 'scalar' || typeof node.value !== 'string') return;
  const { text } = findings.source;
  const { start: from } = node.at;
  const [row, ...rows] = text.slice(from, Math.min(node.at.end, from + 2_000)).split('\n');
  if (row && rows.length > 0 && [row, ...rows].every(one => /^ *-[^\s-]/.test(one)))
    findings.add(messages.dashWithoutBlank(row), { start: from, end: from + row.length });
  const isQuoted = /["'|>]/.test(text[node.at.start] ?? '');
  const [all, lost] = /^ +(#[^\s#!].*)/.exec(text.slice(node.at.end, node.at.end + 500).split('\n', 1)[0] ?? '') ?? [];
  if (isQuoted || all === undefined || lost === undefined) return;
  const start = node.at.end + all.length - lost.length;
  findings.add(messages.hashInText(node.value), { start, end: start + lost.trimEnd().length });
}

/** With the whole of YAML, and a diagnostic for everything that is wrong. Exported for the test that compares the two. */
export function readFullYaml(source: Source, findings: Findings): MapNode | undefined {
  const root = readRoot(source, findings);
  if (root === undefined) return undefined;
  if (root === 'empty' || (root.is === 'scalar' && root.value === null)) {
    findings.add(messages.emptyFile(), { start: 0, end: 0 });
    return undefined;
  }
  if (root.is !== 'map') {
    findings.add(messages.notAMapping(), firstLine(source.text, root.at));
    return undefined;
  }
  return root;
}

/** A file of values alone, such as a table or params; or what is wrong with it first, and in which line. An empty one is null. */
export function readYamlValue(text: string): { readonly value: Json } | { readonly problem: string } {
  const findings = new Findings({ path: '', text });
  const root = readRoot(findings.source, findings);
  const wrong = findings.list.find(({ severity }) => severity === 'error');
  if (!wrong) return { value: root === undefined || root === 'empty' ? null : plainJson(root) };
  const line = text.slice(0, wrong.span.start).split('\n').length;
  return { problem: `line ${line}: ${wrong.message}` };
}

/** The document's one value; undefined where something is wrong with it, which is in the findings. */
function readRoot(source: Source, findings: Findings): Node | 'empty' | undefined {
  const documents = compose(source.text);
  if (documents === 'too deep') {
    findings.add(messages.tooDeep(MAX_DEPTH), deepLine(source.text));
    return undefined;
  }
  const first = documents[0];
  if (!first) return undefined;
  if (first.directives?.yaml.explicit && first.directives.yaml.version !== '1.2') {
    findings.add(messages.oldYaml(first.directives.yaml.version), directive(source.text));
    return undefined;
  }
  const problems = yamlProblems(source.text, first);
  for (const problem of problems) findings.add(problem.message, problem.at);
  if (problems.length > 0) return undefined;
  const second = documents[1];
  if (second) {
    findings.add(messages.secondDocument(), separator(source.text, second));
    return undefined;
  }
  const tree = new Tree(findings);
  const root = first.contents ? tree.node(first.contents, 0) : undefined;
  tree.warnOfLostWords();
  // The value of a hole is not known: any message about it would be noise.
  return tree.hasHoles ? undefined : (root ?? 'empty');
}

/** As much as can be read of a text that is half written: mistakes are not reported, and what is not known reads as nothing. */
export function readLooseTree(source: Source): MapNode | undefined {
  const simple = readSimpleYaml(source.text);
  if (simple) return simple;
  const documents = compose(source.text);
  if (documents === 'too deep') return undefined;
  const contents = documents[0]?.contents;
  const root = contents ? new Tree(new Findings(source)).node(contents, 0) : undefined;
  return root?.is === 'map' ? root : undefined;
}

/** Lists in lists on one line. The parser takes seconds a megabyte before it overflows the stack; no text of an author's looks like this. */
const DASH_BOMB = /^ *(?:[-?] +){1000}/m;

function compose(text: string): Document.Parsed[] | 'too deep' {
  if (isBracketBomb(text) || DASH_BOMB.test(text)) return 'too deep';
  const composer = new Composer({ uniqueKeys: false, merge: false, version: '1.2' });
  try {
    return [...composer.compose(new Parser().parse(text), true, text.length)] as Document.Parsed[];
  } catch (error) {
    // The package reads lists in lists by calling itself: thousands of dashes in a row are more than the stack holds.
    if (error instanceof RangeError) return 'too deep';
    throw error;
  }
}

/** Where 64 levels are opened in a row; else the beginning. */
function deepLine(text: string): Span {
  const start = Math.max(0, text.search(/(?:[-?:[{][ \t]*){64}/));
  return firstLine(text, { start, end: text.length });
}

const directive = (text: string): Span => firstLine(text, { start: text.indexOf('%YAML'), end: text.length });
const separator = (text: string, document: Document.Parsed): Span => {
  const before = text.slice(0, document.range[0] + 3);
  const start = Math.max(0, before.lastIndexOf('\n---') + 1, before.lastIndexOf('\n...') + 1);
  return { start, end: start + 3 };
};
function firstLine(text: string, at: Span): Span {
  const end = text.indexOf('\n', at.start);
  return { start: at.start, end: end < 0 ? at.end : Math.min(end, at.end) };
}

interface Grown {
  readonly node: Node;
  /** The number of its values, every alias counted as if it were written out. */
  readonly weight: number;
}

/** One document's nodes, converted. An anchor is converted once and shared by its aliases: no bomb goes off here. */
class Tree {
  readonly #findings: Findings;
  readonly #anchors = new Map<string, Grown | 'open'>();
  /** Anchors of plain texts that no alias has read so far: the text, and where it begins. */
  readonly #unread = new Map<string, { readonly value: string; readonly start: number }>();
  #weight = 0;
  #holes = false;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  get hasHoles(): boolean {
    return this.#holes;
  }

  node(from: unknown, depth: number): Node {
    const anchor = isScalar(from) || isMap(from) || isSeq(from) ? from.anchor : undefined;
    if (anchor === undefined) return this.#convert(from, depth);
    // An alias finds the latest anchor of that name above it, so converting in the order of the text is the rule of YAML.
    this.#anchors.set(anchor, 'open');
    const before = this.#weight;
    const node = this.#convert(from, depth);
    this.#anchors.set(anchor, { node, weight: this.#weight - before });
    if (isScalar(from) && from.type === 'PLAIN' && node.is === 'scalar' && typeof node.value === 'string')
      this.#unread.set(anchor, { value: node.value, start: node.at.start });
    return node;
  }

  /** `prompt: &golden light`: an anchor to YAML, and to its author the first word. */
  warnOfLostWords(): void {
    const { text } = this.#findings.source;
    for (const [name, { value, start: end }] of this.#unread) {
      const start = text.lastIndexOf(`&${name}`, end);
      this.#findings.add(messages.anchorInText(name, value), { start, end: start + name.length + 1 });
    }
  }

  #convert(from: unknown, depth: number): Node {
    this.#weight++;
    if (isScalar(from)) return this.#scalar(from.value, span(from.range), from.tag);
    if (isAlias(from)) return this.#alias(from);
    if (!isMap(from) && !isSeq(from)) return nothing(span(undefined));
    const at = span(from.range);
    if (depth >= MAX_DEPTH) {
      return this.#hole(messages.tooDeep(MAX_DEPTH), at);
    }
    if (isMap(from) && isBraces(from)) {
      // `prompt: {{ params.idea }}`: to YAML a mapping with a mapping as its key; to its author a text.
      const text = this.#findings.source.text.slice(at.start, at.end);
      return { is: 'scalar', value: text, at };
    }
    if (isMap(from)) {
      const { text } = this.#findings.source;
      // `- ${{ a ? 1 : 2 }}`: to YAML a key and its value; to its author an expression.
      const split = text.startsWith('${{', at.start) ? colonInExpression(text, lineStart(text, at.start)) : undefined;
      if (split) return this.#hole(split.message, split.at);
      return { is: 'map', entries: this.#entries(from, depth), at };
    }
    return { is: 'list', items: from.items.map(item => this.node(item, depth + 1)), at };
  }

  #entries(map: YAMLMap, depth: number): Entry[] {
    const seen = new Map<string, Span>();
    const entries: Entry[] = [];
    for (const pair of map.items) {
      const key = isScalar(pair.key) ? pair.key.value : this.#aliasedKey(pair.key);
      if (typeof key === 'object' && key !== null) {
        this.#findings.add(messages.keyNotText(), span(rangeOf(pair.key)));
        continue;
      }
      const name = String(key ?? '');
      const nameAt = span(rangeOf(pair.key));
      const value =
        pair.value === null ? nothing({ start: nameAt.end, end: nameAt.end }) : this.node(pair.value, depth + 1);
      const earlier = seen.get(name);
      if (name === '__proto__') this.#findings.add(messages.protoKey(), nameAt);
      else if (name === '<<') this.#hole(messages.mergeKey(), nameAt);
      else if (earlier)
        this.#findings.add(messages.duplicateKey(name), nameAt, [{ message: messages.firstHere, span: earlier }]);
      else {
        seen.set(name, nameAt);
        entries.push({ name, nameAt, value });
      }
    }
    return entries;
  }

  /** A key may be an alias too; whatever it is, only a text will do. */
  #aliasedKey(key: unknown): unknown {
    const node = isAlias(key) ? this.#alias(key) : undefined;
    return node?.is === 'scalar' ? node.value : {};
  }

  #alias(alias: Alias): Node {
    const at = span(alias.range);
    const target = this.#anchors.get(alias.source);
    this.#unread.delete(alias.source);
    if (target === undefined) return this.#hole(messages.unknownAnchor(alias.source, [...this.#anchors.keys()]), at);
    if (target === 'open') return this.#hole(messages.selfAlias(alias.source), at);
    const bombed = this.#weight > MAX_NODES;
    this.#weight += target.weight;
    if (this.#weight <= MAX_NODES) return target.node;
    return bombed ? nothing(at) : this.#hole(messages.aliasBomb(MAX_NODES), at);
  }

  #scalar(value: unknown, at: Span, tag: string | undefined): Node {
    if (tag !== undefined && !PLAIN_TAGS.has(tag)) return this.#hole(messages.unknownTag(tag), at);
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) return this.#hole(messages.notFinite(), at);
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) return this.#hole(messages.tooBigToBeExact(), at);
      return { is: 'scalar', value, at };
    }
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return { is: 'scalar', value, at };
    return nothing(at);
  }

  #hole(problem: Message, at: Span): Node {
    this.#findings.add(problem, at);
    this.#holes = true;
    return nothing(at);
  }
}

/** `{{ x }}` without quotes. */
function isBraces({ flow, items, range }: YAMLMap): boolean {
  const [only] = items;
  return flow === true && items.length === 1 && isMap(only?.key) && only.key.range?.[0] === (range?.[0] ?? 0) + 1;
}

const PLAIN_TAGS = new Set(['str', 'int', 'float', 'bool', 'null'].map(name => `tag:yaml.org,2002:${name}`));

const nothing = (at: Span): ScalarNode => ({ is: 'scalar', value: null, at });
const span = (range: readonly number[] | null | undefined): Span => ({ start: range?.[0] ?? 0, end: range?.[1] ?? 0 });
const rangeOf = (node: unknown): readonly number[] | undefined =>
  (isScalar(node) || isMap(node) || isSeq(node) || isAlias(node)) && node.range ? node.range : undefined;
