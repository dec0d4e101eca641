/** Tokens are counted without making any: as many as there are. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTokens, tokensOf } from '../../src/studio/writer/tokens.ts';

const letter = fc.constantFrom(
  'a',
  ' ',
  'é',
  '\u2e7f',
  '\u2e80',
  '狐',
  '\uffff',
  '🦊',
  '\u{10ffff}',
  '\ud800',
  '\udc00',
);

test('the count of a text is the number of its tokens', () => {
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 12 }), letters => {
      const text = letters.join('');
      expect(countTokens(text)).toBe(tokensOf(text).length);
      expect(tokensOf(text).join('')).toBe(text);
    }),
    { numRuns: 500, seed: 7 },
  );
});
