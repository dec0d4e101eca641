/** One entry under `clips`: a fan-out, a source, or a mapping with options; read in the scope that its `each` gives. */

import type { CutClip, EachSource, ExpressionValue, MapValue, Value } from '../../model/pipeline.ts';
import type { StepName } from '../../model/run/key.ts';
import { type CheckContext, checkExpressions } from '../checks/field-check.ts';
import type { BodyContext } from '../kinds/kind.ts';
import { messages } from '../messages/index.ts';
import { sourcesOf } from '../steps/fan-out-declaration.ts';
import { readCode } from '../types/cel.ts';
import { typeOf } from '../types/infer.ts';
import type { StepType } from '../types/path-types.ts';
import type { Type } from '../types/types.ts';
import { readMap, readValue } from '../types/values.ts';
import { type FileContext, readContextOf, typeScopeOf } from '../yaml/file-context.ts';
import { child, type MapNode, type Node } from '../yaml/syntax-tree.ts';
import { checkMedia, checkOption, checkOptions, type KnownKind, valueIn } from './check-option.ts';
import { CLIP, type ClipKind, DISSOLVE, isStill, OVERLAY, USELESS, VOICE } from './clip-options.ts';
import { hardCut } from './cut-options.ts';

/** @param nth from 1. Undefined where nothing can be made of it, which is reported. */
export function readClip(node: Node, nth: number, file: FileContext, context: BodyContext): CutClip | undefined {
  if (file.wrong.has(node) || isWrongSource(node, file)) return undefined;
  const called = `clip ${nth}`;
  const clip = node.is === 'map' ? clipOfMap(node, file, context) : shortClip(node, file, context);
  if (!clip) return undefined;
  checkClip(clip.clip, called, clip.each, nth === 1 && clip.clip.each.length === 0, clip.context);
  const from = valueIn(clip.clip.fields, 'from');
  const isList = from?.is === 'expression' && clip.context.typeOf(from).is === 'list';
  return { ...clip.clip, ...(isList && { isList }) };
}

/** What it shows stands under a key that is reported. */
const isWrongSource = (node: Node, { wrong }: FileContext): boolean =>
  node.is === 'map' &&
  !['from', 'title', 'beside', 'each'].some(name => child(node, name)) &&
  node.entries.some(({ value }) => wrong.has(value));

interface Clip {
  readonly clip: CutClip;
  /** What `each` reads. */
  readonly each: Type | undefined;
  /** With the scope of its `each`. */
  readonly context: BodyContext;
}

/** `- ${{ steps.credits }}`, `- media/intro.mp4` */
function shortClip(node: Node, file: FileContext, context: BodyContext): Clip {
  const value = readValue(node, { ...context, bare: 'told' });
  const step = value.is === 'expression' ? stepRead(value) : undefined;
  const type = step === undefined ? undefined : context.scope.steps.get(step);
  if (value.is === 'expression' && step !== undefined && type && type.coordinates.length > 0)
    return eachClip([{ step }], [value], { ...NO_OPTIONS, at: node.at }, file, context);
  const entries = [{ name: 'from', nameAt: node.at, value }];
  const fields: MapValue = { is: 'map', entries, at: node.at };
  return { clip: { at: node.at, each: [], follows: [], fields }, each: undefined, context };
}

function clipOfMap(node: MapNode, file: FileContext, context: BodyContext): Clip | undefined {
  const each = child(node, 'each');
  const own: MapNode = { ...node, entries: node.entries.filter(({ name }) => name !== 'each') };
  if (!each) {
    const fields = readMap(own, { ...context, bare: 'told' }, node.at);
    return { clip: { at: node.at, each: [], follows: [], fields }, each: undefined, context };
  }
  const { steps, step } = context.scope;
  const sources = sourcesOf(each, { step, steps: new Set(steps.keys()), wrong: file.wrong, context });
  if (!sources) return undefined;
  for (const source of sources) {
    const type = steps.get(source.step);
    if (type && type.result.is !== 'wrong' && type.coordinates.length === 0)
      return void context.findings.add(messages.eachOfSingle(source.step), source.at);
  }
  const nodes = each.is === 'map' ? each.entries.map(({ value }) => value) : [each];
  const follows = nodes.map(one => readValue(one, context)).filter(value => value.is === 'expression');
  return eachClip(sources, follows, own, file, context);
}

/** Its fields see the result as `each`, and the coordinates of the step and of the cut as `matrix`. */
function eachClip(
  sources: readonly { readonly step: string; readonly name?: string }[],
  follows: readonly ExpressionValue[],
  own: MapNode,
  file: FileContext,
  context: BodyContext,
): Clip {
  const { scope } = context;
  const types = sources.flatMap(({ step }) => scope.steps.get(step) ?? []);
  const matrix = new Map([...(scope.matrix ?? []), ...types.flatMap(({ matrix: own = new Map() }) => [...own])]);
  const coordinates = [...new Set([...scope.coordinates, ...types.flatMap(type => type.coordinates)])];
  const inside = typeScopeOf(scope.step, scope.steps, file, {
    types: matrix,
    each: sources,
    coordinates,
    broken: types.some(isBroken),
  });
  const reading = readContextOf(file, matrix);
  const clipContext: BodyContext = {
    ...context,
    ...reading,
    names: inside,
    scope: inside,
    typeOf: expression => typeOf(expression, inside, file.findings),
  };
  const fields = readMap(own, { ...reading, bare: 'told' }, own.at);
  const each: readonly EachSource[] = sources.map(({ step, name }) => ({
    step: step as StepName,
    ...(name !== undefined && { name }),
  }));
  const shows = ['from', 'title', 'beside'].some(name => valueIn(fields, name));
  const whole = shows ? fields : withResult(fields);
  return { clip: { at: fields.at, each, follows, fields: whole }, each: inside.each, context: clipContext };
}

const isBroken = ({ result }: StepType): boolean => result.is === 'wrong';
const NO_OPTIONS = { is: 'map', entries: [] } as const;

/** Without a field it is the result itself. */
const withResult = (fields: MapValue): MapValue => {
  const value: ExpressionValue = {
    is: 'expression',
    code: 'each',
    at: fields.at,
    reads: [{ root: 'each', path: [] }],
  };
  return { ...fields, entries: [{ name: 'from', nameAt: fields.at, value }, ...fields.entries] };
};

/** `steps.credits`, and nothing more. */
function stepRead(value: ExpressionValue): string | undefined {
  const read = readCode(value.code);
  const [root, name, ...rest] = read.is === 'path' ? read.selections[0].segments : [];
  return root?.name === 'steps' && rest.length === 0 ? name?.name : undefined;
}

function checkClip(
  { fields, each, at }: CutClip,
  name: string,
  result: Type | undefined,
  isFirst: boolean,
  context: BodyContext,
): void {
  const { findings } = context;
  const called = (option: string) => `\`${option}\` of ${name}`;
  const at1 = (option: string) => fields.entries.find(entry => entry.name === option)?.nameAt ?? at;
  checkOptions(fields, CLIP, called, context);
  const shown = ['title', 'from', 'beside'].filter(one => valueIn(fields, one));
  if (shown.length === 0) findings.add(messages.clipEmpty(), at);
  if (shown.length > 1) findings.add(messages.clipTwice(shown), at1(shown[1]!));
  const kind = shown.length === 1 ? kindOf(fields, called, { each, result }, context) : undefined;
  const voice = valueIn(fields, 'voice');
  if (voice) checkVoice(voice, called('voice'), context);
  const subtitles = valueIn(fields, 'subtitles');
  if (subtitles) checkSubtitleSource(subtitles, called('subtitles'), context);
  if (subtitles && !voice) findings.add(messages.clipVoiceWords(), at1('subtitles'));
  const join = valueIn(fields, 'join');
  if (join) checkJoin(join, called('join'), context);
  if (join && isFirst) findings.add(messages.clipFirstJoin(), at1('join'));
  const over = valueIn(fields, 'over');
  if (over) checkOverlays(over, `\`over\` of ${name}`, context);
  if (kind)
    for (const option of USELESS[kind])
      if (valueIn(fields, option)) findings.add(messages.clipOption(option, kind), at1(option));
  const length = valueIn(fields, 'for');
  if (kind && isStill(kind) && !length && !voice) findings.add(messages.clipFor(kind), at1(shown[0]!));
  const isForVoice = length?.is === 'literal' && length.value === 'voice';
  if (isForVoice && !voice) findings.add(messages.clipForVoice(), length.at);
  if (length && valueIn(fields, 'out') && !isForVoice && length.is === 'literal' && !(kind && isStill(kind)))
    findings.add(messages.clipForAndOut(), at1('out'));
  checkOrder(fields, context);
}

/** A clip ends after it has begun, as far as both are written out. */
function checkOrder(fields: MapValue, { findings }: BodyContext): void {
  const literal = (name: 'in' | 'out') => {
    const value = valueIn(fields, name);
    return value?.is === 'literal' ? CLIP[name].read(value.value) : undefined;
  };
  const [from = 0, to] = [literal('in'), literal('out')];
  const out = valueIn(fields, 'out');
  if (to !== undefined && out && to <= from) findings.add(messages.clipOrder(from, to), out.at);
}

/** What it shows, as far as it is known. */
function kindOf(
  fields: MapValue,
  called: (option: string) => string,
  { each, result }: { readonly each: CutClip['each']; readonly result: Type | undefined },
  context: BodyContext,
): ClipKind | undefined {
  const [from, beside] = [valueIn(fields, 'from'), valueIn(fields, 'beside')];
  if (beside) {
    checkBeside(beside, called('beside'), context);
    return 'beside';
  }
  if (!from) return 'title';
  const isWhole = from.is === 'expression' && from.code === 'each' && from.codeAt === undefined;
  if (isWhole && result?.is === 'record' && (result.leadsTo ?? 'none') === 'none') {
    const [source] = each;
    const named = source && source.name === undefined;
    context.findings.add(named ? messages.clipEach(result, source.step) : messages.clipJoined(), fields.at);
    return undefined;
  }
  const kind: KnownKind = checkMedia(from, 'picture', { called: called('from'), list: 'taken' }, context);
  return kind === 'audio' ? undefined : kind;
}

const MOST_BESIDE = 4;

function checkBeside(value: Value, called: string, context: BodyContext): void {
  if (value.is !== 'list') {
    checkMedia(value, 'picture', { called, list: 'taken' }, context);
    return;
  }
  if (value.items.length > MOST_BESIDE) context.findings.add(messages.besideCount(value.items.length), value.at);
  for (const item of value.items) checkMedia(item, 'picture', { called }, context);
}

function checkVoice(value: Value, called: string, context: BodyContext): void {
  if (value.is !== 'map') {
    checkMedia(value, 'sound', { called }, context);
    return;
  }
  checkOptions(value, VOICE, option => `\`${option}\` of the voice`, context);
  const from = valueIn(value, 'from');
  if (from) checkMedia(from, 'sound', { called }, context);
}

/** `cut`, or `{ dissolve: 0.4s }`. */
export function checkJoin(value: Value, called: string, context: BodyContext): void {
  if (value.is === 'map') checkOptions(value, DISSOLVE, () => `\`dissolve\` of ${called}`, context);
  else checkOption(value, { ...hardCut, takes: '`cut`, or `{ dissolve: 0.4s }`' }, called, context);
}

/** Words with their times are a value: of a file, its content is read by `data`. */
export function checkSubtitleSource(value: Value, called: string, context: BodyContext): void {
  const { findings } = context;
  if (value.is === 'literal' && typeof value.value === 'string' && !value.value.includes('\n')) {
    findings.add(messages.subtitleSource(JSON.stringify(value.value)), value.at);
    return;
  }
  checkExpressions(value, context);
  const type = value.is === 'expression' ? context.typeOf(value) : undefined;
  if (!type) return;
  const isValue =
    type.is === 'any' ||
    type.is === 'wrong' ||
    type.is === 'list' ||
    type.is === 'map' ||
    type.is === 'null' ||
    (type.is === 'text' && (type.leadsTo ?? 'none') === 'none') ||
    (type.is === 'record' && type.cel === 'Json');
  if (!isValue)
    findings.add(
      messages.cutType(called, 'words with their times: the JSON of whisper, SRT, VTT or a list', type),
      value.at,
    );
}

/** `over`: words or a picture over the picture, one or a list of them. */
const overlaysIn = (value: Value): readonly MapValue[] =>
  value.is === 'map' ? [value] : value.is === 'list' ? value.items.filter(item => item.is === 'map') : [];

export function checkOverlays(value: Value, called: string, context: CheckContext): void {
  for (const overlay of overlaysIn(value)) checkOverlay(overlay, called, context);
}

function checkOverlay(overlay: MapValue, called: string, context: CheckContext): void {
  const { findings } = context;
  checkOptions(overlay, OVERLAY, option => `\`${option}\` of ${called}`, context);
  const [text, from, size] = ['text', 'from', 'size'].map(name => overlay.entries.find(entry => entry.name === name));
  if (!text && !from) findings.add(messages.overlayEmpty(), overlay.at);
  if (text && from) findings.add(messages.overlayTwice(), from.nameAt);
  if (text && size && !from) findings.add(messages.overlaySize(), size.nameAt);
  const source = valueIn(overlay, 'from');
  if (source) checkMedia(source, 'picture', { called: `\`from\` of ${called}` }, context);
}
