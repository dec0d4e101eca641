/** What the journal of this machine and the lock file know of an instance's past. */

import type { InstanceKey } from '../../model/run/key.ts';
import type { Asked } from '../../model/run/result.ts';
import { contentsOf as filesOf, isStored, type Result } from '../../model/run/result.ts';
import { contentsOf, type History, type Made } from '../../plan/why/explain.ts';
import { askedOf, resultOf } from '../../records/lock/lock-entry.ts';
import type { LockFile } from '../../records/lock/lock-file.ts';
import type { JournalViews } from '../../records/views/journal-views.ts';
import type { ResultRow } from '../../records/views/owned.ts';
import { filmName } from '../find-owned.ts';

/** @param service the service of the results that are compared. */
export function historyOf(
  { views }: { readonly views: Pick<JournalViews, 'film' | 'owned' | 'runs'> },
  lock: LockFile,
  service: string,
  hide: (asked: Asked) => Asked,
): History {
  const made = ({ film, run, event }: ResultRow): Made => {
    // The journal corrects the cost of a result when the service reports it.
    const newest = views.owned.find(event.fingerprint) ?? event;
    const maker = event.type === 'succeeded' ? event : views.owned.rowOf(event.fingerprint)?.event;
    return {
      ...{ fingerprint: event.fingerprint, at: event.at, run, key: event.key },
      film: film === views.film ? undefined : filmName(film),
      how: event.type === 'succeeded' ? 'made' : 'used',
      cost: costOf(newest.result),
      contents: contentsOf(digestsIn(event.result)),
      asked: maker?.type === 'succeeded' ? maker.asked : undefined,
    };
  };
  let lockedKeys: ReadonlyMap<string, readonly InstanceKey[]> | undefined;
  const isHere = ({ run }: ResultRow) => (views.runs.serviceOf(run) ?? service) === service;
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
      const row = views.owned.rowOf(fingerprint);
      return row && made(row);
    },
    madeBy: key => views.owned.resultsOf(key).filter(isHere).map(made),
    otherService(key) {
      const row = views.owned.resultsOf(key).find(one => !isHere(one));
      return row && views.runs.serviceOf(row.run);
    },
    failed(key) {
      const event = views.owned.lastFailure(key);
      return event && { at: event.at, message: event.failure.message };
    },
    hide,
  };
}

const costOf = (result: Result): number | null => ('cost' in result ? result.cost : 0);

const digestsIn = (result: Result): readonly string[] =>
  isStored(result) ? filesOf(result).map(({ sha256 }) => sha256) : [];
