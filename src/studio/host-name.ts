/**
 * Against DNS rebinding: a web page on `evil.example` may make its own name point to 127.0.0.1, but the browser still says
 * `Host: evil.example`. An address literal cannot be rebound.
 */
import { isIP } from 'node:net';

/** @param listening the address the server was told to listen on. */
export function isAllowedHost(header: string | undefined, listening: string): boolean {
  const [, name = ''] = /^(\[[\da-f:.]+\]|[^:]+)(?::\d+)?$/i.exec(header ?? '') ?? [];
  const host = name.replace(/^\[|\]$/g, '').toLowerCase();
  return isLoopback(host) || host === listening.toLowerCase() || (isWildcard(listening) && isIP(host) > 0);
}

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';
