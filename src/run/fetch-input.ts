/** What a command reads by its address, fetched once however many read it. */
import { createHash } from 'node:crypto';
import type { DownloadOutcome, Hands } from './ports/hands.ts';

/** The same address has the same name, so that a partial download is gone on with. */
export function fetchInput(url: string, hands: Pick<Hands, 'download'>, signal: AbortSignal): Promise<DownloadOutcome> {
  const id = `input-${createHash('sha256').update(url).digest('hex').slice(0, 32)}`;
  return hands.download({ url, id }, { started: () => {} }, signal);
}

/** `files.clip could not be fetched from https://… : the storage answered 404` */
export const notFetched = (name: string, url: string, why: string): string =>
  `files.${name} could not be fetched from ${url}: ${why}`;
