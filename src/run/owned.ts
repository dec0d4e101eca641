/** What earlier runs left on this machine: the journal first, then the lock file; only what the store really holds counts. */
import { extname } from 'node:path';
import type { StoreIndex } from '../artifacts/store.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { Owned } from '../domain/plan.ts';
import type { CommandFile, Result } from '../domain/result.ts';
import { unreachable } from '../domain/unreachable.ts';
import type { LockFile } from './lock/lock-file.ts';
import type { Journal } from './ports/journal.ts';

export function ownedBy(journal: Journal, lock: LockFile, store: StoreIndex): Owned {
  return {
    find(fingerprint) {
      const result = journal.succeeded(fingerprint)?.result ?? lock.find(fingerprint);
      return result && onThisMachine(result, store);
    },
    atService(fingerprint) {
      const result = journal.succeeded(fingerprint)?.result ?? lock.find(fingerprint);
      return result?.is === 'media' && result.generation_id !== null ? result : undefined;
    },
    last(key: InstanceKey) {
      const intent = journal.lastIntent(key);
      if (intent) return { fingerprint: intent.fingerprint, request: intent.request };
      const locked = lock.fingerprintOf(key);
      return locked === undefined ? undefined : { fingerprint: locked, request: null };
    },
  };
}

/** The same result, with the extensions that its files have in this store; undefined when a byte is missing. */
function onThisMachine(result: Result, store: StoreIndex): Result | undefined {
  switch (result.is) {
    case 'media': {
      const file = store.file(result.sha256);
      return file === undefined ? undefined : { ...result, extension: extname(file) };
    }
    case 'command': {
      const files: Record<string, CommandFile> = {};
      for (const [name, made] of Object.entries(result.files)) {
        const file = store.file(made.sha256);
        if (file === undefined) return undefined;
        files[name] = { ...made, extension: extname(file) };
      }
      return { ...result, files };
    }
    case 'text':
    case 'fine_tune':
      return result;
    default:
      return unreachable(result);
  }
}
