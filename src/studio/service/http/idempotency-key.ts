/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a request sent again under its name is the same request, and gets the same
 * answer. A name means what was first asked under it; the digest of that is kept with it.
 */
import { createHash } from 'node:crypto';
import { canonical, type JsonObject } from '../../../model/text/json.ts';
import { HttpRefusal, invalid } from '../../shared/http-refusal.ts';
import type { Call } from './call.ts';

/** A request with a name. */
export interface IdempotencyKey {
  readonly value: string;
  /** A digest of its address and its body. */
  readonly digest: string;
}

/** The header as it is described; undefined for a request without one, and in strict mode, which knows no such header. */
export function idempotencyKeyOf(
  call: Call,
  body: JsonObject,
  { strict }: { readonly strict: boolean },
): IdempotencyKey | undefined {
  const header = call.request.headers['idempotency-key'];
  if (strict || header === undefined) return undefined;
  const [path = ''] = (call.request.url ?? '').split('?');
  const digest = createHash('sha256')
    .update(`${path} ${canonical(body)}`)
    .digest('base64url');
  return { value: keyIn(String(header)), digest };
}

/** The draft defines a quoted string; most send it bare. */
function keyIn(header: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header.trim()) ?? [];
  const key = quoted === undefined ? header.trim() : quoted.replace(/\\(.)/g, '$1');
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  const path = 'Idempotency-Key';
  throw invalid([{ path, message: `${path} must be 1 to 255 printable ASCII characters: a UUID does well` }]);
}

/** @throws {HttpRefusal} 422 when the name was given to something else before. */
export function refuseReuse(key: IdempotencyKey, asks: string | null): void {
  if (asks === key.digest) return;
  throw new HttpRefusal(
    422,
    'idempotency_key_reused',
    `Idempotency-Key ${key.value} was sent before with another request, which it stands for: give this one a key of its own`,
  );
}
