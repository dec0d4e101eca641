import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { plan } from '../../src/plan/plan.ts';
import { LocalFiles } from '../../src/session/local-files.ts';
import { FOLDER, filesBeside, pipelineFiles } from '../support/pipelines.ts';
import { contextOf } from './support.ts';

test.each(pipelineFiles())(
  '$name has no mistake, a price for every instance, and an output',
  async ({ name, text }) => {
    const { pipeline, diagnostics } = compile({ path: name, text }, modelLibrary, { files: filesBeside(name) });
    expect(diagnostics).toStrictEqual([]);
    const files = new LocalFiles(FOLDER, {}, FOLDER);
    const context = { ...contextOf(), localMedia: (path: string) => files.get(path) };
    let planned = plan(pipeline!, context);
    while (await files.load()) planned = plan(pipeline!, context);
    expect(planned.diagnostics).toStrictEqual([]);
    expect(planned.plan?.totals).toMatchObject({ hit: 0 });
    const unpriced = [...planned.plan!.instances].filter(({ price }) => price === null);
    // The document does not say how many tokens a picture counts, and nobody knows the words of a round that a critic may ask for.
    expect(unpriced.filter(({ priceBasis }) => !/images|words are not known yet/.test(priceBasis))).toEqual([]);
    expect(planned.plan!.open.filter(({ most }) => most === undefined)).toEqual([]);
    expect(pipeline!.outputs.length).toBeGreaterThan(0);
  },
);
