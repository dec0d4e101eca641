/**
 * A signed address without its signature. Stores hand out one file under a new query each time; the rest of the address names the file.
 * Only parameters that the well-known stores sign with are taken off: a `token` or an `id` may be all that tells two files apart.
 */

const SIGNING = new Set([
  'signature',
  'expires',
  'policy',
  'key-pair-id',
  'awsaccesskeyid',
  'googleaccessid',
  'ossaccesskeyid',
]);
const SIGNING_FAMILIES = /^x-(amz|goog|oss|cos|tos)-/;
/** Azure's shared access: only together with `sig`, and `sig` is nothing without them. */
const SHARED_ACCESS = new Set([
  'sig',
  'sv',
  'se',
  'st',
  'sr',
  'sp',
  'spr',
  'sip',
  'ss',
  'srt',
  'skoid',
  'sktid',
  'skt',
  'ske',
  'sks',
  'skv',
]);

/** Undefined where the text is no address of a file on the web. */
export function withoutSignature(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.pathname === '/') return undefined;
  const isShared = url.searchParams.has('sig') && url.searchParams.has('se');
  const names = [...url.searchParams.keys()];
  for (const name of names) {
    const small = name.toLowerCase();
    if (SIGNING.has(small) || SIGNING_FAMILIES.test(small) || (isShared && SHARED_ACCESS.has(small)))
      url.searchParams.delete(name);
  }
  return url.href;
}
