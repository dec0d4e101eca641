/** One request to a model: filled in, held against the model's schema and limits, and given its fingerprint. */
import { schemaProblem } from '../api/answer-schema.ts';
import { MEDIA_ENDPOINTS } from '../api/routes.ts';
import { validateRequest } from '../api/validate-request.ts';
import type { JsonObject } from '../domain/json.ts';
import type { MediaFacts } from '../domain/media.ts';
import type { Model } from '../domain/model.ts';
import type { GenerateStep } from '../domain/pipeline.ts';
import { priceOf } from './cost.ts';
import { expectedFacts, knownFacts } from './facts.ts';
import type { Slot } from './fan-out.ts';
import type { Filling, Problem } from './fill.ts';
import { fingerprintOfRequest } from './fingerprint.ts';
import type { Inputs, Wiring } from './inputs.ts';
import { brokenLimits } from './limits.ts';
import { inputOf, type MediaInput, mediaOf, placeOf } from './media-fields.ts';
import type { ResolveContext } from './resolve.ts';
import { broken, type Resolved, type Via, waitsFor } from './resolved.ts';
import { beyondContext } from './tokens.ts';
import { words } from './words.ts';

export function resolveRequest(
  plan: Wiring,
  slot: Slot,
  step: GenerateStep,
  inputs: Inputs,
  filling: Filling,
  { library, pricing, localMedia, chatBy }: ResolveContext,
): Resolved {
  const filled = withFormat(filling.fillMap(step.with), step);
  if (filling.problems.length > 0) return broken('expression_failed', filling.problems);
  const model = library.get(step.model);
  const media = model
    ? mediaOf(filled, model, step.with, { plan, slot, inputs, localMedia })
    : { request: filled, inputs: [], known: inputs.known, problems: [] };
  const { request, known } = media;
  if (model) {
    const reasons = validateRequest(model, request).map(({ path, message }) => ({
      path,
      message,
      at: placeOf(path, step),
    }));
    const long = beyondContext(model, request);
    // A missing file is said once, not again as "must be a URL".
    const missing = new Set(media.problems.map(problem => problem.path));
    const problems = [
      ...media.problems,
      ...reasons.filter(reason => !missing.has(reason.path)),
      ...brokenLimits(step, model, request, media.inputs),
      ...(long ? [{ ...long, at: placeOf(long.path, step) }] : []),
    ];
    if (problems.length > 0) return broken('request_invalid', problems);
  }
  const via = viaOf(step, model);
  if ('at' in via) return broken('request_invalid', [via]);
  const shown = filling.showFields(request, step.with);
  const waits = waitsFor(inputs);
  if (waits) return { ...waits, request, shown, media: media.inputs };
  const service = via.is === 'chat' && chatBy !== undefined ? `${plan.service}, ${chatBy}` : plan.service;
  const fingerprint = fingerprintOfRequest({ service, model: step.model, request }, known);
  const price = priceOf(pricing.get(step.model), model, request, model && factsOfResult(model, request, media.inputs));
  return {
    is: 'request',
    model: step.model,
    request,
    shown,
    fingerprint,
    via,
    price: price.usd,
    priceBasis: price.basis,
    media: media.inputs,
    known,
  };
}

/** What is known of the result once the media it is made from are there. */
function factsOfResult(model: Model, request: JsonObject, inputs: readonly MediaInput[]): MediaFacts | undefined {
  const kept = (field: string) => {
    const { facts } = inputOf(field, inputs) ?? {};
    return facts && knownFacts(facts);
  };
  return expectedFacts(model, request, kept)?.media;
}

/** The common request body's way to ask for JSON. Its name is the same whatever the step is called: a new name is no new request. */
function withFormat(filled: JsonObject, { schema }: GenerateStep): JsonObject {
  if (!schema || filled.response_format !== undefined) return filled;
  return { ...filled, response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: schema.value } } };
}

function viaOf({ schema, sync, model: name, modelAt }: GenerateStep, model: Model | undefined): Via | Problem {
  const problem = schema && schemaProblem(schema.value);
  if (problem !== undefined) return { message: words.badSchema(problem), at: schema?.at ?? modelAt };
  if (model?.produces === 'text') return { is: 'chat', ...(schema && { schema: schema.value }) };
  if (!sync) return { is: 'queue' };
  const endpoint = MEDIA_ENDPOINTS.find(known => known === model?.endpoint);
  return endpoint ? { is: 'sync', endpoint } : { message: words.noEndpoint(name), at: modelAt };
}
