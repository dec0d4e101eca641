/**
 * The client's contract on a day of each vice, at the real studio over HTTP: nothing throws, every answer is one that `api/service.ts`
 * names, and a POST is never called refused when it was taken. A new vice has to say here what a client may hear.
 */
import { expect, test } from 'vitest';
import { connect } from '../../src/client/connect.ts';
import { type Clock, systemClock } from '../../src/machine/time/clock.ts';
import type { ViceName } from '../../src/studio/service/vices/vice-table.ts';
import { VICES } from '../../src/studio/service/vices/vice-table.ts';
import { KEY, testStudio } from '../studio/fake-studio.ts';

const STILL = { model: 'I-GEN-A', prompt: 'a red fox' };
const LOOKS = 6;
/** A client that is told to wait a second waits a fiftieth of it. */
const HURRY = 50;
const clock: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal, where) => systemClock.sleep(ms / HURRY, signal, where),
};

interface Heard {
  /** The outcomes that POSTs may have, and whether some must have them. */
  readonly posts: readonly string[];
  readonly reads?: readonly string[];
  readonly history?: readonly string[];
}

const WELL: Heard = { posts: ['accepted'] };
const LOST: Heard = { posts: ['unknown'] };
const BUSY: Heard = {
  posts: ['accepted', 'refused 429'],
  reads: ['ok', 'unavailable'],
  history: ['ok', 'unavailable'],
};

const DAYS: Readonly<Record<ViceName, Heard>> = {
  'history-truncates': { ...WELL, history: ['ok', 'unavailable'] },
  'history-omits-fields': WELL,
  'history-rewrites': WELL,
  'history-lags': WELL,
  'history-relabels': WELL,
  'history-without-totals': WELL,
  'history-empty': WELL,
  'history-fails-a-page': { ...WELL, history: ['ok', 'unavailable'] },
  'answers-late': { posts: ['unknown', 'accepted'] },
  'answers-408': LOST,
  'answers-502': LOST,
  'answers-504': LOST,
  'drops-answers': LOST,
  forgets: { ...WELL, reads: ['absent'] },
  'forgets-for-good': { ...WELL, reads: ['absent'] },
  'status-goes-back': WELL,
  'status-unknown': WELL,
  'ids-repeat': WELL,
  'events-for-others': WELL,
  'events-garbage': WELL,
  'events-silent': WELL,
  'results-expire': WELL,
  'results-gone': WELL,
  'results-lie': WELL,
  'results-short': WELL,
  'results-empty': WELL,
  'succeeds-without-url': WELL,
  'tunes-stall': WELL,
  'tunes-unreadable': WELL,
  'tunes-forgotten': WELL,
  'tunes-go-back': WELL,
  busy: BUSY,
  'busy-without-retry-after': BUSY,
  'busy-retry-after-zero': BUSY,
  'key-refused': {
    posts: ['accepted', 'refused 401'],
    reads: ['ok', 'unauthenticated'],
    history: ['ok', 'unauthenticated'],
  },
  redirects: { posts: ['unknown'], reads: ['unavailable'], history: ['unavailable'] },
  'echoes-the-key': WELL,
};

test.each(Object.keys(VICES) as ViceName[])('%s', async name => {
  const heard = DAYS[name];
  const isAShare = / a share of the times/.test(VICES[name]);
  await using studio = await testStudio({ vices: [isAShare && name !== 'history-fails-a-page' ? `${name}=1` : name] });
  const service = connect({ name: 'studio', baseUrl: studio.url, key: KEY, clock });
  const never = new AbortController().signal;
  const said: unknown[] = [];
  try {
    for (let n = 0; n < 3; n++) {
      const answer = await service.enqueue({ ...STILL, seed: n }, never, `nonce-${n}`);
      said.push(answer);
      expect(heard.posts).toContain(answer.is === 'refused' ? `refused ${answer.status}` : answer.is);
      if (answer.is === 'unknown' && /^answers-/.test(name)) expect(answer.gateway).toBe(true);
    }
    const ids = said.flatMap(answer => (isAccepted(answer) ? [answer.id] : []));
    for (const id of ids.length > 0 ? ids : ['gen-1']) {
      for (let look = 0; look < LOOKS; look++) {
        const read = await service.generation(id, never);
        said.push(read);
        expect(heard.reads ?? ['ok']).toContain(read.is);
        // Only the document's own words are an end.
        if (read.is === 'ok' && name === 'status-unknown')
          expect(['succeeded', 'failed', 'cancelled']).not.toContain(read.value.status);
      }
    }
    const history = await service.history(never);
    said.push(history);
    expect(heard.history ?? ['ok']).toContain(history.is);
    if (history.is === 'ok' && name === 'history-empty') expect(history.value).toEqual([]);
    if (name === 'ids-repeat') expect(new Set(ids).size).toBeLessThan(3);
    expect(JSON.stringify(said)).not.toContain(KEY);
  } finally {
    await service.close();
  }
});

const isAccepted = (answer: unknown): answer is { readonly is: 'accepted'; readonly id: string } =>
  typeof answer === 'object' && answer !== null && 'is' in answer && answer.is === 'accepted';
