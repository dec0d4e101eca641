/**
 * What went wrong, from the bodies that services answer with and from the codes that the network gives. Remote text must go through
 * `Transport.clean` before it is shown.
 */
import { cleanText } from '../domain/clean.ts';
import { recordIn } from '../domain/json.ts';
import { codeOf } from '../host/error-code.ts';

const MAX_CHARACTERS = 300;

/**
 * The reason in an error's body, whatever its shape: `{error: {message}}`, `{error}`, `{message}`, `{detail}`, `{errors: []}`,
 * or plain text. A page of HTML is never passed on. Undefined when there is nothing to say.
 */
export function bodyErrorText(body: string): string | undefined {
  const parsed = recordIn(body);
  const found = parsed === undefined ? unlessMarkup(body) : reasonIn(parsed);
  return found === undefined || HTML_PAGE.test(found) || oneLine(found) === '' ? undefined : found;
}

const HTML_PAGE = /<\s*(!doctype|html|head|body|script|title|h1)\b/i;
const unlessMarkup = (body: string): string | undefined => (body.trimStart().startsWith('<') ? undefined : body);

/** Where a reason may stand in a JSON body, the most telling first. */
const REASON_FIELDS = [
  'error',
  'errors',
  'message',
  'detail',
  'error_message',
  'status_message',
  'title',
  'msg',
] as const;

function reasonIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > 3) return undefined;
  if (Array.isArray(value)) {
    const reasons = value.slice(0, 20).map(item => reasonIn(item, depth + 1));
    return reasons.filter(reason => reason !== undefined).join('; ') || undefined;
  }
  for (const place of REASON_FIELDS) {
    const reason = Object.hasOwn(value, place)
      ? reasonIn((value as Record<string, unknown>)[place], depth + 1)
      : undefined;
    if (reason !== undefined && reason.trim() !== '') return reason;
  }
  return undefined;
}

/** The text without escape sequences, control and format characters, its white space as single blanks. */
export const oneLine = (text: string): string =>
  cleanText(text)
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

export const shortened = (line: string): string =>
  line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS - 1).trimEnd()}…`;

/** The network's own codes in plain words. */
const TROUBLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there (connection refused)',
  ENOTFOUND: 'no such host name',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'no way to that host',
  ENETUNREACH: 'no network',
  ETIMEDOUT: 'connecting took too long',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CLOSED: 'the connection was closed',
  UND_ERR_DESTROYED: 'the connection was closed',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by nobody this machine trusts',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by nobody this machine trusts',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by nobody this machine trusts',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  EPROTO: 'it does not speak TLS there',
};

const CUT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Whether the connection was established, and then closed by the other end or on the way. */
export const wasCut = (error: unknown): boolean => CUT.has(codeOf(error) ?? '');

/** An error thrown under a request, in plain words. */
export function networkErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error) ?? '';
  if (Object.hasOwn(TROUBLE, code)) return TROUBLE[code]!;
  if (error.name === 'HTTPParserError') return 'what answers there does not speak HTTP';
  if (code.startsWith('ERR_SSL_')) return TROUBLE.EPROTO!;
  return error.message || code || 'no reason given';
}
