import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { plan } from '../../src/plan/plan.ts';
import { filesBeside, pipelineFiles } from '../support/pipelines.ts';
import { contextOf } from './support.ts';

test.each(pipelineFiles())('$name has no mistake, a price for every instance, and an output', ({ name, text }) => {
  const { pipeline, diagnostics } = compile({ path: name, text }, modelLibrary, { files: filesBeside(name) });
  expect(diagnostics).toStrictEqual([]);
  const planned = plan(pipeline!, contextOf());
  expect(planned.diagnostics).toStrictEqual([]);
  expect(planned.plan?.totals).toMatchObject({ hit: 0, open: 0 });
  const unpriced = [...planned.plan!.instances].filter(({ price }) => price === null);
  // The document does not say how many tokens a picture counts.
  expect(unpriced.filter(({ priceBasis }) => !priceBasis.includes('images'))).toEqual([]);
  expect(planned.plan?.outputs.length).toBeGreaterThan(0);
});
