/** Reads a request's body: JSON, an object, and not larger than it need be. */
import type { IncomingMessage } from 'node:http';
import type { Json, JsonObject } from '../domain/json.ts';
import { Refusal } from './refusal.ts';

/** Bytes. */
export const LARGEST_BODY = 1024 * 1024;

/** @throws {Refusal} 400, 413 or 415 */
export async function readJson(request: IncomingMessage): Promise<JsonObject> {
  refuseOtherTypes(request);
  const text = decode(await readAll(request));
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, 'invalid_json', 'the body must be a JSON object');
  }
  return value as JsonObject;
}

function refuseOtherTypes(request: IncomingMessage): void {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new Refusal(415, 'unsupported_media_type', 'send the body with Content-Type: application/json');
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new Refusal(415, 'unsupported_media_type', 'send the body without Content-Encoding');
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = () =>
    new Refusal(413, 'body_too_large', `the body is larger than ${LARGEST_BODY} bytes: name media by URL`, {
      headers: { connection: 'close' },
    });
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A listener rather than `for await`, which would destroy the socket, and with it the answer, on the way out.
  await new Promise<void>((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LARGEST_BODY) {
        request.removeAllListeners('data').pause();
        reject(tooLarge());
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', resolve);
    request.on('error', reject);
    request.on('close', () => reject(new Refusal(400, 'incomplete_body', 'the body broke off')));
  });
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, 'invalid_json', 'the body is not UTF-8');
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw new Refusal(400, 'invalid_json', `the body is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
