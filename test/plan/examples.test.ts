import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { LocalFiles } from '../../src/app/local-files.ts';
import { compile } from '../../src/language/compile.ts';
import { plan } from '../../src/plan/plan.ts';
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
    expect([...planned.plan!.instances].filter(({ price }) => price === null)).toEqual([]);
    expect(planned.plan!.open.filter(({ most, usd, isOff }) => most === undefined || usd === null || isOff)).toEqual(
      [],
    );
    expect(planned.plan!.pipeline.budget?.limits.unpriced).toBeUndefined();
    expect(pipeline!.outputs.length).toBeGreaterThan(0);
  },
);
