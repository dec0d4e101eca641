import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GENERATED } from '../../build/reference-files.ts';

test.each(GENERATED)('$path is what `npm run reference` makes', ({ path, text }) => {
  expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(text());
});
