/** One job in one fresh renderer, as `npm run build` left it, and what it cost. */
import { fork } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { modelLibrary } from '../../src/api/model-library.ts';
import { FRUGAL } from '../../src/machine/process/worker-process.ts';
import type { FromWorker } from '../../src/machine/process/worker-program.ts';
import type { LocalInput, RenderJob, RenderResult } from '../../src/studio/animatic/job.ts';
import type { Bench } from './measure.ts';

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
  const teller = fileURLToPath(new URL('./tell-cost.cjs', import.meta.url));
  const began = performance.now();
  const worker = fork(join(dirname(bench.shotlist), 'render-worker.js'), [], {
    execArgv: [...FRUGAL.execArgv, '--require', teller],
    env: { ...process.env, ...FRUGAL.env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    const { result, cost } = await done(worker, job);
    const path = join(folder, result.file);
    const plate = result.cleanPlate === undefined ? {} : { cleanPlate: join(folder, result.cleanPlate) };
    return {
      result,
      input: { path, ...plate, facts: result.facts },
      ...cost,
      wall: (performance.now() - began) / 1000,
    };
  } finally {
    worker.kill('SIGKILL');
  }
}

type Done = { readonly result: RenderResult; readonly cost: { readonly cpu: number; readonly peak: number } };

function done(worker: ReturnType<typeof fork>, job: RenderJob): Promise<Done> {
  return new Promise((resolve, reject) => {
    worker.once('exit', code => reject(new Error(`the renderer ended with ${code}`)));
    worker.on(
      'message',
      (message: FromWorker<{ readonly rendered: RenderResult }> & { readonly cost: Done['cost'] }) => {
        if (message.type === 'ready') worker.send({ id: 'bench', job: { type: 'render', job } });
        if (message.type === 'failed') reject(new Error(`${job.label}: ${message.bug ?? message.message}`));
        if (message.type === 'done') resolve({ result: message.result.rendered, cost: message.cost });
      },
    );
  });
}
