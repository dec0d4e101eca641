/** A process of its own, to be killed: downloads, and prints how far it is. */
import { download } from '../../src/artifacts/download.ts';
import { LocalStore } from '../../src/artifacts/local-store.ts';
import { systemClock } from '../../src/host/clock.ts';
import { guardFor } from '../../src/host/url-guard.ts';

const [url = '', base = '', folder = ''] = process.argv.slice(2);
await download(url, {
  store: await LocalStore.open(folder),
  id: 'g-1',
  allow: guardFor(base),
  clock: systemClock,
  signal: new AbortController().signal,
  onProgress: bytes => process.stdout.write(`${bytes}\n`),
});
