/**
 * Whether a host is this very machine: the one rule for where a key may travel in the clear, where results may come from in plain
 * http, and which names a page may call the studio by. It is as strict as it is short: other spellings that reach this machine
 * (`[::ffff:7f00:1]`, `0`) count as private addresses, as they are never meant as this machine.
 *
 * `host` as a URL's `hostname` gives it, with or without the brackets of IPv6.
 */
export function isLoopback(host: string): boolean {
  const name = bareHost(host);
  if (name === 'localhost' || name === '::1') return true;
  // RFC 6761, 6.3: names below localhost are this machine's, and cannot be another's.
  if (name.endsWith('.localhost')) return true;
  return /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(name) && !/\.0\d/.test(name);
}

/** Whether a request to this URL would cross a network unencrypted. */
export const isUnencrypted = (url: URL): boolean => url.protocol === 'http:' && !isLoopback(url.hostname);

/** Whether an address leads to another machine; false for what is no address. */
export const isRemote = (address: string): boolean => URL.canParse(address) && !isLoopback(new URL(address).hostname);

/** A host without its brackets, without the dot of the root, in lower case: each has one spelling. */
export const bareHost = (host: string): string =>
  host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
