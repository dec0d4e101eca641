/** The network's errors in plain words. Never the address: it may be signed. */

import { codeOf } from './error-code.ts';
import { errorCodeText } from './files/disk-error.ts';

const UNTRUSTED = 'its certificate is not signed by an authority that this machine trusts';

const WORDS: Readonly<Record<string, string>> = {
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
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  EPROTO: 'it does not speak TLS there',
};

const CUT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Whether the connection was established, and then closed by the other end or on the way. */
export const wasCut = (error: unknown): boolean => CUT.has(codeOf(error) ?? '');

/** An error thrown under a request. */
export function networkErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error) ?? codeOf(error.cause) ?? '';
  if (Object.hasOwn(WORDS, code)) return WORDS[code]!;
  if (error.name === 'HTTPParserError') return 'what answers there does not speak HTTP';
  if (code.startsWith('ERR_SSL_')) return WORDS.EPROTO!;
  return errorCodeText(code)?.what ?? (error.message || code || 'no reason given');
}
