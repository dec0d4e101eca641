/** How a person names a candidate: by number, by coordinates, by its whole name; and what is told where that is none. */
import { expect, test } from 'vitest';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { candidateNamed } from '../../src/plan/graph/gathered-candidates.ts';

const key = 'best[beat=3]' as InstanceKey;
const TAKES = ['shot[beat=3,take=1]', 'shot[beat=3,take=2]', 'other', 'line[said="a, b]",n=1]', 'bild[jahreszeit=冬]'];
const called = TAKES as readonly string[] as readonly InstanceKey[];

test.each([
  ['2', 1],
  ['take=2', 1],
  ['take=2,beat=3', 1],
  ['shot[beat=3,take=2]', 1],
  ['shot[take=2]', 1],
  [' shot[ take = 2 ] ', 1],
  ['other', 2],
  ['n=1', 3],
  ['said="a, b]"', 3],
  ['line[said="a, b]",n=1]', 3],
  ['jahreszeit=冬', 4],
])('%s', (word, place) => {
  expect(candidateNamed(word, { key, called })).toEqual({ is: 'found', place });
});

test.each([
  ['take=9', /did you mean take=1\?|did you mean take=2\?/],
  ['0', /numbered from 1 to 5/],
  ['6', /numbered from 1 to 5/],
  ['99999999999999999999', /numbered from 1 to 5/],
  ['othr', /did you mean other\?/],
  ['shot', /matches shot\[beat=3,take=1\] and shot\[beat=3,take=2\]; name one of them/],
  ['beat=3', /name one of them/],
  ['take', /is none of the candidates of 'best\[beat=3\]'/],
  ['=', /is none of the candidates/],
  ['[', /is none of the candidates/],
  ['take=\x1b]0;owned\x07', /is none of the candidates/],
])('%s is told of', (word, message) => {
  const named = candidateNamed(word, { key, called });
  expect(named.is === 'mistaken' && named.message).toMatch(message);
  expect(named.is === 'mistaken' && named.message).not.toContain('\x1b');
});
