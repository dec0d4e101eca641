/** `field=value …` of `shotlist generate` → a request. Texts become what the model's schema says the field is; a list is a field given again. */
import { type Json, type JsonObject, parseJson } from '../../domain/json.ts';
import { type FieldSchema, fieldOf, type Model } from '../../domain/model.ts';
import { UsageError } from '../arguments.ts';

/** @throws UsageError for what is not `field=value`, and for a field given twice that takes one value. */
export function parseFieldValues(model: Model, words: readonly string[]): JsonObject {
  const request: Record<string, Json> = Object.create(null);
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`\`${word}\` is no field=value; write it like prompt="a red fox"`);
    const name = word.slice(0, at);
    const text = word.slice(at + 1);
    const field = fieldOf(model, name);
    if (field?.type === 'array') {
      const more = itemsOf(text, field);
      request[name] = [...((request[name] as readonly Json[] | undefined) ?? []), ...more];
      continue;
    }
    if (name in request) throw new UsageError(`${name} is given twice, and ${model.label} takes it once`);
    request[name] = field ? typed(text, field) : readJson(text, text);
  }
  return { ...request };
}

/** A JSON list stands for all of its items. */
function itemsOf(text: string, { items }: FieldSchema): readonly Json[] {
  const list = text.startsWith('[') ? readJson(text, text) : text;
  return Array.isArray(list) ? list : [items ? typed(text, items) : text];
}

/** What does not read as its type stays a text: the check of the whole request says what is wrong with it. */
function typed(text: string, { type }: FieldSchema): Json {
  switch (type) {
    case 'integer':
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'object':
      return readJson(text, text);
    case 'array':
    case 'string':
      return text;
    default:
      // A catalog's own schema may leave the type open, or name several.
      return readJson(text, text);
  }
}

function readJson(text: string, otherwise: Json): Json {
  try {
    return parseJson(text);
  } catch {
    return otherwise;
  }
}
