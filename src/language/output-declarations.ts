/** `outputs:` and `save:`: which results go where, and that no two of them go to one place. */
import {
  DERIVED_FIELDS,
  type DerivedField,
  type DerivedPart,
  exact,
  isDerivedField,
  timeIn,
} from '../domain/derived-media.ts';
import type { Span } from '../domain/diagnostic.ts';
import type { StepName } from '../domain/key.ts';
import type { MediaKind } from '../domain/media.ts';
import { nearest } from '../domain/nearest.ts';
import type { ExpressionValue, Output, OutputForm } from '../domain/pipeline.ts';
import { type Code, readCode } from './cel.ts';
import { plainlyWritten } from './expression/plainly-written.ts';
import type { Segment } from './expression/tree.ts';
import type { Findings } from './findings.ts';
import { typeOf } from './infer.ts';
import { messages } from './messages/index.ts';
import type { OfferedOutput } from './offer.ts';
import { foldersOf, outputProblem, samePath } from './output-path.ts';
import type { TypeScope } from './path-types.ts';
import { leavesFolder } from './relative-path.ts';
import { child, type MapNode, type Node } from './syntax-tree.ts';
import { type CreatedPath, FRAME, isOrMayBeVideo, promiseOf, type Type, WRONG } from './types.ts';
import { placeInCode, type ReadContext, readValue } from './values.ts';

/** What outputs need to know of a step. */
export interface OutputSource {
  /** Names of the coordinates of its instances. */
  readonly coordinates: readonly string[];
  /** Coordinates that certainly have several values, each in every combination, or of which nobody can tell before the run: a path must name them. */
  readonly several: ReadonlySet<string>;
  /** The files that its result names. Undefined: its result is one thing. */
  readonly creates?: ReadonlyMap<string, CreatedPath> | undefined;
  /** What its result is, where that is one thing and known. */
  readonly produces?: MediaKind | 'text' | undefined;
  /** Of a step that uses another file: what that gives. */
  readonly outputs?: ReadonlyMap<string, OfferedOutput> | undefined;
  /** The type of one of its results. */
  readonly result?: Type | undefined;
  /** What can be made of it beside what it is. */
  readonly forms?: readonly OutputForm[] | undefined;
  /** Something about it is wrong already: nothing is judged by it. */
  readonly broken: boolean;
}

export interface SavedStep {
  readonly step: string;
  readonly at: Span;
  readonly node: Node;
}

export interface Outputs {
  readonly list: readonly Output[];
  /** The same for whoever uses this file. */
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
    outputs.push({ name: entry.name, at: entry.nameAt, ...from.offered.maker, ...(as && { as }), ...to });
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

/** What an output is made from: the step that its author names, and what that is as an output. */
interface From {
  readonly step: string;
  readonly file: string | undefined;
  readonly source: OutputSource;
  readonly offered: OfferedOutput;
}

function sourceOf(step: string, source: OutputSource, file: string | undefined): From {
  const { coordinates, several, creates, produces, forms, result = WRONG } = source;
  const created = file === undefined ? undefined : creates?.get(file);
  const named = { from: step as StepName, ...(file !== undefined && { file }) };
  const maker = { ...named, ...(created?.isList && { list: true as const }) };
  const made = file === undefined ? produces : promiseOf(created?.path ?? '');
  const given = file === undefined ? result : fieldOf(fieldOf(result, 'files'), file);
  const type = created?.isList && given.is === 'list' ? given.of : given;
  const isList = coordinates.length > 0 || created?.isList === true;
  const own = file === undefined ? { forms } : {};
  const offered = { maker, ...named, type, isList, coordinates, several, ...(made && { produces: made }), ...own };
  return { step, file, source, offered };
}

const fieldOf = (type: Type, name: string): Type => (type.is === 'record' && type.fields.get(name)) || WRONG;

/** An output of a file that the step uses: it has the coordinates of both. */
function sourceInside(step: string, source: OutputSource, name: string, inner: OfferedOutput): From {
  const { maker, type, isList, produces, forms } = inner;
  const coordinates = [...new Set([...source.coordinates, ...inner.coordinates])];
  const several = new Set([...source.several, ...inner.several]);
  const from = step as StepName;
  const offered = {
    ...{ from, output: name, type, coordinates, several, produces, forms },
    maker: { ...maker, from: `${step}/${maker.from}` as StepName },
    isList: isList || source.coordinates.length > 0,
  };
  return { step, file: undefined, source: { coordinates, several, produces, forms, broken: source.broken }, offered };
}

function readFrom(
  node: Node | undefined,
  sources: ReadonlyMap<string, OutputSource>,
  context: ReadContext,
  scope: TypeScope,
): From | undefined {
  if (node?.is !== 'scalar' || typeof node.value !== 'string') return undefined;
  const { findings } = context;
  const before = findings.list.length;
  const value = readValue(node, context);
  if (findings.list.length > before) return undefined;
  const read = value.is === 'expression' ? readCode(value.code) : undefined;
  const named = value.is === 'expression' && read ? namedIn(read) : undefined;
  if (value.is !== 'expression' || (read?.is !== 'broken' && named?.path[0].name !== 'steps')) {
    const [, meant = ''] = /^\s*(?:steps\.)?(\w+)/.exec(node.value) ?? [];
    findings.add(messages.outputFrom(sources.has(meant) ? meant : undefined), node.at);
    return undefined;
  }
  const [, name, ...path] = named?.path ?? [];
  const source = name && sources.get(name.name);
  if (!name || !source) {
    typeOf(value, scope, findings);
    return undefined;
  }
  const frame = named?.frame;
  const at = (one: Segment) => placeInCode(findings.source.text, value, one.start, one.end);
  const taking = (from: From, called: string, rest: readonly Segment[]): From | undefined =>
    takenOf(from, called, rest, frame, value, findings, at);
  if (source.outputs) return readFromUse(name.name, source, path, value, findings, taking);
  const files = source.creates && [...source.creates.keys()];
  const [field, file, ...rest] = path;
  if (files && field?.name === 'files' && file) {
    const known = `steps.${name.name}.files`;
    if (files.includes(file.name)) return taking(sourceOf(name.name, source, file.name), `${known}.${file.name}`, rest);
    const what = messages.unknownField(file.name, known, 'the files of a command', nearest(file.name, files), files);
    findings.add(what, at(file));
    return undefined;
  }
  if (!files) return taking(sourceOf(name.name, source, undefined), `steps.${name.name}`, path);
  if (field === undefined && source.broken) return sourceOf(name.name, source, undefined);
  findings.add(messages.outputWhichFile(name.name, files), value.at);
  return undefined;
}

interface Named {
  readonly path: readonly [Segment, ...Segment[]];
  /** `steps.shot.frame_at('2.5s')`: the call, and what it is told. */
  readonly frame?: FrameCall;
}

interface FrameCall {
  readonly place: Segment;
  /** Seconds; undefined where that is no time. */
  readonly at: number | undefined;
  readonly written: string;
}

/** A path, or a frame of what stands at one. */
function namedIn(read: Code): Named | undefined {
  if (read.is === 'path') return { path: read.selections[0].segments };
  if (read.is !== 'program' || read.tree.op !== 'call' || !read.tree.isMethod) return undefined;
  const { name, args } = read.tree;
  const [of, time, ...more] = args;
  if (name.name !== 'frame_at' || of?.op !== 'read' || !time || more.length > 0) return undefined;
  const written = plainlyWritten(time);
  if (written === undefined) return undefined;
  const at = typeof written === 'number' ? exact(written) : timeIn(written);
  return { path: of.segments, frame: { place: name, at, written: String(written) } };
}

/** The result itself, or what stands behind it: a frame or the sound of a video. */
function takenOf(
  from: From,
  called: string,
  [field, ...more]: readonly Segment[],
  frame: FrameCall | undefined,
  value: ExpressionValue,
  findings: Findings,
  at: (one: Segment) => Span,
): From | undefined {
  const { type } = from.offered;
  const place = field ?? frame?.place;
  if (place === undefined || type.is === 'wrong') return from;
  if (more.length > 0 || (field && frame)) return void findings.add(messages.outputFromField(called), value.at);
  const isPart = frame !== undefined || isDerivedField(place.name);
  if (isPart && isOrMayBeVideo(type)) {
    if (frame && frame.at === undefined)
      return void findings.add(messages.callRefused(messages.badFrameTime(frame.written)), at(place));
    return withPart(
      from,
      frame?.at === undefined ? { is: place.name as DerivedField } : { is: 'frame_at', at: frame.at },
    );
  }
  const near = isOrMayBeVideo(type) ? nearest(place.name, DERIVED_FIELDS) : undefined;
  if (type.is === 'record' && (isPart || near !== undefined)) {
    const unknown = messages.unknownField(place.name, called, type.called, near, [...type.fields.keys()]);
    return void findings.add(messages.foreignField(place.name, called, type) ?? unknown, at(place));
  }
  return void findings.add(messages.outputFromField(called), value.at);
}

function withPart(from: From, part: DerivedPart): From {
  const isSound = part.is === 'sound';
  const { offered } = from;
  const type: Type = isSound ? { is: 'text', leadsTo: 'audio' } : FRAME;
  const maker = { ...offered.maker, part };
  return { ...from, offered: { ...offered, maker, part, type, produces: isSound ? 'audio' : 'image' } };
}

/** `${{ steps.cleaned.outputs.film }}` */
function readFromUse(
  step: string,
  source: OutputSource,
  path: readonly Segment[],
  value: ExpressionValue,
  findings: Findings,
  taking: (from: From, called: string, rest: readonly Segment[]) => From | undefined,
): From | undefined {
  const [field, name, ...rest] = path;
  const known = [...(source.outputs?.keys() ?? [])];
  const inner = name && source.outputs?.get(name.name);
  if (field?.name === 'outputs' && inner)
    return taking(sourceInside(step, source, name.name, inner), `steps.${step}.outputs.${name.name}`, rest);
  if (source.broken) return undefined;
  if (field?.name === 'outputs' && name && !inner) {
    const what = messages.unknownField(
      name.name,
      `steps.${step}.outputs`,
      'the outputs of `uses`',
      nearest(name.name, known),
      known,
    );
    findings.add(what, placeInCode(findings.source.text, value, name.start, name.end));
  } else findings.add(messages.outputOfUse(step, known), value.at);
  return undefined;
}

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
    // `{scene.slug}` names a column of the row that tells its instances apart.
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
    const missing = source.coordinates.filter(name => !names.includes(name) && source.several.has(name));
    const misspelt = names.some(name => !known.includes(name));
    if (missing.length > 0 && !misspelt) findings.add(messages.collision(step, missing), node.at);
    if (many && !named.includes(NUMBER) && !misspelt) findings.add(messages.listInOnePath(), node.at);
  }
  return { to: path, toAt: node.at };
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
