/** What a bucket answers instead of doing what it was asked: whether it helps to ask again, and the message for a person. */
import { cleanText } from '../../../model/text/clean.ts';
import type { BucketReply } from './bucket-requests.ts';
import { textIn } from './part-requests.ts';
import { messages } from './publish-messages.ts';

export interface BucketFault {
  readonly passes: boolean;
  readonly message: string;
  /** It may be there or not: the key may not know. */
  readonly isHidden?: true;
  /** What was sent of an upload in parts counts no more: it begins anew. */
  readonly beginsAnew?: true;
  /** Milliseconds that it asks to be left alone for. */
  readonly retryAfter?: number;
}

/** @param now Unix milliseconds, by this machine's clock. */
export function faultOf(reply: BucketReply, bucket: string, now: number): BucketFault {
  const { status, text } = reply;
  const code = textIn(text, 'Code');
  const reason = cleanText(textIn(text, 'Message') ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, 200);
  const region = reply.header('x-amz-bucket-region') ?? textIn(text, 'Region');
  const final = (message: string): BucketFault => ({ passes: false, message });
  switch (code) {
    case 'NoSuchBucket':
      return final(messages.noSuchBucket(bucket));
    case 'InvalidAccessKeyId':
      return final(messages.unknownKey());
    case 'SignatureDoesNotMatch':
      return final(messages.wrongKey());
    case 'ExpiredToken':
    case 'TokenRefreshRequired':
      return final(messages.expiredSession());
    case 'RequestTimeTooSkewed':
      return final(messages.wrongClock(clockOf(reply), now));
    case 'EntityTooLarge':
      return final(messages.tooLarge());
    case 'XAmzContentSHA256Mismatch':
    case 'BadDigest':
    case 'IncompleteBody':
      return { passes: true, message: messages.damaged() };
    case 'PreconditionFailed':
    case 'ConditionalRequestConflict':
      return { passes: true, message: messages.quicker() };
    case 'NoSuchUpload':
      return { passes: true, message: messages.uploadGone(), beginsAnew: true };
    case 'InvalidPart':
    case 'InvalidPartOrder':
    case 'EntityTooSmall':
      return { passes: true, message: messages.partsRefused(code), beginsAnew: true };
  }
  if (region !== undefined && (status === 301 || status === 307 || code === 'AuthorizationHeaderMalformed'))
    return final(messages.otherRegion(bucket, region));
  if (status >= 300 && status < 400) return final(messages.redirected(textIn(text, 'Endpoint')));
  if (status === 403 || status === 401)
    return { ...final(messages.forbidden(bucket, reason)), ...(code === 'AccessDenied' && { isHidden: true }) };
  if (status === 404) return final(messages.noSuchBucket(bucket));
  const after = Number(reply.header('retry-after'));
  const retryAfter = Number.isFinite(after) && after > 0 ? { retryAfter: Math.min(after, 300) * 1000 } : {};
  // An answer that began well may still hold an error, of which only the words are known.
  if (status === 429 || status >= 500 || status === 200)
    return { passes: true, message: messages.busy(status, code, reason), ...retryAfter };
  return final(messages.refused(status, code, reason));
}

/** Unix milliseconds, by the bucket's clock. */
function clockOf(reply: BucketReply): number | undefined {
  const at = Date.parse(textIn(reply.text, 'ServerTime') ?? reply.header('date') ?? '');
  return Number.isNaN(at) ? undefined : at;
}
