import { expect, test } from 'vitest';
import { bodyOf } from '../../src/records/journal/journal-row.ts';

const SUCCESS = {
  type: 'succeeded',
  seq: 3,
  at: 1,
  key: 'shot',
  fingerprint: 'f',
  result: {
    ...{ is: 'media', result_url: 'https://results.example/a.mp4', file: '/store/a', sha256: 'ab', bytes: 2 },
    ...{ generation_id: 'gen-1', request: {}, cost: null, media: { kind: 'video' } },
  },
};
const row = (body: unknown) => ({ body: typeof body === 'string' ? body : JSON.stringify(body) });

test('a row that is whole is what it says', () => {
  expect(bodyOf(row(SUCCESS), 'journal.db', 'succeeded')).toEqual(SUCCESS);
});

test('a row that a disk has turned a bit in is refused, with the file and what to do', () => {
  const text = JSON.stringify(SUCCESS);
  const damaged = [
    text.slice(0, -9),
    text.replace('"succeeded"', '"succeeeed"'),
    text.replace('"result":', '"rusult":'),
    text.replace('"sha256"', '"sha25v"'),
    text.replace('"is":"media"', '"is":"mefia"'),
    text.replace('"bytes":2', '"bytes":"2"'),
    '[]',
    '',
  ];
  for (const body of damaged)
    expect(() => bodyOf(row(body), 'film/journal.db', 'succeeded')).toThrow(
      'film/journal.db cannot be read (a row in it is damaged); it records what was paid for, so it is not started over: restore it from a backup; with its lock file a film still knows what it owns',
    );
});
