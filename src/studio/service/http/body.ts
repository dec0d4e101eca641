/** Reads a request's body: JSON, an object, and not larger than it need be. */
import type { IncomingMessage } from 'node:http';
import type { Json, JsonObject } from '../../../model/text/json.ts';
import { HttpRefusal } from '../../shared/http-refusal.ts';

/** Bytes. */
const LARGEST_BODY = 1024 * 1024;
/** Levels: deeper ones would exhaust the stack of everything that walks the request later. */
const DEEPEST = 32;

/** @throws {HttpRefusal} 400, 413 or 415 */
export async function readJson(request: IncomingMessage, largest = LARGEST_BODY): Promise<JsonObject> {
  refuseOtherTypes(request);
  const text = decode(await readAll(request, largest));
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new HttpRefusal(400, 'invalid_json', 'the body must be a JSON object');
  }
  if (!isShallow(value)) throw new HttpRefusal(400, 'invalid_json', `the body is nested deeper than ${DEEPEST} levels`);
  return value as JsonObject;
}

function refuseOtherTypes(request: IncomingMessage): void {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new HttpRefusal(415, 'unsupported_media_type', 'send the body with Content-Type: application/json');
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new HttpRefusal(415, 'unsupported_media_type', 'send the body without Content-Encoding');
  }
}

async function readAll(request: IncomingMessage, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The rest of a body that is too large is read and dropped: closing on a client that still writes would lose our answer.
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= largest) chunks.push(chunk);
      else reject(tooLarge(largest));
    });
    request.on('end', resolve);
    for (const end of ['error', 'close']) {
      request.on(end, () => reject(new HttpRefusal(400, 'incomplete_body', 'the body broke off')));
    }
  });
  return Buffer.concat(chunks);
}

const tooLarge = (largest: number) =>
  new HttpRefusal(413, 'body_too_large', `the body is larger than ${largest} bytes: name media by URL`);

/** Level by level, because a walk that recurses is what it guards against. */
function isShallow(body: Json): boolean {
  let level: Json[] = [body];
  for (let depth = 0; depth <= DEEPEST; depth++) {
    level = level.flatMap(value => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    if (level.length === 0) return true;
  }
  return false;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new HttpRefusal(400, 'invalid_json', 'the body is not UTF-8');
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new HttpRefusal(
      400,
      'invalid_json',
      `the body is not JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
}
