/**
 * JSON Schemas that authors write for a chat model's answer, checked by the same library as in
 * `validate-request.ts`: import it only when it is needed.
 * Draft 2020-12, as in the common `response_format`.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Json, JsonObject } from '../model/text/json.ts';

// Words a validator does not know (`format`, `example`) are for the model to read.
const newAjv = () =>
  new Ajv2020({ allErrors: true, strict: false, validateFormats: false, logger: false, addUsedSchema: false });

let made: ReturnType<typeof newAjv> | undefined;
/** Made late: most films have no answer with a schema, and the schema of schemas takes its time. */
function ajv(): ReturnType<typeof newAjv> {
  made ??= newAjv();
  return made;
}

const validators = new WeakMap<JsonObject, ValidateFunction>();

/** Why this schema cannot be used; undefined for a good one. */
export function schemaProblem(schema: JsonObject): string | undefined {
  try {
    const { $schema: _, ...own } = schema;
    if (!ajv().validateSchema(own)) {
      const [first] = ajv().errors ?? [];
      return `${first?.instancePath.slice(1).replaceAll('/', '.') || 'it'} ${first?.message ?? 'is no schema'}`;
    }
    validatorOf(schema);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Every reason why the value does not fit the schema, like `beats[2].prompt must have …`. The schema must be a good one. */
export function violations(schema: JsonObject, value: Json): readonly string[] {
  const validate = validatorOf(schema);
  return validate(value) ? [] : (validate.errors ?? []).map(reason);
}

function validatorOf(schema: JsonObject): ValidateFunction {
  const known = validators.get(schema);
  if (known) return known;
  // The dialect that the author named is ignored: all schemas are read as one.
  const { $schema: _, ...own } = schema;
  const compiled = ajv().compile(own);
  validators.set(schema, compiled);
  return compiled;
}

function reason({ instancePath, message, params }: ErrorObject): string {
  const path = instancePath
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.')
    .replace(/^(\d+)(?=$|\.|\[)/, '[$1]');
  const { allowedValues, additionalProperty } = params as {
    allowedValues?: readonly Json[];
    additionalProperty?: string;
  };
  const more = allowedValues
    ? `: ${allowedValues.map(String).join(', ')}`
    : additionalProperty
      ? `: ${additionalProperty}`
      : '';
  return `${path || 'the answer'} ${message ?? 'does not fit'}${more}`;
}
