/** Downloads results into the store, only from the internet or from the machine that the service itself is on. */

import type { UrlGuard } from '../../machine/net/url-guard.ts';
import { systemClock } from '../../machine/time/clock.ts';
import type { Inspector } from '../../media/decode/inspector.ts';
import type { MediaKind } from '../../model/media/media.ts';
import type { DownloadsUnderWay } from '../../records/store/download.ts';
import { SingleFlight } from '../../records/store/single-flight.ts';
import type { Store } from '../../records/store/store.ts';
import type { Probe } from '../../run/local/created-files.ts';
import type { FetchResult } from '../../run/local/local-executor.ts';

/** The process that inspects media files, started with the first file. */
export function inspectorLater(): () => Promise<Inspector> {
  let started: Promise<Inspector> | undefined;
  return () => {
    started ??= import('../../media/decode/inspector.ts').then(
      ({ Inspector }) => new Inspector({ clock: systemClock }),
    );
    return started;
  };
}

/** What a command has made, by content; null where it cannot be looked at. */
export const probeMade =
  (inspector: () => Promise<Inspector>): Probe =>
  async path => {
    try {
      return await (await inspector()).probe(path);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'NotMedia') return null;
      const { describeUnexpectedContent } = await import('../../media/decode/not-media.ts');
      return { misfit: await describeUnexpectedContent(path) };
    }
  };

/** @param base the service's address; the built-in studio is on this machine, at a port that is not known yet. */
export function fetchResults(
  store: Pick<Store, 'adopt' | 'partials'>,
  base = 'http://127.0.0.1',
  inspector: () => Promise<Inspector> = inspectorLater(),
): FetchResult {
  const underWay: DownloadsUnderWay = new SingleFlight();
  let allow: UrlGuard | undefined;
  const verified = async (path: string, kind: MediaKind, signal: AbortSignal) =>
    (await inspector()).verify(path, kind, signal);
  return async (url, id, signal, kind, news) => {
    const [{ download }, { guardFor }] = await Promise.all([
      import('../../records/store/download.ts'),
      import('../../machine/net/url-guard.ts'),
    ]);
    allow ??= guardFor(base);
    // Without a kind, the file is for a command, which may read anything.
    const check = kind && ((path: string, signal: AbortSignal) => verified(path, kind, signal));
    return download(url, {
      ...{ store, underWay, id, allow, clock: systemClock, signal, check },
      ...{ onProgress: news?.came, onTrouble: news?.trouble },
    });
  };
}
