/** `model` + `with`: one request to a model; filled in, held against the model's schema and limits, and given its fingerprint. */
import { schemaProblem } from '../../api/answer-schema.ts';
import type { FineTunePlace } from '../../api/fine-tunes.ts';
import { MEDIA_ENDPOINTS } from '../../api/routes.ts';
import { validateRequest } from '../../api/validate-request.ts';
import { computedParts } from '../../language/types/values.ts';
import { imagesShown, withImagesInMessages } from '../../model/media/chat-images.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import type { Model, ModelKind } from '../../model/model.ts';
import type { GenerateStep, MapValue, Value } from '../../model/pipeline.ts';
import { isPending } from '../../model/plan.ts';
import { stepOf } from '../../model/run/key.ts';
import { canonical, isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { contextExcess } from '../cost/chat-tokens.ts';
import { priceOf } from '../cost/request-price.ts';
import { seeded, takeInFingerprint } from '../graph/join.ts';
import type { Slot } from '../graph/plan-graph.ts';
import {
  brokenLimits,
  expectedFacts,
  inputOf,
  knownFacts,
  type MediaInput,
  mediaOf,
  placeOf,
} from '../media/media-fields.ts';
import type { MediaIndex } from '../media/media-index.ts';
import { fingerprintOfRequest, fingerprintOfTuning } from '../owned/instance-fingerprint.ts';
import type { ResolveContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import type { PartialEvaluator, Problem } from '../values/partial-evaluation.ts';
import {
  invalid,
  pendingOn,
  type ResolvedRequest,
  type ResolvedTuning,
  stoppedBy,
  type Unready,
  type Via,
} from '../values/resolved.ts';
import { readsOf } from '../values/value-reads.ts';
import { FREE_WORK, type KindOfStep, type Unresolved } from './kind.ts';

/** What holds of every step that asks a model. */
export const PAID_WORK: Omit<
  KindOfStep<'generate' | 'judge'>,
  'calledInText' | 'values' | 'resolve' | 'changedSince' | 'adopts' | 'choosesReads'
> = {
  ...FREE_WORK,
  isPaid: true,
  label: ({ model }) => model,
  model: ({ model }) => model,
  json: ({ model }) => ({ model }),
  price(step, resolved, facts, { pricing, library, unpriced }) {
    if (resolved.is === 'request') return { usd: resolved.price, basis: resolved.priceBasis, demand: resolved.demand };
    const [priced, model] = [pricing.get(step.model), library.get(step.model)];
    return priceOf({ pricing: priced, model, request: resolved.request, facts, unpriced });
  },
};

export const generate: KindOfStep<'generate'> = {
  ...PAID_WORK,
  isKeptByService: true,
  calledInText: ({ model, sync }) => (sync ? `${model} via sync` : model),
  values: ({ with: fields, schema }) => (schema ? [fields, schema.value] : [fields]),
  fields: ({ with: { entries }, schema }) =>
    schema ? [...entries, { name: 'response_format', value: schema.value }] : entries,
  sent: step => step.with,
  resolve: resolveRequest,
  expectedFacts(step, { request, media }, kept, { library }) {
    const model = library.get(step.model);
    return model && expectedFacts(model, request, field => kept(field, media));
  },
  problemsExpected(step, { request, media }, expected, { library }) {
    const model = library.get(step.model);
    return model ? brokenLimits(step, model, request, media, expected) : [];
  },
  adopts(step, library) {
    const produces = library.get(step.model)?.produces;
    if (produces === 'text') return undefined;
    const kind = produces;
    return {
      kind,
      isMedia: true,
      result: ({ sha256, extension, bytes, media }) => ({
        ...{ is: 'media', result_url: `sha256:${sha256}`, sha256, extension, bytes },
        ...{ generation_id: null, request: {}, cost: 0, media: media ?? { kind: kind ?? 'video' } },
      }),
    };
  },
  usualSeconds: (step, facts, { library }) => usualSeconds(library.get(step.model)?.kind, facts?.duration),
  changedSince: (last, work) => (last ? messages.changed(requestChanges(last, work)) : messages.changedSince()),
};

/** A required text without content: an empty cell of a table becomes a paid picture of anything. */
const emptyTexts = ({ request: { required } }: Model, request: JsonObject, step: GenerateStep, { key }: Slot) =>
  (required ?? [])
    .filter(name => typeof request[name] === 'string' && request[name].trim() === '')
    .map(name => ({ path: name, message: messages.emptyText(name, key), at: placeOf(name, step) }));

/** The document gives 5 to 15 minutes for a video. */
function usualSeconds(kind: ModelKind | undefined, duration: number | undefined): number {
  switch (kind) {
    case 'chat':
      return 10;
    case 'image_generate':
    case 'image_edit':
      return 20;
    default:
      return Math.min(900, Math.max(300, 60 * (duration ?? 5)));
  }
}

function resolveRequest(
  { graph, slot, step, inputs, values }: Unresolved<'generate'>,
  { library, pricing, unpriced, localMedia, chatBy }: ResolveContext,
): Unready | ResolvedRequest {
  const schema = step.schema && answerSchema(step.schema.value, values);
  const evaluated = withFormat(withoutNothing(values.evaluateMap(step.with), step.with), schema);
  const stopped = stoppedBy(values);
  if (stopped) return stopped;
  const model = library.get(step.model);
  const filled = seeded(evaluated, model, step.with, slot);
  const media = model
    ? mediaOf(filled, model, step.with, { graph, slot, inputs, values, localMedia })
    : { request: filled, inputs: [], known: inputs.known, problems: [] };
  const { known } = media;
  const request = withImagesInMessages(media.request);
  const problems = model ? problemsOf(model, request, media, { step, slot }) : [];
  if (problems.length > 0) return invalid('request_invalid', problems);
  const shown = withSchemaOf(values.inForm('shown', media.request, step.with), step, value =>
    values.evaluate(value, 'shown'),
  );
  const waits = pendingOn(inputs, values);
  const take = takeInFingerprint(slot);
  const asks = { fields: { model: step.model, ...shown, ...take }, known };
  if (waits) return { ...waits, request, shown, asks, media: media.inputs };
  const via = viaOf(step, schema, model);
  if ('at' in via) return invalid('request_invalid', [via]);
  const service = via.is === 'chat' && chatBy !== undefined ? `${graph.service}, ${chatBy}` : graph.service;
  const fields = withSchemaOf(values.inForm('counted', media.request, step.with), step, value =>
    values.evaluate(value, 'counted'),
  );
  const counted = withImagesInMessages(fields);
  const fingerprint = fingerprintOfRequest({ service, model: step.model, request, counted, ...take }, known);
  const facts = model && factsOfResult(model, request, media.inputs);
  const price = priceOf({ pricing: pricing.get(step.model), model, request, facts, unpriced });
  return {
    is: 'request',
    model: step.model,
    request,
    shown,
    asks,
    fingerprint,
    authorFiles: media.inputs.flatMap(({ path }) => path ?? []),
    via,
    price: price.usd,
    priceBasis: price.basis,
    demand: price.demand,
    media: media.inputs,
    known,
  };
}

function problemsOf(
  model: Model,
  request: JsonObject,
  media: Pick<ReturnType<typeof mediaOf>, 'request' | 'inputs' | 'problems'>,
  { step, slot }: Pick<Unresolved<'generate'>, 'step' | 'slot'>,
): readonly Problem[] {
  // A missing file is reported once, not again as "must be a URL".
  const missing = new Set(media.problems.map(problem => problem.path));
  const reasons = validateRequest(model, request).filter(reason => !missing.has(reason.path));
  const long = contextExcess(model, request);
  const placed = (reason: { readonly path: string; readonly message: string }): Problem => ({
    ...{ path: reason.path, message: reason.message },
    at: placeOf(reason.path, step),
  });
  return [
    ...media.problems,
    ...imagesProblem(media.request, step),
    ...emptyTexts(model, request, step, slot),
    ...reasons.map(placed),
    ...brokenLimits(step, model, request, media.inputs),
    ...(long ? [placed(long)] : []),
  ];
}

/** An expression may have given anything. */
function imagesProblem({ images }: JsonObject, step: GenerateStep): readonly Problem[] {
  if (images === undefined || isPending(images)) return [];
  const wrong = Array.isArray(images) ? images.find(image => typeof image !== 'string' && !isPending(image)) : images;
  if (wrong === undefined) return [];
  return [{ path: 'images', message: messages.imagesNotAList(wrong), at: placeOf('images', step) }];
}

/** Facts of the result once the media it is made from are there. */
function factsOfResult(model: Model, request: JsonObject, inputs: readonly MediaInput[]): MediaFacts | undefined {
  const kept = (field: string) => {
    const { facts } = inputOf(field, inputs) ?? {};
    return facts && knownFacts(facts);
  };
  return expectedFacts(model, request, kept)?.media;
}

/** A field with an expression that gives null is left out: `${{ has(steps.look.file) ? steps.look.file : null }}`. */
function withoutNothing(request: JsonObject, { entries }: MapValue): JsonObject {
  const left = entries.filter(({ name, value }) => value.is === 'expression' && request[name] === null);
  if (left.length === 0) return request;
  const names = new Set(left.map(({ name }) => name));
  return Object.fromEntries(Object.entries(request).filter(([name]) => !names.has(name)));
}

/** The common request body's way to ask for JSON. Its name is the same whatever the step is called: a new name is no new request. */
function withFormat(filled: JsonObject, schema: JsonObject | undefined): JsonObject {
  if (!schema || filled.response_format !== undefined) return filled;
  return { ...filled, response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } };
}

/** A schema may hold a secret, which is neither shown nor counted. */
function withSchemaOf(
  request: JsonObject,
  { schema, with: fields }: GenerateStep,
  hidden: (schema: Value) => Json,
): JsonObject {
  if (!schema || !readsOf(schema.value).secret) return request;
  const isOwn = fields.entries.some(({ name }) => name === 'response_format');
  const { response_format: _, ...rest } = request;
  return isOwn ? request : withFormat(rest, hidden(schema.value) as JsonObject);
}

function viaOf(
  { schema: written, sync, model: name, modelAt }: GenerateStep,
  schema: JsonObject | undefined,
  model: Model | undefined,
): Via | Problem {
  const problem = schema && schemaProblem(schema);
  if (problem !== undefined) return { message: messages.badSchema(problem), at: written?.at ?? modelAt };
  if (model?.produces === 'text') return { is: 'chat', ...(schema && { schema }) };
  if (!sync) return { is: 'queue' };
  const endpoint = MEDIA_ENDPOINTS.find(known => known === model?.endpoint);
  return endpoint ? { is: 'sync', endpoint } : { message: messages.noEndpoint(name), at: modelAt };
}

/** The JSON Schema that an answer must fit, with its expressions evaluated; one and the same object for equal schemas, so that it is compiled once. */
function answerSchema(schema: MapValue, values: PartialEvaluator): JsonObject {
  const known = constants.get(schema);
  if (known) return known;
  const json = values.evaluateMap(schema);
  if (computedParts(schema).length > 0) return sameFor(json);
  constants.set(schema, json);
  return json;
}

const constants = new WeakMap<MapValue, JsonObject>();

/** Thousands of instances ask by few schemas. */
const MOST_KEPT = 1_000;
const evaluated = new Map<string, JsonObject>();

function sameFor(json: JsonObject): JsonObject {
  const text = canonical(json as Json);
  const known = evaluated.get(text);
  if (known) return known;
  if (evaluated.size >= MOST_KEPT) evaluated.clear();
  evaluated.set(text, json);
  return json;
}

/** The fields of a request that have changed since it was last asked. */
function requestChanges(before: JsonObject, now: ResolvedRequest): readonly string[] {
  const changed = changes(before, now.request, now.known);
  return changed.length > 0 ? changed : sameOnTheSurface(now);
}

function changes(before: JsonObject, now: JsonObject, known: MediaIndex): readonly string[] {
  const names = [...new Set([...Object.keys(now), ...Object.keys(before)])];
  const changed = names.filter(name => canonical(now[name] ?? null) !== canonical(before[name] ?? null));
  const named = changed.flatMap(name =>
    name === 'messages' ? conversationChanges(before, now, known) : [nameOf(name, now[name] ?? null, known)],
  );
  return [...new Set(named)];
}

/** A field that holds another instance's result is called by that instance's step. */
function nameOf(name: string, value: Json, known: MediaIndex): string {
  const [media] = mediaNames(Array.isArray(value) ? (value as readonly Json[]) : [value], known);
  if (media !== undefined) return media;
  return name === 'response_format' ? messages.itsSchema() : name;
}

function mediaNames(values: readonly Json[], known: MediaIndex): readonly string[] {
  return values.flatMap(item => {
    const media = typeof item === 'string' ? known.get(item) : undefined;
    if (media?.from !== undefined) return [messages.itsInput(stepOf(media.from))];
    return media?.path === undefined ? [] : [messages.itsFile(media.path)];
  });
}

/** The words, and the images with them. */
function conversationChanges(before: JsonObject, now: JsonObject, known: MediaIndex): readonly string[] {
  const [then, since] = [before, now].map(({ messages }) => messages ?? null);
  const [shownThen, shown] = [before, now].map(imagesShown);
  const others = shown!.filter((url, index) => !isSame(url, shownThen![index] ?? null, known));
  const named = mediaNames(others, known);
  const isAll = others.length === 0 && shown!.length === shownThen!.length;
  const more = isAll || named.length > 0 ? [] : [messages.itsImages()];
  const words = canonical(wordsIn(then!)) === canonical(wordsIn(since!)) ? [] : [messages.itsWords()];
  return [...words, ...named, ...more];
}

/** Content lies at another address in another run: in the store, its digest is part of that. */
function isSame(now: Json, before: Json, known: MediaIndex): boolean {
  if (now === before) return true;
  const sha256 = typeof now === 'string' ? known.get(now)?.sha256 : undefined;
  return sha256 !== undefined && typeof before === 'string' && before.includes(sha256);
}

/** The same words with another fingerprint: a file of the author's has new content, or it is asked of another model. */
function sameOnTheSurface({ request, known }: ResolvedRequest): readonly string[] {
  const values = [...Object.values(request).flat(), ...imagesShown(request)];
  const inputs = [...new Set(mediaNames(values, known))];
  return inputs.length > 0 ? inputs : [messages.itsModel()];
}

/** The messages without the addresses of what is shown; one text is the same as a list that holds nothing else. */
function wordsIn(value: Json): Json {
  if (Array.isArray(value)) {
    const words = (value as readonly Json[]).map(wordsIn).filter(part => part !== null);
    return words;
  }
  if (!isObject(value)) return value;
  if (value.image_url !== undefined) return null;
  const { content } = value;
  const parts = Array.isArray(content) ? content : content === undefined ? [] : [{ type: 'text', text: content }];
  return { ...value, ...(content === undefined ? {} : { content: wordsIn(parts as readonly Json[]) }) };
}

// `tokenize`: the tokenization of one fine-tune; which it is, and the fingerprint under which it is known to be done.

export const tokenize: KindOfStep<'tokenize'> = {
  ...FREE_WORK,
  label: () => 'tokenize',
  calledInText: () => 'tokenize, until it is ready (where the service does not tell, until it has taken it)',
  values: ({ repository, fineTune }) => [repository, fineTune],
  fields: ({ repository, fineTune }) => [
    { name: 'repository', value: repository },
    { name: 'fine_tune', value: fineTune },
  ],
  resolve: resolveTuning,
  usualSeconds: () => 120,
  changedSince: () => messages.notHere(),
};

function resolveTuning({ graph, step, inputs, values }: Unresolved<'tokenize'>): Unready | ResolvedTuning {
  const repository = values.evaluate(step.repository);
  const fineTune = values.evaluate(step.fineTune);
  const stopped = stoppedBy(values);
  if (stopped) return stopped;
  const waits = pendingOn(inputs, values);
  const request = { repository, fine_tune: fineTune };
  const shown = {
    repository: values.evaluate(step.repository, 'shown'),
    fine_tune: values.evaluate(step.fineTune, 'shown'),
  };
  const asks = { fields: shown, known: inputs.known };
  if (waits) return { ...waits, request, shown, asks, media: [] };
  const [, namespace, repo] = /^([^/\s]+)\/([^/\s]+)$/.exec(String(repository)) ?? [];
  if (namespace === undefined || repo === undefined)
    return invalid('request_invalid', [{ message: messages.badRepository(repository), at: step.repository.at }]);
  const id = String(fineTune);
  if (id.trim() === '')
    return invalid('request_invalid', [{ message: messages.emptyFineTune(), at: step.fineTune.at }]);
  const place: FineTunePlace = { namespace, repo, id };
  const fingerprint = fingerprintOfTuning(graph.service, place);
  return { is: 'tokenize', place, shown, asks, fingerprint, authorFiles: [] };
}
