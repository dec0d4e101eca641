/** What PostgreSQL takes of a text: told with its place, or made so that it does. */
import { expect, test } from 'vitest';
import { postgresSafeText, unstorableIn } from '../../src/team/database/storable-text.ts';

test('a NUL and half of a character are found wherever they stand, in names as well', () => {
  expect(unstorableIn({ params: { idea: 'a 🦊', list: [1, null, true, ['in the snow']] } })).toBeUndefined();
  expect(unstorableIn({ params: { list: ['a', { deep: 'b\0' }] } })).toEqual({
    ...{ at: 'params.list[1].deep', holds: 'a NUL character' },
  });
  expect(unstorableIn({ options: { promotion: { picks: [{ note: 'half \ud83e' }] } } })).toEqual({
    ...{ at: 'options.promotion.picks[0].note', holds: 'half of a character' },
  });
  expect(unstorableIn({ params: { 'a\0b': 1 } })).toEqual({ at: 'a name in params', holds: 'a NUL character' });
});

test('what is made sound has nothing of that', () => {
  expect(unstorableIn(postgresSafeText('a\0 \ud83e'))).toBeUndefined();
});
