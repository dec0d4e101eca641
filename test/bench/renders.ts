/** One job in one fresh renderer, as `npm run build` left it, and what it cost. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { LocalInput, RenderJob, RenderResult } from '../../src/studio/animatic/job.ts';
import { type Bench, inWorker } from './measure.ts';

export interface Rendered {
  readonly result: RenderResult;
  /** For the step after. */
  readonly input: LocalInput;
  /** Of the renderer's whole life, start included, in seconds. */
  readonly cpu: number;
  readonly wall: number;
  /** MB resident at the worst moment. */
  readonly peak: number;
}

type Order = Pick<RenderJob, 'label' | 'request'> & { readonly inputs?: RenderJob['inputs'] };

export async function rendered(bench: Bench, { label, request, inputs = {} }: Order): Promise<Rendered> {
  const folder = await mkdtemp(join(bench.scratch, 'render-'));
  const job: RenderJob = {
    id: 'bench',
    label,
    kind: modelLibrary.get(label)!.kind,
    request,
    inputs,
    folder,
    speed: 'full',
  };
  const began = performance.now();
  const { result: done, cost } = await inWorker<{ readonly rendered: RenderResult }>(bench, 'render-worker.js', {
    ...{ type: 'render', job },
  });
  const result = done.rendered;
  const plate = result.cleanPlate === undefined ? {} : { cleanPlate: join(folder, result.cleanPlate) };
  const input = { path: join(folder, result.file), ...plate, facts: result.facts };
  return { result, input, ...cost, wall: (performance.now() - began) / 1000 };
}
