import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { plan } from '../../src/plan/plan.ts';
import { pipelineFiles } from '../support/pipelines.ts';
import { contextOf } from './support.ts';

test.each(pipelineFiles())('$name has no mistake, a price for every instance, and an output', ({ name, text }) => {
  const { pipeline, diagnostics } = compile({ path: name, text }, modelLibrary);
  expect(diagnostics).toStrictEqual([]);
  const planned = plan(pipeline!, contextOf());
  expect(planned.diagnostics).toStrictEqual([]);
  expect(planned.plan?.totals).toMatchObject({ hit: 0, skip: 0, open: 0, unpriced: 0 });
  expect(planned.plan?.outputs.length).toBeGreaterThan(0);
});
