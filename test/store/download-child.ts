/** A process of its own, to be killed: downloads, and prints how far it is. */

import { guardFor } from '../../src/machine/net/url-guard.ts';
import { systemClock } from '../../src/machine/time/clock.ts';
import { download } from '../../src/records/store/download.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';

const [url = '', base = '', folder = ''] = process.argv.slice(2);
await download(url, {
  store: await LocalStore.open(folder),
  id: 'g-1',
  allow: guardFor(base),
  clock: systemClock,
  signal: new AbortController().signal,
  onProgress: bytes => process.stdout.write(`${bytes}\n`),
});
