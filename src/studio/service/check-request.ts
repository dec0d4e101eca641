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

/** Observed: the most that one enqueue may ask for; descriptions disagree, and this is the larger. */
export const MAX_PER_REQUEST = 12;

/** Observed: fields of an enqueue beyond the model's own. In strict mode they are unknown fields like any other. */
const TARGET_FIELDS = ['target_namespace', 'target_repo', 'target_directory'] as const;
const OBSERVED_FIELDS: readonly string[] = [...TARGET_FIELDS, 'num_generations'];

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
  const extra = strict ? {} : pick(body, name => OBSERVED_FIELDS.includes(name));
  const request = pick(body, name => name !== 'model' && !Object.hasOwn(extra, name));
  const broken = validateRequest(model, request);
  const more = unsound(request).filter(({ path }) => !broken.some(reason => reason.path === path));
  const reasons = [...broken, ...more, ...observedReasons(extra)];
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

function observedReasons(extra: JsonObject): readonly Reason[] {
  const reasons: Reason[] = [];
  const { num_generations: count = 1 } = extra;
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > MAX_PER_REQUEST) {
    reasons.push({
      path: 'num_generations',
      message: `num_generations must be a whole number from 1 to ${MAX_PER_REQUEST}`,
    });
  }
  for (const name of TARGET_FIELDS) {
    const value = extra[name] ?? null;
    if (value !== null && typeof value !== 'string') reasons.push({ path: name, message: `${name} must be a text` });
  }
  return reasons;
}

function targetOf(extra: JsonObject): Target {
  const text = (name: (typeof TARGET_FIELDS)[number]) => {
    const value = extra[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    target_namespace: text('target_namespace'),
    target_repo: text('target_repo'),
    target_directory: text('target_directory'),
  };
}

const pick = (body: JsonObject, keep: (name: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => keep(name)));
