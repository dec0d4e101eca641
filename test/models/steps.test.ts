/** Models as a pipeline file meets them. */
import { expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { exampleStep } from '../../src/cli/models/model-page.ts';
import { staticCatalog } from '../../src/studio/service/studio-catalog.ts';
import { film, said } from '../language/said.ts';

const catalog = staticCatalog(modelLibrary);
const get = (label: string) => {
  const model = catalog.get(label);
  if (!model) throw new Error(`no model ${label}`);
  return model;
};

test.each(modelLibrary.labels)('the example of %s is a step that check accepts', label => {
  expect(said(`shotlist: 1\nname: film\nsteps:\n${exampleStep(get(label))}\n`)).toBe('');
});

test('a search switch of any vendor’s name is a field of I-EDIT-B, and its value is checked', () => {
  const step = (field: string) => said(film(`steps:\n  a: { model: I-EDIT-B, with: { prompt: x, ${field} } }\n`));
  expect(step('acme_search: true')).toBe('');
  expect(step('acme_search: 3')).toBe(`4:57 ‹3› \`acme_search\` of I-EDIT-B takes true or false, not \`3\`; change it`);
});

test('a default with a vendor’s name fills the steps that have such a field', () => {
  expect(
    said(
      film(`
        defaults: { with: { acme_search: false } }
        steps:
          a: { model: I-EDIT-B, with: { prompt: x } }
          b: { model: I-GEN-A, with: { prompt: x } }
      `),
    ),
  ).toBe('');
});

test('a text that reads as a measure is held to the bound of its kind', () => {
  const framed = (resolution: string) =>
    said(
      film(
        `steps:\n  a:\n    model: V-RF\n    with: { input_video: a.mp4, prompt: x, aspect_ratio: 1:1, resolution: ${resolution} }\n`,
      ),
    );
  expect(framed('1080P')).toBe('');
  expect(framed('highest')).toContain('cannot be `highest`; it is written like `540p` or `1080p`');
  expect(framed('2160p')).toBe(`6:75 ‹2160p› \`resolution\` of V-RF is \`2160p\`; it must be at most 1080p`);
});
