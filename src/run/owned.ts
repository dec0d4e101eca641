/** What earlier runs left on this machine: the journal first, then the lock file; only what the store really holds counts. */
import { extname } from 'node:path';
import type { StoreIndex } from '../artifacts/store.ts';
import { everyFile, mapFiles } from '../domain/command-files.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { Owned } from '../domain/plan.ts';
import type { CommandFiles, CommandResult, Result } from '../domain/result.ts';
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
    done(fingerprint) {
      const result = journal.succeeded(fingerprint)?.result ?? lock.findAnywhere(fingerprint);
      return result?.is === 'command' ? withExtensions(result, store) : undefined;
    },
    mayBeDone: fingerprint => journal.actLeftOpen(fingerprint) !== undefined,
    last(key: InstanceKey) {
      const intent = journal.lastIntent(key);
      if (intent) return { fingerprint: intent.fingerprint, request: intent.request };
      const locked = lock.fingerprintOf(key);
      return locked === undefined ? undefined : { fingerprint: locked, request: null };
    },
  };
}

/** Files that are not here keep the extension that they had. */
const withExtensions = (result: CommandResult, store: StoreIndex): CommandResult => ({
  ...result,
  files: mapFiles(result.files, made => {
    const file = store.file(made.sha256);
    return file === undefined ? made : { ...made, extension: extname(file) };
  }) as CommandFiles,
});

/** The same result, with the extensions that its files have in this store; undefined when a byte is missing. */
function onThisMachine(result: Result, store: StoreIndex): Result | undefined {
  switch (result.is) {
    case 'media': {
      const file = store.file(result.sha256);
      return file === undefined ? undefined : { ...result, extension: extname(file) };
    }
    case 'command': {
      if (everyFile(result.files).some(({ sha256 }) => store.file(sha256) === undefined)) return undefined;
      return withExtensions(result, store);
    }
    case 'text':
    case 'fine_tune':
      return result;
    default:
      return unreachable(result);
  }
}
