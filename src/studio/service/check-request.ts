/** A request as it comes in: which model, its own fields, and where the result would be filed. Every reason at once. */
import { validateRequest } from '../../api/validate-request.ts';
import type { Model, ModelLibrary } from '../../model/model.ts';
import { isPending } from '../../model/plan.ts';
import type { Json, JsonObject } from '../../model/text/json.ts';
import { invalid, modelNotFound, type Reason } from '../shared/http-refusal.ts';
import type { Target } from './records/generations.ts';

interface CheckedRequest {
  readonly model: Model;
  /** The model's own fields, as they were sent. */
  readonly request: JsonObject;
  readonly target: Target;
  /** One request for each generation that is asked for. */
  readonly takes: readonly JsonObject[];
}

const filed = { type: ['string', 'null'] };
/**
 * Observed: fields of an enqueue beyond the model's own. In strict mode they are unknown fields like any other. Descriptions disagree on the
 * most that one enqueue may ask for, and this is the larger.
 */
export const OBSERVED_FIELDS = {
  ...{ target_namespace: filed, target_repo: filed, target_directory: filed },
  num_generations: { type: 'integer', minimum: 1, maximum: 12 },
} as const satisfies JsonObject;
/** They are checked as the fields of a model are. */
const OBSERVED = { label: 'the queue', request: { properties: OBSERVED_FIELDS }, rules: [] } as unknown as Model;

/** @throws {Refusal} 400 with every reason, or 404 for an unknown model */
export function checkRequest(
  body: JsonObject,
  { library, strict }: { readonly library: ModelLibrary; readonly strict: boolean },
): CheckedRequest {
  const label = body.model;
  if (typeof label !== 'string') {
    throw invalid([{ path: 'model', message: label === undefined ? 'model is required' : 'model must be a text' }]);
  }
  const model = library.get(label);
  if (!model) throw modelNotFound(label);
  const extra = strict ? {} : pick(body, name => Object.hasOwn(OBSERVED_FIELDS, name));
  const request = pick(body, name => name !== 'model' && !Object.hasOwn(extra, name));
  const broken = validateRequest(model, request);
  const more = unsound(request).filter(({ path }) => !broken.some(reason => reason.path === path));
  const reasons = [...broken, ...more, ...validateRequest(OBSERVED, extra)];
  if (reasons.length > 0) throw invalid(reasons);
  return {
    model,
    request,
    target: targetOf(extra),
    takes: takesOf(model, request, Number(extra.num_generations ?? 1)),
  };
}

/** Several of one request would be one picture several times: where the model has a seed, each has the next. */
function takesOf({ request: { properties } }: Model, request: JsonObject, count: number): readonly JsonObject[] {
  const seed = typeof request.seed === 'number' ? request.seed : 0;
  return Array.from({ length: count }, (_, take) =>
    take === 0 || properties.seed === undefined ? request : { ...request, seed: seed + take },
  );
}

/** What a check of a plan lets pass and a sent request must not hold: values not known yet, and numbers too large to be any. */
function unsound(request: JsonObject): readonly Reason[] {
  return Object.entries(request).flatMap(([field, value]) =>
    [value].flat().flatMap((item: Json, index): readonly Reason[] => {
      const path = Array.isArray(value) ? `${field}[${index}]` : field;
      if (isPending(item)) return [{ path, message: `${path} must be a value, not an object` }];
      const isTooLarge = typeof item === 'number' && !Number.isFinite(item);
      return isTooLarge ? [{ path, message: `${path} is too large a number` }] : [];
    }),
  );
}

function targetOf(extra: JsonObject): Target {
  const { target_namespace = null, target_repo = null, target_directory = null } = extra;
  return { target_namespace, target_repo, target_directory } as Target;
}

const pick = (body: JsonObject, keep: (name: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => keep(name)));
