/** `outputs:` and `save:`: which results go where, and that no two of them go to one place. */
import type { Span } from '../model/diagnostic.ts';
import type { Output, OutputForm } from '../model/pipeline.ts';
import { nearest } from '../model/text/nearest.ts';
import type { OfferedOutput } from './checks/file-offer.ts';
import type { Findings } from './checks/findings.ts';
import { messages } from './messages/index.ts';
import { foldersOf, leavesFolder, outputProblem, samePath } from './output-path.ts';
import { type From, type OutputSource, readFrom, sourceOf } from './output-sources.ts';
import { descend, type TypeScope } from './types/path-types.ts';
import { promiseOf, WRONG } from './types/types.ts';
import type { ReadContext } from './types/values.ts';
import { child, type MapNode, type Node } from './yaml/syntax-tree.ts';

export interface SavedStep {
  readonly step: string;
  readonly at: Span;
  readonly node: Node;
}

interface Outputs {
  readonly list: readonly Output[];
  /** The same for files that use this one. */
  readonly offered: ReadonlyMap<string, OfferedOutput>;
}

export function readOutputs(
  section: Node | undefined,
  saves: readonly SavedStep[],
  sources: ReadonlyMap<string, OutputSource>,
  wrong: ReadonlySet<Node>,
  context: ReadContext,
  scope: TypeScope,
): Outputs {
  const outputs: Output[] = [];
  const offered = new Map<string, OfferedOutput>();
  const names = new Map<string, Span>();
  for (const entry of section?.is === 'map' ? section.entries : []) {
    names.set(entry.name, entry.nameAt);
    if (entry.value.is !== 'map' || wrong.has(entry.value)) continue;
    const from = readFrom(child(entry.value, 'from'), sources, context, scope);
    const to = readTo(child(entry.value, 'to'), from, wrong, context.findings);
    if (!from || !to) continue;
    const as = readForm(entry.value, from, to, context.findings);
    if (as === 'wrong') continue;
    if (as === undefined) {
      checkExtension(to, from, context.findings);
      offered.set(entry.name, from.offered);
    }
    const marking = child(entry.value, 'marking');
    const unmarked = marking?.is === 'scalar' && marking.value === 'none';
    const declared = { ...(as && { as }), ...(unmarked && ({ unmarked } as const)), ...to };
    outputs.push({ name: entry.name, at: entry.nameAt, ...from.offered.maker, ...declared });
  }
  for (const { step, at, node } of saves) {
    const earlier = names.get(step);
    if (earlier) context.findings.add(messages.savedTwice(step), at, [{ message: messages.alsoHere, span: earlier }]);
    const creates = sources.get(step)?.creates;
    const files = creates && [...creates.keys()];
    if (files && files.length !== 1) context.findings.add(messages.saveWhichFile(files), at);
    const source = sources.get(step);
    const from = source && sourceOf(step, source, files?.[0]);
    const to = readTo(node, from, wrong, context.findings);
    if (!from || !to) continue;
    checkExtension(to, from, context.findings);
    offered.set(step, from.offered);
    outputs.push({ name: step, at, ...from.offered.maker, ...to });
  }
  checkPaths(outputs, context.findings);
  return { list: outputs, offered };
}

/** `as: otio` */
function readForm(
  output: MapNode,
  { step, source, offered }: From,
  { to, toAt }: Pick<Output, 'to' | 'toAt'>,
  findings: Findings,
): OutputForm | 'wrong' | undefined {
  const node = child(output, 'as');
  const form = node?.is === 'scalar' ? FORMS.find(name => name === node.value) : undefined;
  if (!node || form === undefined) return node ? 'wrong' : undefined;
  if (source.broken) return 'wrong';
  if (!source.forms?.includes(form) || offered.part) {
    findings.add(messages.outputForm(form, step), node.at);
    return 'wrong';
  }
  if (!to.toLowerCase().endsWith(`.${form}`)) findings.add(messages.outputFormEnding(to, form), toAt);
  return form;
}

const FORMS: readonly OutputForm[] = ['otio'];

function readTo(
  node: Node | undefined,
  from: Pick<From, 'step' | 'source' | 'offered'> | undefined,
  wrong: ReadonlySet<Node>,
  findings: Findings,
): Pick<Output, 'to' | 'toAt'> | undefined {
  if (node?.is !== 'scalar' || typeof node.value !== 'string' || wrong.has(node)) return undefined;
  const path = node.value;
  const coordinates = from?.source.coordinates ?? [];
  const [foreign, , expression] = /\$\{\{?\s*(\w+\.)?(\w+)|\{\{\s*(?:\w+\.)?(\w+)|\$[A-Za-z_]\w*/.exec(path) ?? [];
  if (foreign !== undefined) {
    const name = expression ?? /\w+$/.exec(foreign)?.[0] ?? '';
    const isKnown = coordinates.includes(name);
    // A dollar may be part of a name.
    if (isKnown || /[{]/.test(foreign))
      return void findings.add(messages.outputExpression(isKnown ? name : coordinates[0]), node.at);
  }
  const named = [...path.matchAll(/\{([^{}]*)\}/g)].map(match => match[1]!);
  if (/[{}]/.test(path.replace(/\{[^{}]*\}/g, ''))) return void findings.add(messages.outputBraces(path), node.at);
  if (leavesFolder(path)) return void findings.add(messages.outputPath(path, from?.step), node.at);
  const problem = outputProblem(path, findings.source.path);
  if (problem) return void findings.add(problem, node.at);
  if (from && !from.source.broken) {
    const { step, source } = from;
    const many = from.offered.maker.list === true;
    if (many && source.coordinates.includes(NUMBER)) findings.add(messages.numberIsAxis(step), node.at);
    const known = many ? [...source.coordinates, NUMBER] : source.coordinates;
    // `{scene.slug}` names a column of the row that distinguishes its instances.
    const names = named.map(place => place.split('.')[0]!);
    for (const [index, name] of names.entries())
      if (!known.includes(name))
        findings.add(
          messages.unknownPlaceholder(
            named[index]!,
            step,
            known.find(coordinate => named[index]!.endsWith(`.${coordinate}`)) ?? nearest(name, known),
            known,
          ),
          placeholder(node.at, named[index]!, findings),
        );
    for (const place of named) checkColumns(place, source, node.at, findings);
    const missing = source.coordinates.filter(name => !names.includes(name) && source.several.has(name));
    const misspelt = names.some(name => !known.includes(name));
    if (missing.length > 0 && !misspelt) findings.add(messages.collision(step, missing), node.at);
    if (many && !named.includes(NUMBER) && !misspelt) findings.add(messages.listInOnePath(), node.at);
  }
  return { to: path, toAt: node.at };
}

/** `{scene.slugg}`: the row has no such column. */
function checkColumns(place: string, { axes }: OutputSource, at: Span, findings: Findings): void {
  const [name = '', ...columns] = place.split('.');
  const type = axes?.get(name);
  if (!type || columns.length === 0) return;
  const path = columns.map(column => ({ name: column, start: 0, end: 0 }));
  descend(type, path, ['matrix', name], what => {
    findings.add(what, placeholder(at, place, findings));
    return WRONG;
  });
}

/** `{n}`: the number of a file in its list. */
const NUMBER = 'n';

function placeholder(at: Span, name: string, findings: Findings): Span {
  const start = findings.source.text.indexOf(`{${name}}`, at.start);
  return start < 0 || start >= at.end ? at : { start, end: start + name.length + 2 };
}

/** The ending must fit the kind of media. Whether it fits the very format is known only when the file is there. */
function checkExtension({ to, toAt }: Pick<Output, 'to' | 'toAt'>, from: From, findings: Findings): void {
  const { source, file, offered } = from;
  const own = file === undefined || offered.part ? undefined : source.creates?.get(file)?.path;
  const makes = offered.produces;
  const promised = promiseOf(to);
  if (source.broken || !makes || !promised || promised === makes) return;
  const ending = (own !== undefined && /\.\w+$/.exec(own)?.[0]) || USUAL[makes];
  findings.add(messages.outputExtension(to, ending, promised, makes), toAt);
}

const USUAL = { video: '.mp4', image: '.png', audio: '.wav', text: '.json' } as const;

function checkPaths(outputs: readonly Output[], findings: Findings): void {
  const seen = new Map<string, Span>();
  for (const { to, toAt } of [...outputs].sort((a, b) => a.toAt.start - b.toAt.start)) {
    const path = samePath(to);
    const earlier = seen.get(path);
    if (earlier) findings.add(messages.samePath(to), toAt, [{ message: messages.firstHere, span: earlier }]);
    else seen.set(path, toAt);
  }
  for (const { to, toAt } of outputs)
    for (const folder of foldersOf(samePath(to))) {
      const other = seen.get(folder);
      if (other)
        findings.add(messages.outputIsFolder(to, to.slice(0, folder.length)), toAt, [
          { message: messages.alsoHere, span: other },
        ]);
    }
}
