import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { guardFor } from '../../src/machine/net/url-guard.ts';
import { download } from '../../src/records/store/download.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { Dice } from '../simulate/dice.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { temporaryFolder } from '../support/temp.ts';
import { filmServer, footage } from './film-server.ts';

const SEEDS = Array.from({ length: 40 }, (_, n) => n + 1);

test.each(SEEDS)(
  'whatever breaks and changes on the way, what enters the store is one whole version of the film: seed %i',
  async seed => {
    const store = await LocalStore.open(join(await temporaryFolder(), 'store'));
    const dice = new Dice(seed);
    const versions = [footage(200_000 + seed, 1), footage(150_000 + seed, 2)];
    const { stub, film, url } = await filmServer({ bytes: versions[0]!, ranges: dice.chance(0.8) });
    if (dice.chance(0.2)) film.etag = undefined;
    const bad = dice.between(1, 6);
    for (let n = 0; n < bad; n++) {
      film.breaks.push({
        after: dice.below(120_000),
        how: dice.pick(['cut', 'end', 'hold'] as const),
      });
    }
    const changesAfter = dice.chance(0.3) ? dice.below(bad) : undefined;
    const clock = new FakeClock();

    // Weather: called off and begun again in between, while time goes by.
    let got = await attempt();
    for (let n = 0; got.is !== 'ok' && n < 20; n++) got = await attempt();

    expect(got.is).toBe('ok');
    if (got.is !== 'ok') return;
    const bytes = await readFile(got.file);
    expect(versions.some(version => version.equals(bytes))).toBe(true);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(got.sha256);

    async function attempt() {
      const stop = new AbortController();
      const allow = guardFor(stub.url);
      const outcome = download(url, { store, id: `g-${seed}`, allow, clock, signal: stop.signal });
      const over = outcome.then(() => true);
      for (;;) {
        const slept = clock.asleep().then(() => false);
        if (await Promise.race([over, slept])) return outcome;
        if (stub.seen.length - 1 === changesAfter) [film.bytes, film.etag] = [versions[1]!, '"v2"'];
        if (dice.chance(0.05)) stop.abort();
        await clock.advance(2000);
      }
    }
    expect(await readdir(store.partials)).toEqual([]);
  },
);
