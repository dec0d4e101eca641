/**
 * Reads and checks a row of the journal. SQLite finds a torn page, but not a bit that a failing disk has turned inside a text, so rows
 * that stand for money are checked before they are believed, and a damaged row is refused like any other damage.
 */
import type { StatementSync } from 'node:sqlite';
import { DatabaseRefused } from '../../machine/files/database-error.ts';
import type { EventType, RecordedEvent } from '../../model/run/event.ts';
import type { RunId } from '../../model/run/key.ts';
import type { StoredResult } from '../../model/run/result.ts';
import { isObject, type Json, type JsonObject, recordObjectIn } from '../../model/text/json.ts';
import type { LogEntry } from '../views/ledger.ts';
import { JOURNAL } from './journal-tables.ts';

/** What a view reads the tables with. */
export interface Rows {
  readonly sql: (text: string) => StatementSync;
  /** Which film of the project. */
  readonly film: string;
  /** For messages. */
  readonly path: string;
}

/** @param types of the event, where one of some was asked for. @throws DatabaseRefused, naming the file. */
export function bodyOf<T>(row: Readonly<Record<string, unknown>>, path: string, ...types: readonly EventType[]): T {
  const body = recordObjectIn(String(row.body));
  const isOfType = types.length === 0 || types.includes(body?.type as EventType);
  if (body !== undefined && isOfType && isSound(body)) return body as T;
  throw new DatabaseRefused(`${path} cannot be read (a row in it is damaged); ${JOURNAL.words.damaged}`);
}

/** An event of the log, with its film and its run. @throws as `bodyOf` does. */
export const entryIn = <E extends RecordedEvent>(
  row: Readonly<Record<string, unknown>>,
  path: string,
  ...types: readonly EventType[]
): LogEntry & { readonly event: E } => ({
  ...{ film: String(row.film), run: String(row.run) as RunId },
  event: bodyOf<E>(row, path, ...types),
});

/** A body where the row is only shown: undefined where it cannot be read. */
export function readableIn<T>(
  row: Readonly<Record<string, unknown>>,
  path: string,
  ...types: readonly EventType[]
): T | undefined {
  try {
    return bodyOf<T>(row, path, ...types);
  } catch (error) {
    if (error instanceof DatabaseRefused) return undefined;
    throw error;
  }
}

/** An event as the table keeps it: its request is in a column of its own, where a rerun does not read it. */
export function partedOf(event: RecordedEvent): { readonly body: string; readonly asked: string | null } {
  const isAsked = event.type === 'succeeded' || event.type === 'failed';
  if (!isAsked || event.asked === undefined) return { body: JSON.stringify(event), asked: null };
  const { asked, ...rest } = event;
  return { body: JSON.stringify(rest), asked: JSON.stringify(asked) };
}

/** The event as it was written. Its request means no money: an unreadable one counts as unknown. */
export function withAsked<E extends RecordedEvent>(event: E, { asked: text }: Readonly<Record<string, unknown>>): E {
  const asked = typeof text === 'string' ? recordObjectIn(text) : undefined;
  return asked ? { ...event, asked } : event;
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

const isResult = (result: JsonObject): boolean =>
  typeof result.is === 'string' &&
  Object.hasOwn(RESULTS, result.is) &&
  RESULTS[result.is as StoredResult['is']](result);

/** What of each kind of result must still be as it was written. */
const RESULTS: Readonly<Record<StoredResult['is'], (result: JsonObject) => boolean>> = {
  media: result =>
    [result.result_url, result.sha256].every(isText) &&
    typeof result.bytes === 'number' &&
    isObject(result.media) &&
    isObject(result.request) &&
    isNullOr('string', result.generation_id) &&
    isNullOr('number', result.cost),
  text: result => isText(result.text) && isObject(result.request) && isNullOr('number', result.cost),
  command: result =>
    isText(result.stdout) && isObject(result.files) && Object.values(result.files).flat().every(isFile),
  fine_tune: result => isObject(result.fine_tune),
};

const isFile = (file: Json): boolean => isObject(file) && isText(file.sha256) && typeof file.bytes === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';
const isNullOr = (type: 'string' | 'number', value: unknown): boolean => value === null || typeof value === type;
