/**
 * `npm run gallery [LABEL…]`: every kind, drawn as it is for anybody, on contact sheets under `out/gallery/`, to be looked at. One sheet a kind, and one
 * of all. What cannot be drawn is said, and makes the command fail.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { modelLibrary } from '../../src/api/model-library.ts';
import { validateRequest } from '../../src/api/validate-request.ts';
import type { LocalInput } from '../../src/studio/animatic/job.ts';
import { draw, props } from './props.ts';
import { picturesOf, type Strip, sheet } from './sheet.ts';
import { type Prop, TAKES, type Take } from './takes.ts';

const OUT = path.join('out', 'gallery');
const asked = process.argv.slice(2);
/** A chat model draws nothing. */
const drawn = modelLibrary.labels.filter(label => modelLibrary.get(label)?.produces !== 'text');
const labels = drawn.filter(label => asked.length === 0 || asked.includes(label));
const scratch = await mkdtemp(path.join(tmpdir(), 'shotlist-gallery-'));
try {
  await mkdir(OUT, { recursive: true });
  const stage = await props(path.join(scratch, 'props'));
  const all: Strip[] = [];
  for (const label of labels) {
    const takes = TAKES.filter(take => take.label === label);
    if (takes.length === 0) missing(label, 'the gallery has no take of it');
    const strips: Strip[] = [];
    for (const take of takes) {
      const strip = await shown(take, stage, path.join(scratch, `${label}-${strips.length}`));
      if (strip) strips.push(strip);
    }
    const [first] = strips;
    if (!first) continue;
    await writeFile(path.join(OUT, `${label}.png`), await sheet(label, strips));
    all.push({ title: label, pictures: first.pictures.slice(first.pictures.length > 1 ? 2 : 0).slice(0, 1) });
    console.log(`${label}: ${strips.length} of ${takes.length} takes`);
  }
  if (asked.length === 0) await writeFile(path.join(OUT, 'all.png'), await sheet('Every kind', all));
} finally {
  await rm(scratch, { recursive: true });
}

async function shown(
  { label, request, inputs = {} }: Take,
  stage: { readonly [prop in Prop]: LocalInput },
  folder: string,
): Promise<Strip | undefined> {
  const model = modelLibrary.get(label);
  const given = Object.entries(inputs).map(([field, names]) => [field, names.map(name => stage[name])] as const);
  const urls = given.map(([field, files]) => {
    const list = files.map(file => `file://${file.path}`);
    return [field, model?.request.properties[field]?.type === 'array' ? list : (list[0] ?? null)] as const;
  });
  const wrong = model ? validateRequest(model, { ...request, ...Object.fromEntries(urls) }) : [];
  if (wrong.length > 0) return missing(label, wrong.map(({ message }) => message).join('; '));
  try {
    const drawn = await draw(label, request, Object.fromEntries(given), folder);
    const counts = given.map(([field, files]) => (files.length > 1 ? `${field} ×${files.length}` : field));
    const fields = Object.entries(request).map(([field, value]) =>
      field === 'prompt' ? String(value) : `${field} ${value}`,
    );
    return { title: [...fields, ...counts].join(' · '), pictures: await picturesOf(drawn) };
  } catch (error) {
    return missing(label, error instanceof Error ? error.message : String(error));
  }
}

function missing(label: string, why: string): undefined {
  console.error(`${label}: MISSING: ${why}`);
  process.exitCode = 1;
}
