/** One request to a model: filled in, held against the model's schema and limits, and given its fingerprint. */
import { validateRequest } from '../api/validate.ts';
import type { GenerateStep } from '../domain/pipeline.ts';
import type { Slot } from './fan-out.ts';
import type { Filling } from './fill.ts';
import { fingerprintOfRequest } from './fingerprint.ts';
import type { Inputs, Wiring } from './inputs.ts';
import { brokenLimits } from './limits.ts';
import { mediaOf, placeOf } from './media-fields.ts';
import type { ResolveContext } from './resolve.ts';
import { broken, type Resolved, waitsFor } from './resolved.ts';

export function resolveRequest(
  plan: Wiring,
  slot: Slot,
  step: GenerateStep,
  inputs: Inputs,
  filling: Filling,
  { library, localMedia }: ResolveContext,
): Resolved {
  const filled = filling.fillMap(step.with);
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
    // A missing file is said once, not again as "must be a URL".
    const missing = new Set(media.problems.map(problem => problem.path));
    const problems = [
      ...media.problems,
      ...reasons.filter(reason => !missing.has(reason.path)),
      ...brokenLimits(step, model, request, media.inputs),
    ];
    if (problems.length > 0) return broken('request_invalid', problems);
  }
  const waits = waitsFor(inputs);
  if (waits) return { ...waits, request, media: media.inputs };
  const fingerprint = fingerprintOfRequest({ service: plan.service, model: step.model, request }, known);
  return { is: 'request', model: step.model, request, fingerprint, media: media.inputs, known };
}
