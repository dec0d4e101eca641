/** Which addresses a stranger's request may make this machine connect to. */
import { BlockList, isIP } from 'node:net';

/** Special-purpose blocks of the IANA registries: this machine, private networks, link-local, documentation, multicast. */
const RESERVED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Only 2000::/3 is global unicast; inside it, these embed a v4 address or are not routed. */
const RESERVED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const reserved = blocks([...RESERVED_V4, ...RESERVED_V6]);
const globalV6 = blocks(['2000::/3']);

/** Literal addresses only; anything that is not one is not public. */
export function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !reserved.check(address, 'ipv4');
    case 6:
      return globalV6.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
    default:
      return false;
  }
}

function blocks(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix = ''] = subnet.split('/');
    list.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}
