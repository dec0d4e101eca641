/**
 * An upload in parts, as a bucket has it (S3: a multipart upload): begun, given its parts, completed, or ended. Until one of the last two
 * its parts lie there unseen, and are billed. Each function asks once, and throws what the network throws.
 */
import { createHash } from 'node:crypto';
import type { BucketReply, BucketRequest, BucketRequests } from './bucket-requests.ts';
import { checkedUpload, type FilePart, type PieceToSend } from './checked-upload.ts';
import type { OnProgress } from './publishing.ts';
import type { Over } from './upload.ts';

export interface OpenUpload {
  readonly key: string;
  readonly id: string;
}

interface PartThere {
  /** As the bucket names what it holds, without quotes. */
  readonly etag: string;
  readonly bytes: number;
}

export type PartsThere = ReadonlyMap<FilePart['number'], PartThere>;

/** What was asked for, or the answer that it was not given with. */
export type Asked<T> =
  | { readonly is: 'ok'; readonly value: T }
  | { readonly is: 'refused'; readonly reply: BucketReply };

const ok = <T>(value: T): Asked<T> => ({ is: 'ok', value });
const refused = (reply: BucketReply) => ({ is: 'refused', reply }) as const;

export class PartRequests {
  readonly #requests: Pick<BucketRequests, 'send'>;

  constructor(requests: Pick<BucketRequests, 'send'>) {
    this.#requests = requests;
  }

  /** `headers`: of the object that is to come of it. */
  async begin(key: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Asked<OpenUpload>> {
    const reply = await this.#send({ method: 'POST', key, query: { uploads: '' }, headers, signal });
    const id = textIn(reply.text, 'UploadId');
    return reply.status === 200 && id ? ok({ key, id }) : refused(reply);
  }

  async put(
    { key, id }: OpenUpload,
    { number, ...piece }: PieceToSend & FilePart,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<Asked<string>> {
    const reply = await this.#send({
      method: 'PUT',
      key,
      query: { partNumber: String(number), uploadId: id },
      headers: { 'content-length': String(piece.bytes), 'x-amz-content-sha256': piece.sha256 },
      body: checkedUpload(piece, onProgress),
      signal,
    });
    const etag = reply.header('etag');
    return reply.status === 200 && etag !== undefined ? ok(unquoted(etag)) : refused(reply);
  }

  async complete(
    { key, id }: OpenUpload,
    etags: readonly string[],
    signal: AbortSignal,
    over: Over = 'anything',
  ): Promise<Asked<undefined>> {
    const parts = etags.map(
      (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>"${escaped(etag)}"</ETag></Part>`,
    );
    const body = Buffer.from(
      `<CompleteMultipartUpload xmlns="${NAMESPACE}">${parts.join('')}</CompleteMultipartUpload>`,
    );
    const reply = await this.#send({
      method: 'POST',
      key,
      query: { uploadId: id },
      headers: {
        'content-type': 'application/xml',
        'content-length': String(body.length),
        ...(over === 'nothing' && { 'if-none-match': '*' }),
        'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
      },
      body: [body],
      signal,
    });
    // It begins to answer before it knows: "A 200 OK response can contain either a success or an error".
    return reply.status === 200 && !/<Error[\s>]/.test(reply.text) ? ok(undefined) : refused(reply);
  }

  async end({ key, id }: OpenUpload, signal: AbortSignal): Promise<Asked<undefined>> {
    const reply = await this.#send({ method: 'DELETE', key, query: { uploadId: id }, signal });
    return reply.status < 300 || isNoUpload(reply) ? ok(undefined) : refused(reply);
  }

  /** What was begun under this name and neither completed nor ended, by whomever. */
  async open(key: string, signal: AbortSignal): Promise<Asked<readonly OpenUpload[]>> {
    const reply = await this.#send({ method: 'GET', key: '', query: { uploads: '', prefix: key }, signal });
    if (reply.status !== 200) return refused(reply);
    const uploads = elementsIn(reply.text, 'Upload').map(upload => ({
      key: textIn(upload, 'Key'),
      id: textIn(upload, 'UploadId') ?? '',
    }));
    return ok(uploads.flatMap(upload => (upload.key === key && upload.id !== '' ? [{ key, id: upload.id }] : [])));
  }

  async parts({ key, id }: OpenUpload, signal: AbortSignal): Promise<Asked<PartsThere>> {
    const there = new Map<number, PartThere>();
    for (let after: string | undefined; ; ) {
      const query = { uploadId: id, ...(after !== undefined && { 'part-number-marker': after }) };
      const reply = await this.#send({ method: 'GET', key, query, signal });
      if (reply.status !== 200) return refused(reply);
      for (const part of elementsIn(reply.text, 'Part'))
        there.set(Number(textIn(part, 'PartNumber')), {
          etag: unquoted(textIn(part, 'ETag') ?? ''),
          bytes: Number(textIn(part, 'Size')),
        });
      const next = textIn(reply.text, 'NextPartNumberMarker');
      if (textIn(reply.text, 'IsTruncated') !== 'true' || next === undefined || !(Number(next) > Number(after ?? 0)))
        return ok(there);
      after = next;
    }
  }

  #send(request: BucketRequest): Promise<BucketReply> {
    return this.#requests.send(request);
  }
}

/** It was completed or ended, or has never been. */
export const isNoUpload = ({ status, text }: BucketReply): boolean =>
  textIn(text, 'Code') === 'NoSuchUpload' || (status === 404 && textIn(text, 'Code') === undefined);

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

const unquoted = (etag: string): string => etag.replaceAll('"', '');

// The little of XML that buckets answer with: elements that hold text, or such elements.

/** The text of the first element of this name; undefined where there is none. */
export function textIn(xml: string, name: string): string | undefined {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return found?.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => ENTITIES[entity] ?? '');
}

/** What is in each element of this name. */
const elementsIn = (xml: string, name: string): readonly string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, inner = '']) => inner);

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
