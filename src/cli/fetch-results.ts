/** Brings results into the store, from nowhere but the internet or the machine the service itself is on. */
import type { Store } from '../artifacts/store.ts';
import { systemClock } from '../host/clock.ts';
import type { FetchResult } from '../run/context.ts';

/** @param base the service's address; the built-in studio is on this machine, at a port that is not known yet. */
export function fetchResults(store: Store, base = 'http://127.0.0.1'): FetchResult {
  return async (url, id, signal) => {
    const [{ download }, { guardFor }] = await Promise.all([
      import('../artifacts/download.ts'),
      import('../host/url-guard.ts'),
    ]);
    return download(url, { store, id, allow: guardFor(base), clock: systemClock, signal });
  };
}
