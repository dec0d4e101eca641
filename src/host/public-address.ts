/**
 * Which addresses are the public internet's. All others are this machine, somebody's private network, or nobody.
 *
 * After IANA's special-purpose registries (RFC 6890 and after), read strictly: a block that only a protocol uses (AS112, AMT)
 * serves no results, whatever "globally reachable" says of it. Only 2000::/3 of IPv6 is handed out, so everything
 * outside it is refused without a list, and with it every way of writing IPv4 inside IPv6 (compatible, mapped, translated),
 * `5f00::/16` and whatever comes next.
 */
import { BlockList, isIP } from 'node:net';

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
