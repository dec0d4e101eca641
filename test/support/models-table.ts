/** `node test/support/models-table.ts` writes it: the guide's table of models, between its two markers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import type { CatalogModel } from '../../src/api/catalog.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import { KIND_NAMES, kindOf } from '../../src/app/service/model-from-catalog.ts';
import { exampleStep } from '../../src/cli/models/model-page.ts';
import { staticCatalog } from '../../src/studio/service/studio-catalog.ts';

export const MARKERS = ['<!-- models -->', '<!-- /models -->'] as const;
export const README = new URL('../../pipelines/guide/models.md', import.meta.url);

/** Label, kind and a step in one line, for every label of the interface document. */
export function modelsTable(): string {
  const catalog = staticCatalog(modelLibrary);
  const rows = modelLibrary.labels
    .map(label => catalog.get(label))
    .filter(model => model !== undefined)
    .map(model => `| \`${model.id}\` | ${KIND_NAMES[kindOf(model)]} | \`${exampleLine(model)}\` |`);
  return ['| model | kind | a step |', '| --- | --- | --- |', ...rows].join('\n');
}

/** `{ model: V-UP, with: { input_video: clip.mp4, resolution: 1080p } }` */
function exampleLine(model: CatalogModel): string {
  const [step] = Object.values(parse(exampleStep(model)) as object);
  return stringify(step, { lineWidth: 0, collectionStyle: 'flow' }).trimEnd();
}

/** What stands between the markers. @throws {Error} when they are not there. */
export const tableIn = (readme: string): string => readme.slice(...placeIn(readme)).trim();

function placeIn(readme: string): readonly [number, number] {
  const [start, end] = MARKERS.map(marker => readme.indexOf(marker)) as [number, number];
  if (start < 0 || end < start)
    throw new Error(`guide/models.md needs ${MARKERS.join(' and ')} around its table of models`);
  return [start + MARKERS[0].length, end];
}

if (import.meta.main) {
  const readme = readFileSync(README, 'utf8');
  const [start, end] = placeIn(readme);
  writeFileSync(README, `${readme.slice(0, start)}\n\n${modelsTable()}\n\n${readme.slice(end)}`);
}
