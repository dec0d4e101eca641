/** `steps:`: first what each step is and gives, so that expressions can be typed; then every step on its own. */
import type { Span } from '../domain/diagnostic.ts';
import type { StepName } from '../domain/key.ts';
import { fieldOf } from '../domain/model.ts';
import { nearest } from '../domain/nearest.ts';
import type { ExpressionValue, MapValue, Step, Value } from '../domain/pipeline.ts';
import { withMessages } from './chat-messages.ts';
import type { Edges } from './cycles.ts';
import { collectEdges } from './edges.ts';
import { fanOutOf } from './fan-out-declaration.ts';
import { checkField } from './field-check.ts';
import type { Findings } from './findings.ts';
import { typeOf } from './infer.ts';
import { checkCounts } from './instance-counts.ts';
import { readCommand } from './kinds/command.ts';
import { messages } from './messages/index.ts';
import type { ResolvedModel } from './model-references.ts';
import type { OutputSource, SavedStep } from './output-declarations.ts';
import type { StepType } from './path-types.ts';
import { checkExpressions, checkRequest } from './request-check.ts';
import {
  type FileContext,
  type ResolvedFanOut,
  readContextOf,
  readSignature,
  resolveFanOuts,
  type StepSignature,
  typeScopeOf,
} from './signatures.ts';
import { child, type MapNode, type Node } from './syntax-tree.ts';
import { readCache, readTimeout } from './timeouts.ts';
import { type Type, WRONG } from './types.ts';
import { type ReadContext, readMap, readValue } from './values.ts';

export interface Steps {
  /** Sound ones only; all of them when there is no error. */
  readonly list: readonly Step[];
  readonly edges: Edges;
  readonly views: ReadonlyMap<string, StepType>;
  readonly sources: ReadonlyMap<string, OutputSource>;
  readonly saves: readonly SavedStep[];
}

export function readSteps(section: Node | undefined, around: FileContext): Steps {
  const drafts = new Map<string, StepSignature>();
  const views = new Map<string, StepType>();
  for (const entry of section?.is === 'map' ? section.entries : []) {
    const draft = readSignature(entry, around);
    if (draft) drafts.set(entry.name, draft);
    views.set(entry.name, { result: draft?.result ?? WRONG, coordinates: [] });
  }
  const fanOuts = resolveFanOuts(drafts, views, around);
  checkCounts(fanOuts, drafts, around.findings);
  const sources = new Map<string, OutputSource>();
  const saves: SavedStep[] = [];
  const edges = new Map<string, ReadonlyMap<string, Span>>();
  const list: Step[] = [];
  const used = new Set<string>();
  for (const name of views.keys()) {
    const draft = drafts.get(name);
    const fan = fanOuts.get(name);
    sources.set(name, {
      coordinates: views.get(name)!.coordinates,
      single: fan?.single ?? new Set(),
      files: draft?.files,
      makes: draft?.model?.model?.produces,
      paths: draft?.kind === 'run' ? pathsOf(draft.node) : undefined,
      broken: !draft || !fan || fan.broken,
    });
    if (!draft || !fan) continue;
    const { step, upstream, save } = readStep(draft, fan, views, around, used);
    edges.set(name, upstream);
    if (save) saves.push(save);
    if (step) list.push(step);
  }
  checkUnusedDefaults(around, drafts, used);
  return { list, edges, views, sources, saves };
}

/** What a command calls the files it creates, where it is written out. */
function pathsOf(node: MapNode): ReadonlyMap<string, string> {
  const creates = child(node, 'creates');
  const entries = creates?.is === 'map' ? creates.entries : [];
  return new Map(
    entries.flatMap(({ name, value }) =>
      value.is === 'scalar' && typeof value.value === 'string' ? [[name, value.value] as const] : [],
    ),
  );
}

function readStep(
  draft: StepSignature,
  fan: ResolvedFanOut,
  steps: ReadonlyMap<string, StepType>,
  around: FileContext,
  used: Set<string>,
) {
  const { node, name, at } = draft;
  const { findings, defaults } = around;
  const reading = readContextOf(around, fan.types);
  const view = typeScopeOf(name, steps, around, fan);
  const place = { findings, typeOf: (expression: ExpressionValue) => typeOf(expression, view, findings) };
  const upstream = new Map<string, Span>();
  if (fan.each) upstream.set(fan.each.step, fan.each.at);
  const needs = readNeeds(child(node, 'needs'), name, steps, findings);
  for (const need of needs) if (!upstream.has(need.name)) upstream.set(need.name, need.at);
  const condition = readIf(child(node, 'if'), reading, place);
  const describe = child(node, 'description');
  const timeout = readTimeout(child(node, 'timeout') ?? (defaults && child(defaults, 'timeout')), findings);
  const common = {
    name: name as StepName,
    at,
    ...(describe?.is === 'scalar' && typeof describe.value === 'string' ? { description: describe.value } : {}),
    needs: needs.map(need => need.name as StepName),
    ...(condition ? { if: condition } : {}),
    fanOut: fanOutOf(fan),
    ...(timeout ? { timeout } : {}),
    cache: readCache(node) ?? readCache(defaults) ?? true,
  };
  const body =
    draft.kind === 'run'
      ? readCommandBody(draft, around, reading, place)
      : draft.kind === 'tokenize'
        ? readTokenizeBody(draft, around.wrong, reading, place)
        : readGenerateBody(draft, around, reading, place, used);
  for (const value of [condition, ...(body ? valuesOf(body) : [])])
    if (value) collectEdges(value, name, steps, findings, upstream);
  const step: Step | undefined = body && { ...common, upstream: [...upstream.keys()] as StepName[], ...body };
  const save = node.entries.find(entry => entry.name === 'save');
  return { step, upstream, save: save && { step: name, at: save.nameAt, node: save.value } };
}

interface Place {
  readonly findings: Findings;
  readonly typeOf: (expression: ExpressionValue) => Type;
}

function readCommandBody({ node }: StepSignature, around: FileContext, reading: ReadContext, place: Place) {
  const command = readCommand(node, around.wrong, reading, place);
  return command && ({ kind: 'run', ...command } as const);
}

function readTokenizeBody({ node }: StepSignature, wrong: ReadonlySet<Node>, reading: ReadContext, place: Place) {
  const section = child(node, 'tokenize');
  const part = (name: string): Value | undefined => {
    const given = section?.is === 'map' ? child(section, name) : undefined;
    if (!given || wrong.has(given)) return undefined;
    const value = readValue(given, reading);
    checkField(value, { type: 'string' }, { ...place, called: `\`${name}\`` });
    return value;
  };
  const [repository, fineTune] = [part('repository'), part('fine_tune')];
  if (
    repository?.is === 'literal' &&
    typeof repository.value === 'string' &&
    !/^[^/\s]+\/[^/\s]+$/.test(repository.value)
  )
    place.findings.add(messages.badRepository(repository.value), repository.at);
  return repository && fineTune && ({ kind: 'tokenize', repository, fineTune } as const);
}

function readGenerateBody(
  { node, model, schema }: StepSignature,
  around: FileContext,
  reading: ReadContext,
  place: Place,
  used: Set<string>,
) {
  const section = child(node, 'with');
  const own = readMap(section?.is === 'map' ? section : undefined, reading, node.at);
  if (!model) {
    checkExpressions(own, place);
    return undefined;
  }
  const produces = model.model?.produces ?? 'media';
  const asked = produces === 'text' ? withMessages(own, around.findings) : own;
  const filled = fillDefaults(asked, model, around.defaults, reading, used);
  checkRequest(filled, model, place);
  const schemaAt = node.entries.find(entry => entry.name === 'schema')?.nameAt;
  if (schemaAt && produces !== 'text') around.findings.add(messages.schemaOfMedia(model.id, produces), schemaAt);
  const via = child(node, 'via');
  const sync = via?.is === 'scalar' && via.value === 'sync' ? (true as const) : undefined;
  if (via && produces === 'text') around.findings.add(messages.syncChat(model.id), via.at);
  return {
    kind: 'generate',
    model: model.id,
    modelAt: model.at,
    with: filled,
    ...(sync ? { sync } : {}),
    ...(schema && schemaAt ? { schema: { value: schema, at: schemaAt } } : {}),
  } as const;
}

/** A default goes only where the model has the field: nothing is known of the fields of a catalog id. */
function fillDefaults(
  own: MapValue,
  { model }: ResolvedModel,
  defaults: MapNode | undefined,
  reading: ReadContext,
  used: Set<string>,
): MapValue {
  const section = defaults && child(defaults, 'with');
  if (section?.is !== 'map' || !model) return own;
  const filling = section.entries.filter(({ name }) => fieldOf(model, name) !== undefined);
  for (const { name } of filling) used.add(name);
  const missing = filling.filter(({ name }) => !own.entries.some(entry => entry.name === name));
  if (missing.length === 0) return own;
  const entries = missing.map(({ name, nameAt, value }) => ({ name, nameAt, value: readValue(value, reading) }));
  return { ...own, entries: [...own.entries, ...entries] };
}

function checkUnusedDefaults(
  { defaults, findings }: FileContext,
  drafts: ReadonlyMap<string, StepSignature>,
  used: ReadonlySet<string>,
): void {
  const section = defaults && child(defaults, 'with');
  const models = [...drafts.values()].map(draft => draft.model);
  // While a model is unknown nobody can say that a default has no use.
  if (section?.is !== 'map' || [...drafts.values()].some(draft => draft.kind === 'generate' && !draft.model)) return;
  const known = new Set(models.flatMap(model => Object.keys(model?.model?.request.properties ?? {})));
  for (const { name, nameAt } of section.entries)
    if (!used.has(name)) findings.add(messages.unusedDefault(name, nearest(name, known)), nameAt);
}

function readNeeds(node: Node | undefined, step: string, steps: ReadonlyMap<string, StepType>, findings: Findings) {
  const items = node?.is === 'list' ? node.items : node ? [node] : [];
  const needs: { name: string; at: Span }[] = [];
  for (const item of items) {
    if (item.is !== 'scalar' || typeof item.value !== 'string') continue;
    if (item.value.includes('${{')) findings.add(messages.needsName(item.value), item.at);
    else if (item.value === step) findings.add(messages.selfNeed(step), item.at);
    else if (!steps.has(item.value))
      findings.add(messages.unknownNeed(step, item.value, nearest(item.value, steps.keys())), item.at);
    else if (!needs.some(need => need.name === item.value)) needs.push({ name: item.value, at: item.at });
  }
  return needs;
}

function readIf(node: Node | undefined, reading: ReadContext, place: Place): Value | undefined {
  if (node?.is !== 'scalar' || (typeof node.value !== 'string' && typeof node.value !== 'boolean')) return undefined;
  const value = readValue(node, reading);
  if (value.is === 'text' || (value.is === 'literal' && typeof value.value !== 'boolean'))
    place.findings.add(messages.ifText(), node.at);
  if (value.is !== 'expression') return value;
  const type = place.typeOf(value);
  if (type.is !== 'bool' && type.is !== 'any' && type.is !== 'wrong')
    place.findings.add(messages.ifNotBool(type), value.at);
  return value;
}

type Body = NonNullable<ReturnType<typeof readCommandBody | typeof readTokenizeBody | typeof readGenerateBody>>;

function valuesOf(body: Body): readonly Value[] {
  if (body.kind === 'generate') return [body.with];
  if (body.kind === 'tokenize') return [body.repository, body.fineTune];
  return [body.env, body.files, body.creates, ...('argv' in body.command ? body.command.argv : [])];
}
