/**
 * Who may come in. The page is served to this machine alone, and other programs and web pages on it are strangers too: the token in the path is
 * known to holders of the link, and is in the address of everything that the page asks for.
 *
 *     Host            a web page's own name that was made to lead here (DNS rebinding) is still that name
 *     Origin          another page that sends what a person did not decide
 *     Sec-Fetch-Site  another page that draws ours, or a picture of ours, into itself
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isAllowedHost } from '../../../machine/net/url-guard.ts';
import { messages } from './review-messages.ts';

interface Coming {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

interface Door {
  readonly token: string;
  readonly port: number;
}

type Admission =
  /** `path` below the token, without a query: ``, `events`, `media/…`. */
  | { readonly is: 'in'; readonly path: string }
  | { readonly is: 'refused'; readonly status: 400 | 403 | 404 | 405 | 421; readonly words: string };

export function admission({ method, url = '', headers }: Coming, { token, port }: Door): Admission {
  const { host, origin } = headers;
  if (!isAllowedHost(host, '127.0.0.1') || portOf(host) !== port) return refused(421, messages.wrongHost(port));
  if (origin !== undefined && origin !== `http://${host}`) return refused(403, messages.foreignOrigin());
  if (!['GET', 'HEAD', 'POST'].includes(method ?? '')) return refused(405, messages.wrongMethod());
  // Every browser names the origin of a POST.
  if (method === 'POST' && origin === undefined) return refused(403, messages.foreignOrigin());
  const [path = ''] = url.split('?');
  const [, given = '', below] = /^\/([^/]*)(?:\/(.*))?$/s.exec(path) ?? [];
  if (!isSame(given, token)) return refused(403, messages.noToken());
  if (isDrawnElsewhere(headers)) return refused(403, messages.foreignOrigin());
  // Without the slash, what the page asks for would be looked for beside it.
  if (below === undefined) return refused(404, messages.nothingHere());
  return { is: 'in', path: below };
}

const refused = (status: Extract<Admission, { is: 'refused' }>['status'], words: string): Admission => ({
  ...{ is: 'refused', status, words },
});

const portOf = (host = ''): number => Number(/:(\d+)$/.exec(host)?.[1] ?? 80);

/** A link that is followed from another page is a person's; everything else that another page asks for is not. */
function isDrawnElsewhere(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== 'cross-site' && site !== 'same-site') return false;
  return headers['sec-fetch-mode'] !== 'navigate' || headers['sec-fetch-dest'] !== 'document';
}

/** In constant time, whatever the length of what was sent. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
