/**
 * Which addresses something may be fetched from, for the downloads and the studio alike. "A result's URL may not point into a
 * private network unless the service itself lives there": otherwise a service, or whoever speaks for it, could make this machine
 * read its own network.
 *
 * Names are checked when they are looked up, at the moment of connecting, so that an answer cannot change in between. A literal
 * address is never looked up: it is checked in the URL, whose parser has already turned `2130706433`, `0x7f.1` and the like into `127.0.0.1`.
 */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { bareHost, isLoopback } from '../domain/loopback.ts';
import { isPublicAddress } from './public-address.ts';

export type UrlRefusal =
  /** `ftp:` and the like. */
  | { readonly is: 'scheme'; readonly scheme: string }
  | { readonly is: 'credentials' }
  | { readonly is: 'plain' }
  | { readonly is: 'private'; readonly host: string };

export interface UrlGuard {
  /** Why this URL may not be fetched; undefined when it may. Ask again for every redirect. */
  refuses(url: URL): UrlRefusal | undefined;
  /** The same URL over https, where plain http would be refused: a paid result should not be lost to a missing letter. */
  secured(url: URL): URL;
  /** The first of a name's addresses that leads into a private network: one among many is enough to refuse it. */
  inside(host: string, addresses: readonly string[]): string | undefined;
  /** The look-up for the connection: fails when the name leads into a private network. */
  readonly lookup: LookupFunction;
}

export type LookUpAll = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const systemLookup: LookUpAll = (hostname, callback) => dnsLookup(hostname, { all: true }, callback);

/**
 * @param base the address of the service, whose results may come from its own network; and in plain http, where it is itself on this
 * machine and spoken to in plain http. Null where no service is allowed that.
 */
export function guardFor(base: string | null, lookUp: LookUpAll = systemLookup): UrlGuard {
  const home = base === null ? undefined : new URL(base);
  const homeName = home && bareHost(home.hostname);
  const isHome = (host: string) =>
    homeName !== undefined && (bareHost(host) === homeName || (isLoopback(host) && isLoopback(homeName)));
  const mayBePlain = (url: URL) => home?.protocol === 'http:' && isHome(url.hostname);
  const inside = (host: string, addresses: readonly string[]) =>
    isHome(host) ? undefined : addresses.find(address => !isPublicAddress(address));

  return {
    inside,
    secured(url) {
      return url.protocol === 'http:' && !mayBePlain(url) ? new URL(url.href.replace(/^http:/, 'https:')) : url;
    },
    refuses(url) {
      const host = bareHost(url.hostname);
      if (url.protocol !== 'https:' && url.protocol !== 'http:') return { is: 'scheme', scheme: url.protocol };
      if (url.username !== '' || url.password !== '') return { is: 'credentials' };
      if (url.protocol === 'http:' && !mayBePlain(url)) return { is: 'plain' };
      const isLiteral = isIP(host) > 0;
      if (!isHome(host) && (isLoopback(host) || (isLiteral && !isPublicAddress(host)))) return { is: 'private', host };
      return undefined;
    },
    lookup(hostname, options, callback) {
      lookUp(hostname, (error, found) => {
        if (error) return callback(error, '', 0);
        const wrong = inside(
          hostname,
          found.map(({ address }) => address),
        );
        if (wrong !== undefined)
          return callback(new PrivateAddress(`${hostname} leads to ${wrong}, a private address`), '', 0);
        const first = found[0];
        if (first === undefined) return callback(new Error(`no address for ${hostname}`), '', 0);
        if (options.all) return callback(null, found);
        callback(null, first.address, first.family);
      });
    },
  };
}

/** Thrown by the lookup: trying again would be no better. */
export class PrivateAddress extends Error {}
