/** A workflow's JSON → what it becomes; a sentence where it is none that we read. */

import { modelLibrary } from '../../api/model-library.ts';
import { cleanText } from '../../domain/clean.ts';
import { type Json, parseJson } from '../../domain/json.ts';
import { importComfy } from './comfy.ts';
import { comfyGraph } from './comfy-graph.ts';
import { importFal } from './fal.ts';
import { type Imported, type ImportedOutput, type ImportedValue, outputFile, stepName } from './imported.ts';

/** @param name of the pipeline, where the workflow says none. */
export function readWorkflow(text: string, name: string): Imported | string {
  let document: Json;
  try {
    document = parseJson(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return `it is no JSON (${(error as Error).message}); export it again`;
  }
  const graph = comfyGraph(document);
  const imported = graph ? importComfy(graph, name) : importFal(document, name);
  if (imported === undefined)
    return 'it is no workflow that we read: ComfyUI saves one (`Save`, `Export (API)`), and so does fal (`nodes` with `type` and `app`)';
  // A sentence about a node is one line, whatever the node's name.
  const left = imported.left.map(oneLine);
  if (imported.steps.length === 0)
    return ['nothing in it could be carried over:', ...left.map(line => `  ${line}`)].join('\n');
  return { ...imported, left, files: imported.files.map(oneLine), outputs: withLastSteps(imported) };
}

/** A picture or film that nothing reads and nothing saves is an output as well: otherwise it would be paid for, and lie nowhere. */
function withLastSteps({ steps, outputs }: Imported): readonly ImportedOutput[] {
  const read = new Set(
    steps.flatMap(step => ('clips' in step ? step.clips : Object.values(step.fields)).flatMap(stepsIn)),
  );
  const all = [...outputs];
  for (const step of steps) {
    const isText = !('clips' in step) && modelLibrary.get(step.model)?.produces === 'text';
    if (isText || read.has(step.name) || outputs.some(({ from }) => from === step.name)) continue;
    const name = stepName(step.name, new Set(all.map(one => one.name)));
    all.push({ name, from: step.name, to: outputFile(name, step) });
  }
  return all;
}

function stepsIn(value: ImportedValue): readonly string[] {
  if (value.is === 'list') return value.items.flatMap(stepsIn);
  if (value.is === 'joined') return value.parts.flatMap(stepsIn);
  return value.is === 'result' ? [value.step] : [];
}

const oneLine = (text: string): string => {
  const clean = cleanText(text);
  return clean.length <= MAX_LINE ? clean : `${clean.slice(0, MAX_LINE - 1)}…`;
};

const MAX_LINE = 500;
