/** A `model` step: one request, its fields filled up from `defaults.with`; of a chat model, `schema` types the answer. */
import { fieldOf, type Model } from '../../domain/model.ts';
import type { MapValue } from '../../domain/pipeline.ts';
import { readSchema, typeOfSchema } from '../answer-type.ts';
import { withMessages } from '../chat-prompt.ts';
import { checkExpressions } from '../field-check.ts';
import type { FileContext } from '../file-context.ts';
import { messages } from '../messages/index.ts';
import type { ResolvedModel } from '../model-references.ts';
import { checkRequest } from '../request-check.ts';
import { child, type MapNode } from '../syntax-tree.ts';
import { ANY, mediaResult, NO_SCHEMA, type Type, textResult, WRONG } from '../types.ts';
import { type ReadContext, readMap, readValue } from '../values.ts';
import type { Body, BodyContext, Kind, Signature } from './kind.ts';

export const generate: Kind<'generate'> = {
  key: 'model',
  keys: ['with', 'via', 'schema'],
  does: 'one request',
  called: 'a request to a model',
  readSignature,
};

function readSignature(step: MapNode, file: FileContext): Signature<'generate'> {
  const model = file.models(child(step, 'model'));
  const schema = readSchema(child(step, 'schema'), file.findings);
  if (!model)
    return {
      result: { type: WRONG },
      fields: 'unknown',
      readBody: context => void checkExpressions(given(step, context), context),
    };
  return {
    result: { type: typeOfResult(model.model, typeOfAnswer(step, schema, file)), produces: model.model?.produces },
    fields: model.model && fieldsOf(model.model),
    readBody: context =>
      file.wrong.has(child(step, 'with') ?? step) ? undefined : readBody(step, model, schema, file.defaults, context),
  };
}

/** A chat that is asked for JSON in its request alone may give any. */
function typeOfAnswer(step: MapNode, schema: ReturnType<typeof readSchema>, { defaults }: FileContext): Type {
  if (child(step, 'schema')) return typeOfSchema(schema);
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

const fieldsOf = (model: Model) => ({
  names: Object.keys(model.request.properties),
  has: (name: string) => fieldOf(model, name) !== undefined,
});

function given(step: MapNode, context: ReadContext): MapValue {
  const section = child(step, 'with');
  return readMap(section?.is === 'map' ? section : undefined, { ...context, bare: 'told' }, step.at);
}

function readBody(
  step: MapNode,
  model: ResolvedModel,
  schema: ReturnType<typeof readSchema>,
  defaults: MapNode | undefined,
  context: BodyContext,
): Body<'generate'> {
  const { findings } = context;
  const isChat = model.model?.produces === 'text';
  const own = given(step, context);
  const request = fillDefaults(isChat ? withMessages(own, findings) : own, model, defaults, context);
  checkRequest(request, model, context);
  const schemaAt = step.entries.find(entry => entry.name === 'schema')?.nameAt;
  if (schemaAt && !isChat) findings.add(messages.schemaOfMedia(model.id, model.model?.produces ?? 'media'), schemaAt);
  const via = child(step, 'via');
  if (via && isChat) findings.add(messages.syncChat(model.id), via.at);
  const isSync = via?.is === 'scalar' && via.value === 'sync';
  return {
    step: {
      kind: 'generate',
      model: model.id,
      modelAt: model.at,
      with: request,
      ...(isSync ? { sync: true } : {}),
      ...(schema && schemaAt ? { schema: { value: schema, at: schemaAt } } : {}),
    },
    values: [request],
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
  const missing = section.entries.filter(
    ({ name }) => fieldOf(model, name) !== undefined && !own.entries.some(entry => entry.name === name),
  );
  if (missing.length === 0) return own;
  const entries = missing.map(({ name, nameAt, value }) => ({ name, nameAt, value: readValue(value, context) }));
  return { ...own, entries: [...own.entries, ...entries] };
}
