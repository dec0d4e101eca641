/**
 * Which addresses a result may be fetched from. "A result's URL may not point into a private network unless the service itself
 * lives there": otherwise a service, or whoever speaks for it, could make this machine read its own network.
 *
 * Names are checked when they are looked up, at the moment of connecting, so that an answer cannot change in between. A literal
 * address is never looked up: it is checked in the URL, whose parser has already turned `2130706433`, `0x7f.1` and the like into `127.0.0.1`.
 */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

export interface UrlGuard {
  /** Why this URL may not be fetched; undefined when it may. Ask again for every redirect. */
  refuses(url: URL): string | undefined;
  /** The same place over https, where plain http would be refused: what was paid for should not be lost to a missing letter. */
  secured(url: URL): URL;
  /** For the connection: fails when the name leads into a private network. */
  readonly lookup: LookupFunction;
}

export type LookUpAll = (
  hostname: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const systemLookup: LookUpAll = (hostname, callback) => dnsLookup(hostname, { all: true }, callback);

/** `base` is the service's base address. Plain http is for a service that is itself spoken to in plain http: one on this machine. */
export function guardFor(base: string, lookUp: LookUpAll = systemLookup): UrlGuard {
  const home = new URL(base);
  const homeName = bare(home.hostname);
  const isHome = (name: string) => name === homeName || (isLoopbackName(name) && isLoopbackName(homeName));

  const mayBePlain = (url: URL) => home.protocol === 'http:' && isHome(bare(url.hostname));

  return {
    secured(url) {
      return url.protocol === 'http:' && !mayBePlain(url) ? new URL(url.href.replace(/^http:/, 'https:')) : url;
    },
    refuses(url) {
      const name = bare(url.hostname);
      if (url.protocol !== 'https:' && url.protocol !== 'http:') return `${url.protocol} is no way to fetch a result`;
      if (url.username !== '' || url.password !== '') return 'it holds a user name or a password';
      if (url.protocol === 'http:' && !mayBePlain(url)) return 'it is not encrypted';
      if (isHome(name)) return undefined;
      if (isLoopbackName(name) || isPrivate(name)) return `${name} is a private address`;
      return undefined;
    },
    lookup(hostname, options, callback) {
      lookUp(hostname, (error, addresses) => {
        const inside = isHome(bare(hostname)) ? undefined : addresses?.find(({ address }) => isPrivate(address));
        if (error) return callback(error, '', 0);
        if (inside)
          return callback(new PrivateAddress(`${hostname} leads to ${inside.address}, a private address`), '', 0);
        const first = addresses[0];
        if (options.all) return callback(null, addresses);
        if (first) return callback(null, first.address, first.family);
        callback(new Error(`no address for ${hostname}`), '', 0);
      });
    },
  };
}

/** Thrown by the lookup: trying again would be no better. */
export class PrivateAddress extends Error {}

const bare = (hostname: string): string =>
  hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();

const isLoopbackName = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '::1' ||
  (isIP(name) === 4 && name.startsWith('127.'));

/** An address that is not on the public internet. Names are not addresses: false. */
export function isPrivate(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  return family === 4 ? PRIVATE.check(address, 'ipv4') : PRIVATE.check(address.replace(/%.*$/, ''), 'ipv6');
}

/** IANA's special-purpose registries (RFC 6890 and after), and the ways of writing IPv4 inside IPv6. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  // Unspecified, loopback, IPv4-compatible. Mapped addresses (::ffff:a.b.c.d) BlockList checks against the list above by itself.
  ['::', 96],
  // Translated (NAT64), discard, Teredo and other protocol assignments, documentation, 6to4
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  // Unique local, link-local, site-local, multicast
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv6');
}
