/** A `model` step: one request, its fields filled up from `defaults.with`; of a chat model, `schema` types the answer. */
import { fieldOf, type Model } from '../../model/model.ts';
import type { MapValue } from '../../model/pipeline.ts';
import { nearest } from '../../model/text/nearest.ts';
import { checkExpressions, checkRequest } from '../checks/field-check.ts';
import { messages } from '../messages/index.ts';
import { chatFields, checkImages, withMessages, withRightWords } from '../steps/chat-prompt.ts';
import type { ResolvedModel } from '../steps/model-references.ts';
import { readOnTimeout } from '../steps/timeouts.ts';
import { type AnswerSchema, readAnswerSchema, schemaValue, typeOfSchema } from '../types/answer-schema.ts';
import { readCode } from '../types/cel.ts';
import { ANY, join, mediaResult, NO_SCHEMA, type Type, textResult, WRONG } from '../types/types.ts';
import { type ReadContext, readMap, readValue } from '../types/values.ts';
import type { FileContext } from '../yaml/file-context.ts';
import { child, type MapNode, type Node } from '../yaml/syntax-tree.ts';
import type { Body, BodyContext, Kind, Signature } from './kind.ts';

export const generate: Kind<'generate'> = {
  key: 'model',
  keys: ['with', 'only', 'via', 'schema', 'until', 'on_timeout'],
  does: 'one request',
  called: 'a request to a model',
  readSignature,
};

function readSignature(step: MapNode, file: FileContext): Signature<'generate'> {
  const axis = readModelAxis(step, file);
  const named = axis === undefined ? file.models(child(step, 'model')) : undefined;
  const models = typeof axis === 'object' ? [...axis.models.values()] : named ? [named] : [];
  const schema = readAnswerSchema(child(step, 'schema'), file);
  checkOnly(step, typeof axis === 'object' ? axis : undefined, file);
  const [first] = models;
  if (!first)
    return {
      result: { type: WRONG },
      fields: 'unknown',
      readBody: context => void checkExpressions(given(step, context), context),
    };
  const answer = typeOfAnswer(step, schema, file);
  const produces = new Set(models.map(({ model }) => model?.produces));
  return {
    result: {
      type: models.map(({ model }) => typeOfResult(model, answer)).reduce(join),
      ...(produces.size === 1 && { produces: first.model?.produces }),
    },
    fields: fieldsOf(models),
    readBody: context =>
      file.wrong.has(child(step, 'with') ?? step)
        ? undefined
        : typeof axis === 'object'
          ? readVariants(step, axis, schema, file, context)
          : readBody(step, first, schema, file, context),
  };
}

/** The step as each of its models makes it. Whatever kind each is, all of them are checked. */
function readVariants(
  step: MapNode,
  { axis, models }: ModelAxis,
  schema: AnswerSchema | undefined,
  file: FileContext,
  context: BodyContext,
): Body<'generate'> | undefined {
  const bodies = [...models].map(([name, model]) => {
    const only = fieldsOfOnly(step, name);
    return [name, readBody(withFields(step, only), model, schema, file, context)] as const;
  });
  const first = bodies[0]?.[1];
  if (!first) return undefined;
  const variants = new Map(bodies.map(([name, body]) => [name, body.step]));
  return { step: { ...first.step, byModel: { axis, variants } }, values: bodies.flatMap(([, body]) => body.values) };
}

/** A field of one model replaces the one for all. */
function withFields(step: MapNode, only: MapNode | undefined): MapNode {
  if (!only) return step;
  const section = child(step, 'with');
  const shared = section?.is === 'map' ? section.entries : [];
  const own = new Set(only.entries.map(({ name }) => name));
  const fields = { ...only, entries: [...shared.filter(({ name }) => !own.has(name)), ...only.entries] };
  const others = step.entries.filter(({ name }) => name !== 'with');
  return { ...step, entries: [...others, { name: 'with', nameAt: step.at, value: fields }] };
}

/** A chat that is asked for JSON in its request alone may give any. */
function typeOfAnswer(step: MapNode, schema: AnswerSchema | undefined, { defaults, findings }: FileContext): Type {
  if (child(step, 'schema')) return typeOfSchema(schema?.json, findings.source);
  const asked = [step, defaults].some(map => {
    const section = map && child(map, 'with');
    return section?.is === 'map' && child(section, 'response_format') !== undefined;
  });
  return asked ? ANY : NO_SCHEMA;
}

/** Nothing is known of the result of a catalog id, except that it is media. */
function typeOfResult(model: Model | undefined, answer: Type): Type {
  const produces = model?.produces ?? 'media';
  return produces === 'text' ? textResult(answer) : mediaResult(produces);
}

/** Of the models that are known here; undefined where none is. */
function fieldsOf(resolved: readonly ResolvedModel[]) {
  const models = resolved.flatMap(({ model }) => model ?? []);
  if (models.length === 0) return undefined;
  return {
    names: models.flatMap(model => [...Object.keys(model.request.properties), ...Object.keys(wordsOf(model))]),
    has: (name: string) =>
      models.some(model => fieldOf(model, name) !== undefined || Object.hasOwn(wordsOf(model), name)),
  };
}

/** The words for the messages of a chat. */
const wordsOf = (model: Model) => (model.produces === 'text' ? chatFields(model) : {});

function given(step: MapNode, context: ReadContext): MapValue {
  const section = child(step, 'with');
  return readMap(section?.is === 'map' ? section : undefined, { ...context, bare: 'told' }, step.at);
}

function readBody(
  step: MapNode,
  model: ResolvedModel,
  schema: AnswerSchema | undefined,
  file: FileContext,
  context: BodyContext,
): Body<'generate'> {
  const { defaults, library } = file;
  const { findings } = context;
  const isChat = model.model?.produces === 'text';
  const filled = fillDefaults(given(step, context), model, defaults, context);
  const looks = isChat && model.model;
  const request = looks ? withMessages(withRightWords(filled, looks, findings), findings) : filled;
  checkRequest(looks ? checkImages(request, looks, library, context) : request, model, context);
  const schemaAt = step.entries.find(entry => entry.name === 'schema')?.nameAt;
  if (schemaAt && !isChat) findings.add(messages.schemaOfMedia(model.id, model.model?.produces ?? 'media'), schemaAt);
  const answer = schema && schemaAt && { value: schemaValue(schema, context), at: schemaAt };
  const via = child(step, 'via');
  if (via && isChat) findings.add(messages.syncChat(model.id), via.at);
  const isSync = via?.is === 'scalar' && via.value === 'sync';
  const onTimeout = readOnTimeout(step, isChat || isSync, file);
  return {
    step: {
      kind: 'generate',
      model: model.id,
      modelAt: model.at,
      with: request,
      ...(isSync ? { sync: true } : {}),
      ...(onTimeout ? { onTimeout } : {}),
      ...(answer ? { schema: answer } : {}),
    },
    values: answer ? [request, answer.value] : [request],
  };
}

/** A default goes only where the model has the field: nothing is known of the fields of a catalog id. */
function fillDefaults(
  own: MapValue,
  { model }: ResolvedModel,
  defaults: MapNode | undefined,
  context: ReadContext,
): MapValue {
  const section = defaults && child(defaults, 'with');
  if (section?.is !== 'map' || !model) return own;
  const isGiven = (name: string) => own.entries.some(entry => entry.name === name);
  const words = Object.keys(wordsOf(model));
  // Messages and the words that stand for them are never given both.
  const takes = (name: string) =>
    words.includes(name)
      ? !isGiven('messages') && (isGiven('prompt') || child(section, 'prompt') !== undefined)
      : fieldOf(model, name) !== undefined && (name !== 'messages' || !words.some(isGiven));
  const missing = section.entries.filter(({ name }) => takes(name) && !isGiven(name));
  if (missing.length === 0) return own;
  const entries = missing.map(({ name, nameAt, value }) => ({ name, nameAt, value: readValue(value, context) }));
  return { ...own, entries: [...own.entries, ...entries] };
}

/** `model: ${{ matrix.by }}`: a step with an axis as its model is one step for each of the models that the axis lists. */
interface ModelAxis {
  readonly axis: string;
  /** By the axis's own value, in its order. Without those that are no models, which are reported. */
  readonly models: ReadonlyMap<string, ResolvedModel>;
}

/** Undefined where the model is a name; `wrong` where it is computed in a way that cannot be checked, which is reported. */
function readModelAxis(step: MapNode, file: FileContext): ModelAxis | 'wrong' | undefined {
  const node = child(step, 'model');
  if (node?.is !== 'scalar' || typeof node.value !== 'string' || !node.value.includes('${{')) return undefined;
  const code = /^\s*\$\{\{(.*)\}\}\s*$/s.exec(node.value)?.[1]?.trim() ?? '';
  const read = readCode(code);
  const [root, axis, ...rest] = read.is === 'path' ? read.selections[0].segments : [];
  if (root?.name !== 'matrix' || !axis || rest.length > 0) {
    file.findings.add(messages.computedModel(node.value), node.at);
    return 'wrong';
  }
  const matrix = child(step, 'matrix');
  const values = matrix?.is === 'map' ? child(matrix, axis.name) : undefined;
  const listed = values?.is === 'list' ? values.items : [];
  if (listed.length === 0 || !listed.every(isName)) {
    file.findings.add(messages.modelAxisList(axis.name), values?.at ?? node.at);
    return 'wrong';
  }
  const models = new Map<string, ResolvedModel>();
  for (const item of listed) {
    const model = file.models(item);
    if (model) models.set(String(item.value), model);
  }
  return models.size === 0 ? 'wrong' : { axis: axis.name, models };
}

type NameNode = Extract<Node, { is: 'scalar' }> & { readonly value: string };
const isName = (node: Node): node is NameNode =>
  node.is === 'scalar' && typeof node.value === 'string' && !node.value.includes('${{');

/** `only: { V-UP: { … } }` → the fields of one of the models; reports a name that the axis does not list. */
function checkOnly(step: MapNode, axis: ModelAxis | undefined, { findings, wrong }: FileContext): void {
  const only = step.entries.find(({ name }) => name === 'only');
  if (only?.value.is !== 'map' || wrong.has(only.value)) return;
  if (!axis) {
    findings.add(messages.onlyWithoutAxis(), only.nameAt);
    return;
  }
  for (const { name, nameAt } of only.value.entries)
    if (!axis.models.has(name))
      findings.add(messages.onlyOfOther(name, nearest(name, axis.models.keys()), [...axis.models.keys()]), nameAt);
}

/** The fields that are for this model alone. */
function fieldsOfOnly(step: MapNode, model: string): MapNode | undefined {
  const only = child(step, 'only');
  const fields = only?.is === 'map' ? child(only, model) : undefined;
  return fields?.is === 'map' ? fields : undefined;
}
