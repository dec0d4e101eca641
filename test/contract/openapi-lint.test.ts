/** A public linter reads `/openapi.json` with its recommended rules, and has nothing to say. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { testStudio } from '../studio/fake-studio.ts';

test.each([
  ['the studio', false],
  ['the strict studio', true],
] as const)('%s is described without a fault', async (_name, strict) => {
  await using studio = await testStudio({ strict });
  const source = await (await fetch(`${studio.url}/openapi.json`)).text();
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  expect(problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`)).toEqual([]);
});
