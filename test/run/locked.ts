/** The text of a lock that holds these results, as the keeper would have written it. */
import { isStored, type Result } from '../../src/model/run/result.ts';
import { entryOf } from '../../src/records/lock/lock-entry.ts';
import { blockOf, LockText } from '../../src/records/lock/lock-text.ts';

export interface Locked {
  readonly key: string;
  readonly model: string;
  readonly fingerprint: string;
  readonly result: Result;
}

/** @param before what the file said: other entries of it stay as they are. */
export function lockWith(entries: readonly Locked[], before?: string, service = 'house'): string {
  const put = new Map(
    entries.flatMap(({ key, model, fingerprint, result }) =>
      isStored(result) ? [[key, blockOf(key, entryOf(fingerprint, model, result))]] : [],
    ),
  );
  return LockText.read(before, 'fox.lock.yaml').with(service, put).text;
}
