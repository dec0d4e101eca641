/** Where in which bucket a file lies, as an address and as a person would say it. It loads nothing: a plan names its store without the network. */
import { bareHost, isLoopback } from '../../../model/loopback.ts';
import type { BucketSettings } from '../../../settings/publish-settings.ts';

export interface BucketPlace {
  readonly bucket: string;
  /** Folders within it, without slashes at its ends; may be empty. */
  readonly prefix: string;
  /** Absent: Amazon's own, in `region`. */
  readonly endpoint?: string | undefined;
  /** Absent: as the endpoint's name has it. */
  readonly region?: string | undefined;
  readonly pathStyle?: boolean | undefined;
}

/** Of the settings. The region that is usual on this machine is Amazon's; another endpoint has its own. */
export const bucketPlace = (settings: BucketSettings, usual: string | undefined): BucketPlace => ({
  ...settings,
  region: settings.region ?? (settings.endpoint === undefined ? usual : undefined),
});

const AMAZON_DEFAULT = 'us-east-1';

/** By content: the same file has one place, however often it is uploaded. */
export const keyOf = (
  { prefix }: BucketPlace,
  { sha256, extension }: { readonly sha256: string; readonly extension: string },
): string => `${prefix === '' ? '' : `${prefix}/`}${sha256}${extension}`;

/** Undefined leaves it to the signer, which knows the names of the larger services. */
export const regionOf = ({ endpoint, region }: BucketPlace): string | undefined =>
  region ?? (endpoint === undefined ? AMAZON_DEFAULT : undefined);

/** `key` holds only characters that an address may hold as they are; empty: the bucket itself. */
export function objectUrl(place: BucketPlace, key: string): URL {
  const { bucket, endpoint } = place;
  const base = new URL(endpoint ?? amazonEndpoint(regionOf(place) ?? AMAZON_DEFAULT));
  if (isPathStyle(place, base)) return new URL(key === '' ? `/${bucket}` : `/${bucket}/${key}`, base);
  base.hostname = `${bucket}.${base.hostname}`;
  return new URL(`/${key}`, base);
}

/** A certificate for `*.s3.amazonaws.com` covers no bucket whose name has a dot. */
const isPathStyle = ({ pathStyle, bucket, endpoint }: BucketPlace, { hostname }: URL): boolean =>
  pathStyle ?? (endpoint !== undefined || bucket.includes('.') || isLoopback(bareHost(hostname)));

const amazonEndpoint = (region: string): string =>
  `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

/** `s3://films/in` */
export const shownPlace = ({ bucket, prefix }: BucketPlace): string =>
  `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`;
