/** What PostgreSQL takes of a text: told with its place, or made so that it does. */
import { expect, test } from 'vitest';
import { soundText, unsoundIn } from '../../src/team/database/sound-text.ts';

test('a NUL and half of a character are found wherever they stand, in names as well', () => {
  expect(unsoundIn({ params: { idea: 'a 🦊', list: [1, null, true, ['in the snow']] } })).toBeUndefined();
  expect(unsoundIn({ params: { list: ['a', { deep: 'b\0' }] } })).toEqual({
    ...{ at: 'params.list[1].deep', holds: 'a NUL character' },
  });
  expect(unsoundIn({ options: { promotion: { picks: [{ note: 'half \ud83e' }] } } })).toEqual({
    ...{ at: 'options.promotion.picks[0].note', holds: 'half of a character' },
  });
  expect(unsoundIn({ params: { 'a\0b': 1 } })).toEqual({ at: 'a name in params', holds: 'a NUL character' });
});

test('what is made sound has nothing of that', () => {
  expect(unsoundIn(soundText('a\0 \ud83e'))).toBeUndefined();
});
