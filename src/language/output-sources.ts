/** What an output is made from: a step's result, one file of a command, an output of a used file, or a frame or the sound of any of these. */

import type { Span } from '../model/diagnostic.ts';
import {
  DERIVED_FIELDS,
  type DerivedField,
  type DerivedPart,
  exact,
  isDerivedField,
  timeIn,
} from '../model/media/derived-media.ts';
import type { MediaKind } from '../model/media/media.ts';
import type { ExpressionValue, OutputForm } from '../model/pipeline.ts';
import type { StepName } from '../model/run/key.ts';
import { nearest } from '../model/text/nearest.ts';
import type { OfferedOutput } from './checks/file-offer.ts';
import type { Findings } from './checks/findings.ts';
import { plainlyWritten, type Segment } from './expression/tree.ts';
import { withoutChoice } from './kinds/pick-candidates.ts';
import { messages } from './messages/index.ts';
import { type Code, readCode } from './types/cel.ts';
import { typeOf } from './types/infer.ts';
import type { TypeScope } from './types/path-types.ts';
import { type CreatedPath, FRAME, isOrMayBeVideo, promiseOf, type Type, WRONG } from './types/types.ts';
import { placeInCode, type ReadContext, readValue } from './types/values.ts';
import type { Node } from './yaml/syntax-tree.ts';

/** What outputs need to know of a step. */
export interface OutputSource {
  /** Names of the coordinates of its instances. */
  readonly coordinates: readonly string[];
  /** What each of them holds, as far as that is known. */
  readonly axes?: ReadonlyMap<string, Type> | undefined;
  /** Coordinates that certainly have several values, each in every combination, or of which that is unknown before the run: a path must name them. */
  readonly several: ReadonlySet<string>;
  /** The files that its result names. Undefined: its result is one thing. */
  readonly creates?: ReadonlyMap<string, CreatedPath> | undefined;
  /** What its result is, where that is one thing and known. */
  readonly produces?: MediaKind | 'text' | undefined;
  /** It is an ordered list, whatever the coordinates. */
  readonly isMany?: true | undefined;
  /** Of a step that uses another file: what that gives. */
  readonly outputs?: ReadonlyMap<string, OfferedOutput> | undefined;
  /** The type of one of its results. */
  readonly result?: Type | undefined;
  /** What can be made of it beside what it is. */
  readonly forms?: readonly OutputForm[] | undefined;
  /** Something about it is wrong already: nothing is judged by it. */
  readonly broken: boolean;
}

/** What an output is made from: the step that its author names, and what that is as an output. */
export interface From {
  readonly step: string;
  readonly file: string | undefined;
  readonly source: OutputSource;
  readonly offered: OfferedOutput;
}

export function sourceOf(step: string, source: OutputSource, file: string | undefined): From {
  const { coordinates, several, creates, produces, forms, isMany = false, result = WRONG } = source;
  const created = file === undefined ? undefined : creates?.get(file);
  const named = { from: step as StepName, ...(file !== undefined && { file }) };
  const maker = { ...named, ...((created?.isList || isMany) && { list: true as const }) };
  const made = file === undefined ? produces : promiseOf(created?.path ?? '');
  const one = isMany && result.is === 'list' ? result.of : result;
  const given = file === undefined ? one : fieldOf(fieldOf(one, 'files'), file);
  const type = withoutChoice(created?.isList && given.is === 'list' ? given.of : given);
  const isList = coordinates.length > 0 || created?.isList === true || isMany;
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

export function readFrom(
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
  /** `steps.shot.frame_at('2.5s')`: the call, and its time. */
  readonly frame?: FrameCall;
}

interface FrameCall {
  readonly place: Segment;
  /** Seconds; undefined where that is no time. */
  readonly at: number | undefined;
  readonly written: string;
}

/** A path, or a frame of the value at one. */
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

/** The result itself, or what is made of it: a frame or the sound of a video. */
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
