/**
 * Which addresses something may be fetched from, for the downloads and the studio alike. "A result's URL may not point into a
 * private network unless the service itself lives there": otherwise a service, or a machine that answers for it, could make this machine
 * read its own network.
 *
 * Names are checked when they are looked up, at the moment of connecting, so that an answer cannot change in between. A literal
 * address is never looked up: it is checked in the URL, whose parser has already turned `2130706433`, `0x7f.1` and the like into `127.0.0.1`.
 */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { bareHost, isLoopback } from '../../model/loopback.ts';

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
 * @param base the address of the service: its results may come from its own network; and in plain http, where it is itself on this machine and
 * spoken to in plain http. Null where no service is allowed that.
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

/**
 * Which addresses are the public internet's. All others are this machine, a private network, or unused.
 *
 * After IANA's special-purpose registries (RFC 6890 and after), read strictly: a block that only a protocol uses (AS112, AMT)
 * serves no results, whatever "globally reachable" is claimed of it. Only 2000::/3 of IPv6 is handed out, so everything
 * outside it is refused without a list, and with it every way of writing IPv4 inside IPv6 (compatible, mapped, translated),
 * `5f00::/16` and whatever comes next.
 */
const SPECIAL = [
  // This network, private networks, carriers' private network, this machine, link-local
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  // Protocol assignments, AS112, AMT, the old 6to4 relays
  '192.0.0.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.175.48.0/24',
  // Documentation, benchmarks
  '192.0.2.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  // Multicast, reserved, broadcast
  '224.0.0.0/3',
  // This one is in no registry: it looks public, and is the host under every virtual machine of Azure.
  '168.63.129.16/32',
  // Inside 2000::/3: protocol assignments with Teredo and ORCHID, documentation (twice), 6to4, AS112
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
];

const special = blocks(SPECIAL);
const handedOut = blocks(['2000::/3']);
/** RFC 6052: IPv4 as a network without it sees it. It leads where the IPv4 address inside leads. */
const translated = blocks(['64:ff9b::/96']);

/** For literal addresses. A name is not one, and so not public. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  switch (isIP(bare)) {
    case 4:
      return !special.check(bare, 'ipv4');
    case 6:
      if (translated.check(bare, 'ipv6')) return isPublicAddress(lastFour(bare));
      return handedOut.check(bare, 'ipv6') && !special.check(bare, 'ipv6');
    default:
      return false;
  }
}

/** `64:ff9b::a00:1` → `10.0.0.1`. The URL parser writes an address in its shortest form, dots and all. */
function lastFour(address: string): string {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(/::|:/).slice(2);
  const [high = 0, low = 0] = [groups.at(-2), groups.at(-1)].map(group => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blocks(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix = ''] = subnet.split('/');
    list.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

// Against DNS rebinding: a web page on `evil.example` may make its own name point to 127.0.0.1, but the browser still sends `Host: evil.example`.
// An address literal cannot be rebound.

/** @param listening the address that the server listens on. */
export function isAllowedHost(header: string | undefined, listening: string): boolean {
  const [, name = ''] = /^(\[[\da-f:.]+\]|[^:]+)(?::\d+)?$/i.exec(header ?? '') ?? [];
  const host = bareHost(name);
  return isLoopback(host) || host === listening.toLowerCase() || (isWildcard(listening) && isIP(host) > 0);
}

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';
