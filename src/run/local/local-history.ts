/** What the journal of this machine and the lock file know of an instance's past. */

import type { Asked } from '../../domain/asked.ts';
import { everyFile } from '../../domain/command-files.ts';
import type { InstanceKey } from '../../domain/key.ts';
import type { Result } from '../../domain/result.ts';
import { unreachable } from '../../domain/unreachable.ts';
import { contentsOf } from '../../plan/why/explain.ts';
import type { History, Made } from '../../plan/why/history.ts';
import { askedOf, resultOf } from '../lock/lock-entry.ts';
import type { LockFile } from '../lock/lock-file.ts';
import { filmName } from '../owned.ts';
import type { LocalJournal } from './local-journal.ts';
import type { ResultRow } from './past-results.ts';

/** @param service whose results are held against each other. */
export function historyOf(
  journal: Pick<LocalJournal, 'film' | 'succeeded' | 'past' | 'serviceOf'>,
  lock: LockFile,
  service: string,
  hide: (asked: Asked) => Asked,
): History {
  const made = ({ film, run, event }: ResultRow): Made => {
    // The journal corrects what a result has cost when the service tells it.
    const newest = journal.succeeded(event.fingerprint) ?? event;
    const maker = event.type === 'succeeded' ? event : journal.past.ownerOf(event.fingerprint)?.event;
    return {
      ...{ fingerprint: event.fingerprint, at: event.at, run, key: event.key },
      film: film === journal.film ? undefined : filmName(film),
      how: event.type === 'succeeded' ? 'made' : 'used',
      cost: costOf(newest.result),
      contents: contentsOf(digestsIn(event.result)),
      asked: maker?.type === 'succeeded' ? maker.asked : undefined,
    };
  };
  let lockedKeys: ReadonlyMap<string, readonly InstanceKey[]> | undefined;
  const isHere = ({ run }: ResultRow) => (journal.serviceOf(run) ?? service) === service;
  return {
    locked(key) {
      const entry = lock.entry(key);
      if (!entry) return undefined;
      const result = resultOf(entry);
      const generation = result.is === 'media' ? result.generation_id : null;
      const contents = contentsOf(digestsIn(result));
      return { fingerprint: entry.fingerprint, generation, cost: costOf(result), contents, asked: askedOf(entry) };
    },
    lockedAs(fingerprint) {
      lockedKeys ??= lock.keysByFingerprint();
      return lockedKeys.get(fingerprint) ?? [];
    },
    owner(fingerprint) {
      const row = journal.past.ownerOf(fingerprint);
      return row && made(row);
    },
    madeBy: key => journal.past.resultsOf(key).filter(isHere).map(made),
    otherService(key) {
      const row = journal.past.resultsOf(key).find(one => !isHere(one));
      return row && journal.serviceOf(row.run);
    },
    failed(key) {
      const event = journal.past.lastFailure(key);
      return event && { at: event.at, message: event.failure.message };
    },
    hide,
  };
}

const costOf = (result: Result): number | null => ('cost' in result ? result.cost : 0);

function digestsIn(result: Result): readonly string[] {
  switch (result.is) {
    case 'media':
      return [result.sha256];
    case 'command':
      return everyFile(result.files).map(({ sha256 }) => sha256);
    case 'text':
    case 'fine_tune':
    // Gathered from results that have entries of their own.
    case 'outputs':
    case 'picked':
    case 'approved':
    case 'round':
      return [];
    default:
      return unreachable(result);
  }
}
