/**
 * Checks whether a model takes a request: every reason against it at once, in words for the author of a pipeline file.
 * The studio asks (400 with all the reasons), and so does the plan, and the run once more just before a request is paid for.
 * The only room that knows ajv: import it when it is needed, it costs about 80 ms.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FieldSchema, Model } from '../model/model.ts';
import { isPending, jsonText } from '../model/plan.ts';
import type { Json, JsonObject } from '../model/text/json.ts';
import { memoized } from '../model/text/json.ts';
import { brokenBound } from '../model/text/measure.ts';
import { nearest } from '../model/text/nearest.ts';

export interface Reason {
  /** Field of the request: `duration`, `input_image[2]`. */
  readonly path: string;
  /** `duration must be at most 15, not 20`. */
  readonly message: string;
}

/** `request` is without `model`. A value that is not known yet (`$pending`) breaks no rule. */
export function validateRequest(model: Model, request: JsonObject): readonly Reason[] {
  const validate = validatorOf(model);
  const reasons: Reason[] = [];
  if (!validate(request)) {
    for (const error of specificErrors(validate.errors ?? []))
      if (!isPending(error.data as Json)) reasons.push(reasonFor(error, model));
  }
  return [...reasons, ...brokenRules(model, request)];
}

/** The request with the document's defaults filled in: what the service will really do. */
export function withDefaults(model: Model, request: JsonObject): JsonObject {
  const filled: Record<string, Json> = {};
  for (const [name, field] of Object.entries(model.request.properties)) {
    if (field.default !== undefined) filled[name] = field.default;
  }
  return Object.assign(filled, request);
}

let shared: Ajv | undefined;

/** Made with the first request: most starts have none. */
function ajvForAll(): Ajv {
  shared ??= newAjv();
  return shared;
}

function newAjv(): Ajv {
  const ajv = new Ajv({
    // Checking each schema against the schema of schemas takes longer than checking requests; ajv throws anyway for a schema that it cannot compile.
    meta: false,
    validateSchema: false,
    allErrors: true,
    strict: false,
    // Infinity and NaN are no numbers: JSON cannot say them.
    strictNumbers: true,
    verbose: true,
    // A service's own schemas are not warned about, and their names are not kept.
    logger: false,
    addUsedSchema: false,
  });
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  ajv.addKeyword({
    keyword: 'atLeast',
    type: 'string',
    schemaType: 'string',
    validate: (atLeast: string, text: string) => brokenBound({ atLeast }, text) === undefined,
  });
  ajv.addKeyword({
    keyword: 'atMost',
    type: 'string',
    schemaType: 'array',
    validate: (atMost: readonly string[], text: string) => brokenBound({ atMost }, text) === undefined,
  });
  return ajv;
}

const validatorOf = memoized((model: Model): ValidateFunction => {
  const schema = model.request as unknown as JsonObject;
  return compile(schema) ?? compile(readable(schema)) ?? ajvForAll().compile({});
});

function compile(schema: object): ValidateFunction | undefined {
  try {
    return ajvForAll().compile(schema);
  } catch {
    return undefined;
  }
}

/**
 * A service's own schema may hold an invalid pattern, or a reference to nothing. Then only the fields that can be checked are checked,
 * as if the schema did not mention the others: the service has the last word.
 */
function readable({ required, properties, patternProperties, additionalProperties, ...more }: JsonObject): JsonObject {
  const { $defs = {}, definitions = {} } = more;
  const sound = (fields: Json | undefined, keyword: string) =>
    Object.entries(fields ?? {}).map(([name, field]) => {
      const isSound = compile({ $defs, definitions, [keyword]: { [name]: field } }) !== undefined;
      return [name, isSound ? field : {}, isSound] as const;
    });
  const patterns = sound(patternProperties, 'patternProperties').filter(([, , isSound]) => isSound);
  return {
    type: 'object',
    ...(required === undefined ? {} : { required }),
    $defs,
    definitions,
    properties: Object.fromEntries(sound(properties, 'properties')),
    patternProperties: Object.fromEntries(patterns),
    additionalProperties:
      additionalProperties !== false || patterns.length < Object.keys(patternProperties ?? {}).length,
  };
}

/**
 * A choice of shapes is reported as a whole, not shape by shape; unless the value has just one of the shapes, and something deeper in it
 * is wrong.
 */
function specificErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const isChoice = ({ keyword }: ErrorObject) => keyword === 'anyOf' || keyword === 'oneOf';
  const replaced = new Set<ErrorObject>();
  const deeper = new Set<ErrorObject>();
  for (const choice of errors.filter(isChoice)) {
    const branches = Map.groupBy(
      errors.filter(({ schemaPath }) => schemaPath.startsWith(`${choice.schemaPath}/`)),
      ({ schemaPath }) => schemaPath.slice(choice.schemaPath.length + 1).split('/')[0],
    );
    const near = [...branches.values()].filter(branch =>
      branch.every(({ instancePath }) => instancePath.startsWith(`${choice.instancePath}/`)),
    );
    if (near.length !== 1) continue;
    replaced.add(choice);
    for (const error of near[0]!) deeper.add(error);
  }
  return errors.filter(
    error => !replaced.has(error) && (deeper.has(error) || !/\/(any|one)Of\//.test(error.schemaPath)),
  );
}

function brokenRules(model: Model, request: JsonObject): readonly Reason[] {
  if (model.rules.length === 0) return [];
  const effective = withDefaults(model, request);
  return model.rules
    .filter(rule => Object.entries(rule.if).every(([field, values]) => values.includes(effective[field] ?? null)))
    .map(rule => ({ path: Object.keys(rule.if)[0] ?? '', message: rule.refuse }));
}

function reasonFor(error: ErrorObject, model: Model): Reason {
  const path = fieldPath(error.instancePath);
  const value = error.data as Json;
  const { missingProperty, additionalProperty } = error.params as {
    missingProperty?: string;
    additionalProperty?: string;
  };
  if (error.keyword === 'required') {
    const missing = error.instancePath === '' ? missingProperty : `${path}.${missingProperty}`;
    return { path: missing ?? path, message: `${missing} is required by ${model.label}` };
  }
  if (error.keyword === 'additionalProperties') {
    const fields = Object.keys(model.request.properties);
    const near = nearest(additionalProperty ?? '', fields);
    return {
      path: additionalProperty ?? path,
      message: `${model.label} has no field ${additionalProperty}; ${near === undefined ? `it takes ${fields.join(', ')}` : `did you mean ${near}?`}`,
    };
  }
  if (error.keyword === 'type' && (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY))
    return { path, message: `${path} is too large a number` };
  return { path, message: `${path} must ${demand(error)}` };
}

/** What the schema asks of a value, and what is there: `be at most 15, not 20`. */
function demand({ keyword, data, params, schema, parentSchema, message }: ErrorObject): string {
  const value = data as Json;
  const { limit, type } = params as { readonly limit?: number; readonly type?: Types };
  const limits = LIMITS[keyword];
  if (limits !== undefined) return `be ${limits} ${limit}, not ${shown(value)}`;
  switch (keyword) {
    case 'type':
      return `be ${named(type)}, not ${shown(value)}`;
    case 'enum':
      return `be one of ${(schema as readonly Json[]).map(String).join(', ')}, not ${shown(value)}`;
    case 'const':
      return `be ${shown(schema as Json)}, not ${shown(value)}`;
    case 'pattern': {
      const { examples } = (parentSchema ?? {}) as { readonly examples?: readonly Json[] };
      const likeness = Array.isArray(examples) ? examples.slice(0, 3).map(String).join(', ') : String(schema);
      return `${Array.isArray(examples) ? 'be written like' : 'look like'} ${likeness}, not ${shown(value)}`;
    }
    case 'anyOf':
    case 'oneOf': {
      const shapes = (schema as readonly { readonly type?: Types }[]).map(({ type }) => named(type));
      return `be ${[...new Set(shapes)].join(' or ')}, not ${shown(value)}`;
    }
    case 'atLeast':
    case 'atMost':
      return `be at ${keyword === 'atLeast' ? 'least' : 'most'} ${[schema as string | readonly string[]].flat().join(' or ')}, not ${shown(value)}`;
    case 'minLength':
    case 'maxLength':
      return `have at ${keyword.startsWith('min') ? 'least' : 'most'} ${limit} characters, it has ${[...String(value)].length}`;
    case 'minItems':
    case 'maxItems':
      return `have at ${keyword.startsWith('min') ? 'least' : 'most'} ${limit} items, it has ${(value as readonly Json[]).length}`;
    case 'format':
      return `be a URL, not ${shown(value)}`;
    default:
      return message?.replace(/^must /, '') ?? 'be different';
  }
}

const LIMITS: Readonly<Record<string, string | undefined>> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
};

/** Our own schemas name one; a service's may name several, or none. */
type Types = FieldSchema['type'] | readonly string[];
const typeNames = new Map<string, string>([
  ['string', 'text'],
  ['integer', 'a whole number'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'a mapping'],
  ['null', 'null'],
]);

const named = (types: Types | undefined): string =>
  types === undefined
    ? 'of another shape'
    : [types]
        .flat()
        .map(type => typeNames.get(type) ?? type)
        .join(' or ');

/** ajv's `/input_image/2` as an author would write it. */
const fieldPath = (pointer: string): string =>
  pointer
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.') || 'the request';

function shown(value: Json): string {
  const text = Number.isNaN(value) ? 'NaN' : jsonText(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
