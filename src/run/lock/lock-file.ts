/**
 * The lock file beside the pipeline, in git: what each instance gave, in sections for each service. Sorted, so that a diff reads
 * like a story. It holds no addresses and no paths: content only. `lock-keeper.ts` writes it while a run goes on.
 */
import { createHash } from 'node:crypto';
import type { InstanceKey } from '../../domain/key.ts';
import type { MediaResult, Result } from '../../domain/result.ts';
import { entryOf, type LockEntry, resultOf, wrongIn } from './lock-entry.ts';
import { blockOf, fingerprintIn, LockRefused, LockText, MEND, shown } from './lock-text.ts';

export { LockRefused } from './lock-text.ts';

/** `pipelines/fox.yaml` → `pipelines/fox.lock.yaml`. */
export const lockPath = (pipeline: string): string => pipeline.replace(/(\.ya?ml)?$/i, '.lock.yaml');

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export class LockFile {
  readonly #service: string;
  readonly #path: string;
  /** The file as it was found. */
  readonly text: string | undefined;
  /** We wrote it last, so the journal knows all that is in it. */
  readonly isOurs: boolean;
  #read: LockText | undefined;
  #entries: ReadonlyMap<string, LockEntry> | undefined;

  private constructor(text: string | undefined, service: string, path: string, isOurs: boolean) {
    this.text = text;
    this.isOurs = isOurs;
    this.#service = service;
    this.#path = path;
  }

  /**
   * @param ours the text is known to be what we wrote last: it is read only when something is missing from the journal.
   * @throws LockRefused when the text is not a lock file of a version we know, or an entry of this service is none.
   */
  static open(text: string | undefined, service: string, path: string, ours: boolean): LockFile {
    const lock = new LockFile(text, service, path, ours);
    if (!ours) lock.#byFingerprint();
    return lock;
  }

  find(fingerprint: string): Result | undefined {
    const entry = this.#byFingerprint().get(fingerprint);
    return entry && resultOf(entry);
  }

  /** A result that the service can be asked for again by its generation's id, wherever its bytes are. */
  atService(fingerprint: string): MediaResult | undefined {
    const result = this.find(fingerprint);
    return result?.is === 'media' && result.generation_id !== null ? result : undefined;
  }

  fingerprintOf(key: InstanceKey): string | undefined {
    const block = this.#content().section(this.#service).get(key);
    return block && fingerprintIn(block);
  }

  /**
   * The text with this service's section brought up to date. Instances that have no result this time keep what they had;
   * instances that are gone from the file go from the lock; sections of other services stay as they are.
   */
  with(instances: readonly LockedInstance[]): string {
    const put = new Map<string, string>();
    for (const { key, model, done } of instances)
      if (done) put.set(key, blockOf(key, entryOf(done.fingerprint, model, done.result)));
    const keys = new Set<string>(instances.map(({ key }) => key));
    return this.#content().with(this.#service, put, key => !keys.has(key));
  }

  #content(): LockText {
    this.#read ??= LockText.read(this.text, this.#path);
    return this.#read;
  }

  #byFingerprint(): ReadonlyMap<string, LockEntry> {
    this.#entries ??= entriesOf(this.#content(), this.#service, this.#path);
    return this.#entries;
  }
}

export interface LockedInstance {
  readonly key: InstanceKey;
  readonly model: string;
  readonly done: { readonly fingerprint: string; readonly result: Result } | undefined;
}

/** What is wrong with one entry is rarely wrong with one alone. */
const MOST_TOLD = 5;

function entriesOf(lock: LockText, service: string, path: string): ReadonlyMap<string, LockEntry> {
  const entries = new Map<string, LockEntry>();
  const wrong: string[] = [];
  for (const [key, block] of lock.section(service)) {
    const value = lock.value(block) ?? null;
    const why = wrongIn(value);
    if (why !== undefined) {
      wrong.push(`\`${shown(key)}\` ${why}`);
      continue;
    }
    const entry = value as unknown as LockEntry;
    entries.set(entry.fingerprint, entry);
  }
  if (wrong.length === 0) return entries;
  const more = wrong.length > MOST_TOLD ? `; and ${wrong.length - MOST_TOLD} more` : '';
  throw new LockRefused(`${path} is not as shotlist wrote it: ${wrong.slice(0, MOST_TOLD).join('; ')}${more}; ${MEND}`);
}
