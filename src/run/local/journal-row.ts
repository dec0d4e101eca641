/**
 * What a row of the journal says, where it still says it. SQLite finds a torn page, and not a bit that a failing disk has turned inside
 * a text: what is read of money is looked at before it is believed, and refused like any other damage.
 */
import { isObject, type Json, type JsonObject } from '../../domain/json.ts';
import { DatabaseRefused } from '../../host/database-error.ts';
import { JOURNAL } from './journal-tables.ts';

/** @param type of the event, where one was asked for. @throws DatabaseRefused, naming the file. */
export function bodyOf<T>(row: Readonly<Record<string, unknown>>, path: string, type?: string): T {
  const body = parsed(String(row.body));
  if (body !== undefined && (type ?? body.type) === body.type && isSound(body)) return body as T;
  throw new DatabaseRefused(`${path} cannot be read (a row in it is damaged); ${JOURNAL.words.damaged}`);
}

function parsed(text: string): JsonObject | undefined {
  try {
    const json = JSON.parse(text) as Json;
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

function isSound(body: JsonObject): boolean {
  switch (body.type) {
    case 'succeeded':
    case 'reused':
      return isText(body.fingerprint) && isObject(body.result) && isResult(body.result);
    case 'billed':
      return isText(body.generation_id) && typeof body.cost === 'number';
    case 'submit_intended':
      return isText(body.key) && isText(body.fingerprint) && isText(body.model) && isObject(body.request);
    // A submission's own row.
    case undefined:
      return [body.nonce, body.key, body.fingerprint, body.model].every(isText) && isObject(body.request);
    default:
      return isText(body.type);
  }
}

function isResult(result: JsonObject): boolean {
  switch (result.is) {
    case 'media':
      return (
        [result.result_url, result.file, result.sha256].every(isText) &&
        typeof result.bytes === 'number' &&
        isObject(result.media) &&
        isObject(result.request) &&
        isNullOr('string', result.generation_id) &&
        isNullOr('number', result.cost)
      );
    case 'text':
      return isText(result.text) && isObject(result.request) && isNullOr('number', result.cost);
    case 'command':
      return isText(result.stdout) && isObject(result.files) && Object.values(result.files).every(isFile);
    case 'fine_tune':
      return isObject(result.fine_tune);
    default:
      return false;
  }
}

const isFile = (file: Json): boolean => isObject(file) && isText(file.sha256) && typeof file.bytes === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';
const isNullOr = (type: 'string' | 'number', value: unknown): boolean => value === null || typeof value === type;
