/**
 * Against DNS rebinding: a web page on `evil.example` may make its own name point to 127.0.0.1, but the browser still says
 * `Host: evil.example`. An address literal cannot be rebound.
 */
import { isIP } from 'node:net';
import { bareHost, isLoopback } from '../domain/loopback.ts';

/** @param listening the address the server was told to listen on. */
export function isAllowedHost(header: string | undefined, listening: string): boolean {
  const [, name = ''] = /^(\[[\da-f:.]+\]|[^:]+)(?::\d+)?$/i.exec(header ?? '') ?? [];
  const host = bareHost(name);
  return isLoopback(host) || host === listening.toLowerCase() || (isWildcard(listening) && isIP(host) > 0);
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';
