import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { plan } from '../../src/plan/plan.ts';
import { contextOf } from './support.ts';

const folder = new URL('../../pipelines/', import.meta.url);
const examples = readdirSync(folder).filter(name => name.endsWith('.yaml') && !name.endsWith('.lock.yaml'));

test.each(examples)('%s has no mistake, a price for every instance, and an output', name => {
  const source = { path: name, text: readFileSync(new URL(name, folder), 'utf8') };
  const { pipeline, diagnostics } = compile(source, modelLibrary);
  expect(diagnostics).toStrictEqual([]);
  const planned = plan(pipeline!, contextOf());
  expect(planned.diagnostics).toStrictEqual([]);
  expect(planned.plan?.totals).toMatchObject({ hit: 0, skip: 0, unpriced: 0 });
  expect(planned.plan?.outputs.length).toBeGreaterThan(0);
});
